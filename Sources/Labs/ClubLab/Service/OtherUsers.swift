// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Randomness

/// How much of a service's budget others use up, by quarter of an hour.
struct OtherUsers: Sendable {
  /// The length of a window, in seconds.
  static let window = 900

  private let first: Int
  private let totals: [Int]
  /// From which share of a window on its requests are used up; nil where they are not.
  private let fullFrom: [Double?]
  /// What others used since midnight, before each window.
  private let before: [Int]
  private let shape: ServiceShape

  /// Draws the others' requests.
  init(
    _ fault: FeedFault?, shape: ServiceShape, within span: Range<Moment>, generator: String, seed: UInt32
  ) throws(RandomnessError) {
    self.shape = shape
    first = Self.window(of: span.lowerBound)
    guard let fault else {
      (totals, fullFrom, before) = ([], [], [])
      return
    }
    let count = Self.window(of: span.upperBound) - first + 1
    var source = try GSLGenerator(named: generator, seed: seed)
    let usual = try PoissonDistribution(mean: max(fault.size, 1e-9))
    let uniform = try UniformDistribution(from: 0, to: 1)
    var (totals, fullFrom, before): ([Int], [Double?], [Int]) = ([], [], [])
    var today = 0
    for index in 0..<count {
      if (first + index) % 96 == 0 { today = 0 }
      let isFull = uniform.sample(using: &source) < fault.rate
      let (from, some) = (uniform.sample(using: &source), usual.sample(using: &source))
      totals.append(isFull ? shape.perQuarterHour : min(some, shape.perQuarterHour))
      fullFrom.append(isFull ? from : nil)
      before.append(today)
      today += totals[index]
    }
    (self.totals, self.fullFrom, self.before) = (totals, fullFrom, before)
  }

  /// The window of a moment, counted from 1970.
  static func window(of moment: Moment) -> Int { moment.seconds / window }

  /// What others have used at a moment: in its quarter of an hour, and in its day.
  func used(at moment: Moment) -> (quarterHour: Int, day: Int) {
    let index = Self.window(of: moment) - first
    guard totals.indices.contains(index) else { return (0, 0) }
    let share = Double(moment.milliseconds % (Self.window * 1000)) / Double(Self.window * 1000)
    let now =
      if let from = fullFrom[index] { share >= from ? totals[index] : 0 } else { Int(Double(totals[index]) * share) }
    return (now, before[index] + now)
  }

  /// Whether others leave nothing of the budget at a moment.
  func leaveNothing(at moment: Moment) -> Bool {
    let used = used(at: moment)
    return used.quarterHour >= shape.perQuarterHour || used.day >= shape.perDay
  }
}
