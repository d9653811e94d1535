// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueCore
import MonteCarlo
import Randomness
import Scenarios
import Statistics
import TestSupport
import Testing

@testable import LeagueLab

@Suite("Simulated leagues")
struct LeagueSimulatorTests {
  private func simulator(
    _ shape: LeagueShape, seed: UInt64 = 1, generator: String = "taus2", workers: Workers = 2
  ) throws -> LeagueSimulator {
    try LeagueSimulator(shape: shape, seed: seed, generator: generator, workers: workers)
  }

  private func play(_ shape: LeagueShape, seasons: Int) throws -> LeagueResult {
    LeagueResult(try simulator(shape).tally(seasons: seasons), shape: shape)
  }

  private func value(
    _ quantity: LeagueEstimate.Quantity, by ranking: LeagueEstimate.Ranking = .power, of result: LeagueResult
  ) throws -> Scenarios.Measurement {
    try #require(result.measurement(of: quantity, by: ranking, week: result.shape.weeks))
  }

  // Two teams, one week: the better one wins when the difference of the strengths outweighs that of the luck, which
  // two independent normal variables do with probability 1/2 + atan(t / s) / pi. The interval errs once in a million
  // seeds; games that are equal to the hundredth add less than 10^-4.
  @Test("of two teams the better wins as often as geometry says", arguments: [(10.0, 25.0), (30, 30), (5, 50)])
  func twoTeams(strength: Double, luck: Double) throws {
    let shape = LeagueShape(
      teams: 2, weeks: 1, scoreDeviation: luck, strengthDeviation: strength, tieRate: 0)
    let result = try play(shape, seasons: 200_000)
    let exact = 0.5 + atan(strength / luck) / .pi
    for ranking in LeagueEstimate.Ranking.allCases {
      let estimate = try value(.bestIsFirst, by: ranking, of: result)
      #expect(estimate.samples == 200_000)
      let interval = estimate.interval(at: 1 - 1e-6)
      #expect(interval.lowerBound <= exact + 1e-4 && exact <= interval.upperBound, "\(estimate)")
      let rank = try value(.rankOfBest, by: ranking, of: result)
      #expect(abs(rank.estimate - (2 - estimate.estimate)) < 1e-12)
    }
  }

  // The signs of two normal variables with correlation r correlate by 2 asin(r) / pi (Sheppard 1899); r is the part of
  // the variance of a game that repeats. Errs as above.
  @Test("of two teams' ranks strength explains as much as geometry says, and the schedule nothing")
  func variance() throws {
    let shape = LeagueShape(teams: 2, weeks: 1, scoreDeviation: 20, strengthDeviation: 15, tieRate: 0)
    let result = try play(shape, seasons: 200_000)
    let strength = try value(.varianceOfStrength, of: result)
    let exact = 2 * asin(225.0 / 625) / .pi
    let interval = strength.interval(at: 1 - 1e-6)
    #expect(interval.lowerBound - 1e-4 <= exact && exact <= interval.upperBound + 1e-4)
    #expect(try value(.varianceOfSchedule, of: result).estimate == 0)
    let scores = try value(.varianceOfScores, of: result)
    #expect(abs(strength.estimate + scores.estimate - 1) < 1e-12)
  }

  @Test("the three causes of a final rank add up to all of its variance, in any league")
  func sharesAddUp() throws {
    let result = try play(LeagueShape(teams: 9, weeks: 11), seasons: 3000)
    for ranking in LeagueEstimate.Ranking.allCases {
      let parts = try [.varianceOfStrength, .varianceOfScores, .varianceOfSchedule].map {
        try value($0, by: ranking, of: result)
      }
      #expect(abs(parts.reduce(0) { $0 + $1.estimate } - 1) < 1e-12)
      #expect(parts.allSatisfy { $0.estimate > 0 && $0.estimate < 1 && $0.interval(at: 0.99).contains($0.estimate) })
    }
  }

