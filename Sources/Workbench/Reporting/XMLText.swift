// SPDX-License-Identifier: GPL-3.0-or-later

/// Text for documents of XML 1.0.
public enum XMLText {
  /// The text with `&`, `<`, `>` and quotes as entities, and U+FFFD for characters that XML forbids or a terminal
  /// obeys. By scalars, because an accent and the mark before it are one character. A second `:` or `#` is an entity,
  /// too, so that a build server finds no command such as `::error::`.
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
