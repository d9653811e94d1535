// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

extension LeagueProperties {
  static func ranks(of code: LeagueOperations) -> [Property] {
    let league = Roster.any()
    return [
      Property(
        "league.5", "A team's rank is one more than there are teams with exactly higher scores",
        reference: "ranks 1 to N by descending score", arguments: ["league"], league
      ) { league in
        let exact = ScoreSpecification(league.records)
        let positions = try positions(of: league)
        for placed in try code.rank(league.teams) {
          let rank = exact.rank(positions[placed.team.id, default: 0])
          try claim(placed.rank == rank, "\(placed.team.line) ranks \(placed.rank), not \(rank)")
        }
      },
      Property(
        "league.6", "Equal scores share a rank and the next are left out: 1, 2, 2, 4",
        reference: "equal scores share a rank", arguments: ["league"], league
      ) { league in
        let ranking = try code.rank(league.teams)
        try claim(ranking.count == league.teams.count, "\(ranking.count) teams of \(league.teams.count)")
        for (place, placed) in ranking.enumerated() {
          let above = place > 0 ? ranking[place - 1] : nil
          let isShared = above.map { $0.rank == placed.rank } ?? false
          try claim(isShared || placed.rank == place + 1, "rank \(placed.rank) at place \(place + 1)")
          try claim(above.map { $0.score >= placed.score } ?? true, "a higher score at place \(place + 1)")
          try claim(!isShared || above?.score == placed.score, "unequal scores share rank \(placed.rank)")
        }
      },
      Property(
        "league.7", "Teams of one rank stand by name, then by id", reference: "a stated, stable order",
        arguments: ["league"], league
      ) { league in
        let ranking = try code.rank(league.teams)
        for (above, below) in zip(ranking, ranking.dropFirst()) where above.rank == below.rank {
          try claim(
            (above.team.name, above.team.id) < (below.team.name, below.team.id),
            "\(above.team.line) stands before \(below.team.line)")
        }
      },
    ]
  }

  static func comparisons(of code: LeagueOperations) -> [Property] {
    let league = Roster.any()
    return [
      Property(
        "league.8", "The order in which teams come never matters", reference: "the ranking of a set of teams",
        arguments: ["league", "turn"], league, .integers(in: 0...11)
      ) { league, turn in
        let start = league.teams.isEmpty ? 0 : turn % league.teams.count
        let turned = Array(league.teams[start...] + league.teams[..<start])
        let ranking = try code.rank(league.teams)
        try claim(try code.rank(turned) == ranking, "begun with team \(start + 1) it is another ranking")
        try claim(try code.rank(turned.reversed()) == ranking, "in reverse it is another ranking")
      },
      Property(
        "league.9", "A team that is as good in everything never ranks below", reference: "dominance",
        arguments: ["league", "wins", "points"],
        Roster.adversarial(count: 1...6), .integers(in: 0...9), .integers(in: 0...100_000)
      ) { league, wins, points in
        let first = league.teams[0]
        let worse = first.season
        let wins = min(wins, worse.losses)
        let better = try SeasonRecord(
          wins: worse.wins + wins, losses: worse.losses - wins, ties: worse.ties,
          pointsFor: Points(thousandths: min(worse.pointsFor.thousandths + points, Points.mostThousandths)),
          pointsAgainst: Points(thousandths: max(worse.pointsAgainst.thousandths - points, -Points.mostThousandths)))
        let rival = TeamRecord(id: 1000, name: "rival", season: better)
        let ranking = try code.rank(league.teams + [rival])
        let ranks = Dictionary(uniqueKeysWithValues: ranking.map { ($0.team.id, $0.rank) })
        let (high, low) = (ranks[rival.id, default: 0], ranks[first.id, default: 0])
        try claim(high <= low, "\(rival.line) ranks \(high), \(first.line) \(low)")
      },
      Property(
        "league.10", "One ranker gives league after league the ranks that each has alone",
        reference: "contract of the ranker", arguments: ["leagues"],
        .arrays(of: Roster.adversarial(count: 0...5), count: 0...3)
      ) { leagues in
        let together = code.ranksInTurn(leagues.map(\.records))
        for (league, ranks) in zip(leagues, together) {
          let exact = ScoreSpecification(league.records)
          try claim(ranks == league.teams.indices.map(exact.rank), "\(league) ranks \(ranks)")
        }
      },
    ]
  }
}
