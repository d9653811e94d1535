// SPDX-License-Identifier: Apache-2.0

/// Where a text stands in a feed, between its quotes.
struct TextRange {
  var start = 0
  var end = 0
  /// Whether it is ASCII without escapes, so that its bytes are its characters.
  var isPlain = true

  var count: Int { end - start }

  /// The text's bytes, escapes resolved.
  func bytes(in bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var position = start
    while position < end {
      if bytes[position] == UInt8(ascii: "\\"), let escape = EscapedScalar(bytes, at: position, before: end) {
        result.append(contentsOf: Array(String(Character(escape.scalar)).utf8))
        position += escape.length
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  /// The text.
  func string(in bytes: Span<UInt8>) -> String { String(decoding: self.bytes(in: bytes), as: UTF8.self) }
}

/// A character that is written with a backslash.
struct EscapedScalar {
  /// The character.
  let scalar: Unicode.Scalar
  /// How many bytes it takes, the backslash counted: a character beyond `U+FFFF` takes two escapes.
  let length: Int

  /// The character whose backslash stands at a place; nil for what is no escape of JSON, and for half of a pair.
  init?(_ bytes: Span<UInt8>, at position: Int, before end: Int) {
    guard position + 1 < end else { return nil }
    if bytes[position + 1] != UInt8(ascii: "u") {
      guard let scalar = Self.short(bytes[position + 1]) else { return nil }
      (self.scalar, length) = (scalar, 2)
      return
    }
    guard let unit = Self.unit(bytes, at: position, before: end) else { return nil }
    if let scalar = Unicode.Scalar(unit) {
      (self.scalar, length) = (scalar, 6)
      return
    }
    guard unit < 0xDC00, let second = Self.unit(bytes, at: position + 6, before: end), second & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF)
    else { return nil }
    (self.scalar, length) = (scalar, 12)
  }

  private static func short(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  /// The number of `\u` and four digits of sixteen.
  private static func unit(_ bytes: Span<UInt8>, at position: Int, before end: Int) -> UInt32? {
    guard position + 6 <= end, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in position + 2..<position + 6 {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
