// SPDX-License-Identifier: Apache-2.0
import Foundation
import LeagueCore
import Testing

@Suite("Leagues of ESPN")
struct ESPNLeagueTests {
  @Test("a recorded season has its teams, records, owners, top players and games")
  func season() throws {
    let league = try recordedLeague("espn-2018-season-roster-schedule")
    #expect(league.connection == LeagueConnection(platform: .espn, leagueID: "1776617", season: 2018))
    #expect(league.teams.map(\.id) == Array(1...14))
    let first = try #require(league.teams.first)
    #expect(first.name == "Fleet Ravens" && first.owner == "user953647" && first.season.standing == "9-4-0")
    #expect(first.season.pointsFor.description == "1635.3" && first.season.streak?.description == "W3")
    let players = first.topPlayers.map { "\($0.name) \($0.position ?? "") \($0.points?.description ?? "")" }
    #expect(
      players == [
        "Chris Godwin WR 29.4", "Broncos D/ST D/ST 12", "Travis Kelce TE 11.2", "Adam Vinatieri K 10",
        "Kirk Cousins QB 9.9",
      ])
    #expect(league.games.count == 113 && league.games.map(\.week) == league.games.map(\.week).sorted())
    #expect(league.games.filter { $0.away == nil }.map(\.week) == [14, 14])
  }

  @Test("a list of one league is read as that league, integers as points, and games may be ties")
  func list() throws {
    let league = try recordedLeague("espn-2015-mteam-array-ties")
    let first = try #require(league.teams.first)
    #expect(first.name == "Eager Moose" && first.season.standing == "8-4-1")
    #expect(first.season.pointsFor == (try Points(1434)) && league.games.isEmpty)
  }

  @Test("unknown owners are nobody, sums of binary fractions are rounded to points, and ids may have gaps")
  func masked() throws {
    let league = try recordedLeague("espn-2018-mteam-masked-owners")
    #expect(league.teams.allSatisfy { $0.owner == nil })
    #expect(league.teams.first?.season.pointsAgainst.description == "1640.6")
    #expect(league.teams.map(\.id) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
  }

  @Test("before the first game, all values are 0")
  func preseason() throws {
    let league = try recordedLeague("espn-2023-preseason-all-zero")
    #expect(league.name == "League 375" && league.playsMedian && league.playedWeeks.isEmpty)
    #expect(league.teams.allSatisfy { $0.season == SeasonRecord() })
  }

  @Test("play-offs are recognised by tier, else by the settings' weeks, else by the number of games in records")
  func playoffs() throws {
    let tiers = try recordedLeague("espn-2020-boxscore-week1")
    #expect(tiers.games.filter(\.isPlayoff).map(\.week).allSatisfy { $0 > 12 } && tiers.playedWeeks == Array(1...12))
    let counted = try recordedLeague("espn-2020-season-schedule")
    #expect(Set(counted.games.filter(\.isPlayoff).map(\.week)) == [14, 15, 16])
    let weeks = { (settings: String) in
      let game = { (week: Int) in
        """
        {"matchupPeriodId": \(week), "winner": "HOME", "home": {"teamId": 1, "totalPoints": 3},
         "away": {"teamId": 2, "totalPoints": 2}}
        """
      }
      return try league(
        """
        {"teams": [{"id": 1}, {"id": 2}], "schedule": [\([3, 1, 2].map(game).joined(separator: ","))], \
        "settings": \(settings)}
        """
      ).playedWeeks
    }
    #expect(try weeks(#"{"scheduleSettings": {"matchupPeriodCount": 2}}"#) == [1, 2])
    #expect(try weeks("null") == [1, 2, 3], "nothing says")
  }

  @Test(
    "a bad value is an error with its path, what is there, and what should be",
    arguments: [
      (#"{"id": "x"}"#, "teams[0].id: found \"x\", expected a number"),
      (#"{"id": 1.5}"#, "teams[0].id: found 1.5, expected a whole number"),
      (#"{"name": "A"}"#, "teams[0].id: found no such key"),
      (#"{"id": 1}, {"id": 1}"#, "teams[1].id: found 1 again, expected a unique id"),
      (#"{"id": 1, "name": 5}"#, "teams[0].name: found 5, expected a text"),
      (#"{"id": 1, "owners": [null]}"#, "teams[0].owners[0]: found null, expected a text"),
      (#"{"id": 1, "owners": {}}"#, "teams[0].owners: found an object, expected a list"),
      (#"{"id": 1, "record": []}"#, "teams[0].record: found a list of 0, expected an object"),
      (#"{"id": 1, "record": {"overall": {"wins": -1}}}"#, "overall.wins: found -1, expected a whole number from 0 to"),
      (
        #"{"id": 1, "record": {"overall": {"wins": 1000000, "ties": 1}}}"#, "overall: found an object, expected at most"
      ),
      (#"{"id": 1, "record": {"overall": {"pointsFor": 1e30}}}"#, "overall.pointsFor: found 1e+30, expected a finite"),
      (#"{"id": 1, "record": {"overall": {"pointsFor": 1e999}}}"#, "overall.pointsFor: found a malformed value"),
      (#"{"id": 1, "record": {"overall": {"streakType": "ODD"}}}"#, "streakType: found \"ODD\", expected WIN, LOSS"),
      (#"{"id": 1, "roster": {"entries": [{}]}}"#, "teams[0].roster.entries[0].playerId: found no such key"),
    ])
  func badValues(team: String, words: String) throws {
    let found = try problem([("bad.json", "{\"teams\": [\(team)]}")])
    #expect(found.hasPrefix("'bad.json', teams[") && found.contains(words), "\(found)")
  }

  @Test(
    "a game of no week, of no team, or without a winner that there is, is an error with its path",
    arguments: [
      (#"{"matchupPeriodId": 0, "home": {"teamId": 1}}"#, "schedule[0].matchupPeriodId: found 0"),
      (#"{"matchupPeriodId": 1, "home": {"teamId": 1}, "away": {"teamId": 2}}"#, "schedule[0].away.teamId: found 2"),
      (#"{"matchupPeriodId": 1, "home": {"teamId": 1}, "winner": "ME"}"#, "schedule[0].winner: found \"ME\""),
    ])
  func badGames(game: String, words: String) throws {
    let found = try problem([("bad.json", "{\"teams\": [{\"id\": 1}], \"schedule\": [\(game)]}")])
    #expect(found.contains(words), "\(found)")
  }
}
