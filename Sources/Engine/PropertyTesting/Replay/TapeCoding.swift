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
