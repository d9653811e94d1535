// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
internal import Statistics

/// How often each payoff occurred: exact, and the same in whatever order tallies are merged.
package struct PayoffTally: MergeableTally, Hashable {
  /// The largest payoff in tenths of a bet, either way: four hands, all doubled.
  static let limit = 80

  private var counts = Array(repeating: 0, count: 2 * limit + 1)

  /// No round yet.
  package init() {}

  /// Counts rounds that paid so many tenths of a bet, -80 to 80; others cannot occur and are not counted.
  mutating func add(_ tenths: Int, times: Int = 1) {
    guard counts.indices.contains(tenths + Self.limit) else { return }
    counts[tenths + Self.limit] += times
  }

  /// Takes in another tally.
  package mutating func merge(_ other: PayoffTally) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// The moments of the payoffs, in tenths of a bet.
  var moments: MomentTally {
    counts.enumerated().reduce(into: MomentTally()) { $0.add($1.offset - Self.limit, times: $1.element) }
  }

  /// The counts as a result.
  package var result: GameResult {
    GameResult(payoffs: counts.enumerated().map { (tenths: $0.offset - Self.limit, count: $0.element) })
  }
}
