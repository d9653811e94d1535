// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// How the closest cells of a simulated chart were decided, wave by wave.
struct ConvergenceBlocks {
  /// The label of the rules, for captions and names of files.
  let label: String
  /// The chart.
  let result: ChartResult

  private static let mostCells = 4
  /// Waves with intervals wider than so many times the last one are left out of the picture, which they would flatten.
  private static let widest = 12.0

  /// The picture of the closest cells, and all their waves as a table.
  var blocks: [ReportBlock] {
    let cells = cells
    guard !cells.isEmpty else { return [.paragraph("No cell was played.")] }
    return [.figure(figure(of: cells)), .details(summary: "Every wave of these cells", [.table(table(of: cells))])]
  }

  private var cells: [ChartCell] {
    Array(Evidence(result: result).closest.filter { !$0.course.isEmpty }.prefix(Self.mostCells))
  }

  private func figure(of cells: [ChartCell]) -> Figure {
    let series = cells.map { cell in
      let last = cell.course.last.map { $0.high - $0.low } ?? 0
      let shown = cell.course.filter { $0.high - $0.low <= Self.widest * last }
      let name = "\(cell.key): \(cell.decision.action.name) over \(cell.runnerUp?.name ?? "")"
      return Figure.Series(
        name, style: .line,
        points: shown.map { Figure.Point(Double($0.samples), $0.margin, interval: $0.low...max($0.low, $0.high)) })
    }
    let rounds = series.flatMap(\.points).map(\.x)
    let zero = [rounds.min() ?? 1, rounds.max() ?? 1].map { Figure.Point($0, 0) }
    return Figure(
      id: "convergence-\(label)", title: "How the closest cells were decided, \(label)",
      alternative: "The margins of the \(cells.count) closest cells against the rounds played, with bands that narrow "
        + "wave by wave and hold at all times, until they leave zero or fit within the indifference.",
      x: Figure.Axis("rounds of the cell", scale: .logarithmic), y: Figure.Axis("margin, bets"),
      series: series + [Figure.Series("", style: .reference, points: zero)])
  }

  private func table(of cells: [ChartCell]) -> ReportTable {
    var table = Table(
      [Table.Column("cell")] + ["rounds", "margin", "from", "to"].map { Table.Column($0, .right) })
    for cell in cells {
      for stage in cell.course {
        table.add(
          [cell.key.description, NumberFormat.grouped(stage.samples)]
            + [stage.margin, stage.low, stage.high].map { SectionText.bets($0) })
      }
    }
    return ReportTable(caption: "Margins in bets after every wave, under \(label).", table)
  }
}
