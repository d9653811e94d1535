// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

/// The parts of a ranked team that the properties check.
struct Placed: Equatable, Sendable {
  let rank: Int
  let team: Team
  let score: Double
  /// The terms of the score.
  let parts: [Double]

  func at(rank: Int) -> Placed { Placed(rank: rank, team: team, score: score, parts: parts) }
}

/// A team with the numbers that a service sends, valid or not.
struct SentTeam: Sendable, CustomStringConvertible {
  let name: String
  let wins: Int
  let losses: Int
  let ties: Int
  let pointsFor: Double
  let pointsAgainst: Double

  var description: String { "\(name.debugDescription) \(wins)-\(losses)-\(ties), \(pointsFor) : \(pointsAgainst)" }
}

/// The operations that the properties check: those of the core, or those of a mutant.
struct LeagueOperations: Sendable {
  var rank: @Sendable ([Team]) throws -> [Placed] = { teams in
    try PowerRanking(teams).teams.map(Placed.init)
  }
  /// The ranks of several leagues, computed in turn by one ranker, in the order of their teams.
  var ranksInTurn: @Sendable ([[SeasonRecord]]) -> [[Int]] = { leagues in
    var ranker = PowerRanker()
    return leagues.map { league in
      ranker.rank(league)
      return ranker.ranks
    }
  }
  var team: @Sendable (SentTeam) throws -> Team = { sent in
    try Team(
      id: 1, name: sent.name, wins: sent.wins, losses: sent.losses, ties: sent.ties, pointsFor: sent.pointsFor,
      pointsAgainst: sent.pointsAgainst)
  }
  /// Adds a game to a record: the team's own points and the opponent's.
  var add: @Sendable (inout SeasonRecord, Points, Points) throws -> Void = { try $0.add(pointsFor: $1, against: $2) }
  var points: @Sendable (Double) throws -> Points = { try Points($0) }

  static let shipping = LeagueOperations()
}

extension Placed {
  init(_ ranked: RankedTeam) {
    self.init(
      rank: ranked.rank, team: ranked.team, score: ranked.score.value, parts: ranked.score.explanation.map(\.value))
  }
}

enum LeagueMutants {
  typealias Mutation = PropertyTesting.Mutation<LeagueOperations>

  /// All mutants; the formula as first sketched comes first.
  static let all = [sketch] + steps + ranks + records

