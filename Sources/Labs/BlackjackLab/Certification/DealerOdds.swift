// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of the dealer's seven endings, by the raw value of `DealerFinal`; the eighth is 0.
typealias DealerChances = SIMD8<Double>

/// How the dealer's hand ends, given the cards that the player has seen.
///
/// For each set of seen cards this is a sum over some hundred sets of dealer's cards. Results are kept, since the same cards
/// are seen again and again.
@safe
struct DealerOdds: ~Copyable {
  private let rules: Rules
  private let shoe: [Int]
  private let hands: [DealerHands]
  /// Ways to draw so many cards of a value, value by value.
  private let ways: UnsafeMutableBufferPointer<Double>
  /// The chance of a hand's first cards, by depth in the tree.
  private let partial: UnsafeMutableBufferPointer<Double>
  private let keys: UnsafeMutableBufferPointer<UInt64>
  private let chances: UnsafeMutableBufferPointer<DealerChances>
  private var kept = 0
  private static let capacity = 1 << 17
  private static let row = DealerHands.mostCards + 1

  init(rules: Rules) {
    self.rules = rules
    shoe = CardValue.allCases.map { ShoeLayout.count(of: $0, in: rules) }
    hands = CardValue.allCases.map { DealerHands(under: $0, rules: rules) }
    unsafe ways = .allocate(capacity: 10 * Self.row)
    unsafe partial = .allocate(capacity: 11)
    unsafe partial.initialize(repeating: 1)
    unsafe keys = .allocate(capacity: Self.capacity)
    unsafe keys.initialize(repeating: 0)
    unsafe chances = .allocate(capacity: Self.capacity)
    unsafe chances.initialize(repeating: .zero)
  }

  deinit {
    unsafe ways.deallocate()
    unsafe partial.deallocate()
    unsafe keys.deallocate()
    unsafe chances.deallocate()
  }

  /// The chances of the endings; given no natural where the dealer has looked.
  mutating func chances(given seen: SeenCards) -> DealerChances {
    var slot = Int(truncatingIfNeeded: (seen.packed &* 0x9E37_79B9_7F4A_7C15) >> 47)
    while unsafe keys[slot] != 0 {
      if unsafe keys[slot] == seen.packed { return unsafe chances[slot] }
      slot = (slot + 1) & (Self.capacity - 1)
    }
    if kept * 4 > Self.capacity * 3 {
      unsafe keys.update(repeating: 0)
      kept = 0
      return chances(given: seen)
    }
    let computed = compute(given: seen)
    unsafe keys[slot] = seen.packed
    unsafe chances[slot] = computed
    kept += 1
    return computed
  }

  private func compute(given seen: SeenCards) -> DealerChances {
    let perOrder = countWays(given: seen)
    var sum = DealerChances.zero
    for node in hands[seen.upcard.index].nodes {
      let chance = unsafe partial[Int(node.depth) &- 1] * ways[Int(node.ways)]
      unsafe partial[Int(node.depth)] = chance
      if node.orders > 0 { sum[Int(node.final & 7)] += node.orders * chance * perOrder[Int(node.size & 15)] }
    }
    let bust = Int(DealerFinal.bust.rawValue)
    guard rules.holeCard == .peek, let natural = seen.upcard.naturalPartner else {
      sum[bust] = 1 - sum.sum()
      return sum
    }
    // The hole card is any but one value's, and the rest is to be a whole.
    let notNatural = unsafe 1 - ways[natural.index * Self.row + 1] * perOrder[1]
    sum[bust] = notNatural - sum.sum()
    return sum / notNatural
  }

  /// Fills `ways` for the cards left in the shoe; 1 over the number of orders in which so many cards can come.
  private func countWays(given seen: SeenCards) -> SIMD16<Double> {
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
    var perOrder = SIMD16<Double>(repeating: 1)
    for count in 1..<16 {
      perOrder[count] = perOrder[count - 1] / Double(replaces ? total : max(total - count + 1, 1))
    }
    return perOrder
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
