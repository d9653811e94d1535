// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

extension Gen where Value: Decodable & SendableMetatype {
  /// Values of a decodable type, without a handwritten generator.
  ///
  /// ```swift
  /// struct Order: Codable { var customer: String, lines: [Line], note: String? }
  /// struct Line: Codable { var article: UUID, count: Int }
  /// let orders = Gen<Order>.derived()
  /// ```
  ///
  /// The type decodes itself from drawn values: numbers, texts, booleans, dates, identifiers and data come from the
  /// generators of this library, enumerations from their listed cases, and optionals, arrays, sets, dictionaries and
  /// other types from their parts. A type that contains itself has a depth of at most five. If decoding refuses a
  /// value, as in a type that validates, the whole value is drawn again.
  ///
  /// After a hundred refusals the generator fails, with the coding path, for example for an enumeration with payloads
  /// or one that is decoded from a text without listing its cases. Write such generators with `oneOf`, `map` or a
  /// closure.
  public static func derived() -> Gen<Value> {
    Gen(node: { draws in
      var refusal: DecodingError?
      for _ in 0..<100 {
        let checkpoint = draws.checkpoint
        do {
          return try unsafe withUnsafeMutablePointer(to: &draws) { draws in
            try unsafe Derivation(draws: draws).value(of: Value.self)
          }
        } catch let error as DecodingError {
          refusal = error
          try draws.retract(to: checkpoint)
        }
      }
      throw DerivationError(type: "\(Value.self)", refusal: refusal)
    })
  }
}

/// The error for a type whose values cannot be derived.
struct DerivationError: Error, CustomStringConvertible {
  let description: String

  init(type: String, refusal: DecodingError?) {
    let context: DecodingError.Context? =
      switch refusal {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      default: nil
      }
    let path = context?.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") ?? ""
    description =
      "no \(type) can be derived: decoding refuses \(path.isEmpty ? "it" : "'\(path)'"), with \""
      + "\(context?.debugDescription ?? "no reason")\"; write a generator of it, or make the enumeration CaseIterable"
  }
}

/// A position in a value that its decoding draws.
@safe
private struct Derivation {
  private let draws: UnsafeMutablePointer<Draws>
  private(set) var path: [any CodingKey] = []
  /// The types that contain the position, the outermost first.
  private var types: [ObjectIdentifier] = []
  /// The number of collections around the position.
  private var nesting = 0

  init(draws: UnsafeMutablePointer<Draws>) { unsafe self.draws = draws }

  func draw<Value>(_ generator: Gen<Value>) throws -> Value { try unsafe generator.make(&draws.pointee) }

  func value<Value: Decodable>(of type: Value.Type, at key: (any CodingKey)? = nil) throws -> Value {
    var inner = self
    if let key { inner.path.append(key) }
    if let leaf = Self.leaves[ObjectIdentifier(type)], let value = try leaf(inner) as? Value { return value }
    if let known = type as? any Derivable.Type, let value = try known.derived(at: inner) as? Value { return value }
    if let known = type as? any CaseIterable.Type, let value = try inner.oneCase(of: known) as? Value { return value }
    guard inner.count(of: type) < 32 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: inner.path, debugDescription: "it contains itself without an end"))
    }
    inner.types.append(ObjectIdentifier(type))
    let decoder = DerivingDecoder(place: inner)
    return try span(.custom, type) { try Value(from: decoder) }
  }

  private func oneCase<Value: CaseIterable>(of type: Value.Type) throws -> Any {
    let cases = Array(type.allCases)
    guard !cases.isEmpty else { throw Discard.impossible("\(type) has no cases to choose from") }
    return cases[Int(try unsafe draws.pointee.uniform(.index(below: cases.count)))]
  }

  func span<Value, Result>(_ kind: SpanKind, _ type: Value.Type, _ body: () throws -> Result) throws -> Result {
    try unsafe draws.pointee.open(kind.label(type))
    let result = try body()
    try unsafe draws.pointee.close()
    return result
  }

  /// `nil` or a value: `nil` if a type contains itself too often.
  func optional<Value: Decodable>(_ type: Value.Type, at key: (any CodingKey)? = nil) throws -> Value? {
    try span(.choice, type) {
      let domain = TapeEntry(tag: .branch, upper: count(of: type) < 5 ? 1 : 0)
      let isThere = try unsafe draws.pointee.uniform(domain) == 1
      return isThere ? try value(of: type, at: key) : nil
    }
  }

  func elements<Value: Decodable>(of type: Value.Type) throws -> [Value] {
    var inner = self
    inner.nesting += 1
    return try span(.collection, type) {
      let count = try length()
      return try (0..<count).map { try inner.value(of: type, at: Index(intValue: $0)) }
    }
  }

  /// The length of a collection here; smaller within other collections.
  func length() throws -> Int { try unsafe draws.pointee.length(0...[20, 5, 2, 1, 0][min(nesting, 4)]) }

  private func count<Value>(of type: Value.Type) -> Int { types.count { $0 == ObjectIdentifier(type) } }

  struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "super" }
    init?(stringValue: String) { nil }
    init(intValue: Int) { self.intValue = intValue }
  }
}

