// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo

/// A case of a property as one word to copy: `league.3:1:AgAACQEBAgI`.
///
/// It contains the property's id, the version of the format and every choice with its bounds, so it also shows whether
/// the generators still ask for the same choices.
public struct ReplayToken: Sendable, Hashable, CustomStringConvertible {
  package static let version = 1

  /// The id of the case's property.
  public let property: String
  /// The choices of the case; the labels of its spans match any labels.
  package let choices: ChoiceSequence

  package init(property: String, choices: ChoiceSequence) {
    self.property = property
    self.choices = ChoiceSequence(choices.entries.map { $0.tag == .open ? .open(ChoiceEntry.anyLabel) : $0 })
  }

  /// Reads a printed token.
  ///
  /// - Parameter text: One word; surrounding white space is ignored.
  /// - Throws: `ReplayError` for an invalid token.
  /// - Complexity: O(length of the text).
  public init(parsing text: String) throws(ReplayError) {
    let word = text.drop(while: \.isWhitespace)
    let trimmed = word[..<(word.lastIndex { !$0.isWhitespace }.map(word.index(after:)) ?? word.endIndex)]
    let parts = trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = ReadableText.id(of: parts[0]), !id.isEmpty,
      !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .notAToken(found: text) }
    guard parts[1] == "\(Self.version)" else {
      throw .otherVersion(found: ReadableText.escaped(String(parts[1])), property: id)
    }
    guard let bytes = Base64URL.decode(parts[2]), bytes.count > 4,
      Self.checksum(id, bytes.dropLast(4)) == Array(bytes.suffix(4)),
      let choices = ChoiceCoding.decode(Array(bytes.dropLast(4)))
    else { throw .damaged(property: id, found: String(trimmed)) }
    (property, self.choices) = (id, choices)
  }

  /// Reads a token of a given property.
  init(parsing text: String, of property: String) throws(ReplayError) {
    try self.init(parsing: text)
    guard self.property == property else { throw .otherProperty(token: self.property, property: property) }
  }

  package func belongs(to property: Property) throws(ReplayError) {
    guard self.property == property.id else { throw .otherProperty(token: self.property, property: property.id) }
  }

  /// The name of the file for the case.
  var digest: String {
    let digits = String(fnv1a(description.utf8), radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(12))
  }

  private static func checksum(_ property: String, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = fnv1a(Array(property.utf8) + [0] + bytes)
    let folded = sum >> 32 ^ sum
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: folded >> $0) }
  }

  /// The text that `init(parsing:)` reads.
  public var description: String {
    let bytes = ChoiceCoding.encode(choices)
    return
      "\(ReadableText.word(property)):\(Self.version):\(Base64URL.encode(bytes + Self.checksum(property, bytes[...])))"
  }
}

/// The reason why a replay token cannot be used.
public enum ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is not a token.
  case notAToken(found: String)
  /// The token was written by another version.
  case otherVersion(found: String, property: String)
  /// The token belongs to another property than the one to replay.
  case otherProperty(token: String, property: String)
  /// Letters of the token are missing or changed.
  case damaged(property: String, found: String)

  /// One sentence: the value found, the expected one, and how to correct it.
  public var description: String {
    switch self {
    case .notAToken(let found):
      "replay token: found '\(Self.shortened(found))', expected PROPERTY:\(ReplayToken.version):LETTERS on one line, as"
        + " a failure prints it."
    case .otherVersion(let found, let property):
      "replay token of '\(property)': found format version \(found), expected \(ReplayToken.version); find the failure"
        + " again with this version, or replay it with the one that wrote it."
    case .otherProperty(let token, let property):
      "replay token: found one of '\(token)', expected one of '\(property)'; name the property it belongs to."
    case .damaged(let property, let found):
      "replay token of '\(property)': '\(Self.shortened(found))' is damaged, letters are missing or changed; copy the"
        + " whole word again."
    }
  }

  private static func shortened(_ text: String) -> String {
    let visible = ReadableText.escaped(text)
    return visible.count <= 60 ? visible : visible.prefix(57) + "..."
  }
}

/// The outcome of a replayed case.
public enum ReplayOutcome: Sendable, Hashable, Codable {
  /// It still fails: with its arguments, the failure, and the notes of the body.
  case failed(Failure, arguments: [String], notes: [String] = [])
  /// It passes now.
  case passed
  /// An assumption of the property now excludes the case.
  case excluded
  /// The generators ask for other choices than those stored, so the case has changed; it was not evaluated.
  case stale
}

