// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore

/// The code that ships with one operation replaced by a wrong one.
struct BrokenLeague: Sendable {
  let name: String
  let fault: String
  let operations: LeagueOperations

  init(_ name: String, _ fault: String, _ change: (inout LeagueOperations) -> Void) {
    self.name = name
    self.fault = fault
    var operations = LeagueOperations.shipping
    change(&operations)
    self.operations = operations
  }

  /// All of them, the formula as first sketched before the others.
  static let all = [sketch] + steps + ranks + records

  private static let sketch = BrokenLeague(
    "as-first-sketched", "the formula as first sketched: in doubles, no guards, rank is the place in the list"
  ) { code in
    code.rank = { teams in
      let mostFor = teams.map(\.season.pointsFor.value).max() ?? 0
      let mostAgainst = teams.map(\.season.pointsAgainst.value).max() ?? 0
      let scored = teams.map { team in
        let season = team.season
        let wins = (Double(season.wins) + 0.5 * Double(season.ties)) / Double(season.games)
        let parts = [
          0.6 * wins, 0.3 * (season.pointsFor.value / mostFor), 0.1 * (1 - season.pointsAgainst.value / mostAgainst),
        ]
        return (team: team, parts: parts, score: parts.reduce(0, +))
      }
      return scored.sorted { $0.score > $1.score }.enumerated().map {
        Placed(rank: $0.offset + 1, team: $0.element.team, score: $0.element.score, parts: $0.element.parts)
      }
    }
  }

  /// Faults in the steps of the formula.
  private static let steps = [
    BrokenLeague("tie-counts-nothing", "a tie is no part of a win") { code in
      code.rank = assembled(winPercentage: { try Share($0.wins, of: $0.games) })
    },
    BrokenLeague("tie-counts-whole", "a tie is a whole win") { code in
      code.rank = assembled(winPercentage: { try Share($0.wins + $0.ties, of: $0.games) })
    },
    BrokenLeague("half-before-play", "before its first game a team has won half of them") { code in
      code.rank = assembled(winPercentage: { try $0.games == 0 ? Share(1, of: 2) : $0.winPercentage })
    },
    BrokenLeague("maxima-of-first", "the first team's points are taken for the league's most") { code in
      code.rank = assembled(maxima: { LeagueMaxima(of: Array($0.prefix(1))) })
    },
    BrokenLeague("maxima-mixed", "points conceded are measured against the most scored") { code in
      code.rank = assembled(maxima: { records in
        let most = LeagueMaxima(of: records).pointsFor
        return LeagueMaxima(pointsFor: most, pointsAgainst: most)
      })
    },
    BrokenLeague("sign-lost", "negative points count as positive ones") { code in
      code.rank = assembled(share: { try Share(abs($0.thousandths), of: $1.thousandths) })
    },
    BrokenLeague("whole-points", "only whole points are counted") { code in
      code.rank = assembled(share: { try Share($0.thousandths / 1000, of: $1.thousandths / 1000) })
    },
    BrokenLeague("weights-swapped", "points conceded weigh 0.3 and points scored 0.1") { code in
      code.rank = assembled(weights: PowerWeights(winPercentage: 6, pointsFor: 1, pointsAgainst: 3))
    },
    BrokenLeague("conceded-counts-for", "points conceded count for a team") { code in
      code.rank = assembled(conceded: \.complement)
    },
  ]

  /// Faults in the order.
  private static let ranks = [
    BrokenLeague("ties-not-shared", "teams with equal scores have ranks of their own") { code in
      code.rank = rearranged { ranking in
        ranking.enumerated().map { $0.element.at(rank: $0.offset + 1) }
      }
    },
    BrokenLeague("dense-ranks", "no rank is left out after a shared one: 1, 2, 2, 3") { code in
      code.rank = rearranged { ranking in
        let ranks = Set(ranking.map(\.rank)).sorted()
        return ranking.map { placed in placed.at(rank: 1 + ranks.count { $0 < placed.rank }) }
      }
    },
    BrokenLeague("rounded-ties", "scores equal to four decimals share a rank") { code in
      code.rank = rearranged { ranking in
        ranking.map { placed in
          placed.at(rank: 1 + ranking.count { ($0.score * 10_000).rounded() > (placed.score * 10_000).rounded() })
        }
      }
    },
    BrokenLeague("order-of-arrival", "teams of one rank stand as they came in") { code in
      code.rank = { teams in
        let ranking = try LeagueOperations.shipping.rank(teams)
        return teams.compactMap { team in ranking.first { $0.team == team } }.sorted { $0.rank < $1.rank }
      }
    },
    BrokenLeague("duplicates-ranked", "of two teams with one id the first is ranked") { code in
      code.rank = { teams in
        var seen: Set<Int> = []
        return try LeagueOperations.shipping.rank(teams.filter { seen.insert($0.id).inserted })
      }
    },
    BrokenLeague("ranker-remembers", "the ranker goes on from the last league's teams") { code in
      code.ranksInTurn = { leagues in
        leagues.indices.map { turn in
          var ranker = PowerRanker()
          ranker.rank(Array(leagues[0...turn].joined()))
          return Array(ranker.ranks.suffix(leagues[turn].count))
        }
      }
    },
  ]

  /// Faults in what records are made of.
  private static let records = [
    BrokenLeague("tie-lost-by-second", "a game that ends level is lost") { code in
      code.add = { record, own, other in
        try record.add(pointsFor: own, against: own == other ? other.adding(Points(thousandths: 1)) : other)
      }
    },
    BrokenLeague("sides-swapped", "what the opponent scored is added to the points scored") { code in
      code.add = { record, own, other in
        let before = record
        try record.add(pointsFor: own, against: other)
        record = try SeasonRecord(
          wins: record.wins, losses: record.losses, ties: record.ties, pointsFor: before.pointsFor.adding(other),
          pointsAgainst: record.pointsAgainst, streak: record.streak)
      }
    },
    BrokenLeague("streak-never-ends", "a streak goes on counting whatever the last game was") { code in
      code.add = { record, own, other in
        let length = (record.streak?.length ?? 0) + 1
        try record.add(pointsFor: own, against: other)
        record = try SeasonRecord(
          wins: record.wins, losses: record.losses, ties: record.ties, pointsFor: record.pointsFor,
          pointsAgainst: record.pointsAgainst, streak: record.streak.map { try Streak($0.outcome, length: length) })
      }
    },
    BrokenLeague("points-cut-off", "points are cut off at the thousandth instead of taken to the nearest") { code in
      code.points = { try Points(thousandths: Int($0 * 1000)) }
    },
    BrokenLeague("nan-is-zero", "NaN and infinities are taken for no points") { code in
      code.team = { sent in
        try LeagueOperations.shipping.team(
          SentTeam(
            name: sent.name, wins: sent.wins, losses: sent.losses, ties: sent.ties,
            pointsFor: sent.pointsFor.isFinite ? sent.pointsFor : 0,
            pointsAgainst: sent.pointsAgainst.isFinite ? sent.pointsAgainst : 0))
      }
    },
    BrokenLeague("nameless-error", "what is wrong with a team is said without its name") { code in
      code.team = { sent in
        TeamRecord(
          id: 1, name: sent.name,
          season: try SeasonRecord(
            wins: sent.wins, losses: sent.losses, ties: sent.ties, pointsFor: Points(sent.pointsFor),
            pointsAgainst: Points(sent.pointsAgainst)))
      }
    },
  ]
}
