// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

extension DealerTrie {
  /// Up to four shoes whose chances are computed together: the trie is walked once for all, and the compiler makes
  /// vectors of the four lanes.
  struct Batch {
    static let lanes = 4

    /// How many shoes wait.
    private(set) var count = 0
    /// The products of the nodes, four lanes each.
    fileprivate var products = Array(repeating: 1.0, count: HandTree.shared.count * lanes)
    /// The factors of the edges, by `value * 16 + copies before`, four lanes each.
    fileprivate var factors = Array(repeating: 0.0, count: 160 * lanes)
    /// What a product of so many cards is divided by, inverted, four lanes each.
    fileprivate var inverses = Array(repeating: 0.0, count: 32 * lanes)
    /// The chance of a natural, where it is not known that there is none, four lanes.
    fileprivate var naturals = Array(repeating: 0.0, count: lanes)
    /// The sums of one group of leaves, four lanes.
    fileprivate var sums = Array(repeating: 0.0, count: lanes)

    /// Whether no more shoes fit.
    var isFull: Bool { count == Self.lanes }

    /// Adds a shoe, the upcard and the player's cards taken out.
    mutating func add(_ shoe: ShoeContents, of dealer: DealerTrie) {
      for value in 0..<10 {
        for copy in 0..<dealer.mostCopies[value] {
          factors[(value * 16 + copy) * Self.lanes + count] = shoe.counts[value] - shoe.step * Double(copy)
        }
      }
      let natural = dealer.completing.map(shoe.chance) ?? 0
      naturals[count] = dealer.givenNoNatural ? 0 : natural
      // 1 / (N (N - 1) ...), and given no natural divided by the chance of that.
      var inverse = dealer.givenNoNatural ? 1 / (1 - natural) : 1
      for size in 0..<dealer.longest {
        inverse /= shoe.total - shoe.step * Double(size)
        inverses[(size + 1) * Self.lanes + count] = inverse
      }
      count += 1
    }

    /// Forgets the shoes.
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
      sum(leaves: start..<group.end, of: &batch)
      for lane in 0..<batch.count {
        let chance = batch.sums[lane] * batch.inverses[group.size * Batch.lanes + lane]
        all[beginning + lane][group.ending] += chance
      }
      start = group.end
    }
    for place in beginning..<all.count { all[place][Int(DealerFinal.bust.rawValue)] = 1 - all[place].sum() }
    batch.removeAll()
  }

  // The two loops below are nearly all of an analysis. They go through raw pointers, which stay quick in a debug build
  // too; every index was laid down by `paths`, within the room that `Batch` has.

  private func multiply(_ batch: inout Batch) {
    unsafe nodes.withUnsafeBufferPointer { nodes in
      unsafe batch.products.withUnsafeMutableBufferPointer { products in
        unsafe batch.factors.withUnsafeBufferPointer { factors in
          guard let node = nodes.baseAddress, let product = products.baseAddress, let factor = factors.baseAddress
          else {
            return
          }
          var index = 1
          while index < nodes.count {
            let from = unsafe product + Int(node[index].parent) &* 4
            let by = unsafe factor + Int(node[index].factor) &* 4
            let to = unsafe product + index &* 4
            let first = unsafe from[0] * by[0]
            let second = unsafe from[1] * by[1]
            let third = unsafe from[2] * by[2]
            let fourth = unsafe from[3] * by[3]
            unsafe to[0] = first
            unsafe to[1] = second
            unsafe to[2] = third
            unsafe to[3] = fourth
            index &+= 1
          }
        }
      }
    }
  }

  private func sum(leaves range: Range<Int>, of batch: inout Batch) {
    var first = 0.0
    var second = 0.0
    var third = 0.0
    var fourth = 0.0
    unsafe leaves.withUnsafeBufferPointer { leaves in
      unsafe batch.products.withUnsafeBufferPointer { products in
        guard let leaf = leaves.baseAddress, let product = products.baseAddress else { return }
        var index = range.lowerBound
        while index < range.upperBound {
          let from = unsafe product + leaf[index].node &* 4
          let orders = unsafe leaf[index].orders
          unsafe first += from[0] * orders
          unsafe second += from[1] * orders
          unsafe third += from[2] * orders
          unsafe fourth += from[3] * orders
          index &+= 1
        }
      }
    }
    batch.sums[0] = first
    batch.sums[1] = second
    batch.sums[2] = third
    batch.sums[3] = fourth
  }
}
