// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of the dealer's endings, in the order of `DealerFinal`: 17 to 21, bust, natural; the last lane is
/// unused.
typealias DealerChances = SIMD8<Double>

extension DealerFinal {
  /// What a bet on that total wins against each ending.
  static func results(of total: Int) -> DealerChances {
    allCases.reduce(into: DealerChances()) { results, final in
      let sign = final == .natural ? -1 : (total - final.total).signum()
      results[Int(final.rawValue)] = Double(sign)
    }
  }
}

/// All the ways in which a dealer with a given upcard can end without busting, as multisets of the cards drawn with
/// the number of their orders, arranged so that the chances for a fresh shoe cost about one multiplication a multiset.
///
/// The chance of a multiset of k cards is (orders) (falling product of the counts) / (falling product of the total
/// over k); multisets that begin alike share the beginning's product. A bust is what remains.
final class DealerTrie: Sendable {
  /// A node's product is its parent's times the count of a value less the copies before.
  struct Node {
    let parent: Int32
    /// `value * 16 + copies before`.
    let factor: Int32
  }

  /// A multiset with which the dealer ends.
  struct Leaf {
    let node: Int
    let orders: Double
  }

  /// Leaves of one total and one number of cards, up to a position in `leaves`.
  struct Group {
    let end: Int
    /// The ending's place among the chances.
    let ending: Int
    let size: Int
  }

  let nodes: [Node]
  let leaves: [Leaf]
  let groups: [Group]
  /// The most copies of each value that any multiset holds.
  let mostCopies: [Int]
  /// The most cards that the dealer draws.
  let longest: Int
  /// The value that would make the upcard a natural; `nil` for 2 to 9.
  let completing: Int?
  /// Whether the chances are those given no natural.
  let givenNoNatural: Bool

  /// The value that the second card is known not to have.
  var hidden: Int? { givenNoNatural ? completing : nil }

  /// The endings of a dealer.
  ///
  /// - Parameters:
  ///   - rules: say which hands draw.
  ///   - upcard: the first card.
  ///   - givenNoNatural: whether the dealer has looked and holds no natural.
  ///   - tree: the multisets.
  init(rules: Rules, upcard: CardValue, givenNoNatural: Bool, tree: HandTree) {
    let endings = Self.endings(rules: rules, upcard: upcard, tree: tree)
    let paths = Self.paths(to: endings.map(\.drawn), tree: tree)
    nodes = paths.nodes
    leaves = zip(paths.ends, endings).map { Leaf(node: $0, orders: $1.orders) }
    groups = endings.indices.compactMap { index in
      let ending = endings[index]
      if index + 1 < endings.count, endings[index + 1].isGrouped(with: ending) { return nil }
      return Group(end: index + 1, ending: Int(ending.final.rawValue), size: ending.size)
    }
    mostCopies = (0..<10).map { value in endings.map { tree.count(value, in: $0.drawn) }.max() ?? 0 }
    longest = endings.map(\.size).max() ?? 0
    completing = CardValue.allCases.first { Hand(upcard, $0).isTwoCard21 }?.index
    self.givenNoNatural = givenNoNatural
  }

  /// A multiset of drawn cards with which the dealer ends.
  private struct Ending {
    let drawn: Int
    let final: DealerFinal
    let size: Int
    let orders: Double

    func isGrouped(with other: Ending) -> Bool { final == other.final && size == other.size }
  }

  /// The endings, naturals and busts apart, by total and number of cards.
  private static func endings(rules: Rules, upcard: CardValue, tree: HandTree) -> [Ending] {
    var orders = Array(repeating: 0.0, count: tree.count)
    var endings: [Ending] = []
    orders[HandTree.empty] = 1
    for drawn in HandTree.empty..<tree.count where orders[drawn] > 0 {
      var hand = tree.hands[drawn]
      hand.add(upcard)
      if drawn != HandTree.empty && !rules.dealerDraws(to: hand) {
        let final = DealerFinal(hand)
        if final == .bust || final == .natural { continue }
        endings.append(Ending(drawn: drawn, final: final, size: tree.sizes[drawn], orders: orders[drawn]))
        continue
      }
      for value in 0..<10 where tree.child(drawn, value) != HandTree.bust {
        orders[tree.child(drawn, value)] += orders[drawn]
      }
    }
    return endings.sorted { ($0.final.rawValue, $0.size, $0.drawn) < ($1.final.rawValue, $1.size, $1.drawn) }
  }

  /// Arranges multisets so that each hangs below the one with its smallest card left out.
  private static func paths(to endings: [Int], tree: HandTree) -> (nodes: [Node], ends: [Int]) {
    var nodes = [Node(parent: 0, factor: 0)]
    var places = Array(repeating: 0, count: tree.count)
    for ending in endings {
      var prefix = HandTree.empty
      for value in (0..<10).reversed() {
        for copy in 0..<tree.count(value, in: ending) {
          let next = tree.child(prefix, value)
          if places[next] == 0 {
            places[next] = nodes.count
            nodes.append(Node(parent: Int32(places[prefix]), factor: Int32(value * 16 + copy)))
          }
          prefix = next
        }
      }
    }
    return (nodes, endings.map { places[$0] })
  }
}
