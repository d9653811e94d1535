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
  public let minimum: Double
  /// The corrected colour; `nil` where the pair passes, or no colour corrects it.
  public fileprivate(set) var fixed: Colour?

  /// True if the pair reaches the least ratio.
  public var passes: Bool { ratio >= minimum }
}

/// A pair, or a colour to be distinguished, that cannot be checked because a value is not read, or because the theme
/// has no token of a name that the pair states and another theme has.
public struct UncheckedPair: Hashable, Sendable {
  /// The theme's name.
  public let theme: String
  /// The name of the foreground, or of a colour to be distinguished.
  public let foreground: String
  /// The name of the background; `nil` for a colour to be distinguished.
  public let background: String?
  /// The token whose value is not read; or the token of that name in another theme.
  public let token: LeftOutToken
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
  /// The pairs that cannot be checked, theme by theme.
  public private(set) var unchecked: [UncheckedPair] = []
  /// The first 10,000 pairs of colours that cannot be distinguished, theme by theme.
  public private(set) var indistinct: [IndistinctColours] = []
  /// The number of pairs of colours that cannot be distinguished, counted for each deficiency.
  public private(set) var indistinctCount = 0
  /// The number of pairs of colours that must be distinguishable.
  public private(set) var distinctPairs = 0
  /// Errors in tokens and pairs: in each theme the tokens without a colour, the rules that match no token or name one
  /// whose value is not read, and unknown colours behind `over`.
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
  ///   - minDifference: the CIEDE2000 difference below which two colours cannot be distinguished.
  public init(
    _ themes: [TokenSet], pairs: ContrastPairs, level: ContrastLevel = .aa, fixing side: MendedSide = .foreground,
    vision: DeficiencyModel = .brettel, minDifference: Double = 10
  ) {
    self.side = side
    var known: Set<ContrastError> = []
    problems = themes.flatMap(\.problems).filter { known.insert($0).inserted }
    var matched: Set<Int> = []
    func report(_ line: Int, _ found: String, _ expected: String, unknown: String? = nil) {
      let problem = ContrastError(
        file: pairs.file, line: line, path: "", found: found, expected: expected, unknownName: unknown)
      if known.insert(problem).inserted { problems.append(problem) }
    }
    let anywhere = Dictionary(themes.flatMap(\.tokens).map { ($0.path, $0) }) { first, _ in first }
    for theme in themes {
      let candidates = Candidates(theme)
      /// A token that this theme lacks and another has.
      func missing(_ name: String) -> LeftOutToken? {
        guard !candidates.has(name), let token = anywhere[name] else { return nil }
        return LeftOutToken(
          path: name, file: token.file, line: token.line, reason: "not in the theme '\(theme.theme)'", isColour: true)
      }
      for rule in pairs.rules {
        let pairs = candidates.pairs(for: rule) { missing($0) != nil }
        guard !pairs.isEmpty else { continue }
        matched.insert(rule.line)
        var (below, lacking) = (Colour.white, LeftOutToken?.none)
        for name in rule.below.reversed() {
          guard let token = candidates.tokens[name] else {
            if let token = candidates.leftOut[name] {
              report(rule.line, Self.unread(name, token), "a colour behind 'over'")
            } else if let token = missing(name) {
              lacking = token
            } else {
              report(rule.line, "'\(name)' behind 'over'", "the name of a token", unknown: name)
            }
            continue
          }
          below = token.colour.mapped.over(below)
        }
        for (front, ground) in pairs {
          switch (candidates.tokens[front], candidates.tokens[ground]) {
          case (let token?, let other?) where lacking == nil:
            let back = other.colour.mapped.over(below)
            let top = token.colour.mapped.over(back)
            findings.append(
              ContrastFinding(
                theme: theme.theme, foreground: token, background: other, seen: (top, back), role: rule.role,
                ratio: Contrast.ratio(of: top, on: back), minimum: rule.role.minimum(for: level)))
          default:
            let read = candidates.leftOut[front] ?? candidates.leftOut[ground]
            guard let token = read ?? missing(front) ?? missing(ground) ?? lacking else { continue }
            unchecked.append(
              UncheckedPair(theme: theme.theme, foreground: front, background: ground, token: token))
          }
        }
      }
      for rule in pairs.distinct {
        let colours = theme.tokens.filter { rule.pattern.match($0.path) != nil }
        unchecked += theme.leftOut.filter { $0.isColour && rule.pattern.match($0.path) != nil }.map {
          UncheckedPair(theme: theme.theme, foreground: $0.path, background: nil, token: $0)
        }
        guard colours.count > 1 else { continue }
        matched.insert(rule.line)
        guard colours.count <= Self.maxDistinct else {
          report(
            rule.line, "\(colours.count) colours for '\(rule.pattern.text)'",
            "at most \(Self.maxDistinct) to be distinguished from each other")
          continue
        }
        distinctPairs += colours.count * (colours.count - 1) / 2
        distinguish(colours, theme.theme, vision, minimum: minDifference)
      }
    }
    let wrong = Set(problems.map(\.path))
    for rule in pairs.rules {
      // A pair that names a token is not checked without it, in any theme.
      for pattern in [rule.foreground, rule.background] where !pattern.hasStar {
        let left = themes.compactMap { theme in theme.leftOut.first { $0.path == pattern.text } }.first
        guard let left, left.isColour || !matched.contains(rule.line) else { continue }
        matched.insert(rule.line)
        report(rule.line, Self.unread(pattern.text, left), "a token whose value is a colour")
      }
      guard !matched.contains(rule.line) else { continue }
      let names = [rule.foreground, rule.background].filter { !$0.hasStar }.map(\.text)
      // The error of the token itself is enough.
      if names.contains(where: wrong.contains) { continue }
      let missing = names.first { name in !themes.contains { $0.tokens.contains { $0.path == name } } }
      report(
        rule.line, "no pair for '\(rule.foreground.text) on \(rule.background.text)'",
        "names or patterns of tokens that are there", unknown: missing)
    }
    for rule in pairs.distinct where !matched.contains(rule.line) {
      report(
        rule.line, "fewer than two colours for '\(rule.pattern.text)'", "names or patterns of tokens that are there")
    }
    fix()
  }

