// SPDX-License-Identifier: GPL-3.0-or-later

/// A tape as few bytes.
///
/// First every domain that occurs (kind, bounds, simplest value), once; then a number an entry: 0 ends a span, 1 begins
/// one, 2 and above are choices, even where the choice is the simplest of its domain, odd where its offset from the
/// simplest follows. Spans that end with the tape need no mark. What the labels of spans were is not kept: they mean
/// nothing to another process.
enum TapeCoding {
  static func encode(_ tape: Tape) -> [UInt8] {
    var domains: [TapeEntry] = []
    var places: [TapeEntry: UInt64] = [:]
    var body = ByteWriter()
    let end = (tape.entries.lastIndex { $0.tag != .close } ?? -1) + 1
    for entry in tape.entries[..<end] {
      switch entry.tag {
      case .close: body.varint(0)
      case .open: body.varint(1)
      default:
        let domain = entry.with(entry.target)
        let place = places[domain] ?? UInt64(domains.count)
        if place == domains.count {
          places[domain] = place
          domains.append(domain)
        }
        body.varint(2 + 2 * place + (entry.value == entry.target ? 0 : 1))
        if entry.value != entry.target { body.zigzag(Int64(bitPattern: entry.value &- entry.target)) }
      }
    }
    var writer = ByteWriter()
    writer.varint(UInt64(domains.count))
    for domain in domains { writer.domain(domain) }
    writer.raw(body.bytes)
    return writer.bytes
  }

  /// The tape; nil where the bytes are not one, whatever they are.
  ///
  /// - Complexity: O(bytes), in time and in memory.
  static func decode(_ bytes: [UInt8]) -> Tape? {
    var reader = ByteReader(bytes)
    guard let count = reader.varint(), count <= UInt64(bytes.count) else { return nil }
    var domains: [TapeEntry] = []
    for _ in 0..<count {
      guard let domain = reader.domain() else { return nil }
      domains.append(domain)
    }
    var entries: [TapeEntry] = []
    var depth = 0
    while !reader.isAtEnd {
      guard entries.count + depth < Draws.capacity, let code = reader.varint() else { return nil }
      switch code {
      case 0:
        guard depth > 0 else { return nil }
        depth -= 1
        entries.append(.close)
      case 1:
        depth += 1
        entries.append(.open(TapeEntry.anyLabel))
      default:
        guard let choice = reader.choice(code - 2, of: domains) else { return nil }
        entries.append(choice)
      }
    }
    guard entries.count + depth <= Draws.capacity else { return nil }
    return Tape(entries + Array(repeating: .close, count: depth))
  }
}

extension ByteWriter {
  fileprivate static let isSigned: UInt8 = 8

  /// A domain: signed integers are near 2^63 on a tape, and written by their distance from there.
  fileprivate mutating func domain(_ domain: TapeEntry) {
    byte(domain.tag.rawValue | (domain.isSigned ? Self.isSigned : 0))
    if domain.isSigned { zigzag(Int64(bitPattern: domain.target ^ 1 << 63)) } else { varint(domain.target) }
    room(domain.target &- domain.lower)
    room(domain.upper &- domain.target)
  }

  /// How far a bound is: powers of two and their predecessors, which bounds like to be, take a byte.
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
  fileprivate mutating func domain() -> TapeEntry? {
    guard let head = byte(), let tag = TapeEntry.Tag(rawValue: head & 7), tag.isChoice, head < 16 else { return nil }
    let isSigned = head & ByteWriter.isSigned != 0
    let place = isSigned ? zigzag().map { UInt64(bitPattern: $0) ^ 1 << 63 } : varint()
    guard let target = place, let below = room(), let above = room() else { return nil }
    guard below <= target, above <= .max - target else { return nil }
    return TapeEntry(
      tag: tag, value: target, lower: target - below, upper: target + above, target: target,
      isSigned: isSigned)
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

  fileprivate mutating func choice(_ code: UInt64, of domains: [TapeEntry]) -> TapeEntry? {
    guard code / 2 < UInt64(domains.count) else { return nil }
    let domain = domains[Int(code / 2)]
    if code & 1 == 0 { return domain }
    guard let offset = zigzag(), offset != 0 else { return nil }
    let value = domain.target &+ UInt64(bitPattern: offset)
    return domain.allows(value) ? domain.with(value) : nil
  }
}

/// A tape is one text. The labels of its spans stand for any when it is read.
extension Tape: Codable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64URL.encode(TapeCoding.encode(self)))
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = Base64URL.decode(text[...].utf8), let tape = TapeCoding.decode(bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a tape")
    }
    self = tape
  }
}

/// Writes numbers and texts one after the other, small numbers in few bytes.
struct ByteWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func raw(_ values: some Sequence<UInt8>) { bytes.append(contentsOf: values) }

  /// Seven bits a byte, the low ones first; the high bit says that more follow (LEB128).
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A number that may be negative: 0, -1, 1, -2 and so on are 0, 1, 2, 3.
  mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func text(_ value: String) {
    varint(UInt64(value.utf8.count))
    raw(value.utf8)
  }
}

/// Reads what `ByteWriter` wrote, and stops at anything else: every reading is nil where the bytes do not have it.
struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

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

  mutating func text() -> String? {
    guard let count = varint(), count <= UInt64(bytes.count - position) else { return nil }
    let end = position + Int(count)
    defer { position = end }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }
}

/// Bytes as letters, digits, `-` and `_`, without padding: RFC 4648, section 5.
///
/// A text that no bytes encode to is refused, so that every sequence of bytes has one text.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) })

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for _ in 0...group.count {
        text.append(alphabet[Int(word >> 18 & 63)])
        word <<= 6
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (word, bits): (UInt32, UInt32) = (0, 0)
    for letter in text {
      guard let value = values[letter] else { return nil }
      word = word << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        word &= (1 << bits) - 1
      }
    }
    return bits < 6 && word == 0 ? bytes : nil
  }
}

/// A short number that two different texts seldom share: 64-bit FNV-1a.
/// Source: Fowler, Noll, Vo; RFC 9923.
struct Checksum: Sendable, Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  var folded: UInt32 { UInt32(truncatingIfNeeded: value >> 32 ^ value) }

  var shortName: String {
    let digits = String(value, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(12))
  }
}
