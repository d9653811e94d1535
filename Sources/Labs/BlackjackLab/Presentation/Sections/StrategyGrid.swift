// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// A strategy card whose cells tell what every action is worth, simulated and exact.
struct StrategyGrid {
  /// The grid's name on the page.
  let id: String
  /// What the card shows, in a sentence.
  let caption: String
  /// The cells with both witnesses.
  let trial: Verification
  /// What the card says in each cell.
  let chart: StrategyChart
  /// The sign in a cell's corner.
  let mark: (Verification.Cell) -> String
  /// What the signs mean; those that occur are explained.
  let signs: [(sign: String, meaning: String)]

  /// The grid.
  var grid: ReportGrid {
    let marks = Set(trial.cells.map(mark))
    let letters = Set(trial.cells.map { ChartSymbol(decision(of: $0)) }).sorted { $0.order < $1.order }
    return ReportGrid(
      id: id, caption: caption, columnsTitle: "Dealer's upcard", columns: CardValue.chartOrder.map(\.description),
      groups: ChartRow.Kind.allCases.map(group),
      legend: letters.map { ReportGrid.LegendEntry(text: $0.text, meaning: $0.meaning, colour: $0.colour) }
        + signs.filter { marks.contains($0.sign) }.map {
          ReportGrid.LegendEntry(text: $0.sign, meaning: $0.meaning, colour: nil)
        })
  }

  private func group(of kind: ChartRow.Kind) -> ReportGrid.Group {
    ReportGrid.Group(
      title: kind.heading,
      rows: ChartRow.all.filter { $0.kind == kind }.map { row in
        ReportGrid.Row(title: row.face, cells: trial.cells.filter { $0.key.row == row }.map(cell))
      })
  }

  private func decision(of cell: Verification.Cell) -> StrategyChart.Cell {
    chart[cell.key] ?? cell.simulated.decision
  }

  private func cell(_ cell: Verification.Cell) -> ReportGrid.Cell {
    let symbol = ChartSymbol(decision(of: cell))
    let sign = mark(cell)
    let meaning = signs.first { $0.sign == sign }.map { ", \($0.meaning)" } ?? ""
    return ReportGrid.Cell(
      text: symbol.text, name: "\(cell.key.row) against \(cell.key.upcard): \(symbol.meaning)\(meaning)",
      colour: symbol.colour, mark: sign, detail: Self.detail(of: cell))
  }

  /// Every action's value, and the margin.
  private static func detail(of cell: Verification.Cell) -> ReportTable {
    var table = Table(
      [Table.Column("action")] + ["simulated", "from", "to", "rounds", "exact"].map { Table.Column($0, .right) })
    let simulated = cell.simulated
    let ranking = simulated.samples > 0 ? simulated.values.ranked : cell.exact.ranked
    for (action, _) in ranking {
      table.add(
        [action.name]
          + [simulated.values, simulated.valuesLow, simulated.valuesHigh].map { SectionText.bets($0[action]) }
          + [simulated.plays[action].map(NumberFormat.grouped) ?? "", SectionText.bets(cell.exact[action])])
    }
    if let runnerUp = simulated.runnerUp {
      table.add(
        ["\(simulated.decision.action.name) over \(runnerUp.name)"]
          + [simulated.margin, simulated.marginLow, simulated.marginHigh].map { SectionText.bets($0) }
          + [NumberFormat.grouped(simulated.samples), SectionText.bets(cell.exactMargin)])
    }
    return ReportTable(caption: "\(Evidence.sentence(about: simulated)), \(simulated.verdict.rawValue)", table)
  }
}

/// How report sections write what they have in common.
enum SectionText {
  /// A number of bets with six decimals; nothing where there is none.
  static func bets(_ value: Double?) -> String { value.map { NumberFormat.fixed($0, decimals: 6) } ?? "" }

  /// The blocks of several rules, each under its own heading; those of a single one without.
  static func parts<Finding>(
    _ findings: [Finding], named: (Finding) -> NamedRules, blocks: (Finding) -> [ReportBlock]
  ) -> [ReportBlock] {
    guard findings.count > 1 else { return findings.flatMap(blocks) }
    return findings.map { finding in
      let named = named(finding)
      return .part(title: "\(named.label): \(named.rules.inShort)", judgement: nil, blocks(finding))
    }
  }
}

extension Verification.Cell {
  /// The exact value of the simulated best action minus that of its rival: what the simulated margin estimates.
  var exactMargin: Double? {
    guard let rival = simulated.runnerUp, let second = exact[rival], let first = exact[simulated.decision.action]
    else { return nil }
    return first - second
  }
}
