// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension Gen where Value: Decodable & SendableMetatype {
  /// Values of a decodable type, without a handwritten generator.
  ///
  ///     Gen<CheckSettings>.derived()
  ///
  /// ```swift
  /// struct Order: Codable { var customer: String, lines: [Line], note: String? }
  /// struct Line: Codable { var article: UUID, count: Int }
  /// let orders = Gen<Order>.derived()
  /// ```
  ///
  /// The type decodes itself from drawn values: those of `Generable` types come from their generators, enumerations
  /// from their cases, with payloads or without, and optionals, arrays, sets, dictionaries, ranges and other types from
  /// their parts. A type that contains itself has a depth of at most five. If the decoding of a type refuses its
  /// values, as in a type that validates, the values of this type are drawn again, with other frequencies of small and
  /// repeated ones, so that a refusal says nothing about the next.
  ///
  /// After two thousand refusals the generator fails, with the coding path, for example for a type that is decoded from
  /// a text of a certain form. Make such a type `Generable`.
  public static func derived() -> Gen<Value> {
    Gen(node: { draws in
      try unsafe withUnsafeMutablePointer(to: &draws) { draws in
        do {
          return try unsafe Derivation(draws: draws).root(Value.self)
        } catch let endless as EndlessType {
          throw DerivationError(type: "\(Value.self)", path: endless.path, reason: "it contains itself without an end")
        } catch let refused as RefusedType {
          throw DerivationError(type: "\(Value.self)", refused)
        }
      }
    })
  }
}

/// The error for a type whose values cannot be derived.
struct DerivationError: Error, CustomStringConvertible {
  let description: String

  init(type: String, path: [any CodingKey], reason: String) {
    let path = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    description =
      "no \(type) can be derived: decoding refuses \(path.isEmpty ? "it" : "'\(path)'"), with \"\(reason)\"; "
      + "write a generator of it, and make the type Generable"
  }

  fileprivate init(type: String, _ refused: RefusedType) {
    switch refused.last {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      self.init(type: type, path: context.codingPath, reason: context.debugDescription)
    default:
      self.init(type: type, path: [], reason: "no reason")
    }
  }
}

/// A type contains itself too deeply at a place; an enumeration around it may have another case.
private struct EndlessType: Error {
  let path: [any CodingKey]
}

/// A type has refused too many values.
private struct RefusedType: Error {
  let last: DecodingError
}

/// The place of a value that a derived generator draws, for generators of its parts that are derived, too.
struct DerivationContext: Sendable {
  /// The types that contain the place, the outermost first.
  var types: [ObjectIdentifier] = []
  /// The number of collections around the place.
  var nesting = 0
  /// The type whose own generator is drawing.
  var generating: ObjectIdentifier?
  /// The generators of types, made once.
  var generators: [ObjectIdentifier: any Sendable] = [:]
}

/// A position in a value that its decoding draws.
@safe
private struct Derivation {
  /// The number of values of a type after which it counts as one that refuses all: one in a hundred is enough to be
  /// found, except once in 500 million.
  private static let attempts = 2_000
  /// The depth at which an enumeration that contains itself takes only cases that do not.
  private static let enumerationDepth = 5

  private let draws: UnsafeMutablePointer<ChoiceSource>
  private(set) var path: [any CodingKey] = []
  /// The types that contain the position, the outermost first.
  private var types: [ObjectIdentifier]
  /// The number of collections around the position.
  private var nesting: Int

  init(draws: UnsafeMutablePointer<ChoiceSource>) {
    unsafe self.draws = draws
    unsafe (types, nesting) = (draws.pointee.derivation.types, draws.pointee.derivation.nesting)
  }

  func draw<Value>(_ generator: Gen<Value>) throws -> Value { try unsafe generator.make(&draws.pointee) }

  func root<Value: Decodable & SendableMetatype>(_ type: Value.Type) throws -> Value {
    let isItsOwnGenerator = unsafe draws.pointee.derivation.generating == ObjectIdentifier(type)
    return isItsOwnGenerator ? try parts(of: type) : try value(of: type)
  }

  func value<Value: Decodable>(of type: Value.Type, at key: (any CodingKey)? = nil) throws -> Value {
    var inner = self
    if let key { inner.path.append(key) }
    if let known = type as? any Derivable.Type, let value = try known.derived(at: inner) as? Value { return value }
    if let known = type as? any Generable.Type, let value = try inner.generated(known) as? Value { return value }
    if let known = type as? any CaseIterable.Type, let value = try inner.oneCase(of: known) as? Value { return value }
    return try inner.parts(of: type)
  }

