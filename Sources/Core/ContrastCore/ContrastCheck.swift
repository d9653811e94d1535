// SPDX-License-Identifier: Apache-2.0

/// One foreground on one background in one theme.
public struct ContrastFinding: Hashable, Sendable {
  /// The theme's name.
  public let theme: String
  /// The foreground.
  public let foreground: ColourToken
  /// The background.
  public let background: ColourToken
  /// The colours as they are seen: mapped into sRGB, and composited over what lies below.
  public let seen: (foreground: Colour, background: Colour)
  /// What the foreground is for.
  public let role: ContrastRole
  /// The ratio, 1 to 21.
  public let ratio: Double
  /// The least ratio that is asked.
  public let least: Double
  /// The nearest foreground that reaches it in every pair and theme; `nil` where it does already, or where there is
  /// none.
  public let mended: Colour?

  /// Whether the pair reaches the least ratio.
  public var passes: Bool { ratio >= least }

  public static func == (one: Self, other: Self) -> Bool {
    (one.theme, one.foreground, one.background, one.role, one.ratio, one.least) == (
      other.theme, other.foreground, other.background, other.role, other.ratio, other.least
    ) && one.mended == other.mended
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(theme)
    hasher.combine(foreground)
    hasher.combine(background)
  }
}

/// Two colours that people with a deficiency cannot tell apart.
public struct IndistinctColours: Hashable, Sendable {
  /// The theme's name.
  public let theme: String
  /// The two tokens.
  public let first, second: ColourToken
  /// The deficiency; `nil` where nobody can tell them apart.
  public let deficiency: ColourDeficiency?
  /// The difference as they are seen, by CIEDE2000.
  public let difference: Double
}

/// All pairs of all themes, checked.
public struct ContrastCheck: Sendable {
  /// The pairs, theme by theme, in the order of the rules.
  public let findings: [ContrastFinding]
  /// The colours that cannot be told apart, theme by theme.
  public let indistinct: [IndistinctColours]
  /// What is wrong with tokens and pairs: of each theme the tokens without a colour, and rules that no token matches.
  public let problems: [ContrastError]

  /// Checks pairs.
  ///
  /// - Parameters:
  ///   - themes: the themes of a file.
  ///   - pairs: what stands on what.
  ///   - file: the name of the file of pairs in errors.
  ///   - level: the level that is asked.
  ///   - leastDifference: the CIEDE2000 difference below which two colours cannot be told apart.
  public init(
    _ themes: [TokenSet], pairs: ContrastPairs, file: String = "", level: ContrastLevel = .aa,
    leastDifference: Double = 10
  ) {
    var (found, indistinct, problems) = ([Pair](), [IndistinctColours](), themes.flatMap(\.problems).unique)
    var matched = Set<ContrastPairs.Rule>()
    for theme in themes {
      let known = Dictionary(theme.tokens.map { ($0.path, $0) }) { first, _ in first }
      for rule in pairs.rules {
        for pair in Self.pairs(of: rule, theme, known) {
          matched.insert(rule)
          found.append(pair.asking(rule.role.least(for: level)))
        }
      }
      for pattern in pairs.distinct {
        let colours = theme.tokens.filter { TokenPattern(pattern).match($0.path) != nil }
        indistinct += Self.indistinct(colours, theme: theme.theme, least: leastDifference)
        if colours.count < 2 {
          problems.append(
            ContrastError(
              file: file, line: 0, path: theme.theme, found: "\(colours.count) tokens that match '\(pattern)'",
              expected: "two at least"))
        }
      }
    }
    for rule in pairs.rules where !matched.contains(rule) {
      problems.append(
        ContrastError(
          file: file, line: rule.line, path: "", found: "no pair for '\(rule.foreground) on \(rule.background)'",
          expected: "names or patterns of tokens that are there"))
    }
    let demands = Dictionary(grouping: found) { Place($0.foreground) }.mapValues { pairs in
      pairs.map { ContrastDemand($0.least, against: $0.seen.background) }
    }
    var mended: [Place: Colour?] = [:]
    findings = found.map { pair in
      var colour: Colour?
      if pair.ratio < pair.least {
        let place = Place(pair.foreground)
        let known = mended[place] ?? pair.seen.foreground.nearest(meeting: demands[place] ?? [])
        mended[place] = known
        colour = known
      }
      return ContrastFinding(
        theme: pair.theme, foreground: pair.foreground, background: pair.background, seen: pair.seen, role: pair.role,
        ratio: pair.ratio, least: pair.least, mended: colour)
    }
    (self.indistinct, self.problems) = (indistinct, problems)
  }

