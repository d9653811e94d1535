// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios
internal import Statistics

/// What simulated seasons show of the power ranking.
struct LeagueResult: Sendable {
  let shape: LeagueShape
  let seasons: Int
  /// In the order of `LeagueEstimate.Key.all(weeks:)`.
  let estimates: [LeagueEstimate]

  /// The estimates of at least two seasons, each with an interval of that confidence by itself.
  init(_ tally: SeasonTally, shape: LeagueShape, confidence: Double) {
    (self.shape, seasons) = (shape, tally.seasons)
    // What one unit of a doubled squared distance takes from Spearman's correlation, 1 - 6 D / (n (n^2 - 1)).
    let perDistance = 6.0 / 4 / Double(shape.teams * (shape.teams * shape.teams - 1))
    estimates = LeagueEstimate.Key.all(weeks: shape.weeks).map { key in
      let value: Measurement.Value =
        switch key.quantity.count(in: tally, by: key.ranking, week: key.week) {
        case .share(let seasons): .proportion(successes: seasons, trials: tally.seasons)
        case .mean(let moments): .linear(moments)
        case .correlation(let distances): .linear(distances, offset: 1, slope: -perDistance)
        case .difference(let distances): .linear(distances, slope: perDistance)
        }
      let measurement = Measurement(key.measure, value)
      return LeagueEstimate(key: key, measurement: measurement, interval: measurement.interval(at: confidence))
    }
  }

  /// `nil` before the final week for what is asked at the end of the season.
  func estimate(
    of quantity: LeagueEstimate.Quantity, by ranking: LeagueEstimate.Ranking, week: Int
  ) -> LeagueEstimate? {
    estimates.first { $0.key == LeagueEstimate.Key(quantity: quantity, ranking: ranking, week: week) }
  }
}

extension Measurement.Value {
  fileprivate static func linear(_ tally: MomentTally, offset: Double = 0, slope: Double = 1) -> Self {
    .mean(
      offset + tally.mean * slope, standardDeviation: tally.standardDeviation * abs(slope), samples: tally.count)
  }
}

struct LeagueEstimate: Sendable {
  enum Ranking: String, CaseIterable, Sendable {
    /// The core's power ranking.
    case power
    /// By win percentage, and by points scored where that is equal.
    case record
  }

  let key: Key
  let measurement: Measurement
  /// At the result's confidence.
  let interval: ClosedRange<Double>

  var value: Double { measurement.estimate }
  /// How many seasons it was estimated from.
  var samples: Int { measurement.samples ?? 0 }
}

extension LeagueEstimate {
  /// What is estimated, of which ranking, after which week (from 1).
  struct Key: Hashable, Sendable {
    let quantity: Quantity
    let ranking: Ranking
    let week: Int

    /// By quantity, then by week, so that a name's labels stand together.
    static func all(weeks: Int) -> [Key] {
      Quantity.allCases.flatMap { quantity in
        quantity.rankings.flatMap { ranking in
          (quantity.isFinal ? weeks...weeks : 1...weeks).map { Key(quantity: quantity, ranking: ranking, week: $0) }
        }
      }
    }

    /// Names begin with the ranking, as in `power.bestIsFirst[week 3]`, or with `lead` for how far the power ranking is
    /// ahead. What is asked at the end of the season has no label.
    var measure: Measure {
      let row = quantity.row
      let words = ranking == .power ? "the power ranking" : "plain record"
      return Measure(
        row.name.contains(".") ? row.name : "\(ranking.rawValue).\(row.name)",
        of: quantity.isFinal ? nil : "week \(week)",
        meaning: row.meaning.replacing("%", with: words) + (quantity.isFinal ? "" : ", after week \(week)"),
        unit: row.unit, nature: row.nature)
    }
  }

  /// What is estimated of a ranking after a week; the raw value is its name in `estimates.csv`.
  enum Quantity: String, CaseIterable, Sendable {
    case bestIsFirst = "best-is-first"
    case rankOfBest = "rank-of-best"
    case correlation = "rank-correlation"
    case firstIsNotAmongBestThree = "first-not-among-best-three"
    case rankIsShared = "rank-is-shared"
    case leadInBestIsFirst = "best-is-first-lead"
    case leadInCorrelation = "rank-correlation-lead"
    case firstIsDecidedByPoints = "first-decided-by-points"
    case teamsLevelOnRecord = "teams-level-on-record"
    case varianceOfStrength = "variance-from-strength"
    case varianceOfScores = "variance-from-weekly-scores"
    case varianceOfSchedule = "variance-from-schedule"
  }
}

extension LeagueEstimate.Quantity {
  /// What is counted, and how an estimate follows from it.
  enum Count {
    case share(seasons: Int)
    case mean(MomentTally)
    /// Squared distances, as Spearman's correlation.
    case correlation(MomentTally)
    /// Differences of squared distances, as a difference of Spearman's correlations.
    case difference(MomentTally)
  }

