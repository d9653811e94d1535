// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

extension Gen {
  /// The elements of a collection in all orders, equally often but for the order given and its reverse, which are more
  /// frequent. Counterexamples shrink towards the order given, by ever fewer inversions.
  ///
  /// - Parameter elements: What to put in order.
  /// - Returns: A generator of arrays with every element once.
  /// - Complexity: O(n^2) moves of an index for n elements.
  public static func permutations<Elements: Collection>(of elements: Elements) -> Gen<[Elements.Element]>
  where Value == [Elements.Element], Elements.Element: Sendable {
    let elements = Array(elements)
    return Gen<[Elements.Element]>(span: .tuple) { draws in try draws.order(elements.count).map { elements[$0] } }
  }

  /// The arrays in another order: an array is drawn, and then one of its permutations.
  public func shuffled<Element>() -> Gen<[Element]> where Value == [Element] {
    let make = make
    return Gen<[Element]>(span: .bind) { draws in
      let elements = try make(&draws)
      try draws.open(SpanKind.tuple.label(Self.self))
      let order = try draws.order(elements.count)
      try draws.close()
      return order.map { elements[$0] }
    }
  }

  /// Some of the elements of a collection, in the collection's order. Counterexamples shrink towards few and the first.
  ///
  /// - Parameters:
  ///   - elements: What to choose from.
  ///   - count: How many to choose, as far as there are so many; any number when nothing is said.
  /// - Returns: A generator of arrays; all subsets of a size are equally likely.
  public static func subsets<Elements: Collection>(
    of elements: Elements, count: ClosedRange<Int> = 0...Int.max
  ) -> Gen<[Elements.Element]> where Value == [Elements.Element], Elements.Element: Sendable {
    let elements = Array(elements)
    guard max(0, count.lowerBound) <= elements.count else {
      return .impossible("subsets(of:count:) needs \(count.lowerBound) elements and has \(elements.count)")
    }
    let range = max(0, count.lowerBound)...min(max(0, count.upperBound), elements.count)
    return Gen<[Elements.Element]>(span: .collection) { draws in
      var left = Array(elements.indices)
      var chosen: [Int] = []
      for _ in 0..<(try draws.length(range)) {
        chosen.append(left.remove(at: Int(try draws.uniform(.index(below: left.count)))))
      }
      return chosen.sorted().map { elements[$0] }
    }
  }
}

extension Draws {
  /// Decides on an order of a number of things, by saying which of those left comes next: a Lehmer code, whose sum is
  /// the number of inversions.
  fileprivate mutating func order(_ count: Int) throws -> [Int] {
    var left = Array(0..<count)
    var order: [Int] = []
    order.reserveCapacity(count)
    let style = isReplaying ? 0 : words.next() & 31
    while left.count > 1 {
      let domain = TapeEntry.index(below: left.count)
      let next = try choose(domain) { draws in
        switch style {
        case 30: domain.lower
        case 31: domain.upper
        default: draws.below(domain.upper)
        }
      }
      order.append(left.remove(at: Int(next)))
    }
    return order + left
  }
}
