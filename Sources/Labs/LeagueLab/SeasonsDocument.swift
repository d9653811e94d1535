// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Sampling
internal import Scenarios

/// The report of simulated seasons: four questions, each answered by figures and a table.
struct SeasonsDocument {
  private let shape: LeagueShape
  private let run: SampledRun<SeasonTally>
  /// The measurements by their full names.
  private let found: [String: Measurement]

  init(_ run: SampledRun<SeasonTally>, shape: LeagueShape) {
    (self.run, self.shape) = (run, shape)
    found = Dictionary(
      run.measurements.map { ($0.measure.name + ($0.measure.label.map { "[\($0)]" } ?? ""), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  var blocks: [ReportBlock] {
    [.list(origin), finding, knowing, ties, causes]
  }

  private var origin: [String] {
    let number = { (value: Double) in NumberFormat.shortest(value) }
    return [
      "\(shape.teams) teams play \(shape.weeks) weeks. Weekly scores: mean \(number(shape.meanScore)), "
        + "deviation \(number(shape.scoreDeviation)) around the team's strength, "
        + "which deviates by \(number(shape.strengthDeviation)); "
        + "ties \(NumberFormat.percent(shape.tieRate)).",
      "'record' ranks by win percentage, and teams with equal percentage by points scored.",
    ]
  }

  // MARK: Questions

  private var finding: ReportBlock {
    let figure = byWeek(
      "best-is-first", "The strongest team stands first", "share of seasons, %", "bestIsFirst", scale: 100,
      meaning: "in how many of a hundred seasons the strongest team stands first")
    return part(
      "Does it find the best team?", note: "First: the chance that the strongest team stands first.", [figure],
      ["power.bestIsFirst", "record.bestIsFirst", "lead.bestIsFirst", "power.rankOfBest", "record.rankOfBest"])
  }

  private var knowing: ReportBlock {
    let correlation = byWeek(
      "rank-correlation", "Ranks against strengths", "Spearman's correlation", "correlation",
      meaning: "Spearman's correlation of the ranks with the teams' strengths")
    let misled = byWeek(
      "misled", "A team leads that is not one of the three strongest", "share of seasons, %",
      "misled", scale: 100,
      meaning: "in how many of a hundred seasons a team stands first that is not among the three strongest")
    return part(
      "Does it know all teams?",
      note: "Correlation is Spearman's. Misled: the first team is not one of the three strongest.",
      [correlation, misled],
      ["power.correlation", "record.correlation", "lead.correlation", "power.misled", "record.misled"])
  }

  private var ties: ReportBlock {
    part("How often do ties decide?", [], ["power.rankIsShared", "record.decidedByPoints", "record.teamsLevel"])
  }

  private var causes: ReportBlock {
    let rows: [(short: String, name: String)] = [
      ("strengths", "varianceFromStrength"), ("weekly scores", "varianceFromScores"),
      ("schedule", "varianceFromSchedule"),
    ]
    let figure = Figure(
      id: "rank-origins", title: "Where the final rank comes from",
      alternative: "Bars: the shares of the final rank's variance that come from the teams' strengths, from scores "
        + "in single weeks, and from the schedule; for the power ranking "
        + cell("power.varianceFromStrength") + " from strength, for plain record "
        + cell("record.varianceFromStrength") + ".",
      x: Figure.Axis("cause", scale: .names(rows.map(\.short))), y: Figure.Axis("share of the variance, %"),
      series: series(.bars) { ranking in
        rows.enumerated().compactMap { point(Double($0), "\(ranking.rawValue).\($1.name)", scale: 100) }
      })
    return .part("Where the final rank comes from", [.figure(figure)])
  }

  private func part(_ question: String, note: String = "", _ figures: [Figure], _ measures: [String]) -> ReportBlock {
    let table = Table(run.measurements, by: "week", measures, at: run.confidence)
    return .part(question, figures.map(ReportBlock.figure) + [.table(table, caption: note)])
  }

  private func cell(_ name: String) -> String { found[name]?.text(at: run.confidence) ?? "" }

  // MARK: Figures

  private func byWeek(
    _ id: String, _ title: String, _ axis: String, _ name: String, scale: Double = 1, meaning: String
  ) -> Figure {
    Figure(
      id: id, title: title,
      alternative: "Two lines over weeks 1 to \(shape.weeks), each with its band: \(meaning). After the last "
        + "week it is \(cell("power.\(name)[week \(shape.weeks)]")) by the power ranking and "
        + "\(cell("record.\(name)[week \(shape.weeks)]")) by plain record.",
      x: Figure.Axis("week"), y: Figure.Axis(axis),
      series: series(.line) { ranking in
        (1...shape.weeks).compactMap { point(Double($0), "\(ranking.rawValue).\(name)[week \($0)]", scale: scale) }
      }
    ).showing(LeagueEstimate.Ranking.allCases.map { Figure.Subject("\($0.rawValue).\(name)", scale: scale) })
  }

  private func series(
    _ style: Figure.Series.Style, _ points: (LeagueEstimate.Ranking) -> [Figure.Point]
  ) -> [Figure.Series] {
    LeagueEstimate.Ranking.allCases.map { ranking in
      Figure.Series(
        ranking == .power ? "power ranking" : "plain record", style: style, points: points(ranking))
    }
  }

  private func point(_ x: Double, _ name: String, scale: Double) -> Figure.Point? {
    found[name].map { Figure.Point(x, $0, at: run.confidence, scale: scale) }
  }
}
