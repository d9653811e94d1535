// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore

extension BrokenLeague {
  /// The ranking put together from the core's own steps, one of them replaced.
  static func assembled(
    winPercentage: @escaping @Sendable (SeasonRecord) throws -> Share = { $0.winPercentage },
    maxima: @escaping @Sendable ([SeasonRecord]) -> LeagueMaxima = { LeagueMaxima(of: $0) },
    share: @escaping @Sendable (Points, Points) throws -> Share = { $0.share(ofMost: $1) },
    conceded: @escaping @Sendable (Share) -> Share = { $0 },
    weights: PowerWeights = .standard
  ) -> @Sendable ([TeamRecord]) throws -> [Placed] {
    { teams in
      let most = maxima(teams.map(\.season))
      let scored = try teams.map { team in
        let pointsAgainst = try share(team.season.pointsAgainst, most.pointsAgainst)
        let score = PowerScore(
          winPercentage: try winPercentage(team.season), pointsFor: try share(team.season.pointsFor, most.pointsFor),
          pointsAgainst: conceded(pointsAgainst), weights: weights)
        return (team: team, score: score)
      }
      return try PowerRanking(scored).teams.map(Placed.init)
    }
  }

  /// The core's ranking with its teams or ranks rearranged.
  static func rearranged(
    _ change: @escaping @Sendable ([Placed]) -> [Placed]
  ) -> @Sendable ([TeamRecord]) throws -> [Placed] {
    { teams in change(try LeagueOperations.shipping.rank(teams)) }
  }
}

extension Placed {
  /// The same team at another rank.
  func at(rank: Int) -> Placed { Placed(rank: rank, team: team, score: score, parts: parts) }
}
