// SPDX-License-Identifier: GPL-3.0-or-later

/// How the actions of a cell are compared.
package enum Estimator: String, CaseIterable, Hashable, Sendable {
  /// Every action is played with cards of its own.
  case plain
  /// All actions of a sample are played with the same cards: the player's from one sequence, the dealer's from another.
  case paired
  /// As `paired`, and in place of one hand of the dealer the chances of all of them, given the cards that the player
  /// saw.
  case conditional
}
