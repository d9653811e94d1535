// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Statistics
import Testing

@testable import LeagueLab

@Suite("Simulated leagues")
struct LeagueSimulatorTests {
  private func simulator(
    _ shape: LeagueShape, seed: UInt64 = 1, generator: String = "taus2", workers: Int = 2
  ) throws -> LeagueSimulator {
    try LeagueSimulator(shape: shape, seed: seed, generator: generator, workers: workers)
  }

  private func value(
    _ quantity: LeagueEstimate.Quantity, by ranking: LeagueEstimate.Ranking = .power, of result: LeagueResult
  ) throws -> LeagueEstimate {
    try #require(result.estimate(of: quantity, by: ranking, week: result.shape.weeks))
  }

  @Test("the same bits from one, two and seven workers, with byes or without", arguments: [(12, 6), (5, 4)])
  func sameBits(teams: Int, weeks: Int) throws {
    let shape = try LeagueShape(teams: teams, weeks: weeks)
    let seasons = 5 * LeagueSimulator.seasonsPerBlock + 17
    let tallies = try [1, 2, 7].map { try simulator(shape, workers: $0).tally(seasons: seasons) }
    #expect(tallies[0].seasons == seasons)
    #expect(tallies[0] == tallies[1] && tallies[0] == tallies[2])
    #expect(try simulator(shape, seed: 2).tally(seasons: seasons) != tallies[0])
    #expect(try simulator(shape, generator: "mt19937").tally(seasons: seasons) != tallies[0])
  }

  @Test("tallies can be merged in any order")
  func mergeLaw() throws {
    let shape = try LeagueShape(teams: 4, weeks: 3)
    let samples = try (1...3).map { try simulator(shape, seed: $0).tally(seasons: 50) }
    #expect(mergeLawViolation(among: samples, empty: SeasonTally(weeks: 3)) == nil)
  }

  // Two teams, one week: the better one wins when the difference of the strengths outweighs that of the luck, which
  // two independent normal variables do with probability 1/2 + atan(t / s) / pi. The interval errs once in a million
  // seeds; games that are equal to the hundredth add less than 10^-4.
  @Test("of two teams the better wins as often as geometry says", arguments: [(10.0, 25.0), (30, 30), (5, 50)])
  func twoTeams(strength: Double, luck: Double) throws {
    let shape = try LeagueShape(
      teams: 2, weeks: 1, scoreDeviation: luck, strengthDeviation: strength, tieRate: 0)
    let result = try #require(try simulator(shape).play(seasons: 200_000, confidence: 1 - 1e-6))
    let exact = 0.5 + atan(strength / luck) / .pi
    for ranking in LeagueEstimate.Ranking.allCases {
      let estimate = try value(.bestIsFirst, by: ranking, of: result)
      #expect(estimate.samples == 200_000)
      #expect(estimate.interval.lowerBound <= exact + 1e-4 && exact <= estimate.interval.upperBound, "\(estimate)")
      let rank = try value(.rankOfBest, by: ranking, of: result)
      #expect(abs(rank.value - (2 - estimate.value)) < 1e-12)
    }
  }

  // The signs of two normal variables with correlation r correlate by 2 asin(r) / pi (Sheppard 1899); r is the part of
  // the variance of a game that repeats. Errs as above.
  @Test("of two teams' ranks strength explains as much as geometry says, and the schedule nothing")
  func variance() throws {
    let shape = try LeagueShape(teams: 2, weeks: 1, scoreDeviation: 20, strengthDeviation: 15, tieRate: 0)
    let result = try #require(try simulator(shape).play(seasons: 200_000, confidence: 1 - 1e-6))
    let strength = try value(.varianceOfStrength, of: result)
    let exact = 2 * asin(225.0 / 625) / .pi
    #expect(strength.interval.lowerBound - 1e-4 <= exact && exact <= strength.interval.upperBound + 1e-4)
    #expect(try value(.varianceOfSchedule, of: result).value == 0)
    let scores = try value(.varianceOfScores, of: result)
    #expect(abs(strength.value + scores.value - 1) < 1e-12)
  }

