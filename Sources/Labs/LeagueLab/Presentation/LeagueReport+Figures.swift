// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

extension LeagueReport {
  /// The figures, in the order of the report's parts: three curves by week with bands, power ranking beside plain
  /// record, and where the final rank comes from.
  package var figures: [Figure] { [findingTheBest, knowingAll, misled, origins] }

  /// How often the strongest team stands first, by week.
  package var findingTheBest: Figure {
    byWeek(
      "best-is-first", "The strongest team stands first", "share of seasons, %", .bestIsFirst, scale: 100,
      meaning: "in how many of a hundred seasons the strongest team stands first")
  }

  /// How well the whole order is known, by week.
  package var knowingAll: Figure {
    byWeek(
      "rank-correlation", "Ranks against strengths", "Spearman's correlation", .correlation, scale: 1,
      meaning: "Spearman's correlation of the ranks with the teams' strengths")
  }

  /// How often a team leads that is not one of the three strongest, by week.
  package var misled: Figure {
    byWeek(
      "misled", "A team leads that is not one of the three strongest", "share of seasons, %",
      .firstIsNotAmongBestThree, scale: 100,
      meaning: "in how many of a hundred seasons a team stands first that is not among the three strongest")
  }

  /// Where the final rank comes from.
  package var origins: Figure {
    let causes: [(name: String, quantity: LeagueEstimate.Quantity)] = [
      ("strengths", .varianceOfStrength), ("weekly scores", .varianceOfScores), ("schedule", .varianceOfSchedule),
    ]
    let series = LeagueEstimate.Ranking.allCases.map { ranking in
      let points = causes.enumerated().compactMap { index, cause in
        result.estimate(of: cause.quantity, by: ranking, week: result.shape.weeks).map {
          point(Double(index), $0, scale: 100)
        }
      }
      return Figure.Series(Self.name(of: ranking), style: .bars, points: points)
    }
    return Figure(
      id: "rank-origins", title: "Where the final rank comes from",
      alternative: "Bars: the shares of the final rank's variance that come from the teams' strengths, from what they "
        + "happened to score in single weeks, and from whom they met when; for the power ranking "
        + described(.varianceOfStrength, .power) + " from strength, for plain record "
        + described(.varianceOfStrength, .record) + ".",
      x: Figure.Axis("cause", scale: .names(causes.map(\.name))), y: Figure.Axis("share of the variance, %"),
      series: series)
  }

  private func byWeek(
    _ id: String, _ title: String, _ axis: String, _ quantity: LeagueEstimate.Quantity, scale: Double, meaning: String
  ) -> Figure {
    let series = LeagueEstimate.Ranking.allCases.map { ranking in
      let points = (1...result.shape.weeks).compactMap { week in
        result.estimate(of: quantity, by: ranking, week: week).map { point(Double(week), $0, scale: scale) }
      }
      return Figure.Series(Self.name(of: ranking), style: .line, points: points)
    }
    return Figure(
      id: id, title: title,
      alternative: "Two lines over weeks 1 to \(result.shape.weeks), each with its band: \(meaning). After the last "
        + "week it is \(described(quantity, .power)) by the power ranking and \(described(quantity, .record)) by "
        + "plain record.",
      x: Figure.Axis("week"), y: Figure.Axis(axis), series: series)
  }

  private func point(_ x: Double, _ estimate: LeagueEstimate, scale: Double) -> Figure.Point {
    Figure.Point(
      x, estimate.value * scale,
      interval: (estimate.interval.lowerBound * scale)...(estimate.interval.upperBound * scale))
  }

  private static func name(of ranking: LeagueEstimate.Ranking) -> String {
    switch ranking {
    case .power: "power ranking"
    case .record: "plain record"
    }
  }

  private func described(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking) -> String {
    cell(quantity, ranking, result.shape.weeks)
  }
}