  private static let sketch = Mutation(
    "as-first-sketched", "the formula as first sketched: in doubles, no guards, rank is the place in the list",
    caughtBy: "league.1", within: 20, smallest: [#""A" 0-0, 0 : 0; "B" 0-0, 0 : 0"#]
  ) { code in
    code.rank = { teams in
      let maxFor = teams.map(\.season.pointsFor.value).max() ?? 0
      let maxAgainst = teams.map(\.season.pointsAgainst.value).max() ?? 0
      let scored = teams.map { team in
        let season = team.season
        let wins = (Double(season.wins) + 0.5 * Double(season.ties)) / Double(season.games)
        let parts = [
          0.6 * wins, 0.3 * (season.pointsFor.value / maxFor), 0.1 * (1 - season.pointsAgainst.value / maxAgainst),
        ]
        return (team: team, parts: parts, score: parts.reduce(0, +))
      }
      return scored.sorted { $0.score > $1.score }.enumerated().map {
        Placed(rank: $0.offset + 1, team: $0.element.team, score: $0.element.score, parts: $0.element.parts)
      }
    }
  }

  // Faults in the steps of the formula.
  private static let steps = [
    Mutation(
      "tie-counts-nothing", "a tie counts as no part of a win",
      caughtBy: "league.1", within: 50, smallest: [#""A" 0-0-1, 0 : 0"#]
    ) { code in code.rank = assembled(winPercentage: { try Share($0.wins, of: $0.games) }) },
    Mutation(
      "tie-counts-whole", "a tie is a whole win", caughtBy: "league.1", within: 50, smallest: [#""A" 0-0-1, 0 : 0"#]
    ) { code in code.rank = assembled(winPercentage: { try Share($0.wins + $0.ties, of: $0.games) }) },
    Mutation(
      "half-before-play", "before its first game a team has won half of them",
      caughtBy: "league.3", within: 20, smallest: [#"["A"]"#]
    ) { code in code.rank = assembled(winPercentage: { try $0.games == 0 ? Share(1, of: 2) : $0.winPercentage }) },
    Mutation(
      "maxima-of-first", "the first team's points are used as the league's maximum", caughtBy: "league.1", within: 50
    ) { code in code.rank = assembled(maxima: { LeagueMaxima(of: Array($0.prefix(1))) }) },
    Mutation(
      "maxima-mixed", "points conceded are measured against the most scored", caughtBy: "league.1", within: 50
    ) { code in
      code.rank = assembled(maxima: { records in
        let maximum = LeagueMaxima(of: records).pointsFor
        return LeagueMaxima(pointsFor: maximum, pointsAgainst: maximum)
      })
    },
    Mutation(
      "sign-lost", "the sign of negative points is dropped",
      caughtBy: "league.1", within: 100, smallest: [#""A" 0-0, 0 : 1; "B" 0-0, 0 : -1"#]
    ) { code in code.rank = assembled(share: { try Share(abs($0.thousandths), of: $1.thousandths) }) },
    Mutation(
      "whole-points", "only whole points are counted",
      caughtBy: "league.1", within: 100, smallest: [#""A" 0-0, 0 : 0.001"#]
    ) { code in code.rank = assembled(share: { try Share($0.thousandths / 1000, of: $1.thousandths / 1000) }) },
    Mutation(
      "weights-swapped", "points conceded weigh 0.3 and points scored 0.1",
      caughtBy: "league.1", within: 20, smallest: [#""A" 0-0, 0 : 0; "B" 0-0, 0 : 0"#]
    ) { code in code.rank = assembled(weights: PowerWeights(winPercentage: 6, pointsFor: 1, pointsAgainst: 3)) },
    Mutation(
      "conceded-counts-for", "points conceded count for a team",
      caughtBy: "league.1", within: 20, smallest: [#""A" 0-0, 0 : 0; "B" 0-0, 0 : 0"#]
    ) { code in code.rank = assembled(conceded: \.complement) },
  ]

  // Faults in the order.
  private static let ranks = [
    Mutation(
      "ties-not-shared", "teams with equal scores have ranks of their own",
      caughtBy: "league.3", within: 20, smallest: [#"["A", "A"]"#]
    ) { code in
      code.rank = rearranged { ranking in
        ranking.enumerated().map { $0.element.at(rank: $0.offset + 1) }
      }
    },
    Mutation(
      "dense-ranks", "no rank is left out after a shared one: 1, 2, 2, 3", caughtBy: "league.5", within: 200
    ) { code in
      code.rank = rearranged { ranking in
        let ranks = Set(ranking.map(\.rank)).sorted()
        return ranking.map { placed in placed.at(rank: 1 + ranks.count { $0 < placed.rank }) }
      }
    },
    Mutation(
      "rounded-ties", "scores equal to four decimals share a rank", caughtBy: "league.5", within: 5000
    ) { code in
      code.rank = rearranged { ranking in
        ranking.map { placed in
          placed.at(rank: 1 + ranking.count { ($0.score * 10_000).rounded() > (placed.score * 10_000).rounded() })
        }
      }
    },
    Mutation(
      "order-of-arrival", "teams that share a rank keep the order of the input", caughtBy: "league.7", within: 300
    ) { code in
      code.rank = { teams in
        let ranking = try LeagueOperations.shipping.rank(teams)
        return teams.compactMap { team in ranking.first { $0.team == team } }.sorted { $0.rank < $1.rank }
      }
    },
    Mutation(
      "duplicates-ranked", "of two teams with one id the first is ranked",
      caughtBy: "league.15", within: 20, smallest: [#""A" 0-0, 0 : 0"#]
    ) { code in
      code.rank = { teams in
        var seen: Set<Int> = []
        return try LeagueOperations.shipping.rank(teams.filter { seen.insert($0.id).inserted })
      }
    },
    Mutation(
      "ranker-remembers", "the ranker keeps the teams of the league before", caughtBy: "league.10", within: 100
    ) { code in
      code.ranksInTurn = { leagues in
        leagues.indices.map { turn in
          var ranker = PowerRanker()
          ranker.rank(Array(leagues[0...turn].joined()))
          return Array(ranker.ranks.suffix(leagues[turn].count))
        }
      }
    },
  ]

  // Faults in the records.
  private static let records = [
    Mutation(
      "tie-lost-by-second", "a game that ends level is lost",
      caughtBy: "league.16", within: 50, smallest: ["2 teams: 1 v 0 100:100"]
    ) { code in
      code.add = { record, own, other in
        try record.add(pointsFor: own, against: own == other ? other.adding(Points(thousandths: 1)) : other)
      }
    },
    Mutation(
      "sides-swapped", "what the opponent scored is added to the points scored",
      caughtBy: "league.17", within: 50, smallest: ["2 teams: 1 v 0 100:101"]
    ) { code in
      code.add = { record, own, other in
        let before = record
        try record.add(pointsFor: own, against: other)
        record = try SeasonRecord(
          wins: record.wins, losses: record.losses, ties: record.ties, pointsFor: before.pointsFor.adding(other),
          pointsAgainst: record.pointsAgainst, streak: record.streak)
      }
    },
    Mutation(
      "streak-never-ends", "a streak continues after a game with another outcome",
      caughtBy: "league.17", within: 50, smallest: ["2 teams: 1 v 0 100:100, 1 v 0 100:101"]
    ) { code in
      code.add = { record, own, other in
        let length = (record.streak?.length ?? 0) + 1
        try record.add(pointsFor: own, against: other)
        record = try SeasonRecord(
          wins: record.wins, losses: record.losses, ties: record.ties, pointsFor: record.pointsFor,
          pointsAgainst: record.pointsAgainst, streak: record.streak.map { try Streak($0.outcome, length: length) })
      }
    },
    Mutation(
      "points-cut-off", "points are cut off at the thousandth instead of taken to the nearest",
      caughtBy: "league.18", within: 300
    ) { code in code.points = { try Points(thousandths: Int($0 * 1000)) } },
    Mutation(
      "nan-is-zero", "NaN and infinities are read as 0 points", caughtBy: "league.19", within: 50
    ) { code in
      code.team = { sent in
        try LeagueOperations.shipping.team(
          SentTeam(
            name: sent.name, wins: sent.wins, losses: sent.losses, ties: sent.ties,
            pointsFor: sent.pointsFor.isFinite ? sent.pointsFor : 0,
            pointsAgainst: sent.pointsAgainst.isFinite ? sent.pointsAgainst : 0))
      }
    },
    Mutation(
      "nameless-error", "errors about a team do not name it", caughtBy: "league.19", within: 20
    ) { code in
      code.team = { sent in
        Team(
          id: 1, name: sent.name,
          season: try SeasonRecord(
            wins: sent.wins, losses: sent.losses, ties: sent.ties, pointsFor: Points(sent.pointsFor),
            pointsAgainst: Points(sent.pointsAgainst)))
      }
    },
  ]

  /// The ranking assembled from the core's own steps, with one of them replaced.
  private static func assembled(
    winPercentage: @escaping @Sendable (SeasonRecord) throws -> Share = { $0.winPercentage },
    maxima: @escaping @Sendable ([SeasonRecord]) -> LeagueMaxima = { LeagueMaxima(of: $0) },
    share: @escaping @Sendable (Points, Points) throws -> Share = { $0.share(ofMost: $1) },
    conceded: @escaping @Sendable (Share) -> Share = { $0 },
    weights: PowerWeights = .standard
  ) -> @Sendable ([Team]) throws -> [Placed] {
    { teams in
      let maximum = maxima(teams.map(\.season))
      let scored = try teams.map { team in
        let pointsAgainst = try share(team.season.pointsAgainst, maximum.pointsAgainst)
        let score = PowerScore(
          winPercentage: try winPercentage(team.season), pointsFor: try share(team.season.pointsFor, maximum.pointsFor),
          pointsAgainst: conceded(pointsAgainst), weights: weights)
        return (team: team, score: score)
      }
      return try PowerRanking(scored).teams.map(Placed.init)
    }
  }

  /// The core's ranking with its teams or ranks rearranged.
  private static func rearranged(
    _ change: @escaping @Sendable ([Placed]) -> [Placed]
  ) -> @Sendable ([Team]) throws -> [Placed] {
    { teams in change(try LeagueOperations.shipping.rank(teams)) }
  }
}