  @Test("without luck a full cycle of games finds the order of strengths, and nobody is misled")
  func noLuck() throws {
    let shape = LeagueShape(teams: 8, weeks: 7, scoreDeviation: 0, strengthDeviation: 1000, tieRate: 0)
    let result = try play(shape, seasons: 500)
    for ranking in LeagueEstimate.Ranking.allCases {
      #expect(try value(.bestIsFirst, by: ranking, of: result).estimate == 1)
      #expect(try value(.firstIsNotAmongBestThree, by: ranking, of: result).estimate == 0)
      #expect(try value(.correlation, by: ranking, of: result).estimate > 0.9999)
      #expect(try value(.varianceOfStrength, by: ranking, of: result).estimate > 0.9999)
    }
  }

  @Test("when every game is level all have one record, and points decide who is first")
  func allLevel() throws {
    let shape = LeagueShape(teams: 6, weeks: 3, tieRate: 1)
    let result = try play(shape, seasons: 300)
    #expect(try value(.firstIsDecidedByPoints, by: .record, of: result).estimate == 1)
    #expect(try value(.teamsLevelOnRecord, by: .record, of: result).estimate == 6)
  }

  @Test("more weeks know more: the best team's chance to be first grows")
  func grows() throws {
    let result = try play(LeagueShape(weeks: 14), seasons: 5000)
    let first = try #require(result.measurement(of: .bestIsFirst, by: .power, week: 1))
    let last = try value(.bestIsFirst, of: result)
    #expect(first.interval(at: 1 - 1e-6).upperBound < last.interval(at: 1 - 1e-6).lowerBound)
  }

  @Test("the lead of a ranking is the difference of both, with a narrower interval because they rank the same seasons")
  func leads() throws {
    let result = try play(LeagueShape(teams: 10, weeks: 6), seasons: 4000)
    for (lead, quantity): (LeagueEstimate.Quantity, LeagueEstimate.Quantity) in [
      (.leadInBestIsFirst, .bestIsFirst), (.leadInCorrelation, .correlation),
    ] {
      let (power, record) = (try value(quantity, of: result), try value(quantity, by: .record, of: result))
      let difference = try value(lead, of: result)
      #expect(abs(difference.estimate - (power.estimate - record.estimate)) < 1e-12)
      let (narrow, wide) = (difference.interval(at: 0.99), power.interval(at: 0.99))
      #expect(narrow.upperBound - narrow.lowerBound < wide.upperBound - wide.lowerBound)
    }
  }

  @Test("a wrong number of seasons, workers or an unknown generator is an error")
  func wrong() throws {
    #expect(throws: MonteCarloError.self) { try simulator(LeagueShape()).tally(seasons: 0) }
    #expect(throws: MonteCarloError.self) { try simulator(LeagueShape(), workers: 0) }
    #expect(throws: (any Error).self) { try simulator(LeagueShape(), generator: "mt") }
  }
}

@Suite("Seasons are consistent by construction")
struct SeasonSimulatorTests {
  /// A season after every week.
  private func season(_ shape: LeagueShape, seed: UInt32) throws -> [[SeasonRecord]] {
    var simulator = try SeasonSimulator(shape: shape)
    var generator = try GSLGenerator(named: "taus2", seed: seed)
    var stream = try WordStream(named: "taus2", seed: seed &+ 1)
    simulator.drawStrengths(using: &generator)
    simulator.drawScores(using: &generator)
    simulator.drawSeats(using: &stream)
    simulator.begin()
    return try (0..<shape.weeks).map { week in
      try simulator.play(week: week, using: &stream)
      return simulator.records
    }
  }

  @Test(
    "wins balance losses, ties come in pairs, points for balance points against, after every week",
    arguments: [(2, 3), (3, 7), (12, 14), (13, 20), (64, 5)])
  func balance(teams: Int, weeks: Int) throws {
    let shape = LeagueShape(teams: teams, weeks: weeks, meanScore: 5, tieRate: 0.3)
    for (week, records) in try season(shape, seed: 7).enumerated() {
      #expect(records.reduce(0) { $0 + $1.wins } == records.reduce(0) { $0 + $1.losses })
      #expect(records.reduce(0) { $0 + $1.ties }.isMultiple(of: 2))
      let scored = records.reduce(0) { $0 + $1.pointsFor.thousandths }
      #expect(scored == records.reduce(0) { $0 + $1.pointsAgainst.thousandths })
      #expect(records.reduce(0) { $0 + $1.games } == (week + 1) * (teams - teams % 2))
    }
  }

