// SPDX-License-Identifier: Apache-2.0
import LeagueCore
import Testing

@Suite("The power ranking")
struct PowerRankingTests {
  @Test("four teams of a real season stand by score, not by wins alone")
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

  @Test("equal scores share a rank, the next is left out, and they stand by name, then by id")
  func sharedRanks() throws {
    let teams = try [
      team(7, "Heron", 1, 1, for: 50, against: 50), team(3, "Adder", 1, 1, for: 50, against: 50),
      team(1, "Zebra", 2, 0, for: 100, against: 10), team(2, "Heron", 1, 1, for: 50, against: 50),
      team(4, "Aphid", 0, 2, for: 10, against: 100),
    ]
    for order in permutations(of: teams) {
      let ranking = try PowerRanking(order)
      #expect(ranking.teams.map(\.rank) == [1, 2, 2, 2, 5])
      #expect(ranking.teams.map(\.team.id) == [1, 3, 2, 7, 4])
    }
  }

  @Test("before the first game all share rank 1, in the order of their names")
  func weekZero() throws {
    let ranking = try PowerRanking([team(1, "c"), team(2, "a"), team(3, "b")])
    #expect(ranking.teams.map(\.rank) == [1, 1, 1])
    #expect(ranking.teams.map(\.team.name) == ["a", "b", "c"])
  }

  @Test("a tie through different parts is a tie: 1-2 with no points and 0-7 with two thirds of the most")
  func exactTie() throws {
    let ranking = try PowerRanking([
      team(1, "games", 1, 2, for: 0, against: 1), team(2, "points", 0, 7, for: 2, against: 1),
      team(3, "most", 0, 1, for: 3, against: 1),
    ])
    #expect(ranking.teams.map(\.rank) == [1, 2, 2])
    #expect(ranking.teams.map(\.team.id) == [3, 1, 2])
  }

  @Test("an id that two teams share is refused with both names, in whatever order they come")
  func duplicates() throws {
    let teams = try [team(1, "Otter"), team(2, "Hare"), team(1, "Moose")]
    for order in permutations(of: teams) {
      let error = try #require(throws: LeagueError.self) { try PowerRanking(order) }
      #expect(error == .duplicateTeam(id: 1, first: "Moose", second: "Otter"))
      #expect(
        error.description == "team 'Otter', id: found 1, expected an id of its own; 'Moose' has 1 already.")
    }
  }

  @Test("no team makes no ranking, one team is first")
  func few() throws {
    #expect(try PowerRanking([TeamRecord]()).teams.isEmpty)
    #expect(try PowerRanking([team(5)]).teams.map(\.rank) == [1])
  }

  @Test("a ranker says the same ranks in the order of its records, again and again")
  func ranker() throws {
    let teams = try (1...40).map { try team($0, nil, $0 * 7 % 5, $0 * 3 % 4, for: Double($0 * 13 % 11)) }
    var ranker = PowerRanker()
    for count in [40, 3, 0, 17] {
      let league = Array(teams.prefix(count))
      ranker.rank(league.map(\.season))
      let ranking = try PowerRanking(league)
      #expect(ranking.teams.allSatisfy { ranker.ranks[$0.team.id - 1] == $0.rank })
      #expect(ranking.teams.allSatisfy { ranker.scores[$0.team.id - 1] == $0.score })
      #expect(ranker.ranks.count == count && ranking.teams.count == count)
      for (rank, score) in zip(ranker.ranks, ranker.scores) {
        #expect(rank == 1 + ranker.scores.count { $0 > score })
      }
    }
  }

  @Test("teams that have their scores already are ranked by them")
  func scored() throws {
    let none = PowerScore(of: SeasonRecord(), among: LeagueMaxima(of: []))
    let best = try PowerScore(
      winPercentage: Share(1, of: 1), pointsFor: Share(0, of: 1), pointsAgainst: Share(0, of: 1))
    let ranking = try PowerRanking([(team: team(1), score: none), (team: team(2), score: best)])
    #expect(ranking.teams.map(\.team.id) == [2, 1])
  }
}
