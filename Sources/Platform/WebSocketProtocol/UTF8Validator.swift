// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// Checks text that arrives in pieces: a byte that cannot continue the text is refused at once.
///
/// Source: The Unicode Standard 16, table 3-7, "Well-Formed UTF-8 Byte Sequences": only the second byte's range depends
/// on the first one.
struct UTF8Validator {
  /// The number of missing continuation bytes of the last character, and the range of the next one.
  private var missing: UInt8 = 0
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF

  /// True if the text may end here.
  var isComplete: Bool { missing == 0 }

  /// Returns true if the readable bytes of a buffer from an offset on may continue the text.
  mutating func accept(_ buffer: ByteBuffer, from start: Int = 0) -> Bool {
    let readable = buffer.readableBytesSpan
    let bytes = readable.extracting(start..<readable.byteCount)
    let count = bytes.byteCount
    var at = 0
    while at < count {
      let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: at, as: UInt8.self)
      at += 1
      if byte < 0x80, missing == 0 {
        at = endOfASCII(bytes, from: at, count: count)
      } else if !accept(byte) {
        return false
      }
    }
    return true
  }

  private func endOfASCII(_ bytes: RawSpan, from start: Int, count: Int) -> Int {
    var at = start
    // Long texts are read four words at a time.
    while at + 32 <= count {
      let first = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self)
      let second = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at + 8, as: UInt64.self)
      let third = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at + 16, as: UInt64.self)
      let fourth = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at + 24, as: UInt64.self)
      guard (first | second | third | fourth) & 0x8080_8080_8080_8080 == 0 else { break }
      at += 32
    }
    while at + 8 <= count {
      let high =
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self).littleEndian
        & 0x8080_8080_8080_8080
      if high != 0 { return at + high.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < count, unsafe bytes.unsafeLoad(fromUncheckedByteOffset: at, as: UInt8.self) < 0x80 { at += 1 }
    return at
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard low <= byte, byte <= high else { return false }
      missing -= 1
      (low, high) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    // Overlong encodings are invalid.
    case 0xE0: (missing, low) = (2, 0xA0)
    // Surrogates are invalid.
    case 0xED: (missing, high) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, low) = (3, 0x90)
    case 0xF1...0xF3: missing = 3
    // Values above U+10FFFF are invalid.
    case 0xF4: (missing, high) = (3, 0x8F)
    default: return false
    }
    return true
  }
}
