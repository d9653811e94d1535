// SPDX-License-Identifier: Apache-2.0
import FantasyCore
import Testing

@Suite("Points and prices")
struct PriceTests {
  @Test("a game's points follow the league's table")
  func points() {
    // Brodie Grundy, round 1 of 2018: 84 points.
    let game: [Stat: Int] = [.kicks: 7, .handballs: 5, .marks: 4, .tackles: 3, .freesFor: 1, .hitouts: 28]
    #expect(ScoringTable.aflFantasy.points(game) == 84)
    #expect(ScoringTable(worth: [.goals: 10]).points([.goals: 2, .kicks: 9]) == 20)
  }

  @Test("a price keeps 45 of 60 parts after five games, and more after fewer games")
  func parts() {
    let rule = PriceRule.aflFantasy
    #expect((1...6).map { rule.parts - rule.weight(games: $0) } == [55, 51, 48, 46, 45, 45])
    #expect(rule.next(price: 600_000, latest: [90, 90, 90, 90, 90], magic: 600_000 / 90) == 600_000)
    // 45 sixtieths of 600,000 and 6,656 times (5·120 + 4·80 + 3·90 + 2·100 + 70) sixtieths.
    let expected: Double = (27_000_000 + 9_717_760) / 60
    #expect(rule.exactNext(price: 600_000, latest: [120, 80, 90, 100, 70, 999], magic: 6656) == expected)
  }

  @Test("Dream Team's published example of 2011: 100,000 becomes 178,800")
  func published() {
    let rule = PriceRule(weights: [1, 1, 1], of: 12, step: 100)
    #expect(rule.next(price: 100_000, latest: [100, 90, 110], magic: 4152) == 178_800)
  }

  @Test("a league without a scoring game has no magic number")
  func noMagic() { #expect(PriceRule.aflFantasy.magic(of: [(price: 100, latest: [0])]) == nil) }
}

@Suite("Advice")
struct AdviceTests {
  let projector = Projector(Sample.team)

  @Test("a captain's reasons add up to the score, and a doubtful captain loses the chance's share")
  func captain() throws {
    var team = Sample.team
    let best = try #require(Projector(team).captains().first)
    #expect(best.player.id == "a1" && best.projection.contributions.count == Factor.allCases.count)
    #expect(best.projection.contributions.reduce(0, +) == best.projection.score)
    #expect((0.5...1).contains(best.chance))
    team.players[0].availability = .doubtful(chance: 0.5)
    let doubtful = Projector(team)
    let again = doubtful.projection(of: team.players[0], in: 8)
    #expect(abs(again.score * 2 - best.projection.score) <= 1 && again.evidence.last == "plays with 50%")
    #expect(doubtful.captains().first?.player.id == "b1")
  }