// MARK: Types with their own generators

extension Derivation {
  typealias Leaf = @Sendable (Derivation) throws -> Any

  /// Types that are drawn directly, without decoding.
  private static let leaves: [ObjectIdentifier: Leaf] = Dictionary(
    uniqueKeysWithValues: [
      leaf(Gen<Int>.integers()), leaf(Gen<Int8>.integers()), leaf(Gen<Int16>.integers()), leaf(Gen<Int32>.integers()),
      leaf(Gen<Int64>.integers()), leaf(Gen<UInt>.integers()), leaf(Gen<UInt8>.integers()),
      leaf(Gen<UInt16>.integers()), leaf(Gen<UInt32>.integers()), leaf(Gen<UInt64>.integers()), leaf(.booleans()),
      leaf(Gen<Double>.doubles()), leaf(Gen<Float>.floats()), leaf(Gen<String>.strings()), leaf(Gen<Date>.dates()),
      leaf(.uuids()), leaf(Gen<Data>.data()),
      leaf(
        Gen<String>.strings(of: .alphanumeric).map { path in
          guard let url = URL(string: "https://example.org/\(path)") else { throw Discard.filtered }
          return url
        }),
    ])

  private static func leaf<Value>(_ generator: Gen<Value>) -> (ObjectIdentifier, Leaf) {
    (ObjectIdentifier(Value.self), { try $0.draw(generator) })
  }
}

private protocol Derivable {
  static func derived(at place: Derivation) throws -> Self
}

extension Optional: Derivable where Wrapped: Decodable {
  fileprivate static func derived(at place: Derivation) throws -> Wrapped? { try place.optional(Wrapped.self) }
}

extension Array: Derivable where Element: Decodable {
  fileprivate static func derived(at place: Derivation) throws -> [Element] { try place.elements(of: Element.self) }
}

extension Set: Derivable where Element: Decodable {
  fileprivate static func derived(at place: Derivation) throws -> Set<Element> {
    Set(try place.elements(of: Element.self))
  }
}

extension Dictionary: Derivable where Key: Decodable, Value: Decodable {
  fileprivate static func derived(at place: Derivation) throws -> [Key: Value] {
    let pairs = try place.elements(of: Pair.self)
    return Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private struct Pair: Decodable {
    let key: Key
    let value: Value
  }
}

// MARK: Decoding

/// A decoder that draws the values that a type decodes.
private struct DerivingDecoder: Decoder {
  let place: Derivation
  var codingPath: [any CodingKey] { place.path }
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(place: place))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(place: place) }
  func singleValueContainer() -> any SingleValueDecodingContainer { Single(place: place) }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let place: Derivation
    var codingPath: [any CodingKey] { place.path }
    /// The keys are unknown until they are decoded.
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) throws -> Bool { try !place.draw(.booleans()) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try place.value(of: type, at: key)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      try place.optional(type, at: key)
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedDecodingContainer<Inner> {
      KeyedDecodingContainer(Fields<Inner>(place: place))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try Elements(place: place) }
    func superDecoder() -> any Decoder { DerivingDecoder(place: place) }
    func superDecoder(forKey key: Key) -> any Decoder { DerivingDecoder(place: place) }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let place: Derivation
    let count: Int?
    private(set) var currentIndex = 0

    init(place: Derivation) throws {
      self.place = place
      count = try place.length()
    }

    var codingPath: [any CodingKey] { place.path }
    /// Types that decode a fixed number of elements do not use this.
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    mutating func decodeNil() throws -> Bool { try !place.draw(.booleans()) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      defer { currentIndex += 1 }
      return try place.value(of: type, at: Derivation.Index(intValue: currentIndex))
    }
    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
      defer { currentIndex += 1 }
      return try place.optional(type, at: Derivation.Index(intValue: currentIndex))
    }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Fields<Key>(place: place))
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(place: place) }
    func superDecoder() -> any Decoder { DerivingDecoder(place: place) }
  }

  private struct Single: SingleValueDecodingContainer {
    let place: Derivation
    var codingPath: [any CodingKey] { place.path }

    func decodeNil() -> Bool { (try? place.draw(.booleans())) != true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try place.value(of: type) }
  }
}
