// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON
internal import CoreTables

/// A league's results as a table, one game a line, for leagues of other services.
///
/// The heading names the columns, in any order: `week`, `home`, `home points`, `away`, `away points` and optionally
/// `playoff`. Points stay empty until a game is over, and `away` stays empty in a week off.
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
  public static let maxTeams = 1_000

  /// The most bytes of a team's name.
  private static let maxNameBytes = 10_000

  private static let columns = ["week", "home", "home points", "away", "away points", "playoff"]
  private static let expected = "a line of columns: week, home, home points, away, away points"
  private static let cure = "correct the line; 'assay league template' prints a table that works"

  /// Returns true if a text is a table of results: its heading has the column `week` or `home`, or the file's name says
  /// that it is a table.
  static func recognises(_ text: String, named file: String) -> Bool {
    guard let sign = text.unicodeScalars.first(where: { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }),
      !"{[<".unicodeScalars.contains(sign)
    else { return false }
    let name = file.lowercased()
    return name.hasSuffix(".csv") || name.hasSuffix(".tsv")
      || (TextTable.heading(of: text) ?? []).contains { ["week", "home"].contains($0.lowercased()) }
  }

  /// Reads a table; the records of the teams are computed from their games. A team may have several games in a week
  /// (doubleheaders), with the same points.
  ///
  /// - Parameters:
  ///   - text: The table.
  ///   - file: The table's name in errors.
  ///   - name: The league's name.
  /// - Returns: The league, without a connection to a service.
  /// - Throws: `LeagueDocumentError` with the line and the column.
  public static func read(_ text: String, named file: String, as name: String) throws(LeagueDocumentError) -> League {
    let table: TextTable
    let head: [String: Int]
    do throws(TableError) {
      table = try TextTable(text, file: file)
      head = try Self.head(of: table)
    } catch {
      throw LeagueDocumentError(
        file: file, field: error.line.map { "line \($0), \(error.column)" } ?? "", found: error.found,
        expected: error.line == nil ? "\(expected), and a line a game" : error.expected, cure: cure)
    }
    var (teams, positions, games): ([Team], [String: Int], [LeagueGame]) = ([], [:], [])
    /// The line of each game by its week and teams, and the points of each team by week and team; without an opponent
    /// no points.
    var (lines, scores): ([[Int]: Int], [[Int]: (points: Points?, isOff: Bool, line: Int)]) = ([:], [:])
    for row in table.rows {
      func cell(_ column: String) -> TableCell { table.cell(in: row, at: head[column], named: column) }
      func bad(_ column: String, _ found: String, _ expected: String) -> LeagueDocumentError {
        LeagueDocumentError(
          file: file, field: "line \(row.line), \(column)", found: found.isEmpty ? "nothing" : found.excerpt,
          expected: expected, cure: cure)
      }
      guard let week = cell("week").whole, LeagueGame.weeks.contains(week) else {
        throw bad("week", cell("week").text, "a week from 1 to \(LeagueGame.weeks.upperBound)")
      }
      func team(_ column: String) throws(LeagueDocumentError) -> Int? {
        let name = cell(column).text.singleLine
        guard !name.isEmpty else { return nil }
        guard name.utf8.count <= maxNameBytes else {
          throw bad(column, "a name of \(name.utf8.count) bytes", "at most \(maxNameBytes) bytes")
        }
        let id = positions[name.visibleForm] ?? teams.count + 1
        if id > teams.count {
          guard teams.count < maxTeams else { throw bad(column, name, "at most \(maxTeams) teams") }
          positions[name.visibleForm] = id
          teams.append(Team(id: id, name: name, season: SeasonRecord()))
        }
        return id
      }
      func points(_ column: String) throws(LeagueDocumentError) -> Points? {
        let cell = cell(column)
        guard !cell.text.isEmpty else { return nil }
        guard let value = cell.number, let points = try? Points(value) else {
          throw bad(column, cell.text, "points such as 101.5, or nothing until the game is over\(cell.advice)")
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
      guard away != home else { throw bad("away", cell("away").text, "another team than the home team") }
      if let away, let line = lines.updateValue(row.line, forKey: [week, min(home, away), max(home, away)]) {
        throw bad("home", cell("home").text, "each game once: line \(line) has these teams in week \(week) already")
      }
      for (column, team, points) in [("home", home, own)] + (away.map { [("away", $0, other)] } ?? []) {
        let isOff = away == nil
        guard let earlier = scores.updateValue((points, isOff, row.line), forKey: [week, team]) else { continue }
        guard !isOff, !earlier.isOff else {
          throw bad(column, cell(column).text, "a team that has no other game in week \(week), since it is off")
        }
        guard earlier.points == points else {
          throw bad(
            column + " points", cell(column + " points").text,
            "\(earlier.points.map(\.description) ?? "nothing"), as in line \(earlier.line): "
              + "a team's games of a week have the same points")
        }
      }
      let playoff = cell("playoff").text.lowercased()
      guard ["", "no", "yes", "false", "true", "0", "1"].contains(playoff) else {
        throw bad("playoff", playoff, "yes or no")
      }
      games.append(
        LeagueGame(
          week: week, home: .init(team: home, points: own ?? .zero),
          away: away.map { .init(team: $0, points: other ?? .zero) }, isPlayed: own != nil,
          isPlayoff: ["yes", "true", "1"].contains(playoff)))
    }
    guard !games.isEmpty else {
      throw LeagueDocumentError(
        file: file, found: "no game", expected: "\(expected), and a line a game",
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
  private static func head(of table: TextTable) throws(TableError) -> [String: Int] {
    func bad(_ found: String, _ expected: String) -> TableError {
      TableError(file: table.file, line: table.headingLine, column: "heading", found: found, expected: expected)
    }
    var head: [String: Int] = [:]
    for column in columns { head[column] = try table.index(of: column) }
    if let other = table.heading.indices.first(where: { index in
      !table.heading[index].isEmpty && !head.values.contains(index)
    }) {
      throw bad(TableError.quoted(table.heading[other]), "only these columns: \(columns.joined(separator: ", "))")
    }
    for column in columns.dropLast() where head[column] == nil { throw bad("no column '\(column)'", expected) }
    return head
  }
}
