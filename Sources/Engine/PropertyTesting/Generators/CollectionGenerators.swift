// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import SeededWords

extension Gen {
  /// Arrays of elements drawn one after another.
  ///
  ///     Gen.arrays(of: Gen<Int>.integers(), count: 1...5)
  @inlinable
  @specialized(where Value == [Int], Element == Int)
  @specialized(where Value == [Double], Element == Double)
  @specialized(where Value == [String], Element == String)
  @specialized(where Value == [Bool], Element == Bool)
  @specialized(where Value == [UInt8], Element == UInt8)
  public static func arrays<Element>(of element: Gen<Element>, count: ClosedRange<Int> = 0...20) -> Gen<[Element]>
  where Value == [Element] {
    Gen<[Element]>(span: .collection) { draws in
      let count = try draws.length(count)
      var elements: [Element] = []
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(try element.make(&draws)) }
      return elements
    }.fitting(count.lowerBound)
  }

  /// Arrays of a fixed number of elements.
  ///
  ///     Gen.arrays(of: Gen<Int>.integers(), count: 3)
  @inlinable
  public static func arrays<Element>(of element: Gen<Element>, count: Int) -> Gen<[Element]>
  where Value == [Element] {
    arrays(of: element, count: count...count)
  }

  /// Arrays with one value from each of several generators, in their order.
  ///
  ///     Gen.sequence([Gen<Int>.integers(in: 0...9), .just(10)])
  public static func sequence<Element>(_ generators: [Gen<Element>]) -> Gen<[Element]> where Value == [Element] {
    Gen<[Element]>(span: .tuple) { draws in
      var elements: [Element] = []
      elements.reserveCapacity(generators.count)
      for generator in generators { elements.append(try generator.make(&draws)) }
      return elements
    }
  }

  /// Nil, or a value.
  ///
  ///     Gen.optionals(of: Gen<Int>.integers())
  @inlinable
  public static func optionals<Wrapped>(of wrapped: Gen<Wrapped>) -> Gen<Wrapped?> where Value == Wrapped? {
    let make = wrapped.make
    return Gen<Wrapped?>(span: .choice) { draws in try draws.branch(2) == 0 ? nil : make(&draws) }
  }

  /// Arrays of bytes. Of more than 4,096 bytes, eight at a time are one choice.
  ///
  ///     Gen.bytes(count: 0...100)
  public static func bytes(count: ClosedRange<Int> = 0...20) -> Gen<[UInt8]> where Value == [UInt8] {
    let (minimum, maximum) = (max(0, count.lowerBound), max(0, count.upperBound))
    guard maximum > 4096 else { return arrays(of: Gen<UInt8>.integers(grows: false), count: count) }
    let words = Gen<[UInt64]>.arrays(of: .integers(grows: false), count: (minimum + 7) / 8...(maximum + 7) / 8)
    return Gen(span: .tuple) { draws in
      let words = try words.make(&draws)
      let room = words.count * 8
      // The last word may be used in part; fewer bytes are simpler.
      let dropped = max(0, room - maximum)...max(0, min(7, room - minimum))
      let surplus = Int(
        try draws.uniform(
          ChoiceEntry(
            tag: .integer, lower: UInt64(dropped.lowerBound), upper: UInt64(dropped.upperBound),
            target: UInt64(dropped.upperBound))))
      return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
        .dropLast(surplus)
    }
  }

  /// `Data` of random bytes.
  ///
  ///     Gen.data(count: 16...16)
  public static func data(count: ClosedRange<Int> = 0...20) -> Gen<Data> where Value == Data {
    Gen<[UInt8]>.bytes(count: count).map { Data($0) }
  }
}

extension Gen {
  /// The same collections; if a case cannot hold their smallest number of elements, the reason says so.
  @usableFromInline
  func fitting(_ minimum: Int) -> Gen<Value> {
    // With them a case has its own span, and that of the collection with its length.
    guard minimum > ChoiceSource.capacity - 5 else { return self }
    let make = make
    return Gen(node: { draws in
      do {
        return try make(&draws)
      } catch Discard.tooLarge {
        throw Discard.impossible(
          "arrays of \(minimum) elements do not fit: a case holds \(ChoiceSource.capacity) choices")
      }
    })
  }
}

