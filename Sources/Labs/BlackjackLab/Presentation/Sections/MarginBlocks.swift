// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// How clearly a simulated chart decides: the margins of its cells, from closest to clearest.
struct MarginBlocks {
  /// The label of the rules, for captions and names of files.
  let label: String
  /// The cells with both witnesses.
  let trial: Verification

  private static let mostListed = 20
  /// What a logarithmic axis begins with, in bets: the finest indifference that a chart can have.
  private static let floor = 1e-5

  /// The picture of all margins and the table of the closest.
  var blocks: [ReportBlock] {
    cells.isEmpty ? [.paragraph("No cell was played.")] : [.figure(figure), .table(table)]
  }

  /// The cells with a choice, the closest first.
  private var cells: [Verification.Cell] {
    trial.cells.filter { $0.simulated.runnerUp != nil }
      .sorted { ($0.simulated.margin, $0.key.index) < ($1.simulated.margin, $1.key.index) }
  }

  private var table: ReportTable {
    var table = Table(
      ["cell", "best", "second"].map { Table.Column($0) }
        + ["margin", "from", "to", "exact margin", "rounds"].map { Table.Column($0, .right) }
        + [Table.Column("verdict")])
    for cell in cells.prefix(Self.mostListed) {
      let simulated = cell.simulated
      table.add(
        [cell.key.description, simulated.decision.action.name, simulated.runnerUp?.name ?? ""]
          + [simulated.margin, simulated.marginLow, simulated.marginHigh, cell.exactMargin].map(SectionText.bets)
          + [NumberFormat.grouped(simulated.samples), simulated.verdict.rawValue])
    }
    let confidence = Evidence.percent(trial.confidence)
    return ReportTable(
      caption: "The \(min(cells.count, Self.mostListed)) closest cells under \(label), margins in bets with intervals "
        + "that hold together with all others at \(confidence) confidence.", table)
  }

  private var figure: Figure {
    let placed = cells.enumerated().map { (place: Double($0 + 1), cell: $1.simulated) }
    let series = [Verdict.certified, .indifferent, .undecided].compactMap { verdict -> Figure.Series? in
      let points = placed.filter { $0.cell.verdict == verdict }.map { Self.point($0.place, $0.cell) }
      return points.isEmpty ? nil : Figure.Series(verdict.rawValue, style: .points, points: points)
    }
    let line = [1, Double(max(cells.count, 2))].map { Figure.Point($0, trial.indifference) }
    return Figure(
      id: "margins-\(label)", title: "Margins from closest to clearest, \(label)",
      alternative: "The margin of the best action over the second best in \(cells.count) cells, sorted, with "
        + "intervals, on a logarithmic axis; what is below \(NumberFormat.shortest(Self.floor)) bets is drawn there. "
        + "A line marks the indifference of \(NumberFormat.shortest(trial.indifference)) bets.",
      x: Figure.Axis("cells, the closest first"), y: Figure.Axis("margin, bets", scale: .logarithmic),
      series: series + [Figure.Series("indifference", style: .reference, points: line)])
  }

  private static func point(_ place: Double, _ cell: ChartCell) -> Figure.Point {
    let low = max(cell.marginLow, floor)
    return Figure.Point(place, max(cell.margin, floor), interval: low...max(low, cell.marginHigh))
  }
}