  /// A token's value: the file and the bytes.
  private struct Place: Hashable {
    let file: String
    let start: Int

    init(_ token: ColourToken) { (file, start) = (token.file, token.bytes.lowerBound) }
  }

  private struct Pair {
    let theme: String
    let foreground, background: ColourToken
    let seen: (foreground: Colour, background: Colour)
    let role: ContrastRole
    let ratio: Double
    var least = 1.0

    func asking(_ least: Double) -> Pair {
      var pair = self
      pair.least = least
      return pair
    }
  }

  private static func pairs(
    of rule: ContrastPairs.Rule, _ theme: TokenSet, _ known: [String: ColourToken]
  ) -> [Pair] {
    let (front, ground) = (TokenPattern(rule.foreground), TokenPattern(rule.background))
    let fronts: [(ColourToken, Substring)] =
      front.hasStar
      ? theme.tokens.compactMap { token in front.match(token.path).map { (token, $0) } }
      : known[rule.foreground].map { [($0, "" as Substring)] } ?? []
    let below = rule.below.flatMap { known[$0]?.colour.mapped } ?? Colour(bytes: 255, 255, 255)
    return fronts.flatMap { token, star in
      let grounds: [ColourToken] =
        if ground.hasStar && front.hasStar {
          known[ground.filled(star)].map { [$0] } ?? []
        } else if ground.hasStar {
          theme.tokens.filter { ground.match($0.path) != nil }
        } else {
          known[rule.background].map { [$0] } ?? []
        }
      return grounds.filter { $0.path != token.path }.map { other in
        let back = other.colour.mapped.over(below)
        let top = token.colour.mapped.over(back)
        return Pair(
          theme: theme.theme, foreground: token, background: other, seen: (top, back), role: rule.role,
          ratio: Contrast.ratio(of: top, on: back))
      }
    }
  }

  private static func indistinct(
    _ tokens: [ColourToken], theme: String, least: Double
  ) -> [IndistinctColours] {
    let seen = ([nil] + ColourDeficiency.allCases).map { deficiency in
      (deficiency, tokens.map { token in deficiency.map { token.colour.mapped.simulated($0) } ?? token.colour.mapped })
    }
    var found: [IndistinctColours] = []
    for first in tokens.indices {
      for second in tokens.indices.dropFirst(first + 1) {
        for (deficiency, colours) in seen {
          let difference = colours[first].difference(to: colours[second])
          guard difference < least else { continue }
          found.append(
            IndistinctColours(
              theme: theme, first: tokens[first], second: tokens[second], deficiency: deficiency,
              difference: difference))
          // Whom nobody can tell apart, nobody with a deficiency can either.
          if deficiency == nil { break }
        }
      }
    }
    return found
  }

  /// A file with the mended values in the place of the old ones, everything else byte for byte; `nil` where nothing of
  /// it is mended.
  public func mended(_ text: String, file: String) -> String? {
    var changes: [Int: (bytes: Range<Int>, text: String)] = [:]
    for finding in findings where finding.foreground.file == file {
      guard let colour = finding.mended else { continue }
      let token = finding.foreground
      changes[token.bytes.lowerBound] = (
        token.bytes, token.isLegacy ? "\"\(colour.hex)\"" : Self.value(of: colour)
      )
    }
    guard !changes.isEmpty else { return nil }
    var bytes = Array(text.utf8)
    for (_, change) in changes.sorted(by: { $0.key > $1.key }) where change.bytes.upperBound <= bytes.count {
      bytes.replaceSubrange(change.bytes, with: change.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a token as the format writes it; six digits give the eight bits back.
  private static func value(of colour: Colour) -> String {
    let components = [colour.red, colour.green, colour.blue].map { "\(($0 * 1e6).rounded() / 1e6)" }
    return
      #"{"colorSpace": "srgb", "components": [\#(components.joined(separator: ", "))], "hex": "\#(colour.hex)"}"#
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of the first.
  fileprivate var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
