// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Sampling
internal import Scenarios
internal import Statistics

/// The measures of both rankings after a week.
struct LeagueEstimate {
  enum Ranking: String, CaseIterable, Sendable {
    /// The core's power ranking.
    case power
    /// By win percentage, with ties broken by points scored.
    case record

    fileprivate var words: String { self == .power ? "the power ranking" : "plain record" }
  }

  /// The quantities that are tallied: 1 for each season in which a condition holds, ranks, squared distances of ranks.
  enum Quantity: Int, CaseIterable, Sendable {
    case bestIsFirst, rankOfBest, correlation, firstIsNotAmongBestThree, rankIsShared
    case leadInBestIsFirst, leadInCorrelation, firstIsDecidedByPoints, teamsLevelOnRecord
    case varianceOfStrength, varianceOfScores, varianceOfSchedule
  }

  typealias Row = MeasureRow<SampledRun<SeasonTally>>

  /// The rows of a league by name, then by week; those of the whole season have no label. Names begin with the ranking,
  /// as in `power.bestIsFirst[week 3]`, or with `lead` for the advantage of the power ranking.
  static func rows(_ shape: LeagueShape) -> [(row: Row, label: String?)] {
    let weeks = (1...shape.weeks).map { LeagueEstimate(shape: shape, week: $0, suffix: ", after week \($0)").weekly }
    return weeks[0].indices.flatMap { row in weeks.indices.map { (weeks[$0][row], "week \($0 + 1)") } }
      + LeagueEstimate(shape: shape, week: shape.weeks, suffix: "").final.map { ($0, nil) }
  }

  private let shape: LeagueShape
  private let week: Int
  /// The end of each meaning.
  private let suffix: String

  private var weekly: [Row] {
    let teams = Double(shape.teams)
    let rows: [[Row]] = [
      both { share(.bestIsFirst, $0, "bestIsFirst", "The chance that \($0.words) has the strongest team first") },
      both { mean(.rankOfBest, $0, "rankOfBest", "The strongest team's mean rank by \($0.words)", in: 1...teams) },
      both {
        correlation(
          .correlation, $0, "correlation",
          "The mean of Spearman's correlation of the ranks by \($0.words) with the strengths")
      },
      both {
        share(
          .firstIsNotAmongBestThree, $0, "misled",
          "The chance that \($0.words) has a team first that is not one of the three strongest")
      },
      both { share(.rankIsShared, $0, "rankIsShared", "The chance that teams share a rank by \($0.words)") },
      [
        mean(
          .leadInBestIsFirst, .power, "lead.bestIsFirst",
          "How much likelier the power ranking than plain record has the strongest team first", in: -1...1),
        difference(
          .leadInCorrelation, .power, "lead.correlation",
          "The power ranking's correlation with the strengths minus that of plain record"),
        share(
          .firstIsDecidedByPoints, .record, "decidedByPoints",
          "The chance that several teams have the best record, so that points decide who is first"),
        mean(
          .teamsLevelOnRecord, .record, "teamsLevel",
          "The mean number of teams that share their record with another team", unit: "teams", in: 0...teams),
      ],
    ]
    return rows.flatMap(\.self)
  }

  /// The final ranks of a season have the same mean and variance under any luck (except shared ranks, which are rare by
  /// then). So the correlation of two plays with some causes in common is the share of the variance that these causes
  /// explain.
  private var final: [Row] {
    func meaning(_ ranking: Ranking, _ cause: String) -> String {
      "The share of the final rank's variance by \(ranking.words) that \(cause)"
    }
    let rows: [[Row]] = [
      both { correlation(.varianceOfStrength, $0, "varianceFromStrength", meaning($0, "strength explains")) },
      both { difference(.varianceOfScores, $0, "varianceFromScores", meaning($0, "scores in single weeks explain")) },
      both { difference(.varianceOfSchedule, $0, "varianceFromSchedule", meaning($0, "the schedule explains")) },
    ]
    return rows.flatMap(\.self)
  }

  private func both(_ row: (Ranking) -> Row) -> [Row] { Ranking.allCases.map(row) }

  private func name(_ ranking: Ranking, _ name: String) -> String {
    name.contains(".") ? name : "\(ranking.rawValue).\(name)"
  }

  private func share(_ quantity: Quantity, _ ranking: Ranking, _ name: String, _ meaning: String) -> Row {
    .proportion(self.name(ranking, name), meaning + suffix) { [week] run in
      (successes: run.tally[quantity, ranking, week].sum, trials: run.samples)
    }
  }

  private func mean(
    _ quantity: Quantity, _ ranking: Ranking, _ name: String, _ meaning: String, unit: String = "",
    in range: ClosedRange<Double>, slope: Double = 1, offset: Double = 0
  ) -> Row {
    .mean(self.name(ranking, name), meaning + suffix, unit: unit, range: range) { [week] run in
      .mean(of: run.tally[quantity, ranking, week], slope: slope, offset: offset)
    }
  }

  /// Spearman's correlation of squared distances D is 1 - 6 D / (n (n^2 - 1)); 4 D is tallied.
  private var perDistance: Double { 6.0 / 4 / Double(shape.teams * (shape.teams * shape.teams - 1)) }

  private func correlation(_ quantity: Quantity, _ ranking: Ranking, _ name: String, _ meaning: String) -> Row {
    mean(quantity, ranking, name, meaning, in: -1...1, slope: -perDistance, offset: 1)
  }

  /// The difference of two correlations, from differences of squared distances.
  private func difference(_ quantity: Quantity, _ ranking: Ranking, _ name: String, _ meaning: String) -> Row {
    mean(quantity, ranking, name, meaning, in: -2...2, slope: perDistance)
  }
}

/// The sums over seasons, as integers for every quantity, week and ranking.
struct SeasonTally: MergeableTally, Equatable {
  private var moments: [MomentTally]

  init(weeks: Int) {
    moments = Array(repeating: MomentTally(), count: weeks * LeagueEstimate.Quantity.allCases.count * 2)
  }

  /// The sum of a quantity after a week, counted from 1.
  subscript(quantity: LeagueEstimate.Quantity, ranking: LeagueEstimate.Ranking, week: Int) -> MomentTally {
    moments[index(quantity, ranking, week: week - 1)]
  }

  /// Adds one season's value after a week, counted from 0; for a share, 1 in seasons where the condition holds.
  @inline(__always) mutating func add(
    _ value: Int, to quantity: LeagueEstimate.Quantity, of ranking: LeagueEstimate.Ranking, week: Int
  ) {
    moments[index(quantity, ranking, week: week)].add(value)
  }

  @inline(__always)
  private func index(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, week: Int) -> Int {
    (week * 12 + quantity.rawValue) * 2 + (ranking == .power ? 0 : 1)
  }

  mutating func merge(_ other: SeasonTally) {
    for index in moments.indices { moments[index].merge(other.moments[index]) }
  }
}
