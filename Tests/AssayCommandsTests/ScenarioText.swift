// SPDX-License-Identifier: GPL-3.0-or-later

/// Scenarios whose endings are known.
enum ScenarioText {
  /// Exact play of infinitely many decks, at once, with that threshold of the EV of -0.00512 bets.
  static func exact(named name: String, _ threshold: String) -> String {
    """
    name: \(name)
    kind: blackjack.play
    rules: inf-s17-das
    method: exact
    thresholds:
      - \(threshold)

    """
  }

  static let holds = exact(named: "One that holds", "ev in -0.01..0")
  static let fails = exact(named: "One that fails", "ev >= 0")

  private static func simulated(named name: String, rounds: String, _ threshold: String) -> String {
    """
    name: \(name)
    kind: blackjack.play
    rules: 6d-s17-das
    rounds: \(rounds)
    end: all
    thresholds:
      - \(threshold)

    """
  }

  static let undecided = simulated(named: "One that is undecided", rounds: "1e4", "ev >= -0.004 at 0.999")
  static let long = simulated(named: "A long one", rounds: "1e12", "ev >= -1 at 0.999")
}