  private func generated<Value: Generable>(_ type: Value.Type) throws -> Any {
    let identifier = ObjectIdentifier(type)
    let outer = unsafe (
      draws.pointee.derivation.types, draws.pointee.derivation.nesting, draws.pointee.derivation.generating
    )
    defer {
      unsafe (
        draws.pointee.derivation.types, draws.pointee.derivation.nesting, draws.pointee.derivation.generating
      ) = outer
    }
    unsafe (
      draws.pointee.derivation.types, draws.pointee.derivation.nesting, draws.pointee.derivation.generating
    ) = (types, nesting, identifier)
    if let known = unsafe draws.pointee.derivation.generators[identifier] as? Gen<Value> { return try draw(known) }
    let generator = Value.generator
    unsafe draws.pointee.derivation.generators[identifier] = generator
    return try draw(generator)
  }

  private func oneCase<Value: CaseIterable>(of type: Value.Type) throws -> Any {
    let cases = Array(type.allCases)
    guard !cases.isEmpty else { throw Discard.impossible("\(type) has no cases to choose from") }
    return try oneOf(cases)
  }

  private func oneOf<Value>(_ values: [Value]) throws -> Value {
    values[Int(try unsafe draws.pointee.uniform(.index(below: values.count)))]
  }

  /// A value that the type decodes; its parts are drawn until it accepts them.
  private func parts<Value: Decodable>(of type: Value.Type) throws -> Value {
    let enumeration = EnumerationCases(type)
    if let enumeration, enumeration.withPayload == 0 {
      let cases = EnumerationCases.values(of: type)
      if !cases.isEmpty { return try oneOf(cases) }
    }
    guard count(of: type) < (enumeration == nil ? 32 : Self.enumerationDepth) else { throw EndlessType(path: path) }
    var inner = self
    inner.types.append(ObjectIdentifier(type))
    let outer = unsafe (draws.pointee.profile, draws.pointee.caseNumber)
    defer { unsafe (draws.pointee.profile, draws.pointee.caseNumber) = outer }
    var endless: Set<Int> = []
    var refusals = 0
    while true {
      let checkpoint = unsafe draws.pointee.checkpoint
      var choice: Int?
      do {
        return try span(.custom, type) {
          if let enumeration { choice = try oneCase(below: enumeration.count, except: endless) }
          return try Value(from: DerivingDecoder(position: inner, choice: choice))
        }
      } catch let error as DecodingError {
        refusals += 1
        if refusals == Self.attempts { throw RefusedType(last: error) }
      } catch let error as EndlessType {
        guard let choice, let enumeration, endless.insert(choice).inserted, endless.count < enumeration.count else {
          throw error
        }
      }
      try unsafe draws.pointee.rewind(to: checkpoint)
      unsafe draws.pointee.profile.change(&draws.pointee.words)
      unsafe draws.pointee.endGrowth()
    }
  }

  /// The index of a case of an enumeration.
  private func oneCase(below count: Int, except endless: Set<Int>) throws -> Int {
    let left = (0..<count).filter { !endless.contains($0) }
    return Int(
      try unsafe draws.pointee.choose(.index(below: count, .branch)) { draws in
        UInt64(left[Int(draws.below(UInt64(left.count - 1)))])
      })
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
      let domain = ChoiceEntry(tag: .branch, upper: count(of: type) < 5 ? 1 : 0)
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

  func range<Bound: Decodable & Comparable>(of type: Bound.Type) throws -> ClosedRange<Bound> {
    try span(.tuple, type) { try spanned(value(of: type), value(of: type)) }
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

// MARK: Types of parts that need not be Generable

private protocol Derivable {
  static func derived(at position: Derivation) throws -> Self
}

extension Optional: Derivable where Wrapped: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> Wrapped? { try position.optional(Wrapped.self) }
}

extension Array: Derivable where Element: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> [Element] {
    try position.elements(of: Element.self)
  }
}

extension Set: Derivable where Element: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> Set<Element> {
    Set(try position.elements(of: Element.self))
  }
}

extension Dictionary: Derivable where Key: Decodable, Value: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> [Key: Value] {
    let pairs = try position.elements(of: Pair.self)
    return Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private struct Pair: Decodable {
    let key: Key
    let value: Value
  }
}

extension Range: Derivable where Bound: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> Range<Bound> {
    Range(halfOpening: try position.range(of: Bound.self))
  }
}

