// SPDX-License-Identifier: Apache-2.0
import Foundation
import LeagueCore
import Testing

@Suite("Leagues of Sleeper")
struct SleeperLeagueTests {
  private static let content = #"{"league_id": "9", "season": "2024", "name": "Nine"}"#

  private func files(_ rosters: String) -> [(name: String, json: String)] {
    [("users.json", "[]"), ("league.json", Self.content), ("rosters.json", rosters)]
  }

  @Test("a recorded league has its teams, names, exact points and streaks for any order of its files")
  func recordedLeagues() throws {
    let names = ["sleeper-2020-a-league", "sleeper-2020-a-league_rosters", "sleeper-2020-a-league_users"]
    let league = try recordedLeague(names[0], names[1], names[2])
    #expect(league.connection == LeagueConnection(platform: .sleeper, leagueID: "515566249837142016", season: 2020))
    #expect(league.teams.map(\.id) == Array(1...12))
    let first = try #require(league.teams.first)
    #expect(first.name == "user540899" && first.owner == "user540899", "the team's name is empty")
    #expect(first.season.standing == "7-6-0" && first.season.pointsFor.description == "1522.82")
    #expect(first.season.streak?.description == "L2" && first.topPlayers.isEmpty)
    #expect(league.teams.contains { $0.name == "Nimble Eagles 💩" })
    #expect(try recordedLeague(names[2], names[1], names[0]) == league)
  }

  @Test("two matchups with one number are a game, in the week of the file's name")
  func matchups() throws {
    let league = try recordedLeague(
      "sleeper-2020-b-matchups-1", "sleeper-2020-b-league", "sleeper-2020-b-league_users",
      "sleeper-2020-b-league_rosters")
    #expect(league.games.count == 6 && league.playedWeeks == [1])
    let game = try #require(league.games.first { $0.home.team == 1 })
    #expect(try (game.home.points, game.away?.points) == (Points(134.4), Points(93.02)))
    #expect(game.away?.team == 8)
  }

  @Test("the league's setting decides if a week counts twice")
  func twoDecisions() throws {
    let (content, rosters) = (try recorded("sleeper-league_1180").data, Data(#"[{"roster_id": 1}]"#.utf8))
    let league = try League(files: [("league", content), ("rosters", rosters), ("users", Data("[]".utf8))])
    #expect(league.playsMedian)
  }

  @Test("a recorded streak equals the end of its record")
  func streakOfRecord() throws {
    let users = Data("[]".utf8)
    let league = try League(files: [
      recorded("sleeper-league_1048"), recorded("sleeper-rosters_1048"), (name: "users", data: users),
    ])
    let streaks = league.teams.map { $0.season.streak?.description }
    #expect(streaks == ["W1", "W2", "L1", "L2", "W1", "L1", "W7", "W2", "W5", "L9", "L3", "L3"])
  }

  @Test(
    "a bad value is an error with its file, its path, what is there, and what should be",
    arguments: [
      (#"[{"roster_id": "1"}]"#, "[0].roster_id: found \"1\", expected a number"),
      (#"[{"roster_id": 1}, {"roster_id": 1}]"#, "[1].roster_id: found 1 again"),
      (#"[{"roster_id": 1, "owner_id": 5}]"#, "[0].owner_id: found 5, expected a text"),
      (#"[{"roster_id": 1, "settings": {"fpts_decimal": 100}}]"#, "[0].settings.fpts_decimal: found 100"),
      (#"[{"roster_id": 1, "metadata": {"streak": "L12"}}]"#, "[0].metadata.streak: found \"L12\", expected a number"),
      (#"[{"roster_id": 1, "metadata": {"record": "WX"}}]"#, "[0].metadata.record: found \"WX\", expected the letters"),
      (#"[{"roster_id": 1, "league_id": "8"}]"#, "[0].league_id: found 8, expected 9, the league's"),
    ])
  func badValues(rosters: String, words: String) throws {
    let found = try problem(files(rosters))
    #expect(found.hasPrefix("'rosters.json', ") && found.contains(words), "\(found)")
  }

  @Test(
    "matchups of an unknown team, of three teams, and of no week are errors",
    arguments: [
      ("week-1.json", #"[{"roster_id": 2, "matchup_id": 1}]"#, "[0].roster_id: found 2"),
      (
        "week-1.json", #"[{"roster_id": 1, "matchup_id": 1}, {"roster_id": 1, "matchup_id": 1}]"#,
        "[1].roster_id: found 1"
      ),
      ("week.json", #"[{"roster_id": 1, "matchup_id": 1}]"#, "matchups without a week"),
    ])
  func badMatchups(name: String, matchups: String, words: String) throws {
    let found = try problem(files(#"[{"roster_id": 1}]"#) + [(name, matchups)])
    #expect(found.hasPrefix("'\(name)'") && found.contains(words), "\(found)")
  }
}

@Suite("Documents of leagues")
struct LeagueDocumentTests {
  @Test(
    "what is no league is refused with what it is instead, and what to do",
    arguments: [
      ("", "found nothing"), ("<!DOCTYPE html><html>", "found a web page (HTML)"), ("[1, 2]", "without any key"),
      (#"{"teams": [{"id": 1}"#, "found JSON that ends early, after 20 bytes"),
      (#"{"teams": [{"id": "]}]}"#, "ends early"), (#"{"teams": [}]}"#, "found malformed JSON"),
      ("null", "check the league's identifier"), ("3", "neither an object nor a list"), ("[]", "an empty list"),
      (#"{"b": 1, "a": 2}"#, #"found JSON with the keys "a", "b""#),
      (#"{"messages": ["You are not authorized to view this League."]}"#, "refusal: \"You are not authorized"),
      (#"{"seasonId": 2020}"#, "teams: found no such key"),
      (#"[{"teams": []}, {"teams": []}]"#, "found 2 leagues, expected one league"),
      (#"[{"roster_id": 1}]"#, "found Sleeper's rosters without Sleeper's league"),
    ])
  func noLeague(json: String, words: String) throws {
    let found = try problem([("x.json", json)])
    #expect(found.hasPrefix("'x.json'") && found.contains(words) && found.hasSuffix("."), "\(found)")
  }

  @Test("rosters without users, another service's documents, and two leagues are refused")
  func together() throws {
    let (rosters, content) = (try recorded("sleeper-rosters_1048"), try recorded("sleeper-league_1048"))
    let espn = try recorded("espn-2015-mteam-array-ties")
    let refused = { (files: [(name: String, data: Data)], platform: LeaguePlatform?) in
      try #require(throws: LeagueDocumentError.self) { try League(files: files, platform: platform) }.description
    }
    #expect(try refused([rosters, content], nil).contains("found Sleeper's rosters without Sleeper's users"))
    #expect(try refused([espn], .sleeper).contains("found ESPN's league, expected a document of sleeper"))
    #expect(try refused([espn, content], nil).contains("name one league at a time"))
    #expect(try refused([content, content, rosters], nil).contains("found Sleeper's league again"))
    #expect(throws: LeagueDocumentError.self) { try ESPNLeague.read(content.data, named: content.name) }
  }

  @Test("a stored league reads back unchanged")
  func stored() throws {
    let league = try recordedLeague("espn-2018-season-roster-schedule")
    #expect(try JSONDecoder().decode(League.self, from: JSONEncoder().encode(league)) == league)
  }
}
