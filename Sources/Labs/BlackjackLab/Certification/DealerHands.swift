// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Every hand that the dealer can stand on over one upcard, as a tree of the cards drawn, sorted by value; a bust is
/// whatever else happens.
///
/// The dealer is played by the core's rule with every sequence of cards; sequences that differ in order only have the
/// same chance and are counted together. The tree lists its nodes parents first, each with one more value than its
/// parent, so that the chance of a hand is its parent's times one factor.
struct DealerHands: Sendable {
  /// A value and how many cards of it, beyond those of the parent.
  struct Node: Sendable {
    /// How many values have been drawn, this one's included.
    let depth: UInt8
    /// The value and how many cards of it, as a position in a table with a row of `mostCards + 1` for each value.
    let ways: UInt8
    /// How many cards in all.
    let size: UInt8
    /// How the hand ends, as the raw value of `DealerFinal`.
    let final: UInt8
    /// In how many orders the dealer can come to end with just these cards; 0 if the hand does not end here.
    let orders: Double
  }

  /// The nodes, parents first.
  let nodes: [Node]

  /// The most cards of one value that any dealer draws: an ace and eleven more make 21 at the latest.
  static let mostCards = 12

  /// The dealer's hands over an upcard, the naturals left out where the dealer has looked for them.
  init(under upcard: CardValue, rules: Rules) {
    var endings: [Ending] = []
    // Hands of as many cards as each other, by the cards drawn: one more card takes each to hands of the next size.
    var hands = [SeenCards(upcard: upcard): (hand: Hand(upcard), orders: 1)]
    while !hands.isEmpty {
      var next: [SeenCards: (hand: Hand, orders: Int)] = [:]
      for (drawn, position) in hands {
        for card in CardValue.allCases {
          var hand = position.hand
          hand.add(card)
          if hand.isBust { continue }
          var cards = drawn
          cards.add(card)
          next[cards, default: (hand, 0)].orders += position.orders
        }
      }
      hands = next.filter { rules.dealerDraws(to: $0.value.hand) }
      for (drawn, position) in next where !rules.dealerDraws(to: position.hand) {
        let final = DealerFinal(position.hand)
        if final == .natural && rules.holeCard == .peek { continue }
        let counts = CardValue.allCases.map(drawn.count)
        endings.append(Ending(drawn: counts, orders: position.orders, final: final))
      }
    }
    nodes = Self.tree(of: endings.sorted { $0.drawn.lexicographicallyPrecedes($1.drawn) })
  }

  /// Cards that the dealer draws to a hand to stand on: how many of each value, in how many orders, and the hand.
  private struct Ending {
    let drawn: [Int]
    let orders: Int
    let final: DealerFinal
  }

  private static func tree(of endings: [Ending]) -> [Node] {
    var nodes: [Node] = []
    var path: [(card: Int, count: Int)] = []
    for ending in endings {
      let drawn = ending.drawn
      let steps = drawn.indices.filter { drawn[$0] > 0 }.map { (card: $0, count: drawn[$0]) }
      let shared = zip(path, steps).prefix { $0 == $1 }.count
      for depth in shared..<steps.count {
        let isLast = depth == steps.count - 1
        nodes.append(
          Node(
            depth: UInt8(depth + 1), ways: UInt8(steps[depth].card * (mostCards + 1) + steps[depth].count),
            size: UInt8(drawn.reduce(0, +)), final: ending.final.rawValue,
            orders: isLast ? Double(ending.orders) : 0))
      }
      path = steps
    }
    return nodes
  }
}
