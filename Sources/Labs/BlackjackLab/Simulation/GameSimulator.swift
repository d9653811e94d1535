// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import Statistics

/// Plays whole rounds by a chart and counts their payoffs.
///
/// A game with fresh shoes uses the table of the core's positions (`RoundAutomaton`), one with a cut card the core's
/// round and shoe.
struct GameSimulator: Sendable {
  let rules: Rules
  let chart: StrategyChart
  let seed: UInt64
  let generator: String

  struct Run: Sendable {
    let result: PayoffTally
    let reason: StopReason
    /// For a run with a half-width: the interval, in bets, which holds in spite of its stopping rule.
    let interval: ClosedRange<Double>?
    /// The payoffs after 1, 2, 4, 8 … batches, and after all of them, to show the convergence.
    let course: [PayoffTally]
  }

  /// Plays until the rule ends it, with a goal once the interval at its confidence has its half-width.
  func play(
    until rule: StoppingRule, goal: (halfWidth: Double, confidence: Double)? = nil, on context: RunContext
  ) throws -> Run {
    guard rules.dealing == .freshShoe else {
      return try play(until: rule, goal, on: context) {
        CutCardPlayer(rules: rules, chart: chart, generator: generator)
      }
    }
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    return try play(until: rule, goal, on: context) {
      try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: generator)
    }
  }

  private func play<Player: BatchPlayer & ~Copyable>(
    until rule: StoppingRule, _ goal: (halfWidth: Double, confidence: Double)?, on context: RunContext,
    by makePlayer: @escaping @Sendable () throws -> Player
  ) throws -> Run {
    // A look after every wave is allowed: the final interval covers the mean although the looks decided the end.
    var sequence = try ConfidenceSequence(range: PayoffTally.range, unit: 0.1)
    var interval: ClosedRange<Double>?
    // A game with a cut card starts each batch with a new shoe and does not finish the last one: one in some thousand.
    let outcome = try context.draw(
      rule, "rounds", perBatch: 1 << 18, seed: seed, streams: ["rounds"], into: GrowingTally(), scratch: makePlayer,
      body: { GrowingTally(batch: $0.index, try $1.play(rounds: $0.count, seed: $0.seed())) },
      evaluate: { wave in
        guard let goal else { return false }
        sequence.absorb(wave: wave.total.moments)
        let now = sequence.interval(alpha: 1 - goal.confidence)
        interval = now
        return now.upperBound - now.lowerBound <= 2 * goal.halfWidth
      })
    return Run(
      result: outcome.tally.total, reason: outcome.reason, interval: interval ?? goal.map { _ in PayoffTally.range },
      course: outcome.tally.course)
  }
}

protocol BatchPlayer: ~Copyable, SendableMetatype {
  mutating func play(rounds: Int, seed: UInt32) throws -> PayoffTally
}

extension RoundKernel: BatchPlayer {}

private struct CutCardPlayer: BatchPlayer {
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

/// A GSL generator as a generator of the standard library, for the core's shoe.
private final class GSLWords: RandomNumberGenerator {
  private var stream: WordStream

  init(named name: String, seed: UInt32) throws(RandomnessError) {
    stream = try WordStream(named: name, seed: seed)
  }

  func next() -> UInt64 { UInt64(stream.next()) << 32 | UInt64(stream.next()) }
}

/// The number of times that each payoff occurred: exact, and independent of the order of merging.
struct PayoffTally: MergeableTally, Hashable {
  /// The largest absolute payoff in tenths of a bet: four hands, all doubled.
  static let limit = 80

  /// The possible payoffs of a round, in bets.
  static let range = -Double(limit) / 10...Double(limit) / 10

  private var counts = Array(repeating: 0, count: 2 * limit + 1)

  init() {}

  /// Counts rounds with a payoff in tenths of a bet, -80 to 80; others cannot occur and are ignored.
  mutating func add(_ tenths: Int, times: Int = 1) {
    guard counts.indices.contains(tenths + Self.limit) else { return }
    counts[tenths + Self.limit] += times
  }

  mutating func merge(_ other: PayoffTally) {
    for (index, count) in zip(counts.indices, other.counts) { counts[index] += count }
  }

  /// The payoffs that occurred, in tenths of a bet, ascending.
  var payoffs: [(tenths: Int, count: Int)] {
    counts.enumerated().filter { $0.element > 0 }.map { ($0.offset - Self.limit, $0.element) }
  }

  var rounds: Int { counts.reduce(0, +) }

  // No possible number of rounds overflows the sum; that of a forged checkpoint may wrap without a trap.
  private var sum: Int { payoffs.reduce(0) { $0 &+ $1.count &* $1.tenths } }
  private var squares: Int { payoffs.reduce(0) { $0 &+ $1.count &* $1.tenths &* $1.tenths } }
  private var mean: Double { rounds == 0 ? 0 : Double(sum) / Double(rounds) }

  var moments: MomentTally { MomentTally(count: rounds, sum: sum, sumOfSquares: Int128(squares)) }

  /// The mean payoff of a round, in bets.
  var ev: Double { mean / 10 }

  /// The standard deviation of a round's payoff, in bets.
  var standardDeviation: Double {
    rounds < 2 ? 0 : max((Double(squares) - mean * Double(sum)) / Double(rounds - 1), 0).squareRoot() / 10
  }
}

/// Payoffs by the order of batches, for the results after 1, 2, 4, 8 … batches.
///
/// The part of a batch depends on its index alone, so the result does not depend on workers.
struct GrowingTally: MergeableTally, Hashable {
  /// The first batch, the second, the next two, the next four, and so on, up to the last one played.
  private var parts: [PayoffTally?] = []

  init() {}

  init(batch: Int, _ tally: PayoffTally) {
    let part = Int.bitWidth - batch.leadingZeroBitCount
    parts = Array(repeating: nil, count: part) + [tally]
  }

  mutating func merge(_ other: GrowingTally) {
    for (index, part) in other.parts.enumerated() {
      if index == parts.count { parts.append(nil) }
      guard let part else { continue }
      parts[index] = parts[index].map { $0.merged(with: part) } ?? part
    }
  }

  var total: PayoffTally { parts.reduce(into: PayoffTally()) { sum, part in part.map { sum.merge($0) } } }

  /// The results after 1, 2, 4, 8 … batches, and after all of them.
  var course: [PayoffTally] {
    var sum = PayoffTally()
    return parts.compactMap(\.self).map { part in
      sum.merge(part)
      return sum
    }
  }
}