extension Gen where Value == [UInt8] {
  /// The bytes of a JSON text with up to four changes: a part replaced by a fragment, removed, repeated, or truncated.
  ///
  ///     Gen.damaged(.just(Array(#"{"a": [1, 2]}"#.utf8)))
  ///
  /// - Parameters:
  ///   - texts: The generator of valid texts.
  ///   - more: Fragments in addition to those that are difficult for any JSON reader.
  /// - Returns: A generator of bytes, of which a few are valid.
  public static func damaged(_ texts: Gen<[UInt8]>, splinters more: [String] = []) -> Gen<[UInt8]> {
    let length = Gen<Int>.oneOf(.integers(in: 0...3), .integers(in: 0...400))
    let splinters = (splinters + more).map { Array($0.utf8) } + malformed
    let splinter = Gen<[UInt8]>.oneOf(.elements(of: splinters), .bytes(count: 1...3))
    let change = zip(Gen<Int>.integers(in: 0...3), Gen<Int>.integers(in: 0...9_999), length, splinter)
    return zip(texts, Gen<[(Int, Int, Int, [UInt8])]>.arrays(of: change, count: 0...4)).map { text, changes in
      var bytes = text
      for (kind, offset, length, splinter) in changes {
        let start = offset % (bytes.count + 1)
        let range = start..<min(start + length, bytes.count)
        switch kind {
        case 0: bytes.replaceSubrange(range, with: splinter)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: Array(bytes[range]), at: start)
        default: bytes.removeSubrange(start...)
        }
      }
      return bytes
    }
  }

  private static let splinters = [
    "", "0", "-", "1e999", "-1", "NaN", "1e18", "null", "\"", "\\", "\\u", "\\ud800", "{", "}", "[", "]", ",", ":",
    "\n", "\r\n", " ", "[[[[", "\u{0}", "\u{FEFF}", "true",
  ]

  /// Invalid UTF-8: a stray byte, an overlong form, a surrogate, and a truncated sequence.
  private static let malformed: [[UInt8]] = [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]]
}

extension Gen where Value == UUID {
  /// UUIDs of any version, sometimes all zeros or all ones. Counterexamples shrink towards all zeros.
  ///
  ///     Gen.uuids()
  public static func uuids() -> Gen<UUID> {
    Gen<UInt128>.integers(grows: false).map { bits in
      unsafe withUnsafeBytes(of: bits.bigEndian) { bytes in unsafe UUID(uuid: bytes.load(as: uuid_t.self)) }
    }
  }
}

extension Gen {
  /// Arrays of distinct elements: repetitions are drawn again.
  ///
  ///     Gen.distinctArrays(of: Gen<Int>.integers(in: 0...99), count: 1...5)
  ///
  /// If the generator has too few distinct elements, there are fewer than drawn, but not fewer than the lower bound.
  public static func distinctArrays<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Element]> where Value == [Element] {
    distinctArrays(of: element, by: { $0 }, count: count)
  }

  /// Arrays of elements with distinct keys, otherwise like `distinctArrays(of:count:)`.
  ///
  ///     Gen.distinctArrays(of: Gen<String>.strings(), by: { $0.lowercased() }, count: 1...5)
  public static func distinctArrays<Element, Key: Hashable & SendableMetatype>(
    of element: Gen<Element>, by key: @escaping @Sendable (Element) throws -> Key, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Element]> where Value == [Element] {
    Gen<[Element]>(span: .collection) { draws in try draws.distinct(element, count, key: key) }
  }

  /// Sets of drawn elements. The order of a set's elements differs even between two draws of one case: a property must
  /// not depend on it.
  ///
  ///     Gen.sets(of: Gen<Int>.integers(in: 0...99))
  public static func sets<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...20
  ) -> Gen<Set<Element>> where Value == Set<Element> {
    Gen<Set<Element>>(span: .collection) { draws in Set(try draws.distinct(element, count) { $0 }) }
  }

  /// Dictionaries of drawn pairs. The order of the pairs differs even between two draws of one case: a property must
  /// not depend on it.
  ///
  ///     Gen.dictionaries(of: Gen<String>.strings(), to: Gen<Int>.integers())
  public static func dictionaries<Key: Hashable & SendableMetatype, Content>(
    of keys: Gen<Key>, to values: Gen<Content>, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Key: Content]> where Value == [Key: Content] {
    let pair = zip(keys, values)
    return Gen<[Key: Content]>(span: .collection) { draws in
      Dictionary(try draws.distinct(pair, count) { $0.0 }) { first, _ in first }
    }
  }
}