extension Property {
  /// Replays a case.
  ///
  /// A case that the generators can no longer make unchanged is stale, and not evaluated. Throws
  /// `ReplayError.otherProperty` for a case of another property.
  public func replay(_ token: ReplayToken) throws -> ReplayOutcome {
    try token.belongs(to: self)
    var draws = ChoiceSource(seed: 0)
    return trial.replay(token.choices, &draws)
  }
}

extension Trial {
  /// The same case with this process's labels of its spans.
  func redrawn(_ choices: ChoiceSequence, _ draws: inout ChoiceSource) -> ChoiceSequence {
    draws.begin(reading: choices)
    _ = attempt(&draws) { _ in false }
    guard draws.isFaithfulReplay else { return choices }
    draws.adoptRest()
    return draws.choices
  }

  /// Evaluates the case in a choice sequence if the generators ask for exactly its choices; `noted` receives its notes.
  func replay(
    _ choices: ChoiceSequence, _ draws: inout ChoiceSource, noted: (@Sendable (String) -> Void)? = nil
  ) -> ReplayOutcome {
    draws.begin(reading: choices)
    let context = CaseContext(keepsNotes: true, showsParts: showsParts, noted: noted)
    let verdict = CaseContext.$current.withValue(context) {
      recording(into: context).attempt(&draws) { $0.isFaithfulReplay }
    }
    switch verdict {
    case .passed: return .passed
    case .discarded(.assumption): return draws.isFaithfulReplay ? .excluded : .stale
    case .discarded, .generatorFailed, .declined: return .stale
    case .failed(let failure):
      guard draws.isFaithfulReplay else { return .stale }
      draws.begin(reading: choices)
      return .failed(failure, arguments: describe(&draws), notes: context.withAnnotations { $0.notes })
    }
  }
}

extension CheckReport {
  package init?(
    replaying property: Property, _ outcome: ReplayOutcome, of token: ReplayToken, isStored: Bool = false,
    settings: CheckSettings
  ) {
    guard case .failed(let failure, let arguments, let notes) = outcome else { return nil }
    let found = Counterexample(
      token.choices, failure, arguments: arguments, notes: notes, casesUntilFound: isStored ? 0 : 1)
    self.init(
      .falsified(found), CaseTally(), ending: .completed,
      coverage: [], warnings: [], settings: settings, argumentNames: property.argumentNames)
  }
}

/// A compact encoding of a choice sequence.
///
/// It begins with all distinct domains (kind, bounds, simplest value), followed by one number for each entry: 0 ends a
/// span, 1 begins one, and 2 and above are choices: even for the simplest value of the domain, odd if the offset from
/// the simplest follows. Spans that end with the choice sequence have no end mark. The labels of spans are not stored,
/// because they are valid only within one process.
enum ChoiceCoding {
  static func encode(_ choices: ChoiceSequence) -> [UInt8] {
    var domains: [ChoiceEntry] = []
    var indices: [ChoiceEntry: UInt64] = [:]
    var body = ByteWriter()
    let end = (choices.entries.lastIndex { $0.tag != .close } ?? -1) + 1
    for entry in choices.entries[..<end] {
      switch entry.tag {
      case .close: body.varint(0)
      case .open: body.varint(1)
      default:
        let domain = entry.with(entry.target)
        let place = indices[domain] ?? UInt64(domains.count)
        if place == domains.count {
          indices[domain] = place
          domains.append(domain)
        }
        body.varint(2 + 2 * place + (entry.value == entry.target ? 0 : 1))
        if entry.value != entry.target { body.zigzag(Int64(bitPattern: entry.value &- entry.target)) }
      }
    }
    var writer = ByteWriter()
    writer.varint(UInt64(domains.count))
    for domain in domains { writer.domain(domain) }
    return writer.bytes + body.bytes
  }

  /// The decoded choice sequence; `nil` for any bytes that do not encode one.
  ///
  /// - Complexity: O(bytes), in time and in memory.
  static func decode(_ bytes: [UInt8]) -> ChoiceSequence? {
    var reader = ByteReader(bytes: bytes)
    guard let count = reader.varint(), count <= UInt64(bytes.count) else { return nil }
    var domains: [ChoiceEntry] = []
    for _ in 0..<count {
      guard let domain = reader.domain() else { return nil }
      domains.append(domain)
    }
    var entries: [ChoiceEntry] = []
    var depth = 0
    while !reader.isAtEnd {
      guard entries.count + depth < ChoiceSource.capacity, let code = reader.varint() else { return nil }
      switch code {
      case 0:
        guard depth > 0 else { return nil }
        depth -= 1
        entries.append(.close)
      case 1:
        depth += 1
        entries.append(.open(ChoiceEntry.anyLabel))
      default:
        guard let choice = reader.choice(code - 2, of: domains) else { return nil }
        entries.append(choice)
      }
    }
    guard entries.count + depth <= ChoiceSource.capacity else { return nil }
    return ChoiceSequence(entries + Array(repeating: .close, count: depth))
  }
}

