// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// A hand and an upcard that can lie on a table together, with something left to decide.
struct HandQuestion {
  let cards: [CardValue]
  let upcard: CardValue

  /// Reads what a person typed.
  ///
  /// - Parameters:
  ///   - text: two or more cards, joined by commas.
  ///   - dealer: one card.
  ///   - rules: how many of each card there are.
  /// - Throws: `BlackjackError.impossibleHand` naming the hand and why it cannot be asked about.
  init(cards text: String, upcard dealer: String, rules: Rules) throws(BlackjackError) {
    var cards: [CardValue] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let card = CardValue(part) else {
        throw .impossibleHand(text: text, why: part.isEmpty ? "a card is missing" : "there is no card '\(part)'")
      }
      cards.append(card)
    }
    guard let upcard = CardValue(dealer) else {
      throw .impossibleHand(text: dealer, why: "the upcard is one card, and there is no card '\(dealer)'")
    }
    guard cards.count >= 2 else { throw .impossibleHand(text: text, why: "a hand has two cards or more") }
    for value in CardValue.allCases {
      let used = (cards + [upcard]).count { $0 == value }
      if let held = rules.cards(of: value), used > held {
        throw .impossibleHand(
          text: "\(text) \(dealer)", why: "it needs \(used) of the card \(value), and \(rules.name) has \(held)")
      }
    }
    for count in 2...cards.count {
      let hand = Hand(cards.prefix(count))
      if hand.isTwoCard21 { throw .impossibleHand(text: text, why: "a natural is paid at once, nothing is decided") }
      if hand.isBust { throw .impossibleHand(text: text, why: "it is bust with \(hand.total)") }
      if hand.total == 21 { throw .impossibleHand(text: text, why: "21 stands by itself, nothing is decided") }
    }
    self.cards = cards
    self.upcard = upcard
  }
}
