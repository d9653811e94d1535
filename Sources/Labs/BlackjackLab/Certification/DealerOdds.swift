// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// How the dealer's hand ends, given the cards that the player has seen.
///
/// For each set of seen cards this is a sum over some hundred sets of dealer's cards. Results are kept, since the same
/// cards are seen again and again.
@safe
struct DealerOdds: ~Copyable {
  private let rules: Rules
  private let shoe: [Int]
  private let hands: [DealerHands]
  /// Ways to draw so many cards of a value, value by value.
  private let ways: UnsafeMutableBufferPointer<Double>
  /// The chance of a hand's first cards, by depth in the tree.
  private let partial: UnsafeMutableBufferPointer<Double>
  /// The chance of one particular order of so many particular cards.
  private let perOrder: UnsafeMutableBufferPointer<Double>
  private var kept: KeptNumbers
  private static let row = DealerHands.mostCards + 1

  /// The odds of a game.
  ///
  /// - Parameters:
  ///   - rules: the game.
  ///   - bits: room is made to keep the odds for nearly two to the power of so many sets of seen cards.
  init(rules: Rules, keeping bits: Int = 15) {
    self.rules = rules
    kept = KeptNumbers(bits: bits, width: DealerFinal.allCases.count)
    shoe = CardValue.allCases.map { ShoeLayout.count(of: $0, in: rules) }
    hands = CardValue.allCases.map { DealerHands(under: $0, rules: rules) }
    unsafe ways = .allocate(capacity: 10 * Self.row)
    unsafe partial = .allocate(capacity: 11)
    unsafe partial.initialize(repeating: 1)
    unsafe perOrder = .allocate(capacity: 32)
    unsafe perOrder.initialize(repeating: 1)
  }

  deinit {
    unsafe ways.deallocate()
    unsafe partial.deallocate()
    unsafe perOrder.deallocate()
  }

  /// The chances of the endings, by the raw value of `DealerFinal`, given no natural where the dealer has looked; valid
  /// until the next call.
  mutating func chances(given seen: SeenCards) -> UnsafePointer<Double> {
    // Nothing is ever gone from an infinite shoe.
    let seen = rules.decks == .infinite ? SeenCards(upcard: seen.upcard) : seen
    if let known = unsafe kept.find(seen) { return unsafe known }
    let chances = unsafe kept.add(seen)
    unsafe chances.update(repeating: 0, count: DealerFinal.allCases.count)
    unsafe compute(given: seen, into: chances)
    return unsafe UnsafePointer(chances)
  }

  private func compute(given seen: SeenCards, into chances: UnsafeMutablePointer<Double>) {
    countWays(given: seen)
    for node in hands[seen.upcard.index].nodes {
      let chance = unsafe partial[Int(node.depth) &- 1] * ways[Int(node.ways)]
      unsafe partial[Int(node.depth)] = chance
      if node.orders > 0 {
        unsafe chances[Int(node.final)] += node.orders * chance * perOrder[Int(node.size)]
      }
    }
    // The hole card is any but one value's where the dealer has looked, and the rest is to be a whole.
    var whole = 1.0
    if rules.holeCard == .peek, let natural = seen.upcard.naturalPartner {
      whole = unsafe 1 - ways[natural.index * Self.row + 1] * perOrder[1]
    }
    var standing = 0.0
    for final in DealerFinal.allCases { unsafe standing += chances[Int(final.rawValue)] }
    unsafe chances[Int(DealerFinal.bust.rawValue)] = whole - standing
    for final in DealerFinal.allCases { unsafe chances[Int(final.rawValue)] /= whole }
  }

  /// Fills `ways` and `perOrder` for the cards left in the shoe.
  private func countWays(given seen: SeenCards) {
    let replaces = rules.decks == .infinite
    var total = 0
    for card in CardValue.allCases {
      let gone = replaces ? 0 : seen.count(of: card) + (card == seen.upcard ? 1 : 0)
      let left = shoe[card.index] - gone
      total += left
      var product = 1.0
      for count in 0..<Self.row {
        unsafe ways[card.index * Self.row + count] = product
        product *= Double(replaces ? left : max(left - count, 0))
      }
    }
    for count in unsafe 1..<perOrder.count {
      unsafe perOrder[count] = perOrder[count - 1] / Double(replaces ? total : max(total - count + 1, 1))
    }
  }
}

extension CardValue {
  /// The value that makes a natural with this card; `nil` where none does.
  var naturalPartner: CardValue? {
    switch self {
    case .ace: .ten
    case .ten: .ace
    default: nil
    }
  }
}
