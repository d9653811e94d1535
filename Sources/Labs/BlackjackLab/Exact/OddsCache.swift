// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The dealer's chances by the cards that are gone from the shoe besides the upcard, each computed once.
///
/// Gone cards are a hand of the tree and, for splits, further cards of one value that the tree has no room for.
struct OddsCache {
  /// The most further cards of one value that are kept apart.
  static let mostFurther = 8

  private var own: [DealerChances]
  private var isKnown: [Bool]
  private var further: [DealerChances]
  /// The value (from 1, the ace's) that the entry of `further` was computed for.
  private var furtherValue: [UInt8]
  private var scratch = DealerTrie.Scratch()

  /// Room for a tree of that many hands.
  init(hands: Int) {
    own = Array(repeating: DealerChances(), count: hands)
    isKnown = Array(repeating: false, count: hands)
    further = Array(repeating: DealerChances(), count: hands * Self.mostFurther)
    furtherValue = Array(repeating: 0, count: hands * Self.mostFurther)
  }

  /// The chances with that hand's cards gone; the shoe is the one without them.
  mutating func chances(_ hand: Int, of dealer: DealerTrie, shoe: ShoeContents) -> DealerChances {
    if isKnown[hand] { return own[hand] }
    let chances = dealer.chances(from: shoe, scratch: &scratch)
    own[hand] = chances
    isKnown[hand] = true
    return chances
  }

  /// The chances with that hand's cards and some further ones of one value (0 for the ace) gone; the shoe is without all.
  mutating func chances(
    _ hand: Int, andFurther cards: Int, of value: Int, tree: HandTree, dealer: DealerTrie, shoe: ShoeContents
  ) -> DealerChances {
    var hand = hand
    var cards = cards
    while cards > 0, tree.child(hand, value) != HandTree.bust {
      hand = tree.child(hand, value)
      cards -= 1
    }
    if cards == 0 { return chances(hand, of: dealer, shoe: shoe) }
    let place = hand * Self.mostFurther + cards - 1
    if furtherValue[place] == UInt8(value + 1) { return further[place] }
    let chances = dealer.chances(from: shoe, scratch: &scratch)
    further[place] = chances
    furtherValue[place] = UInt8(value + 1)
    return chances
  }
}
