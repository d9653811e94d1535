// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// True if and how a stream shows colours: on a terminal only, and not where `NO_COLOR` or `TERM=dumb` asks for none.
package struct TerminalStyle: Hashable, Sendable {
  package let isColoured: Bool

  package init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The style of a stream.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the stream is a terminal; see `isTerminal(_:)`.
  ///   - environment: the process's variables; any `NO_COLOR` that is not empty turns colours off (no-color.org).
  package init(isTerminal: Bool, environment: [String: String]) {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isColoured = isTerminal && !refused && environment["TERM"] != "dumb"
  }

  /// Returns true if a file descriptor is a terminal: 1 for the output, 2 for errors.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The text on a background of that colour, in the ink that is read best on it.
  package func painted(_ text: String, _ ink: Colour? = nil, on colour: Colour) -> String {
    guard isColoured else { return text }
    let ink = ink ?? colour.bestInk
    return "\u{1B}[38;2;\(ink.red);\(ink.green);\(ink.blue);48;2;\(colour.red);\(colour.green);\(colour.blue)m"
      + text + "\u{1B}[0m"
  }

  /// The text with the verdict at the beginning of a line in green (holds), red (fails) or yellow (undecided).
  package func verdicts(_ text: String) -> String {
    guard isColoured else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let word = line.prefix { $0.isLetter }
      let code = ["holds": 32, "fails": 31, "undecided": 33, "incomplete": 33][word.lowercased()]
      guard let code, [" ", ":"].contains(line.dropFirst(word.count).first) else { return String(line) }
      return "\u{1B}[1;\(code)m\(word)\u{1B}[0m\(line.dropFirst(word.count))"
    }.joined(separator: "\n")
  }

  package func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

extension StringProtocol {
  package var withoutTrailingSpaces: String {
    var text = String(self)
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Text for terminals: its width in columns, and the escaping of characters that control a terminal.
public enum TerminalText {
  /// The width of a text in columns of a terminal: two for wide East Asian characters and emoji, none for combining
  /// marks.
  ///
  /// Source: Unicode Standard Annex 11, "East Asian Width", the blocks that are wide as a whole, and emoji
  /// presentation by Unicode Technical Standard 51.
  public static func columns(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// The text with each character escaped that moves the cursor, rings the bell or changes the writing direction, as
  /// `\u{1B}`; a line end is `\n` unless line ends are kept.
  ///
  /// Renderers for people escape every text by this before they add styles.
  package static func harmless(_ text: String, keepingLineEnds: Bool = false) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool { !isHarmful(scalar) || (keepingLineEnds && scalar == "\n") }
    if text.unicodeScalars.allSatisfy(isKept) { return text }
    return text.unicodeScalars.map { scalar in
      if isKept(scalar) { return String(scalar) }
      return switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }.joined()
  }

  /// The rendered text without commands for a build server: the first character of `::error::` at a line's beginning
  /// and of `##[error]` anywhere, the forms of GitHub Actions, is shown as its code.
  package static func withoutCommands(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = Substring(line.replacing("##[", with: #"\u{23}#["#))
      let start = line.unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? line.endIndex
      if line.utf8[start...].starts(with: "::".utf8) {
        line.unicodeScalars.replaceSubrange(start...start, with: #"\u{3A}"#.unicodeScalars)
      }
      return line
    }.joined(separator: "\n")
  }

  /// The parts into which a word may be broken if it is too wide for a line: a measure's name, and its label up to and
  /// after a slash.
  static func parts(of word: Substring) -> [Substring] {
    guard let label = word.dropFirst().lastIndex(of: "["), word.last == "]" else { return [word] }
    let stroke = word[label...].firstIndex(of: "/").map { word.index(after: $0) } ?? word.endIndex
    return [word[..<label], word[label..<stroke], word[stroke...]].filter { !$0.isEmpty }
  }

  /// The text, made harmless, in lines of a width: broken between words, and within a word only where it is wider than
  /// a whole line.
  package static func lines(of text: String, width: Int) -> [String] {
    let text = harmless(text, keepingLineEnds: true)
    if text.contains("\n") {
      return text.split(separator: "\n", omittingEmptySubsequences: false)
        .flatMap { Self.lines(of: String($0), width: width) }
    }
    guard columns(of: text) > width else { return [text] }
    var (lines, line, used) = ([String](), "", 0)
    let words = text.split(separator: " ").flatMap { word in
      let parts = columns(of: String(word)) > width ? parts(of: word) : [word]
      return parts.enumerated().map { (gap: $0 == 0 ? " " : "", word: $1) }
    }
    for (gap, word) in words {
      let size = columns(of: String(word))
      if !line.isEmpty {
        if used + gap.count + size <= width {
          line += gap + word
          used += gap.count + size
          continue
        }
        lines.append(line)
        (line, used) = ("", 0)
      }
      for character in word {
        let size = self.width(of: character)
        if used + size > width, !line.isEmpty {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += size
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// A command, made harmless, in lines of a width that a shell reads as one: a line that is cut ends with a backslash.
  /// Cuts are between words where possible, and never within quotes, where a backslash is part of the word.
  package static func foldedCommand(_ command: String, width: Int) -> String {
    let text = harmless(command)
    var (lines, start, used) = ([Substring](), text.startIndex, 0)
    // The places where the line may be cut, with its width up to there: behind a word, and anywhere.
    var (gap, end): ((position: String.Index, used: Int)?, (position: String.Index, used: Int)?) = (nil, nil)
    var (quote, isEscaped) = (Character?.none, false)
    for position in text.indices {
      let (character, next) = (text[position], text.index(after: position))
      used += self.width(of: character)
      while used > width, let cut = gap ?? end {
        lines.append(text[start..<cut.position])
        (start, used, gap) = (cut.position, used - cut.used, nil)
        end = end.flatMap { $0.position > start ? ($0.position, $0.used - cut.used) : nil }
      }
      switch character {
      case _ where isEscaped: isEscaped = false
      // Only quotes that begin with a dollar sign have escapes.
      case "\\": isEscaped = quote != "'"
      case "'" where quote != nil: quote = nil
      case "'": quote = position > start && text[text.index(before: position)] == "$" ? "$" : "'"
      default: break
      }
      if quote == nil, !isEscaped, character != "$", used < width {
        end = (next, used)
        if character == " " { gap = end }
      }
    }
    return (lines.map { $0 + "\\" } + [String(text[start...])]).joined(separator: "\n")
  }

  private static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // The selector asks for the picture of a character that is a letter otherwise: ❤ and ❤️.
    if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// Returns true if a character controls a terminal instead of being shown.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    default: false
    }
  }

  /// The blocks whose characters take two columns.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x20000...0x3FFFD,
  ]
}
