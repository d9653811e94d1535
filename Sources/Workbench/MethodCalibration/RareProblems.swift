// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Randomness
internal import Sampling
internal import Scenarios

/// A rare event whose probability is known.
protocol KnownRareEvent: RareEvent {
  var exact: Double { get }
}

extension KnownRareEvent {
  static var kind: String { "calibration.rare" }
  static var summary: String { "" }
  static var parameters: [Parameter<Self>] { [] }
}

/// A queue with one customer that overflows before it is empty. The exact probability is the gambler's ruin.
struct QueueOverflow: KnownRareEvent {
  var load = 0.5
  var size = 8

  var exact: Double { (1 / load - 1) / (pow(1 / load, Double(size)) - 1) }
  var top: Double { Double(size) }
  func start(_ random: inout RandomStream) -> Int { 1 }
  func step(_ inside: inout Int, _ random: inout RandomStream) -> Bool {
    inside += random.happens(load / (1 + load)) ? 1 : -1
    return inside > 0
  }
  func level(of inside: Int) -> Double { Double(inside) }
}

/// The maximum of a random walk before it is below 0: it rises by exponential steps with the mean 1 and falls by such
/// with the mean 2. The overshoot is exponential at both ends, so the exact probability follows from the martingale
/// exp(S / 2) (Asmussen, "Applied Probability and Queues", 2nd edition (2003), section XIII.5).
struct WalkMaximum: KnownRareEvent {
  var height = 8.0

  var exact: Double { 0.5 / (2 * exp(height / 2) - 0.5) }
  var top: Double { height }
  func start(_ random: inout RandomStream) -> Double { 0 }
  func step(_ place: inout Double, _ random: inout RandomStream) -> Bool {
    place += random.exponential(mean: 1) - 2 * random.exponential(mean: 1)
    return place >= 0
  }
  func level(of place: Double) -> Double { place }
}

/// A network of ten links, one between any two of five nodes, which fails if it is not connected. Links come up at
/// exponential times, each by the time 1 with the probability that it does not fail; the level is the time until which
/// the network is not connected. The exact probability is the sum over all 1,024 sets of links that work.
///
/// Source: Murray, Cancela and Rubino, "A splitting algorithm for network reliability estimation", IIE Transactions 45
/// (2013).
struct NetworkFailure: KnownRareEvent {
  /// The probability that a link fails.
  private let failure: Double
  /// The steps up to time 1.
  private let steps: Int
  /// The probability that a link comes up in a step.
  private let chance: Double

  init() { self.init(failure: 0.1, steps: 10) }

  init(failure: Double, steps: Int) {
    (self.failure, self.steps, chance) = (failure, steps, 1 - pow(failure, 1 / Double(steps)))
  }

  private static let links = (0..<5).flatMap { first in (first + 1..<5).map { 1 << first | 1 << $0 } }
  /// For each set of links, whether it connects all nodes.
  private static let isConnected: [Bool] = (0..<1 << links.count).map { set in
    var reached = 1
    for _ in 0..<5 {
      for (index, link) in links.enumerated() where set >> index & 1 == 1 && reached & link != 0 { reached |= link }
    }
    return reached == 0b11111
  }

  var exact: Double {
    Self.isConnected.indices.reduce(0) { sum, set in
      guard !Self.isConnected[set] else { return sum }
      let working = set.nonzeroBitCount
      return sum + pow(1 - failure, Double(working)) * pow(failure, Double(Self.links.count - working))
    }
  }

  /// The links that are up, and the steps that are over.
  typealias State = (up: Int, step: Int)

  var top: Double { Double(steps) }
  func start(_ random: inout RandomStream) -> State { (0, 0) }
  func step(_ state: inout State, _ random: inout RandomStream) -> Bool {
    for index in Self.links.indices where state.up >> index & 1 == 0 && random.happens(chance) {
      state.up |= 1 << index
    }
    state.step += 1
    return !Self.isConnected[state.up]
  }
  func level(of state: State) -> Double { Self.isConnected[state.up] ? -1 : Double(state.step) }
}

extension StatedMethods {
  static var ofRareEvents: [CalibrationMethod] {
    [
      CalibrationMethod(
        "splitting", "the interval of a rare event's probability by splitting, adaptive or at fixed levels",
        rareEvents { replicate, _ in replicate.probability }),
      CalibrationMethod(
        "ties-as-one", "adaptive splitting that counts one path at each level, where several tie",
        mutantOf: "splitting",
        rareEvents { $1.bounds.isEmpty ? pow(1 - 1 / Double($1.replicas), Double($0.levels)) : $0.probability }),
      CalibrationMethod(
        "survivors-alone", "splitting without the runs in which no path passed a level", mutantOf: "splitting",
        rareEvents { replicate, _ in replicate.isExtinct ? nil : replicate.probability }),
    ]
  }

  private typealias Setting = (replicas: Int, bounds: [Double])

  /// Runs of which the mean decides; the figure of one that is left out is `nil`.
  private static func rareEvents(
    _ figure: @escaping @Sendable (Replicate, Setting) -> Double?
  ) -> [CalibrationProblem] {
    func problem<Event: KnownRareEvent>(
      _ name: String, _ event: Event, samples: Int = 110, replicas: Int, bounds: [Double] = []
    ) -> CalibrationProblem {
      let truth = event.exact
      return CalibrationProblem(name) { generator, confidence in
        var random = try RandomStream(named: "taus2", seed: generator.next() | 1)
        var paths = SplitPaths<Event.State>(replicas: replicas, bounds: bounds)
        let found = try SampledTrial.measurement(
          samples: samples, of: .mean("figure", "") { $0 },
          draw: {
            while true {
              let replicate = try event.replicate(&paths, &random)
              if let found = figure(replicate, (replicas, bounds)) { return found }
            }
          }, until: { _ in false })
        return .interval(found?.interval(at: confidence) ?? .everything, truth: truth)
      }
    }
    return [
      problem("overflow", QueueOverflow(size: 5), replicas: 20),
      problem("walk", WalkMaximum(height: 2), replicas: 12),
      problem("network", NetworkFailure(failure: 0.3, steps: 5), replicas: 12),
      problem("overflow at fixed levels", QueueOverflow(size: 5), samples: 200, replicas: 16, bounds: [3, 4.5]),
    ]
  }
}
