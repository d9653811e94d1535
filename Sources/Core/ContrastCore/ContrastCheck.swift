// SPDX-License-Identifier: Apache-2.0

/// One foreground on one background in one theme.
public struct ContrastFinding: Sendable {
  /// The theme's name.
  public let theme: String
  /// The foreground and the background.
  public let foreground, background: ColourToken
  /// The colours as displayed: mapped into sRGB, and composited over the colour below.
  public let seen: (foreground: Colour, background: Colour)
  /// The purpose of the foreground.
  public let role: ContrastRole
  /// The ratio, 1 to 21.
  public let ratio: Double
  /// The least ratio required.
  public let least: Double
  /// The corrected colour; `nil` where the pair passes, or no colour corrects it.
  public fileprivate(set) var mended: Colour?

  /// Whether the pair reaches the least ratio.
  public var passes: Bool { ratio >= least }
}

/// Two colours that people with a deficiency cannot distinguish.
public struct IndistinctColours: Sendable {
  /// The theme's name.
  public let theme: String
  /// The two tokens.
  public let first, second: ColourToken
  /// The deficiency; `nil` for normal vision.
  public let deficiency: ColourDeficiency?
  /// Their CIEDE2000 difference with this deficiency.
  public let difference: Double
}

/// The side of a failing pair that is changed.
public enum MendedSide: String, CaseIterable, Sendable {
  case foreground, background
}

/// The result of checking all pairs of all themes.
public struct ContrastCheck: Sendable {
  /// The pairs, theme by theme, in the order of the rules.
  public private(set) var findings: [ContrastFinding] = []
  /// The colours that cannot be distinguished, theme by theme.
  public private(set) var indistinct: [IndistinctColours] = []
  /// The number of pairs of colours that must be distinguishable.
  public private(set) var distinctPairs = 0
  /// Errors in tokens and pairs: in each theme the tokens without a colour, and the rules that match no token.
  public private(set) var problems: [ContrastError]
  /// The side that is corrected.
  public let side: MendedSide

  /// Checks pairs, and finds for each failing one the nearest colour that passes in every pair and theme.
  ///
  /// - Parameters:
  ///   - themes: the themes of a file.
  ///   - pairs: the pairs of foregrounds and backgrounds.
  ///   - level: the level required.
  ///   - side: the side that is corrected.
  ///   - vision: the model that simulates deficiencies.
  ///   - leastDifference: the CIEDE2000 difference below which two colours cannot be distinguished.
  public init(
    _ themes: [TokenSet], pairs: ContrastPairs, level: ContrastLevel = .aa, mending side: MendedSide = .foreground,
    vision: DeficiencyModel = .brettel, leastDifference: Double = 10
  ) {
    self.side = side
    var known: Set<ContrastError> = []
    problems = themes.flatMap(\.problems).filter { known.insert($0).inserted }
    var matched: Set<Int> = []
    for theme in themes {
      let tokens = Dictionary(theme.tokens.map { ($0.path, $0) }) { first, _ in first }
      for rule in pairs.rules {
        let found = Self.findings(of: rule, theme, tokens, level)
        if !found.isEmpty { matched.insert(rule.line) }
        findings += found
      }
      for rule in pairs.distinct {
        let colours = theme.tokens.filter { rule.pattern.match($0.path) != nil }
        if colours.count > 1 { matched.insert(rule.line) }
        distinctPairs += colours.count * (colours.count - 1) / 2
        indistinct += Self.indistinct(colours, theme.theme, vision, least: leastDifference)
      }
    }
    let unmatched =
      pairs.rules.map { ($0.line, "no pair for '\($0.foreground.text) on \($0.background.text)'") }
      + pairs.distinct.map { ($0.line, "fewer than two colours for '\($0.pattern.text)'") }
    for (line, found) in unmatched where !matched.contains(line) {
      problems.append(
        ContrastError(
          file: pairs.file, line: line, path: "", found: found,
          expected: "names or patterns of tokens that are there"))
    }
    mend()
  }

  /// The place of a token's value: tokens that are inherited by an extension under several names share one value.
  private struct Place: Hashable {
    let file: String
    let start: Int

    init(_ token: ColourToken) { (file, start) = (token.file, token.bytes.lowerBound) }
  }

  private func mendedToken(of finding: ContrastFinding) -> ColourToken {
    side == .foreground ? finding.foreground : finding.background
  }

