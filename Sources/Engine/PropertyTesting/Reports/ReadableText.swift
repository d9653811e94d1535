// SPDX-License-Identifier: Apache-2.0
internal import Foundation

enum ReadableText {
  /// A text as a Swift literal: in quotes, with invisible and combining characters escaped.
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

  /// A text without quotes, with invisible and combining characters escaped except line ends.
  static func visible(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ $0 == "\n" || isVisible($0) }) { return text }
    return text.unicodeScalars.map { $0 == "\n" || isVisible($0) ? String($0) : escape($0) }.joined()
  }

  /// A text in which only invisible characters and those that affect the display of others are escaped; letters with
  /// marks and spaces of any width are unchanged.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { isHidden($0) ? escape($0) : String($0) }.joined()
  }

  /// A text of several lines, with its further lines indented by two columns.
  static func indented(_ text: String) -> String { text.replacing("\n", with: "\n  ") }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Returns true if a scalar is visible alone. Combining marks are not: "é" would look the same as one and as two
  /// scalars.
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

  /// A property's id as one word for a folder name: bytes other than letters, digits and `._-` become `%XX`.
  static func word(_ id: String) -> String {
    let word = id.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    return word.hasPrefix(".") ? "%2E" + word.dropFirst() : word
  }

  /// The id from which `word` made a word; `nil` if it would not make this word.
  static func id(of word: some StringProtocol) -> String? {
    String(word).removingPercentEncoding.flatMap { Self.word($0) == word ? $0 : nil }
  }
}
