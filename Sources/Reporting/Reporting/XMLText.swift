// SPDX-License-Identifier: GPL-3.0-or-later

/// Text as documents of XML 1.0 hold it.
package enum XMLText {
  /// A text with marks as entities, and a replacement for what no document may hold. By scalars, because an accent
  /// behind a mark is one character with it.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case UInt32(UInt8(ascii: "&")): result += "&amp;"
      case UInt32(UInt8(ascii: "<")): result += "&lt;"
      case UInt32(UInt8(ascii: ">")): result += "&gt;"
      case UInt32(UInt8(ascii: "\"")): result += "&quot;"
      case 0x9, 0xA, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
