// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The cards that are still to come, and the chances of the next one.
///
/// An infinite shoe is one of thirteen ranks in which a drawn card is put back: `step`, what a drawn card takes away,
/// is 0 instead of 1, and every formula stays the same.
struct ShoeContents {
  /// How many cards of each value are left, the ace's first.
  var counts: [Double]
  /// How many cards are left.
  var total: Double
  /// How many cards a drawn card removes: 1, or 0 where the shoe is infinite.
  let step: Double

  /// The full shoe of a game.
  init(rules: Rules) {
    step = rules.decks == .infinite ? 0 : 1
    counts = CardValue.allCases.map { Double(rules.cards(of: $0) ?? $0.ranksPerSuit) }
    total = counts.reduce(0, +)
  }

  /// Whether drawn cards are put back.
  var isInfinite: Bool { step == 0 }

  /// Takes cards of one value (0 for the ace) out; a negative number puts them back.
  mutating func remove(_ value: Int, _ cards: Int = 1) {
    counts[value] -= step * Double(cards)
    total -= step * Double(cards)
  }

  /// Takes a hand's cards out.
  mutating func remove(hand: Int, of tree: HandTree) {
    for value in 0..<10 { remove(value, tree.count(value, in: hand)) }
  }

  /// Puts a hand's cards back; counts are whole numbers, so that the shoe is what it was.
  mutating func restore(hand: Int, of tree: HandTree) {
    for value in 0..<10 { remove(value, -tree.count(value, in: hand)) }
  }

  /// Whether no value has been taken out more often than it is there.
  var isPossible: Bool { counts.allSatisfy { $0 >= 0 } }

  /// The chance that the next card has that value.
  func chance(of value: Int) -> Double { counts[value] / total }

  /// The chances of the ten values for a card that the player draws.
  ///
  /// - Parameters:
  ///   - hidden: the value that the dealer's unseen second card is known not to have, because the dealer looked; `nil`
  ///     where nothing is known. Then the chance of r is P(r) P(second card not hidden | r gone) / P(second card not
  ///     hidden).
  ///   - chances: filled with the ten chances.
  func drawChances(hidden: Int?, into chances: inout [Double]) {
    guard let hidden else {
      let scale = 1 / total
      for value in 0..<10 { chances[value] = counts[value] * scale }
      return
    }
    let others = total - counts[hidden]
    let scale = 1 / ((total - step) * others)
    for value in 0..<10 { chances[value] = counts[value] * (others - step) * scale }
    chances[hidden] = counts[hidden] * others * scale
  }
}