  @Test("a streak grows by a game, or starts again, whenever a team plays")
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
    let shape = LeagueShape(teams: 64, weeks: 100, tieRate: rate)
    let records = try #require(season(shape, seed: 11).last)
    let ties = records.reduce(0) { $0 + $1.ties } / 2
    let interval = try BinomialInterval(successes: ties, trials: 3200, confidence: 1 - 1e-6)
    #expect(interval.lower <= rate + 2e-4 && interval.upper >= rate, "\(ties) of 3200")
  }
}

@Suite("Ranks and mid-ranks")
struct RankVectorTests {
  private func vector(_ ranks: [Int]) -> RankVector {
    var vector = RankVector()
    vector.assign(ranks)
    return vector
  }

  @Test("teams that share a rank have the mean of the places they fill")
  func midRanks() {
    let shared = vector([2, 1, 2, 4, 2 + 3])
    #expect(shared.doubledMidRanks == [5, 2, 5, 8, 10])
    #expect(shared.sharing == 2 && shared.first == 1)
    let level = vector([1, 1, 1])
    #expect(level.doubledMidRanks == [4, 4, 4])
    #expect(level.sharing == 3 && level.first == 3)
  }

  @Test("equal records stand in the order of their points; equal points still share")
  func tieBreak() throws {
    let records = try [50.0, 70, 60, 70, 10].map {
      try SeasonRecord(wins: 0, losses: 0, pointsFor: Points($0), pointsAgainst: .zero)
    }
    var broken = vector([])
    broken.assign([2, 2, 2, 2, 1], breakingTiesByPointsOf: records)
    #expect(broken.ranks == [5, 2, 4, 2, 1])
    #expect(broken.sharing == 2)
  }

  @Test("the distance is four times Spearman's sum: 0 in order, n (n^2 - 1) / 3 in reverse")
  func distance() {
    let order = vector([1, 2, 3, 4, 5])
    #expect(order.squaredDistance(to: order) == 0)
    #expect(order.squaredDistance(to: vector([5, 4, 3, 2, 1])) == 4 * 40)
    #expect(order.squaredDistance(to: vector([1, 1, 3, 4, 5])) == 1 + 1)
  }
}

@Suite("The schedule: everybody meets everybody")
struct RoundRobinTests {
  @Test("nobody plays twice in a week, and only an odd team out has a bye", arguments: 2...64)
  func onceAWeek(teams: Int) {
    for games in RoundRobin(teams: teams).cycle {
      let playing = games.flatMap { [$0.first, $0.second] }
      #expect(Set(playing).count == playing.count)
      #expect(playing.count == teams - teams % 2)
      #expect(playing.allSatisfy { (0..<teams).contains($0) })
    }
  }

  @Test("every pair meets exactly once in a cycle", arguments: 2...64)
  func everyPairOnce(teams: Int) {
    let schedule = RoundRobin(teams: teams)
    #expect(schedule.cycle.count == (teams.isMultiple(of: 2) ? teams - 1 : teams))
    let pairs = schedule.cycle.joined().map { [min($0.first, $0.second), max($0.first, $0.second)] }
    #expect(pairs.count == teams * (teams - 1) / 2)
    #expect(Set(pairs).count == pairs.count)
  }

  @Test("an odd number of teams has its byes in turn", arguments: [3, 5, 9, 63])
  func byes(teams: Int) {
    let resting = RoundRobin(teams: teams).cycle.map { games in
      (0..<teams).filter { team in !games.contains { $0.first == team || $0.second == team } }
    }
    #expect(resting.allSatisfy { $0.count == 1 })
    #expect(Set(resting.joined()).count == teams)
  }

  @Test("after the cycle the schedule starts again")
  func repeats() {
    let schedule = RoundRobin(teams: 12)
    #expect(schedule.games(in: 11) == schedule.games(in: 0))
    #expect(schedule.games(in: 24) == schedule.games(in: 2))
    #expect(RoundRobin(teams: 1).games(in: 5).isEmpty)
  }
}
