// SPDX-License-Identifier: GPL-3.0-or-later

/// Text as documents of XML 1.0 hold it.
public enum XMLText {
  /// A text with marks as entities, and a replacement for what no document may hold and what a terminal obeys. By
  /// scalars, because an accent behind a mark is one character with it. A mark that follows its like is an entity, too:
  /// no line begins with `::error::` then, which a build server reads as a command.
  public static func escaped(_ text: String) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar.value {
      case UInt32(UInt8(ascii: ":")) where previous == scalar: result += "&#58;"
      case UInt32(UInt8(ascii: "#")) where previous == scalar: result += "&#35;"
      case UInt32(UInt8(ascii: "&")): result += "&amp;"
      case UInt32(UInt8(ascii: "<")): result += "&lt;"
      case UInt32(UInt8(ascii: ">")): result += "&gt;"
      case UInt32(UInt8(ascii: "\"")): result += "&quot;"
      case 0x9, 0xA: result.unicodeScalars.append(scalar)
      case _ where TerminalText.isHarmful(scalar): result += "\u{FFFD}"
      case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
