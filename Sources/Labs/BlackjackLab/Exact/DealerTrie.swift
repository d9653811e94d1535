// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of the dealer's endings, in the order of `DealerFinal`: 17 to 21, bust, natural; the last lane is unused.
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

/// All the ways in which a dealer with a given upcard can end without busting, as multisets of the cards drawn with the number
/// of their orders, arranged so that the chances for a fresh shoe cost about one multiplication a multiset.
///
/// The chance of a multiset of k cards is (orders) (falling product of the counts) / (falling product of the total over k);
/// multisets that begin alike share the beginning's product. A bust is what remains.
struct DealerTrie {
  /// Which falling factor a node multiplies its parent's product by: `value * 16 + copies before`.
  private let factors: [Int]
  private let parents: [Int]
  /// The endings, grouped by total 17 to 21: the node of the multiset, its number of cards, and its number of orders.
  private let leaves: [(node: Int, size: Int, orders: Double)]
  private let groupEnds: [Int]
  private let mostCopies: [Int]
  private let longest: Int
  /// The value that would make the upcard a natural; `nil` for 2 to 9.
  let completing: Int?
  /// Whether the chances are those given no natural.
  let givenNoNatural: Bool

  /// The endings of a dealer.
  ///
  /// - Parameters:
  ///   - rules: say which hands draw.
  ///   - upcard: the first card.
  ///   - givenNoNatural: whether the dealer has looked and holds no natural.
  ///   - tree: the multisets.
  init(rules: Rules, upcard: CardValue, givenNoNatural: Bool, tree: HandTree) {
    var orders = Array(repeating: 0.0, count: tree.count)
    orders[HandTree.empty] = 1
    var endings = Array(repeating: [Int](), count: 5)
    for drawn in HandTree.empty..<tree.count where orders[drawn] > 0 {
      var hand = tree.hands[drawn]
      hand.add(upcard)
      if drawn != HandTree.empty && !rules.dealerDraws(to: hand) {
        let final = DealerFinal(hand)
        if final.rawValue < 5 { endings[Int(final.rawValue)].append(drawn) }
        continue
      }
      for value in 0..<10 where tree.child(drawn, value) != HandTree.bust {
        orders[tree.child(drawn, value)] += orders[drawn]
      }
    }
    let paths = Self.paths(to: endings.joined(), tree: tree)
    parents = paths.parents
    factors = paths.factors
    mostCopies = paths.mostCopies
    leaves = endings.joined().map { (paths.nodes[$0], tree.sizes[$0], orders[$0]) }
    groupEnds = endings.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    longest = leaves.map(\.size).max() ?? 0
    completing = CardValue.allCases.first { Hand(upcard, $0).isTwoCard21 }?.index
    self.givenNoNatural = givenNoNatural
  }

  /// Arranges multisets so that each hangs below the one with its largest card left out.
  private static func paths(
    to endings: some Sequence<Int>, tree: HandTree
  ) -> (parents: [Int], factors: [Int], nodes: [Int], mostCopies: [Int]) {
    var parents = [0]
    var factors = [0]
    var nodes = Array(repeating: 0, count: tree.count)
    var mostCopies = Array(repeating: 0, count: 10)
    for ending in endings {
      var prefix = HandTree.empty
      for value in (0..<10).reversed() {
        let copies = tree.count(value, in: ending)
        mostCopies[value] = max(mostCopies[value], copies)
        for copy in 0..<copies {
          let next = tree.child(prefix, value)
          if nodes[next] == 0 {
            nodes[next] = parents.count
            parents.append(nodes[prefix])
            factors.append(value * 16 + copy)
          }
          prefix = next
        }
      }
    }
    return (parents, factors, nodes, mostCopies)
  }

  /// Room for the products of one evaluation.
  struct Scratch {
    fileprivate var products = Array(repeating: 1.0, count: HandTree.shared.count)
    fileprivate var factors = Array(repeating: 0.0, count: 160)
    fileprivate var inverses = Array(repeating: 1.0, count: 32)
  }

  /// The chances of the endings when the dealer draws from that shoe, the upcard and the player's cards taken out.
  func chances(from shoe: ShoeContents, scratch: inout Scratch) -> DealerChances {
    for value in 0..<10 {
      for copy in 0..<mostCopies[value] {
        scratch.factors[value * 16 + copy] = shoe.counts[value] - shoe.step * Double(copy)
      }
    }
    let hasLooked = givenNoNatural ? completing : nil
    let natural = completing.map(shoe.chance) ?? 0
    var inverse = hasLooked == nil ? 1 : 1 / (1 - natural)
    for size in 0..<longest {
      inverse /= shoe.total - shoe.step * Double(size)
      scratch.inverses[size + 1] = inverse
    }
    for node in 1..<parents.count {
      scratch.products[node] = scratch.products[parents[node]] * scratch.factors[factors[node]]
    }
    var chances = DealerChances()
    var covered = 0.0
    for group in 0..<5 {
      var sum = 0.0
      for leaf in leaves[groupEnds[group]..<groupEnds[group + 1]] {
        sum += scratch.products[leaf.node] * scratch.inverses[leaf.size] * leaf.orders
      }
      chances[group] = sum
      covered += sum
    }
    if hasLooked == nil {
      chances[6] = natural
      covered += natural
    }
    chances[5] = 1 - covered
    return chances
  }
}
