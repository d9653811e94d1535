// SPDX-License-Identifier: Apache-2.0
import LeagueCore
import Testing

@Suite("Records from the schedule")
struct ScheduleTests {
  private func league(_ weeks: [[(Int, Double, Int, Double)]], playsMedian: Bool = false) throws -> League {
    var games: [LeagueGame] = []
    for (week, sides) in weeks.enumerated() {
      for (home, scored, away, conceded) in sides {
        games.append(
          LeagueGame(
            week: week + 1, home: .init(team: home, points: try Points(scored)),
            away: .init(team: away, points: try Points(conceded)), isPlayed: true, isPlayoff: false))
      }
    }
    return League(
      connection: LeagueConnection(platform: .espn, leagueID: "1", season: 2024), name: "L",
      teams: try (1...4).map { try team($0) }, games: games, playsMedian: playsMedian)
  }

  @Test(
    "records of a real season, counted again from its schedule, are those that the service sent",
    arguments: ["espn-2018-season-roster-schedule", "espn-2020-season-schedule"])
  func recorded(name: String) throws {
    let league = try recordedLeague(name)
    #expect(league.playedWeeks == Array(1...13))
    #expect(try league.teams(afterWeek: 13) == league.teams)
    #expect(try league.teams(afterWeek: 16) == league.teams, "play-offs do not count")
    #expect(try league.teams(afterWeek: 12).allSatisfy { $0.season.games == 12 })
  }

  @Test("wins and losses of a real league without points equal those of its schedule")
  func withoutPoints() throws {
    let league = try recordedLeague("espn-2020-boxscore-week1")
    #expect(try league.teams(afterWeek: 12).map(\.season.standing) == league.teams.map(\.season.standing))
  }

  @Test("in a league that counts a week twice, points above the median win, below it lose, and at it tie")
  func median() throws {
    let league = try league([[(1, 100, 2, 90), (3, 80, 4, 70)], [(1, 50, 2, 50), (3, 50, 4, 40)]], playsMedian: true)
    let teams = try league.teams(afterWeek: 2)
    #expect(teams.map(\.season.standing) == ["2-0-2", "1-1-2", "2-1-1", "0-4-0"])
    #expect(teams.map { $0.season.streak?.description } == ["T2", "T2", "T1", "L4"])
    #expect(teams[0].season.pointsFor == (try Points(150)), "points count once")
  }

  @Test("all-play compares every team with all others of its week, and luck is the record's excess over it")
  func allPlay() throws {
    let records = try league([[(1, 100, 2, 90), (3, 80, 4, 70)], [(1, 50, 4, 60), (2, 50, 3, 70)]]).allPlay(toWeek: 2)
    #expect(records.map { [$0.wins, $0.losses, $0.ties] } == [[3, 2, 1], [2, 3, 1], [4, 2, 0], [2, 4, 0]])
    #expect(records.map(\.actualWins) == [1, 0, 2, 1])
    for (record, expected) in zip(records, [3.5 / 3, 2.5 / 3, 4.0 / 3, 2.0 / 3]) {
      #expect(abs(record.expectedWins - expected) < 1e-12)
    }
    let luck: Double = records.map(\.luck).reduce(0, +)
    #expect(abs(luck) < 1e-12, "luck is only handed around")
    #expect(records[2].share == 4.0 / 6)
  }

  @Test("in all-play, wins equal losses over a real season, and expected wins add up to the games")
  func conserved() throws {
    let records = try recordedLeague("espn-2018-season-roster-schedule").allPlay(toWeek: 13)
    let (wins, losses) = (records.map(\.wins).reduce(0, +), records.map(\.losses).reduce(0, +))
    #expect(wins == losses)
    let expected: Double = records.map(\.expectedWins).reduce(0, +)
    #expect(abs(expected - 91) < 1e-9)
    #expect(records.allSatisfy { $0.wins + $0.losses + $0.ties == 169 })
  }
}
