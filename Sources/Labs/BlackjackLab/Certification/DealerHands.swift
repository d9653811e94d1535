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
    var endings: [[Int]: (orders: Int, final: DealerFinal)] = [:]
    var drawn = Array(repeating: 0, count: 10)
    func draw(to hand: Hand) {
      if hand.size >= 2 && !rules.dealerDraws(to: hand) {
        let final = DealerFinal(hand)
        let isKnownNotToBe = final == .natural && rules.holeCard == .peek
        if final != .bust && !isKnownNotToBe { endings[drawn, default: (0, final)].orders += 1 }
        return
      }
      for card in CardValue.allCases {
        var next = hand
        next.add(card)
        drawn[card.index] += 1
        draw(to: next)
        drawn[card.index] -= 1
      }
    }
    draw(to: Hand(upcard))
    nodes = Self.tree(of: endings)
  }

  private static func tree(of endings: [[Int]: (orders: Int, final: DealerFinal)]) -> [Node] {
    var nodes: [Node] = []
    var path: [(card: Int, count: Int)] = []
    for (drawn, ending) in endings.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
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
