// SPDX-License-Identifier: Apache-2.0
import LeagueCore
import Testing

@Suite("The power ranking")
struct PowerRankingTests {
  @Test("four teams of a real season are ranked by score, not by wins alone")
  func realSeason() throws {
    let ranking = try PowerRanking([
      team(1, "Eager Moose", 8, 5, for: 1937.52, against: 1640.6000000000004),
      team(2, "Calm Otter", 7, 6, for: 1866.26, against: 1927.4799999999998),
      team(9, "Quick Hare", 8, 5, for: 1912.62, against: 1684.94),
      team(11, "Proud Crane", 9, 4, for: 1863.5600000000002, against: 1624.96),
    ])
    #expect(ranking.teams.map(\.team.id) == [11, 1, 9, 2])
    #expect(ranking.teams.map(\.rank) == [1, 2, 3, 4])
    // 0.6 * 9 / 13 + 0.3 * 1863.56 / 1937.52 + 0.1 * (1 - 1624.96 / 1927.48)
    #expect(abs(ranking.teams[0].score.value - 0.7196282) < 1e-6)
  }

  @Test("equal scores of different parts are a tie: 1-2 without points, and 0-7 with two thirds of the maximum")
  func exactTie() throws {
    let ranking = try PowerRanking([
      team(1, "games", 1, 2, for: 0, against: 1), team(2, "points", 0, 7, for: 2, against: 1),
      team(3, "most", 0, 1, for: 3, against: 1),
    ])
    #expect(ranking.teams.map(\.rank) == [1, 2, 2])
    #expect(ranking.teams.map(\.team.id) == [3, 1, 2])
  }
}

@Suite("The power score is 0.6 win percentage + 0.3 PF / max PF + 0.1 (1 - PA / max PA)")
struct PowerScoreTests {
  let maxima: LeagueMaxima

  init() throws {
    maxima = try LeagueMaxima(pointsFor: Points(1000), pointsAgainst: Points(800))
  }

  @Test("by hand: 6-3-1, 750 of 1000 for, 600 of 800 against: 0.6 * 0.65 + 0.3 * 0.75 + 0.1 * 0.25 = 0.64")
  func byHand() throws {
    let score = try PowerScore(of: season(6, 3, 1, for: 750, against: 600), among: maxima)
    #expect(score.winPercentage.value == 0.65 && score.pointsFor.value == 0.75 && score.pointsAgainst.value == 0.75)
    #expect(abs(score.value - 0.64) < 1e-15)
    #expect(score.explanation.map(\.name) == [.winPercentage, .pointsFor, .pointsAgainst])
    #expect(score.explanation.map(\.weight) == [0.6, 0.3, 0.1])
    #expect(score.explanation.map(\.share.value) == [0.65, 0.75, 0.25])
    #expect(abs(score.explanation.reduce(0) { $0 + $1.value } - score.value) < 1e-15)
  }

  @Test("the largest allowed numbers neither trap nor leave the range from 0 to 1")
  func largest() throws {
    let records = [
      try season(1_000_000, 0, for: 1e8, against: -1e8), try season(0, 999_999, for: -1e8, against: 1e8),
      try season(333_333, 333_333, 333_333, for: 99_999_999.999, against: 99_999_999.999),
    ]
    let scores = records.map { PowerScore(of: $0, among: LeagueMaxima(of: records)) }
    #expect(scores[0].value == 1 && scores[1].value == 0)
    #expect(scores[1] < scores[2] && scores[2] < scores[0])
    #expect(abs(scores[2].value - 0.6) < 1e-9)
    let wide = try Share(99_999_999_999, of: Share.maxDenominator)
    let heavy = PowerWeights(winPercentage: 255, pointsFor: 255, pointsAgainst: 255)
    let made = PowerScore(winPercentage: wide, pointsFor: wide, pointsAgainst: wide.complement, weights: heavy)
    #expect(made > scores[2] && made < scores[0])
  }

  @Test("scores that differ by 3 * 10^-18 are distinguished, where doubles are not")
  func nearTies() throws {
    let maximum = try LeagueMaxima(pointsFor: Points(1e8), pointsAgainst: Points(1e8))
    // 0.6 * 5 / 999,999 exceeds 0.6 * 5 / 1,000,000 by a little more than a thousandth of 10^8 points weighs.
    let better = try PowerScore(of: season(5, 999_994, for: 50_000_000, against: 0), among: maximum)
    let worse = try PowerScore(of: season(5, 999_995, for: 50_000_000.001, against: 0), among: maximum)
    #expect(worse < better && worse != better)
    #expect(worse.value == better.value)
  }

  @Test("other weights give another score, and no weights give 0")
  func weights() throws {
    let record = try season(1, 0, for: 500, against: 800)
    let even = PowerWeights(winPercentage: 1, pointsFor: 1, pointsAgainst: 1)
    #expect(abs(PowerScore(of: record, among: maxima, weights: even).value - 0.5) < 1e-15)
    let none = PowerWeights(winPercentage: 0, pointsFor: 0, pointsAgainst: 0)
    #expect(PowerScore(of: record, among: maxima, weights: none).value == 0)
  }

  @Test("a share lies from 0 to 1, and a share of 0 does not exist", arguments: [(-1, 5), (6, 5), (1, 0), (1, -5)])
  func shares(part: Int, whole: Int) throws {
    let share = try Share(part, of: whole)
    #expect(share.value == (part > whole && whole > 0 ? 1 : 0))
    #expect(share.complement.value == 1 - share.value)
    #expect(throws: LeagueError.self) { try Share(part, of: .max) }
  }
}
