// SPDX-License-Identifier: GPL-3.0-or-later
internal import Statistics

extension LeagueResult {
  /// The estimates that a tally of at least two seasons is good for.
  init(_ tally: SeasonTally, shape: LeagueShape, seed: UInt64, generator: String, confidence: Double) throws {
    let estimator = Estimator(teams: shape.teams, seasons: tally.seasons, confidence: confidence)
    var estimates: [LeagueEstimate] = []
    for (index, week) in tally.weeks.enumerated() {
      estimates += try estimator.estimates(of: week.power, by: .power, week: index + 1)
      estimates += try estimator.estimates(of: week.record, by: .record, week: index + 1)
      estimates += try [
        estimator.mean(.leadInBestIsFirst, .power, index + 1, week.leadInBestIsFirst),
        estimator.difference(.leadInCorrelation, .power, index + 1, week.leadInDistance),
        estimator.chance(.firstIsDecidedByPoints, .record, index + 1, week.firstIsDecidedByPoints),
        estimator.mean(.teamsLevelOnRecord, .record, index + 1, week.teamsLevelOnRecord),
      ]
    }
    estimates += try estimator.estimates(of: tally.power, by: .power, week: shape.weeks)
    estimates += try estimator.estimates(of: tally.record, by: .record, week: shape.weeks)
    (self.shape, self.seed, self.generator, self.confidence) = (shape, seed, generator, confidence)
    (seasons, self.estimates) = (tally.seasons, estimates)
  }
}

/// Turns counts into estimates with intervals.
private struct Estimator {
  let teams: Int
  let seasons: Int
  let confidence: Double

  func estimates(
    of tally: RankingTally, by ranking: LeagueEstimate.Ranking, week: Int
  ) throws(StatisticsError) -> [LeagueEstimate] {
    [
      try chance(.bestIsFirst, ranking, week, tally.bestIsFirst),
      try mean(.rankOfBest, ranking, week, tally.rankOfBest),
      try correlation(.correlation, ranking, week, tally.distance),
      try chance(.firstIsNotAmongBestThree, ranking, week, tally.firstIsNotAmongBestThree),
      try chance(.rankIsShared, ranking, week, tally.rankIsShared),
    ]
  }

  // A season's final ranks have the same mean and variance whatever the luck (but for shared ranks, which are rare by
  // then), so the correlation of two plays that share some causes is the share of the variance that these explain.
  func estimates(
    of tally: LuckTally, by ranking: LeagueEstimate.Ranking, week: Int
  ) throws(StatisticsError) -> [LeagueEstimate] {
    let strength = try correlation(.varianceOfStrength, ranking, week, tally.newSeason)
    let scores = try difference(.varianceOfScores, ranking, week, tally.difference)
    let schedule = try difference(.varianceOfSchedule, ranking, week, tally.newSchedule)
    return [strength, scores, schedule]
  }

  /// A share of the seasons, with Clopper and Pearson's interval.
  func chance(
    _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int, _ count: Int
  ) throws(StatisticsError) -> LeagueEstimate {
    let interval = try BinomialInterval(successes: count, trials: seasons, confidence: confidence)
    return LeagueEstimate(
      week: week, ranking: ranking, quantity: quantity, value: interval.proportion,
      interval: interval.lower...interval.upper, samples: seasons, evidence: .share(seasons: count))
  }

  /// A mean, with Student's interval.
  func mean(
    _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int, _ tally: MomentTally
  ) throws(StatisticsError) -> LeagueEstimate {
    try linear(quantity, ranking, week, tally, slope: 1)
  }

  /// Spearman's correlation, 1 - 6 D / (n (n^2 - 1)).
  func correlation(
    _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int, _ tally: MomentTally
  ) throws(StatisticsError) -> LeagueEstimate {
    try linear(quantity, ranking, week, tally, from: 1, slope: -perDistance)
  }

  /// What a distance takes from Spearman's correlation, 6 D / (n (n^2 - 1)).
  func difference(
    _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int, _ tally: MomentTally
  ) throws(StatisticsError) -> LeagueEstimate {
    try linear(quantity, ranking, week, tally, slope: perDistance)
  }

  /// What one unit of a doubled squared distance takes from Spearman's correlation.
  private var perDistance: Double { 6.0 / 4 / Double(teams * (teams * teams - 1)) }

  private func linear(
    _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int, _ tally: MomentTally,
    from offset: Double = 0, slope: Double
  ) throws(StatisticsError) -> LeagueEstimate {
    let normal = try NormalInterval(of: tally, confidence: confidence)
    let (one, other) = (offset + normal.lower * slope, offset + normal.upper * slope)
    return LeagueEstimate(
      week: week, ranking: ranking, quantity: quantity, value: offset + normal.mean * slope,
      interval: min(one, other)...max(one, other), samples: tally.count,
      evidence: .mean(standardDeviation: tally.standardDeviation * abs(slope)))
  }
}
