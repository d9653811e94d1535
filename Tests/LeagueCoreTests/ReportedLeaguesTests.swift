// SPDX-License-Identifier: Apache-2.0
import Foundation
import LeagueCore
import Testing

@Suite("Leagues of public bug reports (issue 49)")
struct ReportedLeaguesTests {
  private func files(_ folder: String, except left: String? = nil) throws -> [(name: String, data: Data)] {
    let url = try #require(
      Bundle.module.url(forResource: folder, withExtension: nil, subdirectory: "Fixtures/reported"))
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().filter { $0 != left }.map {
      ($0, try Data(contentsOf: url.appendingPathComponent($0)))
    }
  }

  private func league(_ folder: String) throws -> League { try League(files: files(folder)) }

  private func standings(_ league: League, afterWeek week: Int? = nil) throws -> [String] {
    try (week.map { try league.teams(afterWeek: $0) } ?? league.teams).map(\.season.standing)
  }

  private func allPlay(_ league: League, toWeek week: Int = 1) -> [String] {
    league.allPlay(toWeek: week).map { "\($0.wins)-\($0.losses)-\($0.ties)" }
  }

  private func problem(_ read: () throws -> Void) throws -> String {
    try #require(throws: LeagueDocumentError.self) { try read() }.description
  }

  @Test("01: a level game that the service decides has its winner, and the report says so")
  func decided() throws {
    let league = try league("01-espn-tie-rule-winner")
    #expect(try standings(league, afterWeek: 1) == ["1-0-0", "0-1-0"])
    #expect(allPlay(league) == ["0-0-1", "0-0-1"], "all-play is about points")
    #expect(
      league.remarks == [
        "1 game counts as the service decided, not by points: week 1, Team A 100 : 100 Team B, won by Team A."
      ])
  }

  @Test("01: a game that the service gives to the team with fewer points is named too")
  func contradicted() throws {
    let json = #"""
      {"teams": [{"id": 1, "name": "A", "record": {"overall": {"losses": 1}}},
                 {"id": 2, "name": "B", "record": {"overall": {"wins": 1}}}],
       "schedule": [{"matchupPeriodId": 1, "winner": "AWAY", "home": {"teamId": 1, "totalPoints": 9},
                     "away": {"teamId": 2, "totalPoints": 8}}]}
      """#
    let league = try League(files: [("league.json", Data(json.utf8))])
    #expect(try standings(league, afterWeek: 1) == ["0-1-0", "1-0-0"])
    #expect(league.remarks.first?.contains("A 9 : 8 B, won by B") == true)
  }

  @Test("03: missing totalPoints are the sum of the scoring periods, and without those an error that names the field")
  func summed() throws {
    let league = try league("03-espn-points-by-period-only")
    #expect(try standings(league, afterWeek: 1) == ["1-0-0", "0-1-0", "1-0-0", "0-1-0"])
    #expect(try league.teams(afterWeek: 1).map(\.season.pointsFor) == [110, 70, 90, 80].map { try Points($0) })
    #expect(allPlay(league) == ["3-0-0", "0-3-0", "2-1-0", "1-2-0"])
    #expect(league.remarks.contains { $0.hasPrefix("1 game has no totalPoints") })
    for periods in ["", #", "pointsByScoringPeriod": {}"#, #", "pointsByScoringPeriod": {"1": null}"#] {
      let json = """
        {"teams": [{"id": 1}, {"id": 2}], "schedule": [{"matchupPeriodId": 1, "winner": "HOME", \
        "home": {"teamId": 1\(periods)}, "away": {"teamId": 2, "totalPoints": 1}}]}
        """
      let found = try problem { _ = try League(files: [("a.json", Data(json.utf8))]) }
      #expect(found.contains("schedule[0].home.totalPoints: found no such key, expected the points of a game"))
    }
  }

  @Test("05: in a league of categories records count categories, as sent and from the games of a week")
  func categories() throws {
    let league = try league("05-espn-categories")
    let sent = ["7-8-3", "6-8-4", "9-5-4", "6-7-5"]
    #expect(try league.kind == .categories && standings(league) == sent && standings(league, afterWeek: 2) == sent)
    #expect(try standings(league, afterWeek: 1) == ["5-2-2", "2-5-2", "3-3-3", "3-3-3"])
    #expect(league.remarks.isEmpty)
  }

  @Test("05: a league of most categories counts a game once; kinds that are not ranked are named")
  func otherKinds() throws {
    let text = try #require(String(data: files("05-espn-categories")[0].data, encoding: .utf8))
    func read(_ type: String) throws -> League {
      try League(files: [("a.json", Data(text.replacing("H2H_CATEGORY", with: type).utf8))])
    }
    #expect(try standings(read("H2H_MOST_CATEGORIES"), afterWeek: 2) == ["1-1-0", "1-1-0", "1-0-1", "0-1-1"])
    let found = try problem { _ = try read("ROTO") }
    #expect(found.contains("scoringType: found \"ROTO\"") && found.contains("another kind are not ranked"))
    let silent = text.replacing("\"scoringType\": \"H2H_CATEGORY\"", with: "\"other\": 1")
    #expect(
      try problem { _ = try League(files: [("a.json", Data(silent.utf8))]) }.contains("with the view mSettings"))
  }

  @Test("06: a league of season points has no games, and is ranked by its points")
  func seasonPoints() throws {
    let league = try league("06-espn-season-points")
    #expect(league.kind == .seasonPoints && league.playedWeeks.isEmpty && league.games.isEmpty)
    #expect(try PowerRanking(league.teams).teams.map(\.team.name) == ["Team A", "Team C", "Team B"])
  }

  @Test("07: a league whose lowest team leaves has no games, and the report says who is still in")
  func chopped() throws {
    let league = try league("07-sleeper-chopped")
    #expect(league.kind == .elimination && league.games.isEmpty)
    #expect(league.remarks == ["Still in: Team A. Left: Team D in week 3, Team B in week 2, Team C in week 1."])
  }

  @Test(
    "08: an entry with either side alone is a week off, whose points count in all-play; one without sides is counted")
  func weekOff() throws {
    let files = try files("08-espn-week-off-away-only")
    let league = try League(files: files)
    #expect(
      try standings(league) == ["1-0-0", "0-1-0", "0-0-0"] && standings(league, afterWeek: 1) == standings(league))
    #expect(allPlay(league) == ["2-0-0", "0-2-0", "1-1-0"])
    let text = try #require(String(data: files[0].data, encoding: .utf8))
    #expect(
      try allPlay(
        League(files: [
          ("a", Data(text.replacing(#""away": {\#n    "teamId": 3"#, with: #""home": {\#n    "teamId": 3"#).utf8))
        ])) == allPlay(league))
    let empty = text.replacing("\"schedule\": [", with: #""schedule": [{"matchupPeriodId": 4},"#)
    #expect(
      try League(files: [("a", Data(empty.utf8))]).remarks == [
        "1 entry of the schedule has no team and is left out, in week 4."
      ])
  }

  @Test("11: a team without an opponent counts in all-play and the median, and plays against the median")
  func oddMedian() throws {
    let league = try league("11-sleeper-odd-median")
    #expect(try standings(league, afterWeek: 1) == ["1-0-1", "0-2-0", "1-0-0"])
    #expect(try league.teams(afterWeek: 1).map(\.season.pointsFor) == league.teams.map(\.season.pointsFor))
    #expect(allPlay(league) == ["1-1-0", "0-2-0", "2-0-0"])
  }

  @Test("12: a week with an undecided game is named")
  func partlyOver() throws {
    let remarks = try league("12-espn-week-partly-over").remarks
    #expect(remarks.first == "Week 1 is not wholly over: 1 of its 2 games is undecided and left out.")
    #expect(remarks.last?.contains("do not agree: 3 teams differ, the first Team B, sent as 0-1-0, 1-0-0 by") == true)
  }

  @Test("13: no week is over in season while the league names none")
  func running() throws {
    let league = try league("13-sleeper-week-1-running")
    #expect(league.playedWeeks.isEmpty && allPlay(league).allSatisfy { $0 == "0-0-0" })
    #expect(league.remarks == ["Sleeper says that no week is over: the league has no last_scored_leg."])
  }

  @Test("14: a season may begin in a later week")
  func lateStart() throws {
    let league = try league("14-sleeper-late-start")
    #expect(league.firstWeek == 3 && league.playedWeeks == [3, 4] && league.remarks.isEmpty)
    #expect(try standings(league, afterWeek: 4) == ["2-0-0", "0-2-0", "2-0-0", "0-2-0"])
  }

  @Test("16: records that no team has are computed from the games; some missing ones are counted")
  func noRecords() throws {
    let league = try league("16-espn-no-records")
    #expect(!league.recordsAreSent)
    #expect(try standings(league) == ["1-0-0", "0-1-0", "1-0-0", "0-1-0"])
    let some = #"{"teams": [{"id": 1, "record": {"overall": {"wins": 1}}}, {"id": 2, "name": "B"}]}"#
    #expect(
      try League(files: [("a", Data(some.utf8))]).remarks == [
        "1 of 2 teams came without a record, the first B: it is shown as 0-0-0."
      ])
  }

  @Test(
    "18, 20: the week is the only number of the file's name, not of its folder; two are an error that names both",
    arguments: [
      ("matchups-2 (1).json", "found the numbers 1 and 2 in the file's name"),
      ("league-7/matchups.json", "found matchups without a week"), ("week-0.json", "found matchups without a week"),
    ])
  func weekOfName(name: String, words: String) throws {
    var files = try files("18-sleeper-browser-copy", except: "matchups-2.json")
    let matchups = try self.files("18-sleeper-browser-copy").filter { $0.name == "matchups-2.json" }[0].data
    #expect(try problem { _ = try League(files: files + [(name, matchups)]) }.contains(words))
    files.append(("7/2025-matchups-2.json", matchups))
    #expect(try League(files: files).playedWeeks == [2], "a year is no week")
  }

  @Test("21: of several seasons one is chosen; without a choice they are named")
  func seasons() throws {
    let files = try files("21-espn-history-two-seasons")
    let found = try problem { _ = try League(files: files) }
    #expect(found.contains("found 2 leagues of 2023, 2024, expected one league; choose one by --season"))
    #expect(try League(files: files, season: 2023).connection.season == 2023)
    #expect(try problem { _ = try League(files: files, season: 2020) }.contains("one league of the season 2020"))
  }

  @Test("21 to 23: documents one after another in a file are read, and the elements of a list as jq writes them")
  func appended() throws {
    let files = try files("14-sleeper-late-start")
    let one = files.filter { !$0.name.hasPrefix("matchups") }.map(\.data).reduce(Data(), +)
    #expect(try League(files: [("all.json", one)]).teams == League(files: files).teams)
    let rosters = #"{"roster_id": 1, "league_id": "9"}\#n{"roster_id": 2}\#n"#
    let parts = [("league", #"{"league_id": "9"}"#), ("rosters", rosters), ("users", "[]")]
    #expect(try League(files: parts.map { ($0, Data($1.utf8)) }).teams.map(\.id) == [1, 2])
    #expect(try problem { _ = try League(files: [("a", one + one)]) }.contains("again, expected them once"))
  }

  @Test("39: names that look alike are one team")
  func invisible() throws {
    let league = try league("39-table-invisible-difference")
    #expect(try standings(league) == ["3-0-0", "0-3-0"])
  }

  @Test("56: an entry that is there twice counts once and is named; another content with its id is an error")
  func twice() throws {
    let files = try files("56-espn-game-twice")
    let league = try League(files: files)
    #expect(try standings(league, afterWeek: 1) == ["1-0-0", "0-1-0", "1-0-0", "0-1-0"])
    #expect(allPlay(league) == ["3-0-0", "0-3-0", "2-1-0", "1-2-0"])
    #expect(league.remarks == ["1 entry of the schedule is there twice and counts once, in week 1."])
    let text = try #require(String(data: files[0].data, encoding: .utf8))
    let other = text.replacing("\"totalPoints\": 110", with: "\"totalPoints\": 111", maxReplacements: 1)
    #expect(try problem { _ = try League(files: [("a", Data(other.utf8))]) }.contains("schedule[1].id: found 11 again"))
  }

  @Test("56: a team against itself is an error; two games in one week are compared with the others alone")
  func doubleheader() throws {
    func read(_ games: [(Int, Double, Int, Double)]) throws -> League {
      let entries = games.map {
        """
        {"matchupPeriodId": 1, "winner": "\($0.1 > $0.3 ? "HOME" : "AWAY")", "home": {"teamId": \($0.0), \
        "totalPoints": \($0.1)}, "away": {"teamId": \($0.2), "totalPoints": \($0.3)}}
        """
      }
      let json = #"{"teams": [{"id": 1}, {"id": 2}, {"id": 3}], "schedule": [\#(entries.joined(separator: ","))]}"#
      return try League(files: [("a", Data(json.utf8))])
    }
    #expect(try problem { _ = try read([(1, 5, 1, 4)]) }.contains("away.teamId: found 1, the home team"))
    let double = try read([(1, 9, 2, 8), (1, 9, 3, 7)])
    #expect(allPlay(double) == ["2-0-0", "1-1-0", "0-2-0"])
    #expect(double.allPlay(toWeek: 1).map(\.expectedWins) == [2, 0.5, 0])
    #expect(try standings(double) == ["2-0-0", "0-1-0", "0-1-0"])
  }

  @Test("58: a league without teams is an error, and rosters that are not all there are counted")
  func noTeams() throws {
    #expect(try problem { _ = try league("58-sleeper-no-rosters") }.contains("'rosters.json': found no team"))
    #expect(try problem { _ = try League(files: [("a", Data(#"{"teams": []}"#.utf8))]) }.contains("found no team"))
    let files = [
      ("league", #"{"league_id": "9", "settings": {"num_teams": 4}}"#), ("rosters", #"[{"roster_id": 1}]"#),
      ("users", "[]"),
    ]
    #expect(
      try League(files: files.map { ($0, Data($1.utf8)) }).remarks == ["The league has 4 teams, its rosters 1."])
  }

  @Test(
    "an error that a service sends in JSON is shown",
    arguments: [
      #"{"error": "Too many requests"}"#, #"{"message": "Too many requests", "code": 1}"#,
      #"{"errors": [{"message": "Too many requests"}]}"#, #"{"details": [{"message": "Too many requests"}]}"#,
    ])
  func serviceError(json: String) throws {
    let found = try problem { _ = try League(files: [("a", Data(json.utf8))]) }
    #expect(found.contains(#"found an error of the service: "Too many requests""#))
  }

  @Test("a league that an earlier version stored is read")
  func storedEarlier() throws {
    let old = #"""
      {"connection": {"platform": "espn", "leagueID": "1", "season": 2024}, "name": "L", "teams": [],
       "games": [{"week": 1, "home": {"team": 1, "points": 2}, "isPlayed": false, "isPlayoff": false}],
       "playsMedian": false}
      """#
    let league = try JSONDecoder().decode(League.self, from: Data(old.utf8))
    #expect(league.kind == .points && league.firstWeek == 1 && league.recordsAreSent && league.notes.isEmpty)
  }
}