  private static func unread(_ name: String, _ token: LeftOutToken) -> String {
    "'\(name)', which is not read as a colour (\(token.file):\(token.line): \(token.reason))"
  }

  /// The colours of a theme, and those left out, by their paths.
  private struct Candidates {
    let tokens: [String: ColourToken]
    let leftOut: [String: LeftOutToken]
    private let paths: [String]

    init(_ theme: TokenSet) {
      let left = theme.leftOut.filter(\.isColour)
      tokens = Dictionary(theme.tokens.map { ($0.path, $0) }) { first, _ in first }
      leftOut = Dictionary(left.map { ($0.path, $0) }) { first, _ in first }
      paths = theme.tokens.map(\.path) + left.map(\.path)
    }

    func has(_ path: String) -> Bool { tokens[path] != nil || leftOut[path] != nil }

    /// The paths of the pairs that a rule asks for, in the order of the tokens; with names that it states in full and
    /// that only another theme has.
    func pairs(for rule: ContrastPairs.Rule, isElsewhere: (String) -> Bool) -> [(String, String)] {
      let (front, ground) = (rule.foreground, rule.background)
      func known(_ path: String) -> [String] { has(path) || isElsewhere(path) ? [path] : [] }
      let fronts: [(String, Substring)] =
        front.hasStar
        ? paths.compactMap { path in front.match(path).map { (path, $0) } } : known(front.text).map { ($0, "") }
      return fronts.flatMap { path, star in
        let grounds =
          ground.hasStar && !front.hasStar
          ? paths.filter { ground.match($0) != nil } : known(ground.filled(star))
        return grounds.filter { $0 != path }.map { (path, $0) }
      }
    }
  }

  /// The place of a token's value: tokens that are inherited by an extension under several names share one value.
  private struct Place: Hashable {
    let file: String
    let start: Int

    init(_ token: ColourToken) { (file, start) = (token.file, token.bytes.lowerBound) }
  }

  private func fixedToken(of finding: ContrastFinding) -> ColourToken {
    side == .foreground ? finding.foreground : finding.background
  }

  private mutating func fix() {
    let wrong = Set(findings.filter { !$0.passes }.map { Place(fixedToken(of: $0)) })
    guard !wrong.isEmpty else { return }
    var demands: [Place: [ContrastDemand]] = [:]
    for one in findings {
      let position = Place(fixedToken(of: one))
      guard wrong.contains(position) else { continue }
      let other = side == .foreground ? one.seen.background : one.seen.foreground
      demands[position, default: []].append(ContrastDemand(one.minimum, against: other))
    }
    var fixed: [Place: Colour?] = [:]
    for index in findings.indices where !findings[index].passes {
      let (one, position) = (findings[index], Place(fixedToken(of: findings[index])))
      let own = side == .foreground ? one.seen.foreground : one.seen.background
      let colour = fixed[position] ?? own.nearest(meeting: demands[position] ?? [])
      fixed[position] = .some(colour)
      findings[index].fixed = colour
    }
  }

