// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What simulated seasons show of the power ranking: four questions, each with its figures and the table that answers
/// it.
struct SeasonsDocument {
  let experiment: Seasons
  let result: LeagueResult

  private typealias Column = (title: String, quantity: LeagueEstimate.Quantity, ranking: LeagueEstimate.Ranking)

  var document: Document {
    Document(
      id: "league-seasons", title: "The power ranking of \(shape.teams) teams over \(shape.weeks) weeks",
      [.list(origin), finding, knowing, ties, causes], data: estimates)
  }

  private var shape: LeagueShape { result.shape }

  private var origin: [String] {
    let number = { (value: Double) in NumberFormat.shortest(value) }
    return [
      "Every estimate is from \(NumberFormat.grouped(result.seasons)) seasons, with the half-width of a "
        + "\(number(experiment.confidence * 100))% interval of its own.",
      "Weekly scores: mean \(number(shape.meanScore)), deviation \(number(shape.scoreDeviation)) around the team's "
        + "strength, which deviates by \(number(shape.strengthDeviation)); ties \(number(shape.tieRate * 100))%.",
      "By record means by win percentage, and where that is equal by points scored.",
      "Played with \(experiment.generator), seed \(experiment.seed).",
    ]
  }

  // MARK: Questions

  private var finding: ReportBlock {
    let figure = byWeek(
      "best-is-first", "The strongest team stands first", "share of seasons, %", .bestIsFirst,
      meaning: "in how many of a hundred seasons the strongest team stands first")
    return part(
      "Does it find the best team?", note: "First: the chance that the strongest team stands first.", [figure],
      byWeek([
        ("first: power", .bestIsFirst, .power), ("by record", .bestIsFirst, .record),
        ("power's lead", .leadInBestIsFirst, .power), ("its mean rank: power", .rankOfBest, .power),
        ("by record", .rankOfBest, .record),
      ]))
  }

  private var knowing: ReportBlock {
    let correlation = byWeek(
      "rank-correlation", "Ranks against strengths", "Spearman's correlation", .correlation,
      meaning: "Spearman's correlation of the ranks with the teams' strengths")
    let misled = byWeek(
      "misled", "A team leads that is not one of the three strongest", "share of seasons, %",
      .firstIsNotAmongBestThree,
      meaning: "in how many of a hundred seasons a team stands first that is not among the three strongest")
    return part(
      "Does it know all teams?",
      note: "Spearman's correlation; misled: who stands first is not one of the best three.", [correlation, misled],
      byWeek([
        ("correlation: power", .correlation, .power), ("by record", .correlation, .record),
        ("power's lead", .leadInCorrelation, .power), ("misled: power", .firstIsNotAmongBestThree, .power),
        ("by record", .firstIsNotAmongBestThree, .record),
      ]))
  }

  private var ties: ReportBlock {
    part(
      "What is decided by a tie?", [],
      byWeek([
        ("a power rank is shared", .rankIsShared, .power),
        ("first by record needs points", .firstIsDecidedByPoints, .record),
        ("teams level on record", .teamsLevelOnRecord, .record),
      ]))
  }

  private var causes: ReportBlock {
    let rows: [(short: String, long: String, quantity: LeagueEstimate.Quantity)] = [
      ("strengths", "the teams' strengths", .varianceOfStrength),
      ("weekly scores", "their scores in single weeks", .varianceOfScores),
      ("schedule", "whom they met in which week", .varianceOfSchedule),
    ]
    let table = Table(
      ["cause"], numbers: ["power", "by record"],
      rows: rows.map { row in
        [row.long] + LeagueEstimate.Ranking.allCases.map { cell(row.quantity, $0, shape.weeks) }
      })
    let figure = Figure(
      id: "rank-origins", title: "Where the final rank comes from",
      alternative: "Bars: the shares of the final rank's variance that come from the teams' strengths, from what they "
        + "happened to score in single weeks, and from whom they met when; for the power ranking "
        + cell(.varianceOfStrength, .power, shape.weeks) + " from strength, for plain record "
        + cell(.varianceOfStrength, .record, shape.weeks) + ".",
      x: Figure.Axis("cause", scale: .names(rows.map(\.short))), y: Figure.Axis("share of the variance, %"),
      series: series(.bars) { ranking in
        rows.enumerated().compactMap { point(Double($0.offset), $0.element.quantity, ranking, shape.weeks) }
      })
    return part("Where the final rank comes from", note: "Shares of its variance.", [figure], table)
  }

