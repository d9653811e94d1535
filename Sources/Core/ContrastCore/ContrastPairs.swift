// SPDX-License-Identifier: Apache-2.0

/// The pairs of foregrounds and backgrounds with their purposes, and the colours that people must distinguish.
///
/// Lines: `text.* on surface`, `on-* on * as large-text`, `icon on card as graphic over page`, `chart.* distinct`,
/// `"Button text" on "Button background"`. A `*` matches any text, including dots; if both sides of `on` have one, both
/// match the same text. A name with blanks stands in quotation marks, or has a backslash before each blank. Empty lines
/// and lines that begin with `#` are skipped.
public struct ContrastPairs: Sendable {
  /// A foreground on a background.
  struct Rule: Sendable {
    let foreground, background: TokenPattern
    var role = ContrastRole.text
    /// The colours below a translucent background, from the nearest to the farthest; below the last lies white.
    var below: [String] = []
    let line: Int
  }

  /// The name of the file of the pairs; empty for proposed pairs.
  let file: String
  /// The rules, in the order of the lines.
  let rules: [Rule]
  /// Patterns of colours that must be distinguished.
  let distinct: [(pattern: TokenPattern, line: Int)]

  /// Reads the lines.
  ///
  /// - Throws: `ContrastError` with the line and what was expected.
  public init(_ text: String, file: String) throws(ContrastError) {
    var (rules, distinct) = ([Rule](), [(TokenPattern, Int)]())
    // A byte order mark is no part of the first name.
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (offset, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      func wrong(_ found: String, _ expected: String) -> ContrastError {
        ContrastError(file: file, line: offset + 1, path: "", found: found, expected: expected)
      }
      guard let sign = line.first(where: { !$0.isWhitespace }), sign != "#" else { continue }
      guard let words = Self.words(line), let first = words.first else {
        throw wrong("'\(line.prefix(80))'", "a quotation mark at the end of each name that begins with one")
      }
      func pattern(_ text: String) throws(ContrastError) -> TokenPattern {
        guard let pattern = TokenPattern(text) else { throw wrong("'\(text)'", "at most one * in a pattern") }
        return pattern
      }
      if words.count == 2, words[1] == "distinct" {
        distinct.append((try pattern(first), offset + 1))
        continue
      }
      guard words.count >= 3, words[1] == "on", !words.count.isMultiple(of: 2) else {
        throw wrong(
          "'\(line.prefix(80))'",
          "FOREGROUND on BACKGROUND [as ROLE] [over TOKEN], or PATTERN distinct; a name with blanks in quotation marks")
      }
      var hasRole = false
      var rule = Rule(foreground: try pattern(first), background: try pattern(words[2]), line: offset + 1)
      for index in stride(from: 3, to: words.count, by: 2) {
        switch words[index] {
        case "as":
          guard let role = ContrastRole(rawValue: words[index + 1]) else {
            let roles = ContrastRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong("the role '\(words[index + 1])'", "one of \(roles)")
          }
          guard !hasRole else { throw wrong("a second role, '\(words[index + 1])'", "one role") }
          (rule.role, hasRole) = (role, true)
        case "over": rule.below.append(words[index + 1])
        default: throw wrong("'\(words[index])'", "as or over")
        }
      }
      rules.append(rule)
    }
    guard !rules.isEmpty || !distinct.isEmpty else {
      throw ContrastError(file: file, line: 0, path: "", found: "no line", expected: "FOREGROUND on BACKGROUND")
    }
    (self.file, self.rules, self.distinct) = (file, rules, distinct)
  }

  /// The pairs suggested by the names of the first theme: `on-surface` and `onSurface` on `surface`; in each group,
  /// `text`, `foreground`, `fg`, `label` and `icon` on `background`, `bg` and `surface`.
  public static func proposed(for themes: [TokenSet]) -> ContrastPairs {
    let paths = (themes.first?.tokens ?? []).map(\.path)
    let known = Set(paths)
    var rules: [Rule] = []
    for path in paths {
      var names = path.split(separator: ".").map(String.init)
      guard let last = names.popLast() else { continue }
      var (grounds, role) = ([String](), ContrastRole.text)
      if ["text", "foreground", "fg", "label", "icon"].contains(last) {
        (grounds, role) = (["background", "bg", "surface"], last == "icon" ? .graphic : .text)
      } else if last.hasPrefix("on-") {
        grounds = [String(last.dropFirst(3))]
      } else if last.hasPrefix("on"), let capital = last.dropFirst(2).first, capital.isUppercase {
        grounds = [capital.lowercased() + last.dropFirst(3)]
      }
      for ground in grounds.map({ (names + [$0]).joined(separator: ".") }) where known.contains(ground) {
        if let front = TokenPattern(path), let back = TokenPattern(ground) {
          rules.append(Rule(foreground: front, background: back, role: role, line: -rules.count))
        }
      }
    }
    return ContrastPairs(rules)
  }

  private init(_ rules: [Rule]) { (file, self.rules, distinct) = ("", rules, []) }

  /// True if there is nothing to check.
  public var isEmpty: Bool { rules.isEmpty && distinct.isEmpty }

  /// The pairs as lines that `init(_:file:)` reads.
  public var lines: [String] {
    rules.map { rule in
      "\(Self.quoted(rule.foreground.text)) on \(Self.quoted(rule.background.text))"
        + (rule.role == .text ? "" : " as \(rule.role.rawValue)")
        + rule.below.map { " over \(Self.quoted($0))" }.joined()
    } + distinct.map { "\(Self.quoted($0.pattern.text)) distinct" }
  }

  /// The words of a line: `"a b"` and `a\ b` are one word; `nil` if a quotation mark is missing.
  private static func words(_ line: Substring) -> [String]? {
    var (words, word, isQuoted, isEscaped) = ([String](), String?.none, false, false)
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"", isQuoted || word == nil {
        word = word ?? ""
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted, !isEscaped else { return nil }
    return words + (word.map { [$0] } ?? [])
  }

  /// A name as a word of a line.
  private static func quoted(_ name: String) -> String {
    guard name.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" }) || name.hasPrefix("#") else {
      return name
    }
    let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

/// A text with at most one `*`.
struct TokenPattern: Sendable {
  let text: String
  private let parts: [Substring]

  init?(_ text: String) {
    self.text = text
    parts = text.split(separator: "*", omittingEmptySubsequences: false)
    if parts.count > 2 { return nil }
  }

  var hasStar: Bool { parts.count == 2 }

  /// The text that the `*` matches in a path, empty for a pattern without `*`; `nil` where the path does not match.
  func match(_ path: String) -> Substring? {
    guard hasStar else { return path == text ? "" : nil }
    guard path.utf8.count >= text.utf8.count - 1, path.hasPrefix(parts[0]), path.hasSuffix(parts[1]) else {
      return nil
    }
    return path.dropFirst(parts[0].count).dropLast(parts[1].count)
  }

  /// The path in which a text replaces the `*`.
  func filled(_ star: Substring) -> String { hasStar ? "\(parts[0])\(star)\(parts[1])" : text }
}
