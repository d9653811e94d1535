// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen {
  /// Arrays without two equal elements.
  ///
  /// - Parameters:
  ///   - element: Makes the elements; repetitions are drawn again.
  ///   - count: How many there are; fewer, but not fewer than the lower bound, when there are no more.
  /// - Returns: A generator of arrays.
  public static func distinctArrays<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Element]> where Value == [Element] {
    distinctArrays(of: element, by: { $0 }, count: count)
  }

  /// Arrays without two elements of equal keys.
  ///
  /// - Parameters:
  ///   - element: Makes the elements; those whose key is there already are drawn again.
  ///   - key: What must not be equal.
  ///   - count: How many there are; fewer, but not fewer than the lower bound, when there are no more.
  /// - Returns: A generator of arrays.
  public static func distinctArrays<Element, Key: Hashable & SendableMetatype>(
    of element: Gen<Element>, by key: @escaping @Sendable (Element) throws -> Key, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Element]> where Value == [Element] {
    let range = max(0, count.lowerBound)...max(0, count.upperBound)
    return Gen<[Element]>(span: .collection) { draws in try draws.distinct(element, range, key: key) }
  }

  /// Sets. The order in which a set gives its elements differs even between two draws of one case: a property must not
  /// depend on it.
  ///
  /// - Parameters:
  ///   - element: Makes the elements; repetitions are drawn again.
  ///   - count: How many there are; fewer, but not fewer than the lower bound, when there are no more.
  /// - Returns: A generator of sets.
  public static func sets<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...20
  ) -> Gen<Set<Element>> where Value == Set<Element> {
    let range = max(0, count.lowerBound)...max(0, count.upperBound)
    return Gen<Set<Element>>(span: .collection) { draws in Set(try draws.distinct(element, range) { $0 }) }
  }

  /// Dictionaries. The order in which one gives its pairs differs even between two draws of one case: a property must
  /// not depend on it.
  ///
  /// - Parameters:
  ///   - keys: Makes the keys; repetitions are drawn again.
  ///   - values: Makes the values.
  ///   - count: How many there are; fewer, but not fewer than the lower bound, when there are no more keys.
  /// - Returns: A generator of dictionaries.
  public static func dictionaries<Key: Hashable & SendableMetatype, Content>(
    of keys: Gen<Key>, to values: Gen<Content>, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Key: Content]> where Value == [Key: Content] {
    let range = max(0, count.lowerBound)...max(0, count.upperBound)
    let pair = zip(keys, values)
    return Gen<[Key: Content]>(span: .collection) { draws in
      Dictionary(try draws.distinct(pair, range) { $0.0 }) { first, _ in first }
    }
  }
}

extension Draws {
  /// How many repetitions in a row show that there is nothing else left.
  private static var patience: Int { 100 }

  /// Draws elements of different keys, repeating what does not fit.
  ///
  /// - Throws: `Discard.filtered` when there are too few, and for a repetition on a tape that is read back.
  fileprivate mutating func distinct<Element, Key: Hashable>(
    _ element: Gen<Element>, _ range: ClosedRange<Int>, key: (Element) throws -> Key
  ) throws -> [Element] {
    let position = position
    let count = try length(range)
    var known = Set<Key>(minimumCapacity: count)
    var elements: [Element] = []
    var refused = 0
    while elements.count < count {
      let checkpoint = checkpoint
      let candidate = try element.make(&self)
      if known.insert(try key(candidate)).inserted {
        elements.append(candidate)
        refused = 0
        continue
      }
      try retract(to: checkpoint)
      refused += 1
      guard refused == Self.patience else { continue }
      guard range.contains(elements.count) else { throw Discard.filtered }
      amend(position, to: UInt64(elements.count))
      break
    }
    return elements
  }
}