extension ChoiceSource {
  /// The number of consecutive repetitions after which no other element is expected.
  private static var patience: Int { 100 }

  /// Draws elements with distinct keys, repeating the draw for duplicates.
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
      try rewind(to: checkpoint)
      refused += 1
      if refused == Self.patience / 2 { endGrowth() }
      guard refused == Self.patience else { continue }
      guard range.contains(elements.count) else { throw Discard.filtered }
      overwrite(at: position, to: UInt64(elements.count))
      break
    }
    return elements
  }
}

extension Gen {
  /// The elements of a collection in all orders, equally likely except the given order and its reverse, which are more
  /// frequent. Counterexamples shrink towards the given order, by fewer and fewer inversions. The elements of a set or
  /// a dictionary are sorted first, by their text if they are not `Comparable`.
  ///
  ///     Gen.permutations(of: 1...5)
  ///
  /// - Complexity: O(n^2) moves of an index for n elements.
  public static func permutations<Elements: Collection>(of elements: Elements) -> Gen<[Elements.Element]>
  where Value == [Elements.Element], Elements.Element: Sendable {
    let elements = inRepeatableOrder(elements)
    return Gen<[Elements.Element]>(span: .tuple) { draws in try draws.order(elements.count).map { elements[$0] } }
  }

  /// Arrays in another order: an array is drawn, and then one of its permutations.
  ///
  ///     Gen.arrays(of: Gen<Int>.integers()).shuffled()
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

  /// Subsets of a collection, in the collection's order; all subsets of a size are equally likely. Counterexamples
  /// shrink towards few elements and the first ones. The elements of a set or a dictionary are sorted first, by their
  /// text if they are not `Comparable`.
  ///
  ///     Gen.subsets(of: ["a", "b", "c"], count: 1...2)
  public static func subsets<Elements: Collection>(
    of elements: Elements, count: ClosedRange<Int> = 0...Int.max
  ) -> Gen<[Elements.Element]> where Value == [Elements.Element], Elements.Element: Sendable {
    let elements = inRepeatableOrder(elements)
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

extension ChoiceSource {
  /// Draws an order of a number of elements by choosing the next of the remaining ones: a Lehmer code, whose sum is the
  /// number of inversions.
  fileprivate mutating func order(_ count: Int) throws -> [Int] {
    var left = Array(0..<count)
    var order: [Int] = []
    order.reserveCapacity(count)
    let style = isReplaying ? 0 : words.next() & 31
    while left.count > 1 {
      let domain = ChoiceEntry.index(below: left.count)
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

/// A collection whose order differs from process to process.
private protocol HashOrdered {}
extension Set: HashOrdered {}
extension Dictionary: HashOrdered {}
extension Dictionary.Keys: HashOrdered {}
extension Dictionary.Values: HashOrdered {}
extension LazyMapSequence: HashOrdered where Base: HashOrdered {}
extension LazyFilterSequence: HashOrdered where Base: HashOrdered {}

/// The elements of a collection in an order that every process repeats, because choice sequences record positions.
func inRepeatableOrder<Elements: Collection>(_ elements: Elements) -> [Elements.Element] {
  guard elements is any HashOrdered || elements is any SetAlgebra else { return Array(elements) }
  // Elements that compare as equal are in the order of their texts.
  let byText = elements.map { (text: ValueOutline($0).text(width: .max), element: $0) }.sorted { $0.text < $1.text }
    .map(\.element)
  func sorted<Key: Comparable>(_: Key.Type) -> [Elements.Element]? {
    (byText as? [Key])?.sorted() as? [Elements.Element]
  }
  guard let type = Elements.Element.self as? any Comparable.Type else { return byText }
  return sorted(type) ?? byText
}
