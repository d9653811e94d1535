// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of the dealer's endings, in the order of `DealerFinal`: 17 to 21, bust, natural; the last lane is
/// unused.
typealias DealerChances = SIMD8<Double>

extension DealerFinal {
  /// The winnings of a bet on that total against each ending; a total above 21 beats all but a natural.
  static func results(of total: Int) -> DealerChances {
    allCases.reduce(into: DealerChances()) { results, final in
      let sign = final == .natural ? -1 : (total - final.total).signum()
      results[Int(final.rawValue)] = Double(sign)
    }
  }
}

/// All ways in which a dealer with a given upcard can end without busting, as multisets of drawn cards with the number
/// of their orders, arranged so that the chances for a fresh shoe cost about one multiplication per multiset.
///
/// The chance of a multiset of k cards is (orders) (falling product of the counts) / (falling product of the total over
/// k); multisets with a common beginning share its product. The remaining chance is that of a bust.
final class DealerTrie: Sendable {
  /// A node's product is its parent's times the count of a value minus the copies before.
  struct Node {
    let parent: Int32
    /// `value * 16 + copies before`.
    let factor: Int32
  }

  struct Leaf {
    let node: Int
    let orders: Double
  }

  struct Group {
    let end: Int
    let ending: Int
    let size: Int
  }

  let nodes: [Node]
  let leaves: [Leaf]
  let groups: [Group]
  let maxCopies: [Int]
  let longest: Int
  /// The value that would make the upcard a natural; `nil` for 2 to 9.
  let completing: Int?
  let givenNoNatural: Bool

  /// The value that the second card is known not to have.
  var hidden: Int? { givenNoNatural ? completing : nil }

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
    maxCopies = (0..<10).map { value in endings.map { tree.count(value, in: $0.drawn) }.max() ?? 0 }
    longest = endings.map(\.size).max() ?? 0
    completing = CardValue.allCases.first { Hand(upcard, $0).isTwoCard21 }?.index
    self.givenNoNatural = givenNoNatural
  }

  private struct Ending {
    let drawn: Int
    let final: DealerFinal
    let size: Int
    let orders: Double

    func isGrouped(with other: Ending) -> Bool { final == other.final && size == other.size }
  }

  /// The number of orders of each ending other than naturals and busts, by total and number of cards.
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

  /// Arranges multisets so that each is below the one without its smallest card.
  private static func paths(to endings: [Int], tree: HandTree) -> (nodes: [Node], ends: [Int]) {
    var nodes = [Node(parent: 0, factor: 0)]
    var positions = Array(repeating: 0, count: tree.count)
    for ending in endings {
      var prefix = HandTree.empty
      for value in (0..<10).reversed() {
        for copy in 0..<tree.count(value, in: ending) {
          let next = tree.child(prefix, value)
          if positions[next] == 0 {
            positions[next] = nodes.count
            nodes.append(Node(parent: Int32(positions[prefix]), factor: Int32(value * 16 + copy)))
          }
          prefix = next
        }
      }
    }
    return (nodes, endings.map { positions[$0] })
  }

  /// Up to four shoes whose chances are computed together, one lane each, in one walk through the trie.
  struct Batch {
    fileprivate typealias Lanes = SIMD4<Double>

    private(set) var count = 0
    fileprivate var products = Array(repeating: Lanes(repeating: 1), count: HandTree.shared.count)
    /// The factors of the edges, by `value * 16 + copies before`.
    fileprivate var factors = Array(repeating: Lanes(), count: 160)
    /// The inverse of the divisor for a product of each number of cards.
    fileprivate var inverses = Array(repeating: Lanes(), count: 32)
    /// The chance of a natural, unless it is known that there is none.
    fileprivate var naturals = Lanes()

    var isFull: Bool { count == Lanes.scalarCount }

    /// Adds a shoe without the upcard and the player's cards.
    mutating func add(_ shoe: ShoeContents, of dealer: DealerTrie) {
      for value in 0..<10 {
        for copy in 0..<dealer.maxCopies[value] {
          factors[value * 16 + copy][count] = shoe.counts[value] - shoe.step * Double(copy)
        }
      }
      let natural = dealer.completing.map(shoe.chance) ?? 0
      naturals[count] = dealer.givenNoNatural ? 0 : natural
      // 1 / (N (N - 1) ...); given no natural, divided by the chance of that.
      var inverse = dealer.givenNoNatural ? 1 / (1 - natural) : 1
      for size in 0..<dealer.longest {
        // A shoe with too few cards has none of the hands that need this divisor.
        inverse /= max(shoe.total - shoe.step * Double(size), 1)
        inverses[size + 1][count] = inverse
      }
      count += 1
    }

    fileprivate mutating func removeAll() { count = 0 }
  }

  /// Appends the chances of the endings for the shoes of a batch, in their order, and empties the batch.
  func appendChances(of batch: inout Batch, to all: inout [DealerChances]) {
    guard batch.count > 0 else { return }
    let beginning = all.count
    for lane in 0..<batch.count {
      var chances = DealerChances()
      chances[Int(DealerFinal.natural.rawValue)] = batch.naturals[lane]
      all.append(chances)
    }
    multiply(&batch)
    var start = 0
    for group in groups {
      let chances = sum(leaves: start..<group.end, of: batch) * batch.inverses[group.size]
      for lane in 0..<batch.count { all[beginning + lane][group.ending] += chances[lane] }
      start = group.end
    }
    for position in beginning..<all.count { all[position][Int(DealerFinal.bust.rawValue)] = 1 - all[position].sum() }
    batch.removeAll()
  }

  // The two loops below take nearly all the time of an analysis. They use raw pointers, which are fast in a debug
  // build, too; `paths` made every index, within the room that `Batch` has.

  private func multiply(_ batch: inout Batch) {
    unsafe nodes.withUnsafeBufferPointer { nodes in
      unsafe batch.products.withUnsafeMutableBufferPointer { products in
        unsafe batch.factors.withUnsafeBufferPointer { factors in
          guard let node = nodes.baseAddress, let product = products.baseAddress, let factor = factors.baseAddress
          else { return }
          var index = 1
          while index < nodes.count {
            unsafe product[index] = product[Int(node[index].parent)] * factor[Int(node[index].factor)]
            index &+= 1
          }
        }
      }
    }
  }

  private func sum(leaves range: Range<Int>, of batch: borrowing Batch) -> Batch.Lanes {
    var sum = Batch.Lanes()
    unsafe leaves.withUnsafeBufferPointer { leaves in
      unsafe batch.products.withUnsafeBufferPointer { products in
        guard let leaf = leaves.baseAddress, let product = products.baseAddress else { return }
        var index = range.lowerBound
        while index < range.upperBound {
          unsafe sum += product[leaf[index].node] * leaf[index].orders
          index &+= 1
        }
      }
    }
    return sum
  }
}