extension ByteWriter {
  fileprivate static let isSigned: UInt8 = 8

  /// A domain. Signed integers are near 2^63 in a choice sequence, so their distance from there is written.
  fileprivate mutating func domain(_ domain: ChoiceEntry) {
    byte(domain.tag.rawValue | (domain.isSigned ? Self.isSigned : 0))
    if domain.isSigned { zigzag(Int64(bitPattern: domain.target ^ 1 << 63)) } else { varint(domain.target) }
    room(domain.target &- domain.lower)
    room(domain.upper &- domain.target)
  }

  /// The distance of a bound: powers of two and their predecessors, which are common bounds, take one byte.
  private mutating func room(_ distance: UInt64) {
    let length = UInt8(truncatingIfNeeded: UInt64.bitWidth - distance.leadingZeroBitCount)
    switch distance {
    case ..<128: byte(UInt8(distance))
    case _ where distance == UInt64.max >> UInt64(64 - length): byte(120 + length)
    case _ where distance.nonzeroBitCount == 1: byte(178 + length)
    default:
      byte(255)
      varint(distance)
    }
  }
}

extension ByteReader {
  fileprivate mutating func domain() -> ChoiceEntry? {
    guard let head = byte(), let tag = ChoiceEntry.Tag(rawValue: head & 7), tag.isChoice, head < 16 else { return nil }
    let isSigned = head & ByteWriter.isSigned != 0
    let place = isSigned ? zigzag().map { UInt64(bitPattern: $0) ^ 1 << 63 } : varint()
    guard let target = place, let below = room(), let above = room() else { return nil }
    guard below <= target, above <= .max - target else { return nil }
    return ChoiceEntry(
      tag: tag, isSigned: isSigned, value: target, lower: target - below, upper: target + above, target: target)
  }

  private mutating func room() -> UInt64? {
    guard let head = byte() else { return nil }
    switch head {
    case ..<128: return UInt64(head)
    case 128...184: return UInt64.max >> UInt64(184 - head)
    case 186...242: return 1 << UInt64(head - 179)
    case 255: return varint()
    default: return nil
    }
  }

  fileprivate mutating func choice(_ code: UInt64, of domains: [ChoiceEntry]) -> ChoiceEntry? {
    guard code / 2 < UInt64(domains.count) else { return nil }
    let domain = domains[Int(code / 2)]
    if code & 1 == 0 { return domain }
    guard let offset = zigzag(), offset != 0 else { return nil }
    let value = domain.target &+ UInt64(bitPattern: offset)
    return domain.allows(value) ? domain.with(value) : nil
  }
}

/// A choice sequence is encoded as a text. The labels of its spans match any labels after decoding.
extension ChoiceSequence: Codable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64URL.encode(ChoiceCoding.encode(self)))
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = Base64URL.decode(text), let choices = ChoiceCoding.decode(bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a tape")
    }
    self = choices
  }
}

/// Writes numbers one after another, small numbers in few bytes.
struct ByteWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Seven bits in each byte, the low ones first; the high bit indicates that more follow (LEB128).
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A signed number: 0, -1, 1, -2 and so on become 0, 1, 2, 3.
  mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1 ^ value >> 63))
  }
}

/// Reads the output of `ByteWriter`; every method returns `nil` for other bytes.
struct ByteReader: Sendable {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let next = byte() else { return nil }
      let bits = UInt64(next & 0x7f)
      if shift == 63 && bits > 1 { return nil }
      value |= bits << shift
      if next < 0x80 { return next == 0 && shift > 0 ? nil : value }
    }
    return nil
  }

  mutating func zigzag() -> Int64? {
    varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }
}

/// Bytes as letters, digits, `-` and `_`, without padding: RFC 4648, section 5.
///
/// A text that is not the encoding of any bytes is refused, so that every sequence of bytes has one text.
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = String(text)
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    guard let data = Data(base64Encoded: standard), encode(Array(data)) == text else { return nil }
    return Array(data)
  }
}
