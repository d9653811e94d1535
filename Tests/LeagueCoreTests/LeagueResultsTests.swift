// SPDX-License-Identifier: Apache-2.0
import Foundation
import LeagueCore
import Testing

@Suite("A league's results as a table")
struct LeagueResultsTests {
  private static let head = "week,home,home points,away,away points\n"

  private func read(_ text: String) throws -> League {
    try League(files: [(name: "folder/mine.csv", data: Data(text.utf8))])
  }

  @Test("the template is a table that can be ranked, and its records are those of its games")
  func template() throws {
    let league = try read(LeagueResults.template)
    #expect(league.name == "mine" && league.connection == .none && league.playedWeeks == [1, 2])
    #expect(league.teams.map(\.name) == ["Keen Badgers", "Wily Lynx", "Fleet Ravens", "Lucky Foxes"])
    #expect(league.teams.map(\.season.standing) == ["2-0-0", "0-1-1", "0-2-0", "1-0-1"])
    #expect(league.teams[0].season.pointsFor == (try Points(211.52)))
    #expect(try PowerRanking(league.teams).teams.map(\.team.name).first == "Keen Badgers")
  }

  @Test("columns may have any order and case, names may have commas; spaces, comments and empty lines are ignored")
  func forms() throws {
    let text =
      "\u{FEFF}# mine\r\n\r\nAway,Home, Week ,home points,AWAY POINTS,Playoff\r\n"
      + "\"Foxes, Lucky\" , Lynx ,1, 99.5 ,100,no\r\n,Lynx,2,50,,\r\nLynx,\"Foxes, Lucky\",3,80,70,yes\r\n"
    let league = try read(text)
    #expect(league.teams.map(\.name) == ["Lynx", "Foxes, Lucky"])
    // A week off and a game of the play-offs change no record.
    #expect(league.teams.map(\.season.standing) == ["0-1-0", "1-0-0"])
    #expect(league.games.map(\.isPlayoff) == [false, false, true])
  }

  @Test(
    "what is wrong is named by its line and column, with what was found and expected",
    arguments: [
      ("1,A,1,B,2\n0,A,1,B,2\n", "line 3, week: found \"0\", expected a week from 1 to 1000"),
      ("x,A,1,B,2\n", "line 2, week: found \"x\""), ("1,,1,B,2\n", "line 2, home: found nothing"),
      ("1,A,12x,B,2\n", "line 2, home points: found \"12x\", expected points such as 101.5"),
      (
        "1,A,0x10,B,9\n",
        "line 2, home points: found \"0x10\", expected points such as 101.5, or nothing until the game is over, in "
          + "decimal digits and not hexadecimal"
      ),
      ("1,A,nan,B,2\n", "line 2, home points: found \"nan\""), ("1,A,1e300,B,2\n", "line 2, home points"),
      ("1,A,1,B,\n", "line 2, away points: found nothing, expected the points of both teams"),
      ("1,A,1,,2\n", "line 2, away: found nothing"),
      ("1,A,1,A,2\n", "line 2, away: found \"A\", expected another team than the home team"),
      (
        "1,A,1,B,2\n1,C,1,A,2\n",
        "line 3, away points: found \"2\", expected 1, as in line 2: a team's games of a week have the same points"
      ),
      ("1,A,1,B,2\n1,B,2,A,1\n", "line 3, home: found \"B\", expected each game once: line 2 has these teams"),
      ("1,A,1,B,2\n1,A,1,,\n", "line 3, home: found \"A\", expected a team that has no other game in week 1"),
      ("1,A,1,B,2,x\n", "line 2, column 6: found 'x', expected no value where the heading has no name"),
      ("1,\"A,1,B,2\n", "line 2, home: found a quotation mark that nothing closes"),
      ("", "found no game, expected a line of columns"),
    ])
  func refused(lines: String, message: String) {
    let error = #expect(throws: LeagueDocumentError.self) { try read(Self.head + lines) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("'folder/mine.csv'") && text.contains(message), "\(text)")
    #expect(text.contains("assay league template"), "\(text)")
  }

  @Test(
    "columns that are missing, unknown or there twice are named",
    arguments: [
      ("week,home,away,away points\n", "found no column 'home points'"),
      ("week,home,week\n", "line 1, heading: found the column 'week' at 1 and 3"),
      ("week,hom\n", "line 1, heading: found 'hom', expected only these columns: week, home, home points"),
    ])
  func columns(head: String, message: String) {
    let error = #expect(throws: LeagueDocumentError.self) { try read(head + "1\n") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(
    "the tables that people sent are read, each with its teams and records",
    arguments: [
      ("27-team-with-hash", ["#1 Stunners 2-0-0", "Keen Badgers 0-2-0", "Wily Lynx 2-0-0", "Fleet Ravens 0-2-0"]),
      ("29-semicolons", ["Keen Badgers 1-0-0", "Wily Lynx 0-1-0"]),
      ("32-blank-rows", ["Keen Badgers 1-0-0", "Wily Lynx 0-1-0"]),
      (
        "34-doubled-quotes",
        ["The \"A\" Team 1-0-0", "Wily Lynx 0-1-0", "The A Team 1-0-0", "Fleet Ravens 0-1-0"]
      ),
      ("35-whole-numbers-as-floats", ["Keen Badgers 1-0-0", "Wily Lynx 0-1-0"]),
      (
        "38-doubleheaders",
        ["Keen Badgers 2-0-0", "Wily Lynx 0-2-0", "Fleet Ravens 0-2-0", "Lucky Foxes 2-0-0"]
      ),
    ])
  func sent(name: String, records: [String]) throws {
    let league = try sentLeague(name)
    #expect(league.teams.map { "\($0.name) \($0.season.standing)" } == records)
  }

  private func sentLeague(_ name: String) throws -> League {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures/tables"))
    return try League(files: [(name: name + ".csv", data: Data(contentsOf: file))])
  }

  @Test("decimal commas are points, and in a week of two games each team counts once in all-play")
  func details() throws {
    #expect(try sentLeague("29-semicolons").teams.map(\.season.pointsFor) == [Points(101.5), Points(98.24)])
    let records = try sentLeague("38-doubleheaders").allPlay(toWeek: 1)
    #expect(records.map { [$0.wins, $0.losses, $0.ties] } == [[2, 1, 0], [1, 2, 0], [0, 3, 0], [3, 0, 0]])
    // Three other teams each: a third of a game for each win over one, in two games.
    let thirds = records.map { ($0.luck * 3).rounded() }
    #expect(thirds == [2, -2, 0, 0])
  }

  @Test("points in hexadecimal digits are refused, as words are")
  func hexadecimal() {
    let error = #expect(throws: LeagueDocumentError.self) { try sentLeague("37-hexadecimal") }
    #expect(error?.description.contains("line 2, home points: found \"0x10\"") == true)
  }

  @Test("a table is read without other files, and other texts are not taken for tables")
  func alone() {
    let table = (name: "a.csv", data: Data(LeagueResults.template.utf8))
    #expect(throws: LeagueDocumentError.self) { try League(files: [table, table]) }
    #expect(throws: LeagueDocumentError.self) { try League(files: [table], platform: .espn) }
    let error = #expect(throws: LeagueDocumentError.self) { try read("a,b\n1,2\n") }
    #expect(error?.description.contains("'assay league template'") == true)
  }
}