  private func part(_ question: String, note: String = "", _ figures: [Figure], _ table: Table) -> ReportBlock {
    .part(question, figures.map(ReportBlock.figure) + [.table(table, caption: note)])
  }

  // MARK: Tables

  private func byWeek(_ columns: [Column]) -> Table {
    Table(
      [], numbers: ["week"] + columns.map(\.title),
      rows: (1...shape.weeks).map { week in
        ["\(week)"] + columns.map { cell($0.quantity, $0.ranking, week) }
      })
  }

  /// An estimate with the larger distance to an end of its interval: `49.1% ±0.2`.
  private func cell(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int) -> String {
    guard let estimate = result.estimate(of: quantity, by: ranking, week: week) else { return "" }
    let (factor, decimals, unit) = quantity.isPercent ? (100.0, 2, "%") : (1.0, 4, "")
    let wide = max(estimate.value - estimate.interval.lowerBound, estimate.interval.upperBound - estimate.value)
    let value = estimate.value * factor
    let digits =
      quantity.isDifference
      ? NumberFormat.signed(value, decimals: decimals) : NumberFormat.fixed(value, decimals: decimals)
    return "\(digits)\(unit) ±\(NumberFormat.fixed(wide * factor, decimals: decimals))"
  }

  /// Every estimate, by week and ranking; those of the end of the season last.
  private var estimates: Table {
    let fixed = { NumberFormat.fixed($0, decimals: 10) }
    let order = result.estimates.enumerated().sorted { left, right in
      (left.element.key.place + [left.offset]).lexicographicallyPrecedes(right.element.key.place + [right.offset])
    }
    return Table(
      ["week", "ranking", "quantity", "value", "low", "high", "confidence", "samples"],
      rows: order.map { _, estimate in
        [
          "\(estimate.key.week)", estimate.key.ranking.rawValue, estimate.measurement.measure.name,
          fixed(estimate.value), fixed(estimate.interval.lowerBound), fixed(estimate.interval.upperBound),
          NumberFormat.shortest(experiment.confidence), "\(estimate.samples)",
        ]
      })
  }

  // MARK: Figures

  private func byWeek(
    _ id: String, _ title: String, _ axis: String, _ quantity: LeagueEstimate.Quantity, meaning: String
  ) -> Figure {
    Figure(
      id: id, title: title,
      alternative: "Two lines over weeks 1 to \(shape.weeks), each with its band: \(meaning). After the last "
        + "week it is \(cell(quantity, .power, shape.weeks)) by the power ranking and "
        + "\(cell(quantity, .record, shape.weeks)) by plain record.",
      x: Figure.Axis("week"), y: Figure.Axis(axis),
      series: series(.line) { ranking in
        (1...shape.weeks).compactMap { point(Double($0), quantity, ranking, $0) }
      }
    ).showing(
      LeagueEstimate.Ranking.allCases.map { ranking in
        let measure = LeagueEstimate.Key(quantity: quantity, ranking: ranking, week: 1).measure(teams: shape.teams)
        return Figure.Subject(measure.name, scale: quantity.isPercent ? 100 : 1)
      })
  }

  private func series(
    _ style: Figure.Series.Style, _ points: (LeagueEstimate.Ranking) -> [Figure.Point]
  ) -> [Figure.Series] {
    LeagueEstimate.Ranking.allCases.map { ranking in
      Figure.Series(
        ranking == .power ? "power ranking" : "plain record", style: style, points: points(ranking))
    }
  }

  private func point(
    _ x: Double, _ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int
  ) -> Figure.Point? {
    result.estimate(of: quantity, by: ranking, week: week).map { estimate in
      let scale = quantity.isPercent ? 100.0 : 1
      return Figure.Point(
        x, estimate.value * scale,
        interval: (estimate.interval.lowerBound * scale)...(estimate.interval.upperBound * scale))
    }
  }
}

extension LeagueEstimate.Key {
  fileprivate var place: [Int] {
    [quantity.isFinal ? 1 : 0, week, quantity.row.rankings.count == 2 ? 0 : 1, ranking == .power ? 0 : 1]
  }
}
