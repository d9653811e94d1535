// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import Foundation
import LeagueLab
import Scenarios
import Testing

@Suite("Simulated leagues")
struct LeagueSimulatorTests {
  /// The measurements of seasons, by their full names.
  private func play(_ yaml: String) throws -> (String) throws -> Scenarios.Measurement {
    let plan = try scenario("league.seasons", yaml, among: Leagues.experiments.map { $0.runnable }).plan
    let found = try plan.run(on: RunContext(workers: 2)).measurements
    return { name in
      let measurement = found.first { $0.measure.fullName == name }
      return try #require(measurement, "\(name)")
    }
  }

  // Two teams, one week: the better one wins when the difference of the strengths outweighs that of the luck, which
  // two independent normal variables do with probability 1/2 + atan(t / s) / pi. The interval errs once in a million
  // seeds; games that are equal to the hundredth add less than 10^-4.
  @Test("the better of two teams wins as often as geometry predicts", arguments: [(10.0, 25.0), (30, 30), (5, 50)])
  func twoTeams(strength: Double, luck: Double) throws {
    let value = try play(
      "teams: 2\nweeks: 1\ndeviation: \(luck)\nstrength: \(strength)\nties: 0\nseasons: 200000")
    let exact = 0.5 + atan(strength / luck) / .pi
    for ranking in ["power", "record"] {
      let estimate = try value("\(ranking).bestIsFirst[week 1]")
      #expect(estimate.samples == 200_000)
      let interval = estimate.interval(at: 1 - 1e-6)
      #expect(interval.lowerBound <= exact + 1e-4 && exact <= interval.upperBound, "\(estimate)")
      let rank = try value("\(ranking).rankOfBest[week 1]")
      #expect(abs(rank.estimate - (2 - estimate.estimate)) < 1e-12)
    }
  }

  // The signs of two normal variables with correlation r correlate by 2 asin(r) / pi (Sheppard 1899); r is the part of
  // the variance of a game that repeats. Errs as above.
  @Test("strength explains as much of two teams' ranks as geometry predicts, and the schedule nothing")
  func variance() throws {
    let value = try play("teams: 2\nweeks: 1\ndeviation: 20\nstrength: 15\nties: 0\nseasons: 200000")
    let strength = try value("power.varianceFromStrength")
    let exact = 2 * asin(225.0 / 625) / .pi
    let interval = strength.interval(at: 1 - 1e-6)
    #expect(interval.lowerBound - 1e-4 <= exact && exact <= interval.upperBound + 1e-4)
    #expect(try value("power.varianceFromSchedule").estimate == 0)
  }

  @Test(
    "the three causes of a final rank add up to all of its variance, in any league", arguments: ["power", "record"])
  func sharesAddUp(ranking: String) throws {
    let value = try play("teams: 9\nweeks: 11\nseasons: 3000")
    let parts = try ["Strength", "Scores", "Schedule"].map { try value("\(ranking).varianceFrom\($0)") }
    #expect(abs(parts.reduce(0) { $0 + $1.estimate } - 1) < 1e-12)
    #expect(parts.allSatisfy { $0.estimate > 0 && $0.estimate < 1 && $0.interval(at: 0.99).contains($0.estimate) })
  }

  @Test(
    "without luck a round robin finds the order of strengths, for any number of teams",
    arguments: [3, 4, 7, 8, 12, 13])
  func noChance(teams: Int) throws {
    let weeks = teams.isMultiple(of: 2) ? teams - 1 : teams
    let value = try play(
      "teams: \(teams)\nweeks: \(weeks)\ndeviation: 0\nstrength: 999\nmean: 0\nties: 0\nseasons: 300")
    for ranking in ["power", "record"] {
      #expect(try value("\(ranking).bestIsFirst[week \(weeks)]").estimate == 1)
      #expect(try value("\(ranking).misled[week \(weeks)]").estimate == 0)
      #expect(try value("\(ranking).correlation[week \(weeks)]").estimate > 0.9999)
      #expect(try value("\(ranking).varianceFromStrength").estimate > 0.9999)
    }
  }

  @Test("if every game is a tie, all records are equal, and points decide the first rank")
  func allLevel() throws {
    let value = try play("teams: 6\nweeks: 3\nties: 1\nseasons: 300")
    #expect(try value("record.decidedByPoints[week 3]").estimate == 1)
    #expect(try value("record.teamsLevel[week 3]").estimate == 6)
  }

  // Of two teams the only game is level exactly when points decide who is first. Errs once in a million seeds; by
  // chance one game in some 9,000 more is equal to the hundredth.
  @Test("ties occur at the stated rate", arguments: [0.0, 0.02, 0.5, 1.0])
  func tieRate(rate: Double) throws {
    let value = try play("teams: 2\nweeks: 1\nties: \(rate)\nseasons: 20000")
    let interval = try value("record.decidedByPoints[week 1]").interval(at: 1 - 1e-6)
    #expect(interval.lowerBound <= rate + 3e-4 && interval.upperBound >= rate, "\(interval)")
  }

  @Test("the best team's chance to be first grows with the weeks")
  func grows() throws {
    let value = try play("weeks: 14\nseasons: 5000")
    let (first, last) = (try value("power.bestIsFirst[week 1]"), try value("power.bestIsFirst[week 14]"))
    #expect(first.interval(at: 1 - 1e-6).upperBound < last.interval(at: 1 - 1e-6).lowerBound)
  }

  @Test(
    "the lead of a ranking is the difference of both, with a narrower interval because they rank the same seasons",
    arguments: ["bestIsFirst", "correlation"])
  func leads(quantity: String) throws {
    let value = try play("teams: 10\nweeks: 6\nseasons: 4000")
    let (power, record) = (try value("power.\(quantity)[week 6]"), try value("record.\(quantity)[week 6]"))
    let difference = try value("lead.\(quantity)[week 6]")
    #expect(abs(difference.estimate - (power.estimate - record.estimate)) < 1e-12)
    let (narrow, wide) = (difference.interval(at: 0.99), power.interval(at: 0.99))
    #expect(narrow.upperBound - narrow.lowerBound < wide.upperBound - wide.lowerBound)
  }
}
