// SPDX-License-Identifier: GPL-3.0-or-later

/// What whole rounds pay: the counts of every payoff that occurred.
package struct GameResult: Hashable, Sendable {
  /// How often each payoff occurred, by tenths of a bet; ascending, none of them zero.
  package let payoffs: [(tenths: Int, count: Int)]
  /// The number of rounds.
  package let rounds: Int
  /// The mean payoff, in bets.
  package let ev: Double
  /// The standard deviation of one round's payoff, in bets.
  package let standardDeviation: Double
  /// The standard error of `ev`, in bets.
  package let standardError: Double

  /// The result with these counts.
  ///
  /// - Parameter payoffs: pairs of a payoff in tenths of a bet and how often it occurred; each payoff once.
  package init(payoffs: [(tenths: Int, count: Int)]) {
    self.payoffs = payoffs.filter { $0.count > 0 }.sorted { $0.tenths < $1.tenths }
    let rounds = payoffs.reduce(0) { $0 + $1.count }
    let sum = payoffs.reduce(0) { $0 + $1.count * $1.tenths }
    let squares = payoffs.reduce(0) { $0 + $1.count * $1.tenths * $1.tenths }
    let mean = rounds == 0 ? 0 : Double(sum) / Double(rounds)
    let variance = rounds < 2 ? 0 : (Double(squares) - mean * Double(sum)) / Double(rounds - 1)
    self.rounds = rounds
    ev = mean / 10
    standardDeviation = max(variance, 0).squareRoot() / 10
    standardError = rounds == 0 ? 0 : standardDeviation / Double(rounds).squareRoot()
  }

  /// Whether both hold the same counts.
  package static func == (left: GameResult, right: GameResult) -> Bool {
    left.payoffs.elementsEqual(right.payoffs) { $0 == $1 }
  }

  /// Feeds the counts to the hasher.
  package func hash(into hasher: inout Hasher) {
    for payoff in payoffs {
      hasher.combine(payoff.tenths)
      hasher.combine(payoff.count)
    }
  }
}
