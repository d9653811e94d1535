// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

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

  /// A text with only that escaped which cannot be seen or changes how its neighbours are seen: letters with marks and
  /// spaces of any width stay.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { isHidden($0) ? escape($0) : String($0) }.joined()
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Whether a scalar shows by itself. Combining marks do not: "é" would look the same as one letter and as two.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7f).contains(scalar.value) }
    return switch scalar.properties.generalCategory {
    case .spaceSeparator, .nonspacingMark, .enclosingMark: false
    default: !isHidden(scalar)
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    default: false
    }
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")

  /// A property's id as one word that may name a folder: other bytes than letters, digits and `._-` as `%XX`.
  static func word(_ id: String) -> String {
    let word = id.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    return word.hasPrefix(".") ? "%2E" + word.dropFirst() : word
  }

  /// The id that `word` made the word of; nil where it made none like it.
  static func id(of word: some StringProtocol) -> String? {
    String(word).removingPercentEncoding.flatMap { Self.word($0) == word ? $0 : nil }
  }
}