extension ClosedRange: Derivable where Bound: Decodable {
  fileprivate static func derived(at position: Derivation) throws -> ClosedRange<Bound> {
    try position.range(of: Bound.self)
  }
}

/// The cases of an enumeration, as the compiler describes them to the runtime.
///
/// Source: "Type metadata" and the nominal type descriptor of an enumeration in `docs/ABI/TypeMetadata.rst` of the
/// Swift compiler: its kind, and the counts of its cases with and without a payload. The layout is stable since Swift
/// 5.
struct EnumerationCases: Sendable, Hashable {
  let withPayload: Int
  let withoutPayload: Int
  var count: Int { withPayload + withoutPayload }

  /// `nil` for a type that is not an enumeration, and for one that has no cases.
  init?(_ type: Any.Type) {
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    // The kind of an enumeration other than Optional.
    guard unsafe metadata[0] == 0x201, let descriptor = unsafe UnsafeRawPointer(bitPattern: metadata[1]) else {
      return nil
    }
    withPayload = Int(unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff)
    withoutPayload = Int(unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self))
    if count == 0 { return nil }
  }

  /// All values of an enumeration without payloads, in their order; none for any other type.
  ///
  /// Such an enumeration is stored as the index of its case, in no byte if it has one case.
  static func values<Value>(of type: Value.Type) -> [Value] {
    guard let cases = EnumerationCases(type), cases.withPayload == 0, cases.count <= 256,
      MemoryLayout<Value>.size == (cases.count == 1 ? 0 : 1)
    else { return [] }
    return (0..<cases.count).map { index in
      // The value takes one byte or none, so any aligned byte will do.
      unsafe withUnsafeBytes(of: UInt8(index)) { bytes in unsafe bytes.load(as: Value.self) }
    }
  }
}

// MARK: Decoding

/// A decoder that draws the values that a type decodes.
private struct DerivingDecoder: Decoder {
  let position: Derivation
  /// The index of the case of an enumeration.
  var choice: Int?
  var codingPath: [any CodingKey] { position.path }
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    // The keys of an enumeration are named like its cases.
    let keys = choice == nil ? [] : EnumerationCases.values(of: Key.self)
    let chosen = keys.isEmpty ? nil : keys[(choice ?? 0) % keys.count]
    return KeyedDecodingContainer(Fields<Key>(position: position, chosen: chosen))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(position: position) }
  func singleValueContainer() -> any SingleValueDecodingContainer { Single(position: position) }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let position: Derivation
    /// The only key of an enumeration; otherwise the keys are unknown until they are decoded.
    var chosen: Key?
    var codingPath: [any CodingKey] { position.path }
    var allKeys: [Key] { chosen.map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { chosen.map { $0.stringValue == key.stringValue } ?? true }
    func decodeNil(forKey key: Key) throws -> Bool { try !position.draw(.booleans()) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try position.value(of: type, at: key)
    }
    // The protocol's own implementations of these two refuse.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try position.value(of: type, at: key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try position.value(of: type, at: key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      try position.optional(type, at: key)
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedDecodingContainer<Inner> {
      KeyedDecodingContainer(Fields<Inner>(position: position))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try Elements(position: position)
    }
    func superDecoder() -> any Decoder { DerivingDecoder(position: position) }
    func superDecoder(forKey key: Key) -> any Decoder { DerivingDecoder(position: position) }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let position: Derivation
    let count: Int?
    private(set) var currentIndex = 0

    init(position: Derivation) throws {
      self.position = position
      count = try position.length()
    }

    var codingPath: [any CodingKey] { position.path }
    /// Types that decode a fixed number of elements do not use this.
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    mutating func decodeNil() throws -> Bool { try !position.draw(.booleans()) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      defer { currentIndex += 1 }
      return try position.value(of: type, at: Derivation.Index(intValue: currentIndex))
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try position.value(of: type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try position.value(of: type) }
    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
      defer { currentIndex += 1 }
      return try position.optional(type, at: Derivation.Index(intValue: currentIndex))
    }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Fields<Key>(position: position))
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(position: position) }
    func superDecoder() -> any Decoder { DerivingDecoder(position: position) }
  }

  private struct Single: SingleValueDecodingContainer {
    let position: Derivation
    var codingPath: [any CodingKey] { position.path }

    func decodeNil() -> Bool { (try? position.draw(.booleans())) != true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try position.value(of: type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try position.value(of: type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try position.value(of: type) }
  }
}
