// SPDX-License-Identifier: GPL-3.0-or-later

/// Texts as a person can read them without being deceived.
enum ReadableText {
  /// A text as a Swift literal: in quotes, with everything escaped that cannot be seen or hides in its neighbour.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\0": literal += "\\0"
      default: literal += isVisible(scalar) ? String(scalar) : escape(scalar)
      }
    }
    return literal + "\""
  }

  /// A text without quotes, with everything but line ends escaped that cannot be seen.
  static func visible(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ $0 == "\n" || isVisible($0) }) { return text }
    return text.unicodeScalars.map { $0 == "\n" || isVisible($0) ? String($0) : escape($0) }.joined()
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Whether a scalar shows by itself. Combining marks do not: "é" would look the same as one letter and as two.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7f).contains(scalar.value) }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator, .nonspacingMark, .enclosingMark:
      false
    default: true
    }
  }
}
