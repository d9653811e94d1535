// SPDX-License-Identifier: GPL-3.0-or-later

/// Texts of a figure on their way into a gnuplot script, and the room they take.
enum FigureText {
  /// A text between single quotes: there gnuplot knows no escapes, no commands between backquotes and no macros.
  ///
  /// A straight quote becomes a curved one, for gnuplot reads a doubled quote in some places as an end of the text.
  static func quoted(_ text: String) -> String { "'" + replacing(plain(text), "'", with: "\u{2019}") + "'" }

  /// A text for a mark of an axis, where gnuplot would take `%` for the beginning of a number's format.
  static func quotedLabel(_ text: String) -> String { quoted(replacing(text, "%", with: "%%")) }

  /// A text for XML, without what it forbids.
  static func escaped(_ text: String) -> String { PageText().escapeText(plain(text)) }

  /// A text on one line, without what XML forbids or what would change the direction of what follows.
  static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : " " }))
  }

  /// A text with one sign replaced, also where an accent behind the sign makes both one character.
  static func replacing(_ text: String, _ sign: Unicode.Scalar, with other: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == sign { result.append(contentsOf: other.unicodeScalars) } else { result.append(scalar) }
    }
    return String(result)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    case .format: scalar == "\u{200D}" || scalar == "\u{00AD}"
    default: true
    }
  }

  /// A text of at most so many characters, the last an ellipsis where something is left out.
  static func shortened(_ text: String, to most: Int) -> String {
    text.count <= most ? text : text.prefix(max(most - 1, 0)).trimmingSuffix(" ") + "…"
  }

  /// A text broken between words into lines of at most so many characters.
  ///
  /// - Returns: at most `most` lines, the last shortened where more would follow.
  static func lines(_ text: String, width: Int, most: Int) -> [String] {
    var lines: [String] = []
    for word in plain(text).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    guard lines.count > most else { return lines.map { shortened($0, to: width) } }
    let rest = lines[(most - 1)...].joined(separator: " ")
    return lines[..<(most - 1)].map { shortened($0, to: width) } + [shortened(rest, to: width)]
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ unwanted: Character) -> String {
    var text = String(self)
    while text.last == unwanted { text.removeLast() }
    return text
  }
}