  private mutating func mend() {
    let wrong = Set(findings.filter { !$0.passes }.map { Place(mendedToken(of: $0)) })
    guard !wrong.isEmpty else { return }
    var demands: [Place: [ContrastDemand]] = [:]
    for one in findings {
      let place = Place(mendedToken(of: one))
      guard wrong.contains(place) else { continue }
      let other = side == .foreground ? one.seen.background : one.seen.foreground
      demands[place, default: []].append(ContrastDemand(one.least, against: other))
    }
    var mended: [Place: Colour?] = [:]
    for index in findings.indices where !findings[index].passes {
      let (one, place) = (findings[index], Place(mendedToken(of: findings[index])))
      let own = side == .foreground ? one.seen.foreground : one.seen.background
      let colour = mended[place] ?? own.nearest(meeting: demands[place] ?? [])
      mended[place] = .some(colour)
      findings[index].mended = colour
    }
  }

  private static func findings(
    of rule: ContrastPairs.Rule, _ theme: TokenSet, _ known: [String: ColourToken], _ level: ContrastLevel
  ) -> [ContrastFinding] {
    let (front, ground) = (rule.foreground, rule.background)
    let fronts: [(ColourToken, Substring)] =
      front.hasStar
      ? theme.tokens.compactMap { token in front.match(token.path).map { (token, $0) } }
      : known[front.text].map { [($0, Substring())] } ?? []
    let below = rule.below.flatMap { known[$0]?.colour.mapped } ?? .white
    return fronts.flatMap { token, star in
      let grounds: [ColourToken] =
        if ground.hasStar && !front.hasStar {
          theme.tokens.filter { ground.match($0.path) != nil }
        } else {
          known[ground.filled(star)].map { [$0] } ?? []
        }
      return grounds.filter { $0.path != token.path }.map { other in
        let back = other.colour.mapped.over(below)
        let top = token.colour.mapped.over(back)
        return ContrastFinding(
          theme: theme.theme, foreground: token, background: other, seen: (top, back), role: rule.role,
          ratio: Contrast.ratio(of: top, on: back), least: rule.role.least(for: level))
      }
    }
  }

  private static func indistinct(
    _ tokens: [ColourToken], _ theme: String, _ vision: DeficiencyModel, least: Double
  ) -> [IndistinctColours] {
    let seen = ([nil] + ColourDeficiency.allCases).map { deficiency in
      let colours = tokens.map(\.colour.mapped)
      return (
        deficiency, (deficiency.map { kind in colours.map { $0.simulated(kind, vision) } } ?? colours).map(Lab.init)
      )
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
          // Colours that nobody can distinguish are not reported for each deficiency, too.
          if deficiency == nil { break }
        }
      }
    }
    return found
  }

  /// The files with a corrected value, in the order of the findings.
  public var filesToMend: [String] {
    var known: Set<String> = []
    return findings.filter { $0.mended != nil }.map { mendedToken(of: $0).file }.filter { known.insert($0).inserted }
  }

  /// A file in which corrected values replace the old ones; all other bytes are unchanged.
  ///
  /// A token that was an alias of another token gets its own colour.
  public func mended(_ text: String, file: String) -> String {
    var changes: [Int: (bytes: Range<Int>, text: String)] = [:]
    var bytes = Array(text.utf8)
    for finding in findings {
      let token = mendedToken(of: finding)
      guard let colour = finding.mended, token.file == file, token.bytes.upperBound <= bytes.count else { continue }
      let start = token.bytes.lowerBound
      changes[start] =
        switch token.form {
        case .value: (token.bytes, colour.tokenValue)
        case .legacy: (token.bytes, "\"\(colour.hex)\"")
        case .pointer:
          // The name before the value changes, too.
          (
            (bytes[..<start].lastIndex(of: UInt8(ascii: "$")) ?? start)..<token.bytes.upperBound,
            "$value\": \(colour.tokenValue)"
          )
        }
    }
    for (_, change) in changes.sorted(by: { $0.key > $1.key }) {
      bytes.replaceSubrange(change.bytes, with: change.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Colour {
  /// The colour as the value of a token.
  public var tokenValue: String {
    let opacity = alpha < 1 ? ", \"alpha\": \(alpha)" : ""
    let hex = Colour(red: red, green: green, blue: blue).hex
    return "{\"colorSpace\": \"srgb\", \"components\": [\(red), \(green), \(blue)]\(opacity), \"hex\": \"\(hex)\"}"
  }
}
