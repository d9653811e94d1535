// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// A measure of simulated seasons, with the estimate that answers it.
///
/// Names begin with the ranking: `power.bestIsFirst[week 3]`, `record.bestIsFirst[week 3]`, and `lead.bestIsFirst[week
/// 3]` for how far the power ranking is ahead. What is asked at the end of the season has no label.
struct SeasonMeasure {
  let measure: Measure
  private let quantity: LeagueEstimate.Quantity
  private let ranking: LeagueEstimate.Ranking
  private let week: Int

  /// Everything that seasons of so many weeks measure: by quantity, then by week, so that a name's labels stand
  /// together.
  static func all(weeks: Int) -> [SeasonMeasure] {
    let weekly = bothByWeek.flatMap { kind in LeagueEstimate.Ranking.allCases.map { (kind, $0) } } + single
    let final = causes.flatMap { kind in LeagueEstimate.Ranking.allCases.map { (kind, $0) } }
    return weekly.flatMap { kind, ranking in (1...weeks).map { SeasonMeasure(kind, ranking, week: $0, isLast: false) } }
      + final.map { SeasonMeasure($0, $1, week: weeks, isLast: true) }
  }

  /// The estimate that answers it.
  func estimate(in result: LeagueResult) -> LeagueEstimate? {
    result.estimate(of: quantity, by: ranking, week: week)
  }

  /// What was found of it.
  func found(in result: LeagueResult) -> Measurement? {
    estimate(in: result).map { estimate in
      let value: Measurement.Value =
        switch estimate.evidence {
        case .share(let seasons): .proportion(successes: seasons, trials: estimate.samples)
        case .mean(let deviation):
          .mean(estimate.value, standardDeviation: deviation, samples: estimate.samples)
        }
      return Measurement(measure, value)
    }
  }

  /// A name with what it means; `%` stands for the ranking in people's words.
  private struct Kind {
    let name: String
    let quantity: LeagueEstimate.Quantity
    let nature: Measure.Nature
    let unit: String
    let meaning: String

    init(
      _ name: String, _ quantity: LeagueEstimate.Quantity, _ nature: Measure.Nature, unit: String = "",
      _ meaning: String
    ) {
      (self.name, self.quantity, self.nature, self.unit, self.meaning) = (name, quantity, nature, unit, meaning)
    }
  }

  private init(_ kind: Kind, _ ranking: LeagueEstimate.Ranking, week: Int, isLast: Bool) {
    let isLead = kind.name.hasPrefix("lead.")
    let words = ranking == .power ? "the power ranking" : "plain record"
    measure = Measure(
      isLead ? kind.name : "\(ranking.rawValue).\(kind.name)", of: isLast ? nil : "week \(week)",
      meaning: kind.meaning.replacing("%", with: words) + (isLast ? "" : ", after week \(week)"), unit: kind.unit,
      nature: kind.nature)
    (quantity, self.ranking, self.week) = (kind.quantity, ranking, week)
  }

  private static let bothByWeek = [
    Kind("bestIsFirst", .bestIsFirst, .proportion, "The chance that % has the strongest team first"),
    Kind("rankOfBest", .rankOfBest, .mean, "The strongest team's mean rank by %"),
    Kind("correlation", .correlation, .mean, "The mean of Spearman's correlation of the ranks by % with the strengths"),
    Kind(
      "misled", .firstIsNotAmongBestThree, .proportion,
      "The chance that % has a team first that is not one of the three strongest"),
    Kind("rankIsShared", .rankIsShared, .proportion, "The chance that teams share a rank by %"),
  ]

  private static let single: [(Kind, LeagueEstimate.Ranking)] = [
    (
      Kind(
        "lead.bestIsFirst", .leadInBestIsFirst, .mean,
        "How much likelier the power ranking has the strongest team first than plain record has"), .power
    ),
    (
      Kind(
        "lead.correlation", .leadInCorrelation, .mean,
        "How much better the power ranking's correlation with the strengths is than plain record's"), .power
    ),
    (
      Kind(
        "decidedByPoints", .firstIsDecidedByPoints, .proportion,
        "The chance that several teams have the best record, so that points decide who is first"), .record
    ),
    (
      Kind(
        "teamsLevel", .teamsLevelOnRecord, .mean, unit: "teams",
        "The mean number of teams whose record another team has too"), .record
    ),
  ]

  private static let causes = [
    Kind(
      "varianceFromStrength", .varianceOfStrength, .mean,
      "The share of the final rank's variance by % that strength explains"),
    Kind(
      "varianceFromScores", .varianceOfScores, .mean,
      "The share of the final rank's variance by % that scores in single weeks explain"),
    Kind(
      "varianceFromSchedule", .varianceOfSchedule, .mean,
      "The share of the final rank's variance by % that whom one meets when explains"),
  ]
}
