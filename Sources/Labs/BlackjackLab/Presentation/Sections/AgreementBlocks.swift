// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// What simulation says of every action's value beside what is computed.
struct AgreementBlocks {
  /// The label of the rules, for captions and names of files.
  let label: String
  /// The cells with both witnesses.
  let trial: Verification

  private static let mostListed = 10

  /// A value that both witnesses know.
  private struct Value {
    let cell: Verification.Cell
    let action: Action
    let simulated: Double
    let low: Double
    let high: Double
    let exact: Double

    /// How far the estimate lies from the exact value, in units of the interval's half on that side: inside from -1 to
    /// 1. `nil` where the interval is a point, for what no card decides.
    var deviation: Double? {
      let half = simulated > exact ? simulated - low : high - simulated
      return half > 1e-9 ? (simulated - exact) / half : nil
    }
  }

  /// The picture of all values and the table of the farthest.
  var blocks: [ReportBlock] {
    let values = values.filter { $0.deviation != nil }
    guard !values.isEmpty else { return [.paragraph("No cell was played.")] }
    let outside = values.count { abs($0.deviation ?? 0) > 1 }
    let summary =
      "\(values.count - outside) of \(values.count) exact values lie inside their simulated intervals, which hold "
      + "together with \(Evidence.percent(trial.confidence)) confidence and at any time one looks: hence most "
      + "estimates are much closer than that."
    return [.paragraph(summary), .figure(figure(of: values)), .table(table(of: values))]
  }

  private var values: [Value] {
    trial.cells.flatMap { cell in
      Action.allCases.compactMap { action in
        guard let simulated = cell.simulated.values[action], let low = cell.simulated.valuesLow[action],
          let high = cell.simulated.valuesHigh[action], let exact = cell.exact[action]
        else { return nil }
        return Value(cell: cell, action: action, simulated: simulated, low: low, high: high, exact: exact)
      }
    }
  }

  private func figure(of values: [Value]) -> Figure {
    let series = Action.allCases.compactMap { action -> Figure.Series? in
      let points = values.filter { $0.action == action }.map {
        Figure.Point(Double($0.cell.key.index + 1), $0.deviation ?? 0)
      }
      return points.isEmpty ? nil : Figure.Series(action.name, style: .points, points: points)
    }
    let ends = [1, Double(ChartCellKey.all.count)]
    let bounds = [1.0, -1.0].map { bound in
      Figure.Series(
        bound > 0 ? "end of the interval" : "", style: .reference, points: ends.map { Figure.Point($0, bound) })
    }
    return Figure(
      id: "agreement-\(label)", title: "Simulated minus exact, \(label)",
      alternative: "For each of \(values.count) values the simulated one minus the exact one, in units of the "
        + "interval's half-width; lines at 1 and -1 mark the ends of the interval.",
      x: Figure.Axis("cells in the order of the card"), y: Figure.Axis("simulated minus exact, half-widths"),
      series: series + bounds)
  }

  private func table(of values: [Value]) -> ReportTable {
    var table = Table(
      ["cell", "action"].map { Table.Column($0) }
        + ["simulated", "from", "to", "exact", "half-widths"].map { Table.Column($0, .right) })
    let sorted = values.sorted {
      (abs($0.deviation ?? 0), $1.cell.key.index, $1.action.rawValue)
        > (abs($1.deviation ?? 0), $0.cell.key.index, $0.action.rawValue)
    }
    for value in sorted.prefix(Self.mostListed) {
      table.add(
        [value.cell.key.description, value.action.name]
          + [value.simulated, value.low, value.high, value.exact].map { SectionText.bets($0) }
          + [NumberFormat.signed(value.deviation ?? 0, decimals: 2)])
    }
    return ReportTable(
      caption: "The \(min(values.count, Self.mostListed)) values farthest from the exact ones under \(label), in bets; "
        + "what follows the first action follows the simulated chart.", table)
  }
}