  @Test("the three causes of a final rank add up to all of its variance, in any league")
  func sharesAddUp() throws {
    let result = try #require(try simulator(LeagueShape(teams: 9, weeks: 11)).play(seasons: 3000, confidence: 0.99))
    for ranking in LeagueEstimate.Ranking.allCases {
      let parts = try [.varianceOfStrength, .varianceOfScores, .varianceOfSchedule].map {
        try value($0, by: ranking, of: result)
      }
      #expect(abs(parts.reduce(0) { $0 + $1.value } - 1) < 1e-12)
      #expect(parts.allSatisfy { $0.value > 0 && $0.value < 1 && $0.interval.contains($0.value) })
    }
  }

  @Test("without luck a full cycle of games finds the order of strengths, and nobody is misled")
  func noLuck() throws {
    let shape = try LeagueShape(teams: 8, weeks: 7, scoreDeviation: 0, strengthDeviation: 1000, tieRate: 0)
    let result = try #require(try simulator(shape).play(seasons: 500, confidence: 0.99))
    for ranking in LeagueEstimate.Ranking.allCases {
      #expect(try value(.bestIsFirst, by: ranking, of: result).value == 1)
      #expect(try value(.firstIsNotAmongBestThree, by: ranking, of: result).value == 0)
      #expect(try value(.correlation, by: ranking, of: result).value > 0.9999)
      #expect(try value(.varianceOfStrength, by: ranking, of: result).value > 0.9999)
    }
  }

  @Test("when every game is level all have one record, and points decide who is first")
  func allLevel() throws {
    let shape = try LeagueShape(teams: 6, weeks: 3, tieRate: 1)
    let result = try #require(try simulator(shape).play(seasons: 300, confidence: 0.99))
    #expect(try value(.firstIsDecidedByPoints, by: .record, of: result).value == 1)
    #expect(try value(.teamsLevelOnRecord, by: .record, of: result).value == 6)
  }

  @Test("more weeks know more: the best team's chance to be first grows")
  func grows() throws {
    let result = try #require(try simulator(LeagueShape(weeks: 14)).play(seasons: 5000, confidence: 1 - 1e-6))
    let first = try #require(result.estimate(of: .bestIsFirst, by: .power, week: 1))
    let last = try value(.bestIsFirst, of: result)
    #expect(first.interval.upperBound < last.interval.lowerBound)
  }

  @Test("the lead of a ranking is the difference of both, with a narrower interval because they rank the same seasons")
  func leads() throws {
    let result = try #require(try simulator(LeagueShape(teams: 10, weeks: 6)).play(seasons: 4000, confidence: 0.99))
    for (lead, quantity): (LeagueEstimate.Quantity, LeagueEstimate.Quantity) in [
      (.leadInBestIsFirst, .bestIsFirst), (.leadInCorrelation, .correlation),
    ] {
      let (power, record) = (try value(quantity, of: result), try value(quantity, by: .record, of: result))
      let difference = try value(lead, of: result)
      #expect(abs(difference.value - (power.value - record.value)) < 1e-12)
      let width = difference.interval.upperBound - difference.interval.lowerBound
      #expect(width < power.interval.upperBound - power.interval.lowerBound)
    }
  }

  @Test("an interrupted run has nothing to say before the first block")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    #expect(try simulator(LeagueShape()).play(seasons: 1_000_000, confidence: 0.99, interrupt: interrupt) == nil)
  }

  @Test("a wrong number of seasons, workers or an unknown generator is an error")
  func wrong() throws {
    #expect(throws: MonteCarloError.self) { try simulator(LeagueShape()).play(seasons: 0, confidence: 0.99) }
    #expect(throws: MonteCarloError.self) { try simulator(LeagueShape(), workers: 0) }
    #expect(throws: (any Error).self) { try simulator(LeagueShape(), generator: "mt") }
    #expect(throws: StatisticsError.self) { try simulator(LeagueShape()).play(seasons: 2, confidence: 1) }
  }
}