  /// Where it is counted.
  enum Source {
    /// For both rankings after every week.
    case ranking((RankingTally) -> Count)
    /// For one ranking after every week.
    case week(LeagueEstimate.Ranking, (WeekTally) -> Count)
    /// For both rankings at the end of the season.
    case season((LuckTally) -> Count)
  }

  struct Row {
    let name: String
    let nature: Measure.Nature
    var unit = ""
    /// `%` stands for the ranking.
    let meaning: String
    /// Whether people read it in percent; a proportion is.
    var isPercent = false
    let source: Source
  }

  /// The variance's rows: a season's final ranks have the same mean and variance whatever the luck (but for shared
  /// ranks, which are rare by then), so the correlation of two plays that share some causes is the share of the
  /// variance that these explain.
  var row: Row {
    switch self {
    case .bestIsFirst:
      Row(
        name: "bestIsFirst", nature: .proportion, meaning: "The chance that % has the strongest team first",
        source: .ranking { .share(seasons: $0.bestIsFirst) })
    case .rankOfBest:
      Row(
        name: "rankOfBest", nature: .mean, meaning: "The strongest team's mean rank by %",
        source: .ranking { .mean($0.rankOfBest) })
    case .correlation:
      Row(
        name: "correlation", nature: .mean,
        meaning: "The mean of Spearman's correlation of the ranks by % with the strengths",
        source: .ranking { .correlation($0.distance) })
    case .firstIsNotAmongBestThree:
      Row(
        name: "misled", nature: .proportion,
        meaning: "The chance that % has a team first that is not one of the three strongest",
        source: .ranking { .share(seasons: $0.firstIsNotAmongBestThree) })
    case .rankIsShared:
      Row(
        name: "rankIsShared", nature: .proportion, meaning: "The chance that teams share a rank by %",
        source: .ranking { .share(seasons: $0.rankIsShared) })
    case .leadInBestIsFirst:
      Row(
        name: "lead.bestIsFirst", nature: .mean,
        meaning: "How much likelier the power ranking has the strongest team first than plain record has",
        isPercent: true, source: .week(.power) { .mean($0.leadInBestIsFirst) })
    case .leadInCorrelation:
      Row(
        name: "lead.correlation", nature: .mean,
        meaning: "How much better the power ranking's correlation with the strengths is than plain record's",
        source: .week(.power) { .difference($0.leadInDistance) })
    case .firstIsDecidedByPoints:
      Row(
        name: "decidedByPoints", nature: .proportion,
        meaning: "The chance that several teams have the best record, so that points decide who is first",
        source: .week(.record) { .share(seasons: $0.firstIsDecidedByPoints) })
    case .teamsLevelOnRecord:
      Row(
        name: "teamsLevel", nature: .mean, unit: "teams",
        meaning: "The mean number of teams whose record another team has too",
        source: .week(.record) { .mean($0.teamsLevelOnRecord) })
    case .varianceOfStrength:
      Row(
        name: "varianceFromStrength", nature: .mean,
        meaning: "The share of the final rank's variance by % that strength explains",
        isPercent: true, source: .season { .correlation($0.newSeason) })
    case .varianceOfScores:
      Row(
        name: "varianceFromScores", nature: .mean,
        meaning: "The share of the final rank's variance by % that scores in single weeks explain",
        isPercent: true, source: .season { .difference($0.difference) })
    case .varianceOfSchedule:
      Row(
        name: "varianceFromSchedule", nature: .mean,
        meaning: "The share of the final rank's variance by % that whom one meets when explains",
        isPercent: true, source: .season { .difference($0.newSchedule) })
    }
  }

  var isPercent: Bool { row.nature == .proportion || row.isPercent }

  /// Whether its sign shows which ranking is ahead.
  var isDifference: Bool { self == .leadInBestIsFirst || self == .leadInCorrelation }

  /// Whether it is asked at the end of the season only.
  var isFinal: Bool { if case .season = row.source { true } else { false } }

  /// Whether it is estimated of both rankings.
  var isOfBoth: Bool { rankings.count == 2 }

  fileprivate var rankings: [LeagueEstimate.Ranking] {
    if case .week(let ranking, _) = row.source { [ranking] } else { LeagueEstimate.Ranking.allCases }
  }

  fileprivate func count(in tally: SeasonTally, by ranking: LeagueEstimate.Ranking, week: Int) -> Count {
    let counted = tally.weeks[week - 1]
    switch row.source {
    case .ranking(let count): return count(ranking == .power ? counted.power : counted.record)
    case .week(_, let count): return count(counted)
    case .season(let count): return count(ranking == .power ? tally.power : tally.record)
    }
  }
}
