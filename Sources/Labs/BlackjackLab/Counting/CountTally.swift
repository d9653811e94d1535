// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Scenarios
internal import Statistics

/// The tally of shoes: sums and sums of products, so that any smooth function of the means has a standard error that
/// accounts for the dependence of a shoe's rounds.
///
/// The shoes are shuffled independently and are identically distributed; they are the samples, and their rounds are
/// not. All sums are whole numbers.
struct CountTally: MergeableTally, Hashable {
  /// The columns that are summed over each shoe.
  enum Column: Int, CaseIterable {
    /// Rounds dealt, and rounds that the counter played.
    case rounds, played
    /// The counter's win in tenths of a unit, and the sum of its squares over rounds.
    case win, squares
    /// The counter's first bets in units, and the final stakes in halves of a unit.
    case bet, action
  }

  static let columns = Column.allCases.count
  /// The counts that have a row; one more row at each end is for the counts beyond.
  let counts: ClosedRange<Int>
  private(set) var shoes = 0
  private(set) var sums: [WideSum]
  private(set) var products: [WideSum]
  /// The number of rounds by payoff in tenths of the first bet, with a row per step of the ramp.
  var payoffs: [Int]
  /// Six numbers for each count before a round: rounds played, their payoff in tenths of the first bet, and the sums
  /// over shoes of rounds squared, rounds times payoff, payoff squared, and rounds times rounds played.
  var byCount: [Int]
  static let numbers = 6

  /// An empty tally of a number of settings next to each other.
  init(settings: Int = 1, payoffs: Int = 0, counts: ClosedRange<Int> = 0...0) {
    let width = settings * Self.columns
    sums = Array(repeating: WideSum(), count: width)
    products = Array(repeating: WideSum(), count: width * (width + 1) / 2)
    self.payoffs = Array(repeating: 0, count: payoffs)
    self.counts = counts
    byCount = Array(repeating: 0, count: Self.numbers * (counts.count + 2))
  }

  /// Adds a shoe.
  mutating func add(shoe: UnsafeBufferPointer<Int>) {
    shoes += 1
    var position = 0
    for first in 0..<shoe.count {
      unsafe sums[first].value &+= Int128(shoe[first])
      for second in 0...first {
        unsafe products[position].add(shoe[first], times: shoe[second])
        position += 1
      }
    }
  }

  mutating func merge(_ other: CountTally) {
    shoes += other.shoes
    for (index, sum) in zip(sums.indices, other.sums) { sums[index].value &+= sum.value }
    for (index, sum) in zip(products.indices, other.products) { products[index].value &+= sum.value }
    Self.add(other.payoffs, to: &payoffs)
    Self.add(other.byCount, to: &byCount)
  }

  private static func add(_ numbers: [Int], to sums: inout [Int]) {
    for (index, number) in zip(sums.indices, numbers) { sums[index] &+= number }
  }

  /// The mean of a column over the shoes.
  func mean(_ column: Column, setting: Int = 0) -> Double { means[setting * Self.columns + column.rawValue] }

  private var means: [Double] { sums.map { $0.double / Double(max(shoes, 1)) } }

  /// A function of the columns' means, with the standard deviation of its linearisation over the shoes; divided by the
  /// root of their number it is the standard error (the delta method).
  ///
  /// The gradient is by central differences with steps of a thousandth of each column's standard deviation.
  func estimate(_ function: ([Double]) -> Double) -> (value: Double, deviation: Double) {
    let (means, width) = (means, sums.count)
    let value = function(means)
    guard shoes > 1 else { return (value, 0) }
    func covariance(_ first: Int, _ second: Int) -> Double {
      let (high, low) = (max(first, second), min(first, second))
      let product = products[high * (high + 1) / 2 + low].double
      return (product - means[first] * means[second] * Double(shoes)) / Double(shoes - 1)
    }
    let gradient: [Double] = (0..<width).map { column in
      let step = 1e-3 * max(covariance(column, column), 0).squareRoot()
      guard step > 0 else { return 0 }
      var (up, down) = (means, means)
      up[column] += step
      down[column] -= step
      return (function(up) - function(down)) / (2 * step)
    }
    var variance = 0.0
    for first in 0..<width {
      for second in 0..<width { variance += gradient[first] * gradient[second] * covariance(first, second) }
    }
    // Differences within rounding count as 0.
    return (value, variance > 1e-13 * value * value ? variance.squareRoot() : 0)
  }