/// The dealer's chances by the cards removed from the shoe, without the upcard; each is computed once.
///
/// Removed cards are a hand of the tree and, for splits, further cards of one value. Callers first request entries with
/// `want`, which are computed several at a time, and then read them.
struct OddsCache {
  /// The most further cards of one value that the tree may lack room for.
  private static let maxFurther = 5

  private let dealer: DealerTrie
  private let tree: HandTree
  private let isInfinite: Bool
  private var known: [DealerChances] = []
  /// The place of a combination of removed cards in `known`; -1 if there is none yet.
  private var positions: [Int32]
  /// The value (0 for the ace) of the further cards that `positions` was filled for.
  private var furtherValues: [UInt8]
  private var batch = DealerTrie.Batch()

  init(dealer: DealerTrie, tree: HandTree, isInfinite: Bool) {
    self.isInfinite = isInfinite
    self.dealer = dealer
    self.tree = tree
    positions = Array(repeating: -1, count: tree.count * (Self.maxFurther + 1))
    furtherValues = Array(repeating: 0, count: positions.count)
    known.reserveCapacity(2 * tree.count)
  }

  mutating func want(_ hand: Int, further: Int = 0, of value: Int = 0, shoe: ShoeContents) {
    let key = key(hand, further, value)
    let isInTree = key % (Self.maxFurther + 1) == 0
    if positions[key] >= 0 && (isInTree || furtherValues[key] == UInt8(value)) { return }
    positions[key] = Int32(known.count + batch.count)
    furtherValues[key] = UInt8(value)
    batch.add(shoe, of: dealer)
    if batch.isFull { compute() }
  }

  /// Computes the requested entries; must be called before `chances` is read.
  mutating func compute() { dealer.appendChances(of: &batch, to: &known) }

  func chances(_ hand: Int, further: Int = 0, of value: Int = 0) -> DealerChances {
    known[Int(positions[key(hand, further, value)])]
  }

  /// One key for each multiset of removed cards: further cards count as the hand's as far as the tree has room.
  private func key(_ hand: Int, _ further: Int, _ value: Int) -> Int {
    // An infinite shoe never loses a card.
    if isInfinite { return 0 }
    var hand = hand
    var further = further
    while further > 0, tree.child(hand, value) != HandTree.bust {
      hand = tree.child(hand, value)
      further -= 1
    }
    return hand * (Self.maxFurther + 1) + further
  }
}

struct ExactDealer: Sendable {
  private let chances: DealerChances

  init(
    rules: Rules, upcard: CardValue, seen: [CardValue] = [], givenNoNatural: Bool
  ) throws(BlackjackError) {
    var shoe = ShoeContents(rules: rules)
    for card in [upcard] + seen { shoe.remove(card.index) }
    let dealer = DealerTrie(
      rules: rules, upcard: upcard, givenNoNatural: givenNoNatural, tree: HandTree.shared)
    // A dealer draws at most a dozen cards, so that many have to be left.
    guard shoe.isPossible, shoe.isInfinite || Int(shoe.total) >= dealer.longest else {
      throw .impossibleHand(
        text: ([upcard] + seen).map(\.description).joined(separator: ","), why: "a shoe of \(rules) lacks these cards"
      )
    }
    var batch = DealerTrie.Batch()
    batch.add(shoe, of: dealer)
    var all: [DealerChances] = []
    dealer.appendChances(of: &batch, to: &all)
    chances = all.first ?? DealerChances()
  }

  subscript(final: DealerFinal) -> Double { chances[Int(final.rawValue)] }
}
