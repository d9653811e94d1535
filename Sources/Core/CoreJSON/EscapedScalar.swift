// SPDX-License-Identifier: Apache-2.0

/// A character written as an escape.
package struct EscapedScalar {
  package let scalar: Unicode.Scalar
  /// The number of bytes including the backslash: a character beyond `U+FFFF` takes two escapes.
  package let length: Int

  /// The escaped character whose backslash is at a position; `nil` for an invalid escape and for half of a pair.
  package init?(_ bytes: Span<UInt8>, at position: Int, before end: Int) {
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

  /// The number of `\u` and four hexadecimal digits.
  private static func unit(_ bytes: Span<UInt8>, at position: Int, before end: Int) -> UInt32? {
    guard position + 6 <= end, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in position + 2..<position + 6 {
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
