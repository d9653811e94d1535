// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// How the EV of rounds played became known.
struct GameCourse {
  private let finding: GameFindings
  private let confidence: Double
  private let stages: [(result: GameResult, interval: ClosedRange<Double>)]

  /// The course of a game.
  init(_ finding: GameFindings) {
    self.finding = finding
    let confidence = finding.played?.confidence ?? 0
    self.confidence = confidence
    stages = finding.course.compactMap { result in result.evInterval(at: confidence).map { (result, $0) } }
  }

  /// The picture, and its stages as a table; nothing where nothing was played.
  var blocks: [ReportBlock] {
    stages.isEmpty ? [] : [.figure(figure), .details(summary: "Every stage", [.table(table)])]
  }

  private var figure: Figure {
    let points = stages.map { Figure.Point(Double($0.result.rounds), $0.result.ev, interval: $0.interval) }
    var series = [Figure.Series("simulated", style: .line, points: points)]
    if let exact = finding.exact?.ev, let first = points.first, let last = points.last {
      series.append(
        Figure.Series("exact", style: .reference, points: [Figure.Point(first.x, exact), Figure.Point(last.x, exact)]))
    }
    return Figure(
      id: "convergence-\(finding.named.label)", title: "EV by rounds played, \(finding.named.label)",
      alternative: "The EV after the first \(NumberFormat.grouped(stages[0].result.rounds)) rounds and after each "
        + "doubling of them, with intervals that halve with every fourfold number of rounds.",
      x: Figure.Axis("rounds", scale: .logarithmic), y: Figure.Axis("EV, bets"), series: series)
  }

  private var table: ReportTable {
    var table = Table(["rounds", "EV, bets", "from", "to"].map { Table.Column($0, .right) })
    for stage in stages {
      table.add(
        [NumberFormat.grouped(stage.result.rounds)]
          + [stage.result.ev, stage.interval.lowerBound, stage.interval.upperBound].map {
            NumberFormat.signed($0, decimals: 6)
          })
    }
    return ReportTable(
      caption: "The EV under \(finding.named.label) as the rounds went on; each interval holds for itself at "
        + "\(Evidence.percent(confidence)) confidence.", table)
  }
}
