// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads roasts and checks them against the demands of `RoastPrompt`: one for each team, of 3 to 5 sentences, naming
/// the team's record, its points, its form or one of its top players.
public enum RoastReader {
  /// The number of sentences of a roast.
  public static let sentences = 3...5

  /// The teams in their given order, with the roasts of a list of objects with `teamId` and `roast`.
  ///
  /// - Parameters:
  ///   - data: The answer of a roast's author.
  ///   - file: The answer's name in errors.
  ///   - teams: The league's teams.
  /// - Returns: The teams, each with its roast.
  /// - Throws: `RoastError` with all problems of the answer.
  public static func read(_ data: Data, named file: String, for teams: [Team]) throws(RoastError) -> [Team] {
    var roasts: [(team: Int, text: String)] = []
    do throws(LeagueDocumentError) {
      let list = try LeagueField(data, named: file, expected: "a list of objects with teamId and roast")
      for roast in try list.required("a list").elements {
        roasts.append((try roast["teamId"].requiredWhole(), try roast["roast"].requiredText()))
      }
    } catch {
      let location = error.field.isEmpty ? "" : "\(error.field): "
      throw RoastError(
        file: file,
        problems: [.init(team: nil, text: "\(location)found \(error.found), expected \(error.expected)")])
    }
    var (texts, problems) = ([Int: String](), [RoastError.Problem]())
    for roast in roasts {
      let name = teams.first { $0.id == roast.team }?.name
      if name == nil {
        problems.append(.init(team: nil, text: "teamId: found \(roast.team), not the id of a team"))
      } else if texts.updateValue(roast.text, forKey: roast.team) != nil {
        problems.append(.init(team: name, text: "found a second roast, expected one"))
      }
    }
    var roasted: [Team] = []
    for var team in teams {
      problems += Self.problems(of: texts[team.id], team)
      team.roast = texts[team.id]
      roasted.append(team)
    }
    guard problems.isEmpty else { throw RoastError(file: file, problems: problems) }
    return roasted
  }

  private static func problems(of roast: String?, _ team: Team) -> [RoastError.Problem] {
    guard let roast else { return [.init(team: team.name, text: "found no roast, expected one")] }
    let count = Sentences.count(in: roast)
    return [
      sentences.contains(count)
        ? nil : "found \(count) sentences, expected \(sentences.lowerBound) to \(sentences.upperBound)",
      RoastSubject(roast).names(team)
        ? nil
        : "found neither the record \(team.season.standing) nor the points, the streak or a top player, expected one",
    ].compactMap { text in text.map { RoastError.Problem(team: team.name, text: $0) } }
  }
}

/// All problems of a league's roasts.
public struct RoastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One problem.
  public struct Problem: Hashable, Sendable {
    /// The team's name; `nil` for a problem that concerns no team.
    public let team: String?
    /// The problem: the value found and the value expected.
    public let text: String
  }

  /// The document's name, as given to the reader.
  public let file: String
  /// The problems, in the document's order, then in the order of the teams.
  public let problems: [Problem]

  init(file: String, problems: [Problem]) { (self.file, self.problems) = (file, problems) }

  /// The problems as separate errors, one problem each.
  public var each: [RoastError] { problems.map { RoastError(file: file, problems: [$0]) } }

  /// A line for each problem.
  public var description: String {
    problems.map { problem in
      "'\(file)', \(problem.team.map { "team '\($0)': " } ?? "")\(problem.text)."
    }.joined(separator: "\n")
  }
}

/// Counts the sentences of a text.
enum Sentences {
  private static let ends: Set<Character> = [".", "!", "?", "…", "。", "！", "？"]
  private static let closings: Set<Character> = ["\"", "'", ")", "]", "”", "’", "»", "*"]
  /// A full stop after one of these does not end a sentence.
  private static let abbreviations: Set<String> = [
    "mr", "mrs", "ms", "dr", "st", "jr", "sr", "vs", "no", "e.g", "i.e", "etc", "approx", "prof", "gen", "lt", "mt",
    "ft",
  ]

  /// The number of sentences, each with a letter or a digit. One or several of `.`, `!`, `?` and `…` before white space
  /// or the end of the text end one; text after the last end is another. A full stop after an abbreviation or initials
  /// (`T.J.`) does not, nor `…`, several marks or a closing quotation mark before a lower-case letter.
  static func count(in text: String) -> Int {
    let text = Array(text)
    var (count, hasContent, index) = (0, false, 0)
    while index < text.count {
      guard ends.contains(text[index]) else {
        hasContent = hasContent || text[index].isLetter || text[index].isNumber
        index += 1
        continue
      }
      let stop = index
      while index < text.count, ends.contains(text[index]) || closings.contains(text[index]) { index += 1 }
      let next = text[index...].first { !$0.isWhitespace }
      let isApart = index == text.count || text[index].isWhitespace || "。！？".contains(text[stop])
      let isLone = index == stop + 1 && text[stop] != "…"
      let goesOn = isLone ? text[stop] == "." && next != nil && isShort(text[..<stop]) : next?.isLowercase == true
      if isApart, !goesOn, hasContent { (count, hasContent) = (count + 1, false) }
    }
    return count + (hasContent ? 1 : 0)
  }