  @Test("a player without games has the position's mean, and the reason says so")
  func prior() throws {
    let one = projector.projection(of: try #require(Sample.team.player("d3")), in: 8)
    #expect(one.isPrior && one.odds.mean == 85 + 2 && one.evidence[1] == "no game yet: the position's average")
    var known = try #require(Sample.team.player("d3"))
    known.lastSeason = 101
    // The mean of the position counts for 3.01 games, the season before for 5.
    let two = projector.projection(of: known, in: 8)
    let expected: Double = (3.012 * 85 + 5 * 101) / 8.012 + 2
    #expect(abs(two.odds.mean - expected) < 0.02)
    #expect(two.evidence[1] == "no game yet, last season 101.0")
  }

  @Test("the rotation has another captain in rounds in which the best has a bye")
  func rotation() {
    #expect(projector.rotation().map(\.best.player.id) == ["a1", "c1", "a1", "a1", "a1"])
  }

  @Test("a trade has its gain by round, the money left and its confidence; an impossible trade is refused")
  func trade() throws {
    let team = Sample.team
    func player(_ id: String) throws -> Player { try #require(team.player(id)) }
    let one = try #require(projector.trade(try player("d1"), for: try player("a3")))
    #expect(one.bank == team.bank - 120_000 && one.byRound.count == 5 && one.gain > 0 && one.chance > 0.7)
    // The bye of Arrows is in round 9, of Drakes in round 10.
    #expect(one.byRound[1] < 0 && one.byRound[2] > one.byRound[0])
    #expect(projector.trade(try player("d1"), for: try player("b3")) == nil)
    #expect(projector.trade(try player("a3"), for: try player("d1")) == nil)
    #expect(projector.trade(try player("c1"), for: try player("b3")) == nil)
    let all = projector.trades(atMost: 5)
    #expect(all.first?.into.id == "a3" && Set(all.map(\.into.id)).count == all.count)
  }

  @Test("byes list the missing players, and the number left in each slot")
  func byes() {
    let byes = projector.byes()
    #expect(byes[1].missing.map(\.id) == ["a1", "b1", "a2", "b2"] && byes[1].covered == [.forward: 1, .ruck: 1])
    #expect(byes[0].missing.isEmpty && byes[0].expected > byes[1].expected)
  }

  @Test("difficulty is the points that the opponent concedes; a bye has none")
  func difficulty() {
    let all = projector.difficulty(for: .midfielder)
    #expect(all[0].rounds == [-1, nil, -1, -1, -1] && all[3].rounds == [2, 2, nil, 2, 2])
  }

  @Test("factors that cannot be weighted, and weights that are all 0, are refused")
  func weights() {
    #expect(throws: FantasyProblem.self) { try FactorWeights([.form: -1]) }
    #expect(throws: FantasyProblem.self) { try FactorWeights([.availability: 2]) }
    let zero = #expect(throws: FantasyProblem.self) {
      try FactorWeights(Dictionary(Factor.weighable.map { ($0, 0) }) { first, _ in first })
    }
    #expect(zero?.description == "weights: found 0 for every factor, expected one above 0")
  }

  @Test("an answer is stale after its time and unreliable after its lockout, except for byes")
  func freshness() {
    #expect(Freshness(of: .captain, asOf: 0, now: 59, lockout: 500) == .fresh)
    #expect(Freshness(of: .captain, asOf: 0, now: 60, lockout: 500) == .stale)
    #expect(Freshness(of: .captain, asOf: 0, now: 500, lockout: 500) == .wrong)
    #expect(Freshness(of: .byes, asOf: 0, now: 500, lockout: 500) == .fresh)
  }

  @Test("a valid team has no problems, and each broken rule is one with its field")
  func problems() {
    #expect(Sample.team.problems.isEmpty)
    func fields(_ change: (inout FantasyTeam) -> Void) -> [String] {
      var team = Sample.team
      change(&team)
      return team.problems.map(\.description)
    }
    #expect(
      fields { $0.squad[1].player = "zz" } == ["squad[2].player: found 'zz', expected the id of one of the players"])
    #expect(fields { $0.squad[1].isCaptain = true } == ["squad: found 2 captains, a1, b1, expected one"])
    #expect(
      fields { $0.salaryCap = 3_000_000 }.first?.hasPrefix("salaryCap: found $3000000 for a squad of $3350000") == true)
    #expect(
      fields { $0.clubs[0].bye = 8 } == [
        "clubs[1].bye: found round 8, in which Arrows plays Bears, expected a round without a game of it"
      ])
    #expect(fields { $0.squad[2].slot = .ruck }.count == 2)
    #expect(
      fields { $0.squad[2] = $0.squad[3] } == ["squad[4].player: found 'd1' a second time, expected each player once"])
    #expect(fields { $0.players[0].scores.append(contentsOf: [1, 2]) }.count == 1)
    #expect(fields { $0.players[0].id = "../a" }.count == 2)
    #expect(fields { $0.fixtures[0].home = "Bears" }.count == 1 && !fields { $0.fixtures[0].home = "?" }.isEmpty)
  }
}

@Suite("Upgrade paths")
struct UpgradeTests {
  @Test("a path frees money first and is proven to be the best")
  func path() throws {
    let (path, squad, market) = Projector(Sample.team).path()
    #expect(path.isBest && path.steps.count <= 3 && path.gain > 0)
    #expect(path.steps.allSatisfy { $0.bank >= 0 })
    let names = path.steps.map { "\(squad[$0.out].id)>\(market[$0.into].id)" }
    #expect(names.contains("d1>a3"))
  }

  @Test("without trades or money the empty path is proven to be the best")
  func nothing() {
    let one = PlannedPlayer(price: 100, points: 50, positions: [.ruck])
    let dear = PlannedPlayer(price: 200, points: 90, positions: [.ruck])
    for (bank, trades) in [(99, 1), (100, 0)] {
      let path = UpgradePlanner(squad: [(one, .ruck)], market: [dear], bank: bank, trades: trades).path()
      #expect(path.steps.isEmpty && path.isBest)
    }
    let path = UpgradePlanner(squad: [(one, .ruck)], market: [dear], bank: 100, trades: 1).path()
    #expect(path.gain == 40 && path.steps == [UpgradePath.Step(out: 0, into: 0, bank: 0)])
  }
}
