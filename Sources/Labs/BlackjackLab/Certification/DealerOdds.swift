// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of the dealer's endings, given the cards that the player has seen.
///
/// For each set of seen cards this is a sum over some hundred sets of dealer's cards. Results are cached, since the
/// same cards are seen again and again.
@safe struct DealerOdds: ~Copyable {
  private let rules: Rules
  private let shoe: [Int]
  private let hands: [DealerHands]
  /// The number of ways to draw a count of cards of a value, value by value.
  private let ways: UnsafeMutableBufferPointer<Double>
  /// The chance of a hand's first cards, by depth in the tree.
  private let partial: UnsafeMutableBufferPointer<Double>
  /// The chance of one particular order of a number of particular cards.
  private let perOrder: UnsafeMutableBufferPointer<Double>
  private var kept: SeenCardsCache
  private static let row = DealerHands.maxCards + 1

  init(rules: Rules, keeping bits: Int = 15) {
    self.rules = rules
    kept = SeenCardsCache(bits: bits, width: DealerFinal.allCases.count)
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

  /// The chances of the endings, by the raw value of `DealerFinal`, given no natural if the dealer has looked; valid
  /// until the next call.
  mutating func chances(given seen: SeenCards) -> UnsafePointer<Double> {
    // An infinite shoe never loses a card.
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
    // If the dealer has looked, the hole card has any value but one, and the chances are scaled to sum to 1.
    var whole = 1.0
    if rules.holeCard == .peek, let natural = seen.upcard.naturalPartner {
      whole = unsafe 1 - ways[natural.index * Self.row + 1] * perOrder[1]
    }
    var standing = 0.0
    for final in DealerFinal.allCases { unsafe standing += chances[Int(final.rawValue)] }
    unsafe chances[Int(DealerFinal.bust.rawValue)] = whole - standing
    for final in DealerFinal.allCases { unsafe chances[Int(final.rawValue)] /= whole }
  }

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
  /// The value that makes a natural with this card; `nil` for 2 to 9.
  var naturalPartner: CardValue? {
    switch self {
    case .ace: .ten
    case .ten: .ace
    default: nil
    }
  }
}

/// All hands on which the dealer can stand over one upcard, as a tree of the cards drawn, sorted by value. All other
/// hands are busts.
///
/// The dealer plays every sequence of cards by the core's rule; sequences that differ only in order have the same
/// chance and are counted together. The tree lists parents before children. Each node adds one value, so that the
/// chance of a hand is its parent's times one factor.
struct DealerHands: Sendable {
  /// A value, and the number of its cards added to the parent.
  struct Node: Sendable {
    /// The number of distinct values drawn, including this one.
    let depth: UInt8
    /// The value and the number of its cards, as a position in a table with a row of `maxCards + 1` for each value.
    let ways: UInt8
    let size: UInt8
    let final: UInt8
    /// The number of orders in which the dealer can end with exactly these cards; 0 if the hand does not end here.
    let orders: Double
  }

  let nodes: [Node]

  /// The most cards of one value that a dealer draws: an ace and eleven more make at least 21.
  static let maxCards = 12

  /// The dealer's hands over an upcard, without naturals if the dealer has looked for them.
  init(under upcard: CardValue, rules: Rules) {
    var endings: [Ending] = []
    // Hands of one size, by the cards drawn; one more card takes each to hands of the next size.
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

  /// A hand on which the dealer stands: the cards drawn by value, the number of their orders, and the hand.
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
            depth: UInt8(depth + 1), ways: UInt8(steps[depth].card * (maxCards + 1) + steps[depth].count),
            size: UInt8(drawn.reduce(0, +)), final: ending.final.rawValue,
            orders: isLast ? Double(ending.orders) : 0))
      }
      path = steps
    }
    return nodes
  }
}

/// A cache of numbers by the cards that the player has seen: a hash table that is emptied when it is nearly full.
///
/// Entries are functions of their keys, so emptying costs time but never changes a result.
@safe struct SeenCardsCache: ~Copyable {
  private let keys: UnsafeMutableBufferPointer<UInt64>
  private let numbers: UnsafeMutableBufferPointer<Double>
  private let width: Int
  private let mask: Int
  private let shift: UInt64
  private var kept = 0

  /// Has room for 2^`bits` entries of `width` numbers each.
  init(bits: Int, width: Int) {
    self.width = width
    mask = (1 << bits) - 1
    shift = UInt64(64 - bits)
    unsafe keys = .allocate(capacity: 1 << bits)
    unsafe keys.initialize(repeating: 0)
    unsafe numbers = .allocate(capacity: width << bits)
    unsafe numbers.initialize(repeating: 0)
  }

  deinit {
    unsafe keys.deallocate()
    unsafe numbers.deallocate()
  }

  @inline(__always) func find(_ seen: SeenCards) -> UnsafePointer<Double>? {
    var slot = home(of: seen)
    while unsafe keys[slot] != 0 {
      if unsafe keys[slot] == seen.packed { return unsafe UnsafePointer(entry(slot)) }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Adds an entry for new cards; the caller fills its numbers, which are valid until the next entry is added.
  mutating func add(_ seen: SeenCards) -> UnsafeMutablePointer<Double> {
    if kept * 4 > mask * 3 {
      unsafe keys.update(repeating: 0)
      kept = 0
    }
    var slot = home(of: seen)
    while unsafe keys[slot] != 0 { slot = (slot + 1) & mask }
    unsafe keys[slot] = seen.packed
    kept += 1
    return unsafe entry(slot)
  }

  /// The multiplier is 2^64 over the golden ratio, which spreads neighbouring keys (Knuth, vol. 3, 6.4).
  @inline(__always) private func home(of seen: SeenCards) -> Int {
    Int(truncatingIfNeeded: (seen.packed &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  @inline(__always) private func entry(_ slot: Int) -> UnsafeMutablePointer<Double> {
    unsafe numbers.baseAddress.unsafelyUnwrapped + (slot &* width)
  }
}
