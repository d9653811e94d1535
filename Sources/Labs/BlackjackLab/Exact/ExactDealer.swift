// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// The exact chances of the dealer's endings for an upcard and the cards seen, from a fresh shoe.
package struct ExactDealer: Sendable {
  private let chances: DealerChances

  /// The chances of the dealer's endings.
  ///
  /// - Parameters:
  ///   - rules: the game.
  ///   - upcard: the dealer's card.
  ///   - seen: other cards that are gone from the shoe.
  ///   - givenNoNatural: whether the dealer has looked and holds no natural.
  /// - Throws: `BlackjackError.impossibleHand` where the shoe has not so many cards of a value.
  package init(
    rules: Rules, upcard: CardValue, seen: [CardValue] = [], givenNoNatural: Bool
  ) throws(BlackjackError) {
    var shoe = ShoeContents(rules: rules)
    for card in [upcard] + seen { shoe.remove(card.index) }
    let dealer = DealerTrie(
      rules: rules, upcard: upcard, givenNoNatural: givenNoNatural, tree: HandTree.shared)
    // A dealer draws at most a dozen cards: that many have to be left.
    guard shoe.isPossible, shoe.isInfinite || Int(shoe.total) >= dealer.longest else {
      throw .impossibleHand(
        text: ([upcard] + seen).map(\.description).joined(separator: ","), why: "a shoe of \(rules) has not these cards"
      )
    }
    var batch = DealerTrie.Batch()
    batch.add(shoe, of: dealer)
    var all: [DealerChances] = []
    dealer.appendChances(of: &batch, to: &all)
    chances = all.first ?? DealerChances()
  }

  /// The chance of an ending.
  package subscript(final: DealerFinal) -> Double { chances[Int(final.rawValue)] }
}
