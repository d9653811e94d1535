// SPDX-License-Identifier: Apache-2.0

/// Which foregrounds stand on which backgrounds, for what, and which colours people must tell apart.
///
/// A line each: `text.* on surface`, `on-* on * as large-text`, `chart.* distinct`, `icon on card as graphic over page`.
/// A `*` stands for any text, dots included; where both sides of `on` have one, it stands for the same text on both.
/// Lines that are empty or begin with `#` are skipped.
public struct ContrastPairs: Hashable, Sendable {
  /// A line about a foreground on a background.
  struct Rule: Hashable, Sendable {
    let foreground, background: String
    let role: ContrastRole
    /// What lies below a translucent background.
    let below: String?
    let line: Int
  }

  /// The rules, in the order of the lines.
  let rules: [Rule]
  /// Patterns of colours that must be told apart.
  let distinct: [(String)]

  /// Reads the lines.
  ///
  /// - Throws: `ContrastError` with the line and what was expected.
  public init(_ text: String, file: String) throws(ContrastError) {
    var (rules, distinct) = ([Rule](), [String]())
    for (offset, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      func wrong(_ found: String, _ expected: String) -> ContrastError {
        ContrastError(file: file, line: offset + 1, path: "", found: found, expected: expected)
      }
      if words.count == 2, words[1] == "distinct" {
        distinct.append(first)
        continue
      }
      guard words.count >= 3, words[1] == "on", words.count.isMultiple(of: 2) == false else {
        throw wrong("'\(line.prefix(80))'", "FOREGROUND on BACKGROUND [as ROLE] [over TOKEN], or PATTERN distinct")
      }
      var (role, below) = (ContrastRole.text, String?.none)
      for place in stride(from: 3, to: words.count, by: 2) {
        switch words[place] {
        case "as":
          guard let known = ContrastRole(rawValue: words[place + 1]) else {
            throw wrong(
              "the role '\(words[place + 1])'",
              "one of \(ContrastRole.allCases.map(\.rawValue).joined(separator: ", "))")
          }
          role = known
        case "over": below = words[place + 1]
        default: throw wrong("'\(words[place])'", "as or over")
        }
      }
      for pattern in [first, words[2]] where pattern.split(separator: "*", omittingEmptySubsequences: false).count > 2 {
        throw wrong("'\(pattern)'", "at most one * in a pattern")
      }
      rules.append(Rule(foreground: first, background: words[2], role: role, below: below, line: offset + 1))
    }
    guard !rules.isEmpty || !distinct.isEmpty else {
      throw ContrastError(file: file, line: 0, path: "", found: "no line", expected: "FOREGROUND on BACKGROUND")
    }
    (self.rules, self.distinct) = (rules, distinct)
  }

  private init(rules: [Rule]) { (self.rules, distinct) = (rules, []) }

  /// The pairs that names suggest: `on-surface` and `onSurface` on `surface`; in each group, `text`, `foreground`,
  /// `fg`, `label` and `icon` on `background`, `bg` and `surface`.
  public static func proposed(for tokens: TokenSet) -> ContrastPairs {
    let paths = tokens.tokens.map(\.path)
    let known = Set(paths)
    var rules: [Rule] = []
    for path in paths {
      var names = path.split(separator: ".").map(String.init)
      guard let last = names.popLast() else { continue }
      func full(_ name: String) -> String { (names + [name]).joined(separator: ".") }
      var ground = last.hasPrefix("on-") ? String(last.dropFirst(3)) : ""
      if last.hasPrefix("on"), let capital = last.dropFirst(2).first, capital.isUppercase {
        ground = capital.lowercased() + last.dropFirst(3)
      }
      if !ground.isEmpty, known.contains(full(ground)) {
        rules.append(Rule(foreground: path, background: full(ground), role: .text, below: nil, line: 0))
      } else if ["text", "foreground", "fg", "label", "icon"].contains(last) {
        for other in ["background", "bg", "surface"] where known.contains(full(other)) {
          let role: ContrastRole = last == "icon" ? .graphic : .text
          rules.append(Rule(foreground: path, background: full(other), role: role, below: nil, line: 0))
        }
      }
    }
    return ContrastPairs(rules: rules)
  }

  /// Whether there is nothing to check.
  public var isEmpty: Bool { rules.isEmpty && distinct.isEmpty }
}

/// A text with at most one `*`.
struct TokenPattern {
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false) }

  /// What the `*` stands for in a path that matches, empty where there is none; `nil` where it does not match.
  func match(_ path: String) -> Substring? {
    guard parts.count == 2 else { return path == parts[0] ? "" : nil }
    guard path.count >= parts[0].count + parts[1].count, path.hasPrefix(parts[0]), path.hasSuffix(parts[1]) else {
      return nil
    }
    return path.dropFirst(parts[0].count).dropLast(parts[1].count)
  }

  var hasStar: Bool { parts.count == 2 }

  /// The path in which the `*` stands for a text.
  func filled(_ text: Substring) -> String { parts.joined(separator: String(text)) }
}
