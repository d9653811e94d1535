// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The dealer's chances by the cards that are gone from the shoe besides the upcard, each computed once.
///
/// Gone cards are a hand of the tree and, for splits, further cards of one value. What will be needed is asked for
/// first with `want`, computed several at a time, and then read.
struct OddsCache {
  /// The most further cards of one value for which the tree may have no room.
  private static let mostFurther = 5

  private let dealer: DealerTrie
  private let tree: HandTree
  private let isInfinite: Bool
  private var known: [DealerChances] = []
  /// Where a combination of gone cards stands in `known`, or none of them yet (-1).
  private var places: [Int32]
  /// The value (0 for the ace) of the further cards that `places` was filled for.
  private var furtherValues: [UInt8]
  private var batch = DealerTrie.Batch()

  /// A cache for one upcard.
  init(dealer: DealerTrie, tree: HandTree, isInfinite: Bool) {
    self.isInfinite = isInfinite
    self.dealer = dealer
    self.tree = tree
    places = Array(repeating: -1, count: tree.count * (Self.mostFurther + 1))
    furtherValues = Array(repeating: 0, count: places.count)
    known.reserveCapacity(2 * tree.count)
  }

  /// Asks for the chances with a hand's cards and some further ones gone, if they are not known.
  ///
  /// - Parameters:
  ///   - hand: the hand's number in the tree.
  ///   - further: how many more cards of one value are gone.
  ///   - value: that value, 0 for the ace.
  ///   - shoe: the shoe without the upcard and all those cards.
  mutating func want(_ hand: Int, further: Int = 0, of value: Int = 0, shoe: ShoeContents) {
    let key = key(hand, further, value)
    let isInTree = key % (Self.mostFurther + 1) == 0
    if places[key] >= 0 && (isInTree || furtherValues[key] == UInt8(value)) { return }
    places[key] = Int32(known.count + batch.count)
    furtherValues[key] = UInt8(value)
    batch.add(shoe, of: dealer)
    if batch.isFull { compute() }
  }

  /// Computes what is asked for and not yet known; needed once before `chances` is read.
  mutating func compute() {
    dealer.appendChances(of: &batch, to: &known)
  }

  /// The chances that were asked for.
  func chances(_ hand: Int, further: Int = 0, of value: Int = 0) -> DealerChances {
    known[Int(places[key(hand, further, value)])]
  }

  /// One key for each multiset of gone cards: as many of the further cards as the tree has room for count as the
  /// hand's.
  private func key(_ hand: Int, _ further: Int, _ value: Int) -> Int {
    // Nothing is ever gone from an infinite shoe.
    if isInfinite { return 0 }
    var hand = hand
    var further = further
    while further > 0, tree.child(hand, value) != HandTree.bust {
      hand = tree.child(hand, value)
      further -= 1
    }
    return hand * (Self.mostFurther + 1) + further
  }
}
