// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

/// A league's results as comma-separated values, one game a line, for leagues of other services.
///
/// The first line that is not a comment names the columns, in any order: `week`, `home`, `home points`, `away`,
/// `away points` and optionally `playoff`. Points stay empty until a game is over, and `away` stays empty in a week
/// off.
public enum LeagueResults {
  /// An example table to fill in, with an explanation of its columns.
  public static let template = """
    # Results of a league, a line a game, for 'assay league rank FILE.csv'.
    # The next line names the columns, in any order:
    #   week         from 1
    #   home, away   the teams, always spelt alike; away stays empty in a week off
    #   home points, away points
    #                empty until the game is over
    #   playoff      yes or no; may be left out: games of the play-offs count for no record
    week,home,home points,away,away points,playoff
    1,Keen Badgers,101.5,Wily Lynx,98.24,no
    1,Fleet Ravens,87.1,Lucky Foxes,120.36,no
    2,Keen Badgers,110.02,Fleet Ravens,95.5,no
    2,Wily Lynx,104.8,Lucky Foxes,104.8,no
    3,Keen Badgers,,Lucky Foxes,,no
    3,Wily Lynx,,Fleet Ravens,,no

    """

  /// The most teams.
  public static let mostTeams = 1_000

  private static let columns = ["week", "home", "home points", "away", "away points", "playoff"]
  private static let expected = "a line of columns: week, home, home points, away, away points"
  private static let cure = "correct the line; 'assay league template' prints a table that works"

  /// Whether a text is a table of results: its first line that is not a comment names the column `week`.
  static func recognises(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).first { !isComment($0) }.map {
      cells(of: $0)?.contains { $0.lowercased() == "week" } ?? false
    } ?? false
  }

  /// Reads a table; the records of the teams are computed from their games.
  ///
  /// - Parameters:
  ///   - text: The table.
  ///   - file: The table's name in errors.
  ///   - name: The league's name.
  /// - Returns: The league, without a connection to a service.
  /// - Throws: `LeagueDocumentError` with the line and the column.
  public static func read(_ text: String, named file: String, as name: String) throws(LeagueDocumentError) -> League {
    var head: [String: Int]?
    var (teams, places, games): ([Team], [String: Int], [LeagueGame]) = ([], [:], [])
    var seen: Set<[Int]> = []
    // A carriage return and a line feed are one `Character`, and so one line end.
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      func bad(_ column: String, _ found: String, _ expected: String) -> LeagueDocumentError {
        LeagueDocumentError(
          file: file, field: "line \(number + 1)\(column.isEmpty ? "" : ", \(column)")",
          found: found.isEmpty ? "nothing" : found.excerpt, expected: expected, cure: cure)
      }
      guard !isComment(line) else { continue }
      guard let cells = cells(of: line) else { throw bad("", String(line), "as many closing quotes as opening ones") }
      guard let head else {
        head = try Self.head(cells, bad)
        continue
      }
      guard cells.count <= columns.count, !cells.dropFirst(head.count).contains(where: { !$0.isEmpty }) else {
        throw bad("", String(line), "\(head.count) columns")
      }
      func cell(_ column: String) -> String { head[column].flatMap { $0 < cells.count ? cells[$0] : nil } ?? "" }
      guard let week = Int(cell("week")), LeagueGame.weeks.contains(week) else {
        throw bad("week", cell("week"), "a week from 1 to \(LeagueGame.weeks.upperBound)")
      }
      func team(_ column: String) throws(LeagueDocumentError) -> Int? {
        let name = cell(column).singleLine
        guard !name.isEmpty else { return nil }
        let id = places[name.visibleForm] ?? teams.count + 1
        if id > teams.count {
          guard teams.count < mostTeams else { throw bad(column, name, "at most \(mostTeams) teams") }
          places[name.visibleForm] = id
          teams.append(Team(id: id, name: name, season: SeasonRecord()))
        }
        guard seen.insert([week, id]).inserted else {
          throw bad(column, name, "a team that has no other game in week \(week)")
        }
        return id
      }
      func points(_ column: String) throws(LeagueDocumentError) -> Points? {
        let text = cell(column)
        guard !text.isEmpty else { return nil }
        guard let value = Double(text), let points = try? Points(value) else {
          throw bad(column, text, "points with a decimal point, such as 101.5, or nothing until the game is over")
        }
        return points
      }
      guard let home = try team("home") else { throw bad("home", "", "the name of a team") }
      let away = try team("away")
      let (own, other) = (try points("home points"), try points("away points"))
      guard away != nil || other == nil else { throw bad("away", "", "the name of the team that has these points") }
      guard away == nil || (own == nil) == (other == nil) else {
        let missing = own == nil ? "home points" : "away points"
        throw bad(missing, "", "the points of both teams, or of neither until the game is over")
      }
      let playoff = cell("playoff").lowercased()
      guard ["", "no", "yes"].contains(playoff) else { throw bad("playoff", playoff, "yes or no") }
      games.append(
        LeagueGame(
          week: week, home: .init(team: home, points: own ?? .zero),
          away: away.map { .init(team: $0, points: other ?? .zero) }, isPlayed: own != nil,
          isPlayoff: playoff == "yes"))
    }
    guard head != nil, !games.isEmpty else {
      throw LeagueDocumentError(
        file: file, found: head == nil ? "no line of columns" : "no game", expected: "\(expected), and a line a game",
        cure: "begin with what 'assay league template' prints")
    }
    games.sort { $0.week < $1.week }
    let league = League(connection: .none, name: name, teams: teams, games: games)
    do throws(LeagueError) {
      return League(
        connection: .none, name: name, teams: try league.teams(afterWeek: LeagueGame.weeks.upperBound), games: games)
    } catch {
      throw LeagueDocumentError(
        file: file, found: "\(error)", expected: "a season that a record can hold", cure: "correct the points")
    }
  }

  /// The positions of the columns by their names.
  private static func head(
    _ cells: [String], _ bad: (String, String, String) -> LeagueDocumentError
  ) throws(LeagueDocumentError) -> [String: Int] {
    var head: [String: Int] = [:]
    for (place, cell) in cells.enumerated() {
      let name = cell.lowercased()
      guard columns.contains(name), head.updateValue(place, forKey: name) == nil else {
        throw bad("", cell, "each of these columns once: \(columns.joined(separator: ", "))")
      }
    }
    for column in columns.dropLast() where head[column] == nil { throw bad("", "no column '\(column)'", expected) }
    return head
  }

  private static func isComment(_ line: Substring) -> Bool {
    line.first { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { $0 == "#" } ?? true
  }

  /// The cells of a line, without white space at their ends; nil where a quote is not closed.
  private static func cells(of line: Substring) -> [String]? {
    var (cells, isQuoted) = ([""], false)
    for character in line where character != "\u{FEFF}" {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return isQuoted ? nil : cells.map(\.trimmed)
  }
}
