// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Statistics

/// Plays rounds with a cut card by the core's round and shoe.
struct CutCardPlayer {
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
