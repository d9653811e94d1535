// SPDX-License-Identifier: GPL-3.0-or-later
import LeagueCore
import Randomness
import Statistics
import Testing

@testable import LeagueLab

@Suite("Seasons are consistent by construction")
struct SeasonPlayerTests {
  /// A season after every week.
  private func season(_ shape: LeagueShape, seed: UInt32) throws -> [[SeasonRecord]] {
    var player = try SeasonPlayer(shape: shape)
    var generator = try GSLGenerator(named: "taus2", seed: seed)
    var stream = try WordStream(named: "taus2", seed: seed &+ 1)
    player.drawStrengths(using: &generator)
    player.drawScores(using: &generator)
    player.drawSeats(using: &stream)
    player.beginSeason()
    return try (0..<shape.weeks).map { week in
      try player.play(week: week, using: &stream)
      return player.records
    }
  }

  @Test(
    "wins balance losses, ties come in pairs, points for balance points against, after every week",
    arguments: [(2, 3), (3, 7), (12, 14), (13, 20), (64, 5)])
  func balance(teams: Int, weeks: Int) throws {
    let shape = try LeagueShape(teams: teams, weeks: weeks, meanScore: 5, tieRate: 0.3)
    for (week, records) in try season(shape, seed: 7).enumerated() {
      #expect(records.reduce(0) { $0 + $1.wins } == records.reduce(0) { $0 + $1.losses })
      #expect(records.reduce(0) { $0 + $1.ties }.isMultiple(of: 2))
      let scored = records.reduce(0) { $0 + $1.pointsFor.thousandths }
      #expect(scored == records.reduce(0) { $0 + $1.pointsAgainst.thousandths })
      #expect(records.reduce(0) { $0 + $1.games } == (week + 1) * (teams - teams % 2))
    }
  }

  @Test("a streak grows by a game, or starts anew, whenever a team plays")
  func streaks() throws {
    let weeks = try season(LeagueShape(teams: 5, weeks: 30, tieRate: 0.2), seed: 3)
    var played = 0
    for (before, after) in zip(weeks, weeks.dropFirst()) {
      for (old, new) in zip(before, after) {
        guard new.games > old.games else {
          #expect(new == old, "a bye changes nothing")
          continue
        }
        let streak = try #require(new.streak)
        let outcome: GameOutcome = new.wins > old.wins ? .win : new.losses > old.losses ? .loss : .tie
        #expect(streak.outcome == outcome)
        #expect(streak.length == (old.streak?.outcome == outcome ? (old.streak?.length ?? 0) + 1 : 1))
        played += 1
      }
    }
    #expect(played == 29 * 4)
  }

  // Errs once in a million seeds: the interval covers the true rate with probability 1 - 10^-6. By chance one game in
  // some 9,000 more is equal to the hundredth, which the interval's width hides.
  @Test("ties come at the stated rate", arguments: [0.0, 0.02, 0.5, 1.0])
  func tieRate(rate: Double) throws {
    let shape = try LeagueShape(teams: 64, weeks: 100, tieRate: rate)
    let records = try #require(season(shape, seed: 11).last)
    let ties = records.reduce(0) { $0 + $1.ties } / 2
    let interval = try BinomialInterval(successes: ties, trials: 3200, confidence: 1 - 1e-6)
    #expect(interval.lower <= rate + 2e-4 && interval.upper >= rate, "\(ties) of 3200")
  }

  @Test("the same seeds make the same season, others another")
  func reproducible() throws {
    let shape = try LeagueShape()
    #expect(try season(shape, seed: 5) == season(shape, seed: 5))
    #expect(try season(shape, seed: 5) != season(shape, seed: 6))
  }

  @Test(
    "a league that cannot be is refused with the value found",
    arguments: [
      (1, 14, 110.0, 25.0, 10.0, 0.0, "teams: found 1, expected 2 to 64."),
      (65, 14, 110, 25, 10, 0, "teams: found 65, expected 2 to 64."),
      (12, 0, 110, 25, 10, 0, "weeks: found 0, expected 1 to 100."),
      (12, 101, 110, 25, 10, 0, "weeks: found 101, expected 1 to 100."),
      (12, 14, .nan, 25, 10, 0, "mean score: found nan, expected -1000 to 1000 points."),
      (12, 14, 110, -1, 10, 0, "score deviation: found -1.0, expected 0 to 1000 points."),
      (12, 14, 110, 25, 0, 0, "strength deviation: found 0.0, expected above 0 and at most 1000 points."),
      (12, 14, 110, 25, .infinity, 0, "strength deviation: found inf, expected above 0 and at most 1000 points."),
      (12, 14, 110, 25, 10, 1.5, "tie rate: found 1.5, expected a probability, 0 to 1."),
    ])
  func impossible(
    teams: Int, weeks: Int, mean: Double, spread: Double, strength: Double, ties: Double, problem: String
  ) throws {
    let error = try #require(throws: LeagueLabError.self) {
      try LeagueShape(
        teams: teams, weeks: weeks, meanScore: mean, scoreDeviation: spread, strengthDeviation: strength, tieRate: ties)
    }
    #expect(error.description == problem)
  }
}
