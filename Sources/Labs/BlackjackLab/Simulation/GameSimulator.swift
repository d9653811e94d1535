// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import MonteCarlo
internal import Randomness
internal import Statistics

/// Plays whole rounds by a chart and counts what they pay.
///
/// A fresh shoe is played by the table of the core's positions (`RoundAutomaton`), a shoe with a cut card by the
/// core's round and shoe as they are. Every block of rounds has a random stream of its own, so the counts are the same
/// at any number of workers.
package struct GameSimulator: Sendable {
  /// Rounds that share a random stream. A game with a cut card starts each block with a new shoe, and leaves the last
  /// one unfinished: one shoe in some thousand.
  package static let roundsPerBlock = 1 << 18

  private let rules: Rules
  private let chart: StrategyChart
  private let generator: String
  private let runner: BlockRunner
  private let streams: StreamFamily

  /// What a run came to.
  package struct Run: Sendable {
    /// The payoffs.
    package let result: GameResult
    /// Why it ended.
    package let reason: StopReason
    /// Where a half-width was asked for: the interval, in bets, that holds although the end was chosen by looking.
    package let interval: ClosedRange<Double>?
    /// The payoffs after 1, 2, 4, 8 … blocks, and after all of them: how the estimate converged.
    package let course: [GameResult]
  }

  /// A simulator of a game.
  ///
  /// - Parameters:
  ///   - rules: the game, with or without a cut card.
  ///   - chart: how the player plays.
  ///   - seed: the root of all random streams.
  ///   - generator: the name of a GSL generator.
  ///   - workers: how many threads play.
  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers that cannot be.
  package init(rules: Rules, chart: StrategyChart, seed: UInt64, generator: String, workers: Int) throws {
    self.rules = rules
    self.chart = chart
    self.generator = generator
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(rootSeed: seed, experiments: ["rounds"])
    _ = try GSLGenerator(named: generator, seed: 1)
  }

  /// Plays that many rounds, or fewer where it is interrupted.
  ///
  /// - Parameters:
  ///   - rounds: above 0.
  ///   - interrupt: looked at after every block.
  ///   - progress: told the rounds of every block, on the thread that played it.
  /// - Returns: the payoffs.
  /// - Throws: `BlackjackError` where the chart has no answer; errors of the generator.
  package func play(
    rounds: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> GameResult {
    try play(until: .rounds(rounds), interrupt: interrupt, progress: progress).result
  }

  /// Plays until a rule says to stop.
  ///
  /// - Parameters:
  ///   - rule: when to stop; its half-width is in bets.
  ///   - interrupt: looked at after every block.
  ///   - progress: told the rounds of every block, on the thread that played it.
  /// - Returns: the payoffs, and why the run ended.
  /// - Throws: `MonteCarloError` for a rule that makes no sense, `BlackjackError` where the chart has no answer;
  ///   errors of the generator.
  package func play(
    until rule: StoppingRule, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> Run {
    let (rules, chart, generator) = (rules, chart, generator)
    guard rules.dealing == .freshShoe else {
      return try play(until: rule, interrupt, progress) { () throws(any Error) -> CutCardPlayer in
        CutCardPlayer(rules: rules, chart: chart, generator: generator)
      }
    }
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    return try play(until: rule, interrupt, progress) { () throws(any Error) -> RoundKernel in
      try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: generator)
    }
  }

  private func play<Player: BlockPlayer & ~Copyable>(
    until rule: StoppingRule, _ interrupt: Interrupt?, _ progress: @escaping @Sendable (Int) -> Void,
    by makePlayer: @escaping @Sendable () throws -> Player
  ) throws -> Run {
    let plan = try BlockPlan(rule, roundsPerBlock: Self.roundsPerBlock)
    var judge: HalfWidthJudge?
    if case .halfWidth(let target, let confidence, _) = rule {
      let most = Double(PayoffTally.limit) / 10
      let sequence = try ConfidenceSequence(range: -most...most, unit: 0.1)
      judge = try HalfWidthJudge(target: target, confidence: confidence, sequence: sequence)
    }
    let streams = streams
    let outcome = try runner.run(
      plan, into: GrowingTally(), interrupt: interrupt, makeScratch: makePlayer,
      body: { (block, player: inout Player) throws(any Error) -> GrowingTally in
        let tally = try player.play(rounds: block.rounds, seed: streams.seed(ordinal: 0, block: block.index))
        progress(block.rounds)
        return GrowingTally(block: block.index, tally)
      },
      judge: { judge?.isMet(after: $0.tally.total.moments) ?? false })
    return Run(
      result: outcome.tally.total.result, reason: outcome.reason, interval: judge?.interval,
      course: outcome.tally.course)
  }
}

/// Whatever plays a block of rounds from its seed.
protocol BlockPlayer: ~Copyable, SendableMetatype {
  mutating func play(rounds: Int, seed: UInt32) throws -> PayoffTally
}

extension RoundKernel: BlockPlayer {}

/// Plays shoes to their cut cards, by the core's round and shoe.
private struct CutCardPlayer: BlockPlayer {
  let rules: Rules
  let chart: StrategyChart
  let generator: String

  func play(rounds: Int, seed: UInt32) throws -> PayoffTally {
    let generator = try GSLWords(named: generator, seed: seed)
    var shoe = try Shoe(rules: rules, generator: generator)
    var player = ChartPlayer(chart)
    var tally = PayoffTally()
    for _ in 0..<rounds {
      shoe.beginRound()
      tally.add(try Round.play(rules: rules, from: &shoe, by: &player))
    }
    return tally
  }
}

/// A GSL generator where the standard library asks for one: the core's shoe takes any.
private final class GSLWords: RandomNumberGenerator {
  private var stream: WordStream

  init(named name: String, seed: UInt32) throws(RandomnessError) {
    stream = try WordStream(named: name, seed: seed)
  }

  func next() -> UInt64 { UInt64(stream.next()) << 32 | UInt64(stream.next()) }
}
