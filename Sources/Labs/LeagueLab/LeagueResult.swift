// SPDX-License-Identifier: GPL-3.0-or-later

/// What seasons by the million say about the power ranking, with everything that determines it.
package struct LeagueResult: Hashable, Sendable {
  /// What the leagues were like.
  package let shape: LeagueShape
  /// How many seasons were played.
  package let seasons: Int
  /// The root of all random streams.
  package let seed: UInt64
  /// The name of the GSL generator.
  package let generator: String
  /// The confidence of each interval by itself.
  package let confidence: Double
  /// Every estimate: by week, then by ranking, then by quantity.
  package let estimates: [LeagueEstimate]

  /// The estimate of a quantity.
  ///
  /// - Parameters:
  ///   - quantity: What is estimated.
  ///   - ranking: Of which ranking.
  ///   - week: After which week, from 1.
  /// - Returns: The estimate; nil where there is none, as before the final week of what is asked at the end.
  package func estimate(
    of quantity: LeagueEstimate.Quantity, by ranking: LeagueEstimate.Ranking, week: Int
  ) -> LeagueEstimate? {
    estimates.first { $0.quantity == quantity && $0.ranking == ranking && $0.week == week }
  }
}

/// A number that was estimated, with its interval.
package struct LeagueEstimate: Hashable, Sendable {
  /// The rankings that are compared.
  package enum Ranking: String, CaseIterable, Hashable, Sendable {
    /// The core's power ranking.
    case power
    /// By win percentage, and by points scored where that is equal.
    case record
  }

  /// What is estimated of a ranking after a week.
  package enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// The chance that the strongest team stands first, alone or with others.
    case bestIsFirst = "best-is-first"
    /// The mean rank of the strongest team.
    case rankOfBest = "rank-of-best"
    /// The mean of Spearman's rank correlation with the teams' strengths, on mid-ranks.
    case correlation = "rank-correlation"
    /// How much likelier the power ranking has the strongest team first than the ranking by record has it.
    case leadInBestIsFirst = "best-is-first-lead"
    /// How much better the power ranking's rank correlation is than that by record.
    case leadInCorrelation = "rank-correlation-lead"
    /// The chance that a team stands first that is not among the three strongest.
    case firstIsNotAmongBestThree = "first-not-among-best-three"
    /// The chance that teams share a rank.
    case rankIsShared = "rank-is-shared"
    /// The chance that several teams have the best record, so that points decide who stands first.
    case firstIsDecidedByPoints = "first-decided-by-points"
    /// The mean number of teams whose record another team has too, so that points decide between them.
    case teamsLevelOnRecord = "teams-level-on-record"
    /// The share of the final rank's variance that comes from the teams' strengths.
    case varianceOfStrength = "variance-from-strength"
    /// The share that comes from what the teams happened to score in the single weeks.
    case varianceOfScores = "variance-from-weekly-scores"
    /// The share that comes from whom they happened to meet in which week.
    case varianceOfSchedule = "variance-from-schedule"
  }

  /// What an estimate rests on besides its value and the number of seasons.
  package enum Evidence: Hashable, Sendable {
    /// It is a share of the seasons; carries in how many of them it was so.
    case share(seasons: Int)
    /// It is a mean over the seasons; carries the standard deviation of a single season's value.
    case mean(standardDeviation: Double)
  }

  /// After which week, from 1.
  package let week: Int
  /// Of which ranking.
  package let ranking: Ranking
  /// What is estimated.
  package let quantity: Quantity
  /// The estimate.
  package let value: Double
  /// The interval at the result's confidence.
  package let interval: ClosedRange<Double>
  /// How many seasons it was estimated from.
  package let samples: Int
  /// What it rests on, from which its interval at any other confidence follows.
  package let evidence: Evidence
}