  /// Returns true if a text ends with an abbreviation, or with initials.
  private static func isShort(_ text: ArraySlice<Character>) -> Bool {
    let word = String(text.reversed().prefix { $0.isLetter || $0 == "." }.reversed()).lowercased()
    if abbreviations.contains(word) { return true }
    return !word.isEmpty && word != "i" && word.split(separator: ".").allSatisfy { $0.count == 1 }
  }
}

/// The words of a roast, to find its subject.
struct RoastSubject {
  /// Lower-case words of letters, and numbers with the signs within them: `9-4`, `1640.6`.
  private let words: [String]

  init(_ text: String) { words = Self.words(of: text) }

  /// Returns true if the roast names the team's record, its points, its form or one of its top players.
  func names(_ team: Team) -> Bool {
    namesRecord(of: team.season) || namesPoints(of: team.season) || namesForm(of: team.season)
      || team.topPlayers.contains { namesPlayer($0.name) }
  }

  /// Returns true if it names the record: `9-4`, `9-4-0`, `nine wins`, `4 losses`.
  private func namesRecord(of season: SeasonRecord) -> Bool {
    let short = "\(season.wins)-\(season.losses)"
    if words.contains(season.standing) || season.ties == 0 && words.contains(short) { return true }
    let counts = [
      (season.wins, ["win", "wins", "victory", "victories"]), (season.losses, ["loss", "losses", "defeat", "defeats"]),
      (season.ties, ["tie", "ties", "draw", "draws"]),
    ]
    return zip(words, words.dropFirst()).contains { number, noun in
      counts.contains { $0.1.contains(noun) && Self.number(number) == $0.0 }
    }
  }

  /// Returns true if it names the points for or against: exactly, to one decimal or as an integer.
  private func namesPoints(of season: SeasonRecord) -> Bool {
    let numbers = words.compactMap { Double($0.filter { $0 != "," }) }
    return [season.pointsFor, season.pointsAgainst].contains { points in
      numbers.contains { number in
        // An integer, or a number with one decimal, is compared with the points rounded to its precision.
        guard let named = try? Points(number) else { return false }
        let (own, other) = (points.thousandths, named.thousandths)
        return own == other || [100, 1000].contains { other.isMultiple(of: $0) && abs(own - other) * 2 <= $0 }
      }
    }
  }

  /// `W3`, or its length with a word for a streak: `three straight`, `3-game winning streak`, `3 in a row`.
  private func namesForm(of season: SeasonRecord) -> Bool {
    guard let streak = season.streak else { return false }
    if words.contains("\(streak)".lowercased()) { return true }
    let isStreak =
      words.contains { ["streak", "straight", "consecutive", "skid"].contains($0) } || has(["in", "a", "row"])
    return isStreak && words.contains { Self.number($0) == streak.length }
  }

  /// Returns true if it names the player: the whole name, or the last word of at least three letters that is not a
  /// suffix.
  private func namesPlayer(_ name: String) -> Bool {
    let parts = Self.words(of: name)
    if !parts.isEmpty, has(parts) { return true }
    let last = parts.last { $0.count >= 3 && !["jr", "sr", "iii"].contains($0) }
    return parts.count > 1 && last.map(words.contains) == true
  }

  private func has(_ sequence: [String]) -> Bool {
    words.indices.contains { words[$0...].starts(with: sequence) }
  }

  private static func number(_ word: String) -> Int? { Int(word) ?? numerals.firstIndex(of: word) }

  private static let numerals = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
  ]

  private static func words(of text: String) -> [String] {
    let text = Array(text.lowercased())
    var (words, word) = ([String](), "")
    for (index, character) in text.enumerated() {
      let isWithin =
        !word.isEmpty && ".,-–".contains(character) && word.last?.isNumber == true && index + 1 < text.count
        && text[index + 1].isNumber
      let isSign =
        word.isEmpty && "-−".contains(character) && index + 1 < text.count && text[index + 1].isNumber
        && (index == 0 || text[index - 1].isWhitespace)
      if character.isLetter || character.isNumber {
        word.append(character)
      } else if isSign {
        word = "-"
      } else if isWithin {
        word.append(character == "–" ? "-" : character)
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
