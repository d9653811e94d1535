// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
internal import Foundation
package import MonteCarlo
internal import Randomness
internal import Statistics

/// Plays one hand again and again, every action with cards of its own, to see what each is worth.
///
/// With a peek the hole card is drawn given that it makes no natural. What follows the first action follows a chart.
package struct HandSimulator: Sendable {
  /// Samples that one seed plays: who plays them does not matter, only how many belong together.
  static let samplesPerBlock = 1 << 16

  private let start: HandStart
  private let chart: StrategyChart
  private let simulation: Provenance.Simulation
  private let runner: BlockRunner
  private let streams: StreamFamily

  /// A simulator of a hand.
  ///
  /// - Parameters:
  ///   - rules: the rules; a cut card is not looked at, the shoe is fresh.
  ///   - cards: two or more, not bust and no natural; all but the first two were drawn by hitting.
  ///   - upcard: the dealer's.
  ///   - chart: what follows the first action.
  ///   - simulation: what determines the randomness and the intervals.
  ///   - workers: how many threads play.
  /// - Throws: `BlackjackError` for cards that cannot come to a decision; errors of the generator and the runner.
  package init(
    rules: Rules, cards: [CardValue], against upcard: CardValue, following chart: StrategyChart,
    simulation: Provenance.Simulation, workers: Int
  ) throws {
    start = try HandStart(rules: rules, cards: cards, upcard: upcard)
    self.chart = chart
    self.simulation = simulation
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(rootSeed: simulation.seed, experiments: Action.allCases.map(\.name))
    _ = try GSLGenerator(named: simulation.generator, seed: 1)
  }

  /// Plays every allowed action that many times, in whole blocks at an interruption.
  ///
  /// - Returns: means with Student's intervals that hold together at the confidence.
  /// - Throws: errors of the generator, and `StatisticsError` where it was interrupted before anything was known.
  package func play(
    samples: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (_ samples: Int) -> Void = { _ in }
  ) throws -> HandReport.Estimate {
    let actions = start.options.actions
    let blocks = (samples + Self.samplesPerBlock - 1) / Self.samplesPerBlock
    var tallies: [(action: Action, tally: MomentTally)] = []
    for action in actions {
      let run = try runner.run(
        blocks: 0..<blocks, into: MomentTally(), interrupt: interrupt,
        makeScratch: { () throws(any Error) -> StampedShoe in
          try StampedShoe(rules: start.rules, generator: simulation.generator, seed: 1)
        },
        body: { (block, shoe: inout StampedShoe) throws(any Error) -> MomentTally in
          try shoe.reseed(streams.seed(ordinal: Int(action.rawValue), block: block))
          let count = min(Self.samplesPerBlock, samples - block * Self.samplesPerBlock)
          let tally = try start.play(action, times: count, following: chart, from: &shoe)
          progress(count)
          return tally
        })
      tallies.append((action, run.tally))
    }
    return try estimate(from: tallies)
  }

  private func estimate(from tallies: [(action: Action, tally: MomentTally)]) throws -> HandReport.Estimate {
    var (values, low, high) = (ActionValues(), ActionValues(), ActionValues())
    // Bonferroni: each interval may err with its share, so that together they hold at the confidence.
    let confidence = 1 - (1 - simulation.confidence) / Double(max(tallies.count, 1))
    for (action, tally) in tallies {
      if let known = start.knownValue(of: action) {
        (values[action], low[action], high[action]) = (known, known, known)
        continue
      }
      // An interruption leaves actions that were not played, and have nothing to say.
      if tally.count < 2 { continue }
      let interval = try NormalInterval(of: tally, unit: 0.1, confidence: confidence)
      (values[action], low[action], high[action]) = (interval.mean, interval.lower, interval.upper)
    }
    return HandReport.Estimate(
      simulation: simulation, values: values, low: low, high: high,
      samples: tallies.map(\.tally.count).filter { $0 > 0 }.min() ?? 0)
  }
}