  /// The counts that have a row each. Beyond the counts that are always shown, a tail with less than 0.05% of the
  /// rounds is one row, as are all counts beyond those of the tally.
  func shown(always: ClosedRange<Int>?) -> ClosedRange<Int>? {
    let played = sums[Column.played.rawValue].double
    guard played > 0 else { return nil }
    func rounds(_ row: Int) -> Double { Double(byCount[Self.numbers * row]) }
    var (first, last) = (1, counts.count)
    var tail = rounds(0)
    while first < last, tail + rounds(first) < 5e-4 * played {
      tail += rounds(first)
      first += 1
    }
    tail = rounds(counts.count + 1)
    while last > first, tail + rounds(last) < 5e-4 * played {
      tail += rounds(last)
      last -= 1
    }
    let (low, high) = (first + counts.lowerBound - 1, last + counts.lowerBound - 1)
    return min(low, always?.lowerBound ?? low)...max(high, always?.upperBound ?? high)
  }

  /// The share of the rounds played that begin at counts below or above others, with a bound of its standard deviation
  /// over the shoes: the sum of those of the counts, whose dependence is not tallied. `nil` without such rounds.
  func tail(_ side: PartialRangeUpTo<Int>) -> (share: Double, shareDeviation: Double)? {
    tail((counts.lowerBound - 1)..<max(side.upperBound, counts.lowerBound - 1))
  }

  /// The share above others.
  func tail(_ side: PartialRangeFrom<Int>) -> (share: Double, shareDeviation: Double)? {
    tail(min(side.lowerBound, counts.upperBound + 2)..<counts.upperBound + 2)
  }

  private func tail(_ beyond: Range<Int>) -> (share: Double, shareDeviation: Double)? {
    let rows = beyond.compactMap { row(at: $0, hands: 1) }
    guard !rows.isEmpty else { return nil }
    return (rows.reduce(0) { $0 + $1.share }, rows.reduce(0) { $0 + $1.shareDeviation })
  }

  /// The win of a first bet at a count and the share of the rounds played that begin there, each with its standard
  /// deviation over the shoes, and their number; `nil` without such rounds.
  func row(
    at count: Int, hands: Int
  ) -> (edge: Double, edgeDeviation: Double, share: Double, shareDeviation: Double, rounds: Int)? {
    let position = Self.numbers * (count - counts.lowerBound + 1)
    let row = byCount[position..<position + Self.numbers].map(Double.init)
    let (column, tenths) = (Column.played.rawValue, 10 * Double(hands))
    let played = (sum: sums[column].double, squares: products[column * (column + 1) / 2 + column].double)
    guard let edge = SampleRatio(sums: (row[1], row[0]), squares: (row[4], row[3], row[2]), count: shoes),
      let share = SampleRatio(
        sums: (row[0], played.sum), squares: (row[2], row[5], played.squares), count: shoes)
    else { return nil }
    return (edge.value / tenths, edge.deviation / tenths, share.value, share.deviation, byCount[position])
  }

  /// A mean of some of the rounds with its deviation over the shoes. Where they are fewer than the shoes, they are the
  /// observations: few of them are not normal, however many shoes there are.
  func mean(_ value: Double, deviation: Double, ofRounds rounds: Int) -> Measurement.Value {
    let samples = min(rounds, shoes)
    return .mean(
      value, standardDeviation: deviation * (Double(samples) / Double(shoes)).squareRoot(), samples: samples)
  }
}

/// A sum of 128 bits; files store it as a text, since JSON readers keep fewer digits of a number.
struct WideSum: Hashable, Sendable, Codable {
  var value = Int128(0)

  init() {}

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Int128(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no whole number"))
    }
    self.value = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(value))
  }

  mutating func add(_ one: Int, times other: Int) {
    let product = one.multipliedFullWidth(by: other)
    value &+= Int128(product.high) << 64 | Int128(product.low)
  }

  var double: Double {
    let magnitude = value.magnitude
    let wide =
      Double(UInt64(truncatingIfNeeded: magnitude >> 64)) * 0x1p64 + Double(UInt64(truncatingIfNeeded: magnitude))
    return value < 0 ? -wide : wide
  }
}
