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
      ("1,A,12x,B,2\n", "line 2, home points: found \"12x\", expected points with a decimal point"),
      ("1,A,nan,B,2\n", "line 2, home points: found \"nan\""), ("1,A,1e300,B,2\n", "line 2, home points"),
      ("1,A,1,B,\n", "line 2, away points: found nothing, expected the points of both teams"),
      ("1,A,1,,2\n", "line 2, away: found nothing"),
      ("1,A,1,A,2\n", "line 2, away: found \"A\", expected a team that has no other game in week 1"),
      ("1,A,1,B,2\n1,C,1,A,2\n", "line 3, away: found \"A\", expected a team that has no other game in week 1"),
      ("1,A,1,B,2,x\n", "line 2: found"), ("1,\"A,1,B,2\n", "as many closing quotes as opening ones"),
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
      ("week,home,away,away points\n", "found \"no column 'home points'\""), ("week,home,week\n", "found \"week\""),
      ("week,hom\n", "found \"hom\", expected each of these columns once: week, home, home points"),
    ])
  func columns(head: String, message: String) {
    let error = #expect(throws: LeagueDocumentError.self) { try read(head + "1,A,1,B,2\n") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
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
