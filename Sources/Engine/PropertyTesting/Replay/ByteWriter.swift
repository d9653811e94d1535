// SPDX-License-Identifier: GPL-3.0-or-later

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