  /// More colours than this would take minutes to compare with each other.
  private static let maxDistinct = 5_000
  private static let maxIndistinct = 10_000

  /// Counts the pairs that cannot be distinguished, and keeps the first.
  private mutating func distinguish(
    _ tokens: [ColourToken], _ theme: String, _ vision: DeficiencyModel, minimum: Double
  ) {
    let colours = tokens.map(\.colour.mapped)
    let seen = ([nil] + ColourDeficiency.allCases).map { deficiency in
      (deficiency, (deficiency.map { kind in colours.map { $0.simulated(kind, vision) } } ?? colours).map(Lab.init))
    }
    for first in tokens.indices {
      for second in tokens.indices.dropFirst(first + 1) {
        for (deficiency, colours) in seen {
          // CIEDE2000 divides the difference in lightness by at most 1.75.
          guard abs(colours[first].l - colours[second].l) < minimum * 1.75 else { continue }
          let difference = colours[first].difference(to: colours[second])
          guard difference < minimum else { continue }
          indistinctCount += 1
          if indistinct.count < Self.maxIndistinct {
            indistinct.append(
              IndistinctColours(
                theme: theme, first: tokens[first], second: tokens[second], deficiency: deficiency,
                difference: difference))
          }
          // Colours that nobody can distinguish are not reported for each deficiency, too.
          if deficiency == nil { break }
        }
      }
    }
  }

  /// The files with a corrected value, in the order of the findings.
  public var filesToFix: [String] {
    var known: Set<String> = []
    return findings.filter { $0.fixed != nil }.map { fixedToken(of: $0).file }.filter { known.insert($0).inserted }
  }

  /// A file in which corrected values replace the old ones; all other bytes are unchanged.
  ///
  /// A token that was an alias of another token gets its own colour.
  public func fixed(_ text: String, file: String) -> String {
    var changes: [Int: (bytes: Range<Int>, text: String)] = [:]
    var bytes = Array(text.utf8)
    // A value that several tokens share needs a type if one of them does.
    let untyped = Set(
      findings.filter { $0.fixed != nil }.map(fixedToken).filter { $0.file == file && $0.needsType }
        .map(\.bytes.lowerBound))
    for finding in findings {
      let token = fixedToken(of: finding)
      guard let colour = finding.fixed, token.file == file, token.bytes.upperBound <= bytes.count else { continue }
      let start = token.bytes.lowerBound
      let value = colour.tokenValue(in: token.space) + (untyped.contains(start) ? ", \"$type\": \"color\"" : "")
      if let opacity = token.opacityBytes { changes[opacity.lowerBound] = (opacity, "\"1\"") }
      changes[start] =
        switch token.form {
        case .value: (token.bytes, value)
        case .text: (token.bytes, "\"\(colour.css(in: token.space))\"")
        case .pointer:
          // The name before the value changes, too.
          (
            (bytes[..<start].lastIndex(of: UInt8(ascii: "$")) ?? start)..<token.bytes.upperBound, "$value\": \(value)"
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
  public func tokenValue(in space: ColourSpace = .srgb) -> String {
    let opacity = alpha < 1 ? ", \"alpha\": \(alpha)" : ""
    let components = components(in: space).map { "\($0)" }.joined(separator: ", ")
    let hex = Colour(red: red, green: green, blue: blue).hex
    return
      "{\"colorSpace\": \"\(space.rawValue)\", \"components\": [\(components)]\(opacity), \"hex\": \"\(hex)\"}"
  }

  /// The opaque colour as CSS writes it: in sRGB as `#rrggbb`.
  func css(in space: ColourSpace) -> String {
    let words = components(in: space).map { "\($0)" }
    switch space {
    case .srgb: return hex
    // With commas, as older tools read it, too.
    case .hsl: return "hsl(\(words[0]), \(words[1])%, \(words[2])%)"
    case .hwb: return "hwb(\(words[0]) \(words[1])% \(words[2])%)"
    case .lab, .lch, .oklab, .oklch: return "\(space.rawValue)(\(words.joined(separator: " ")))"
    default: return "color(\(space.rawValue) \(words.joined(separator: " ")))"
    }
  }
}
