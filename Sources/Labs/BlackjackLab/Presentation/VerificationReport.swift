// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
package import Reporting

/// A chart's trial, ready to be written as text, Markdown, CSV or JSON.
package struct VerificationReport {
  /// The trial.
  package let verification: Verification

  /// The report of a trial.
  package init(_ verification: Verification) {
    self.verification = verification
  }

  /// The report in a format; `nil` for a picture, which there is none of.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: cellTable(verification.cells, decimals: 8).csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  /// The cells that a reader must see: what is wrong, what the witnesses differ in, and the closest decisions.
  private var notable: [Verification.Cell] {
    let marked = verification.cells.filter {
      $0.cost > 0 || $0.simulatedCost > 0 || !$0.outside.isEmpty
    }
    let closest = verification.cells.filter { $0.exact.ranked.count > 1 }
      .sorted { Self.margin($0) < Self.margin($1) }.prefix(8)
    let keys = Set((marked + closest).map(\.key))
    return verification.cells.filter { keys.contains($0.key) }.sorted {
      ($0.cost, -Self.margin($0)) > ($1.cost, -Self.margin($1))
    }
  }

  private static func margin(_ cell: Verification.Cell) -> Double {
    let ranked = cell.exact.ranked
    return ranked.count > 1 ? ranked[0].value - ranked[1].value : .infinity
  }

  private var text: String {
    heading + "\n" + verification.simulated.provenance.rules.inWords + "\n\n"
      + statements.joined(separator: "\n") + "\n\nCells that differ, and the closest:\n"
      + cellTable(notable, decimals: 6).text + "\n" + verdict + "\n"
  }

  private var markdown: String {
    "# \(heading)\n\n\(verification.simulated.provenance.rules.inWords).\n\n"
      + statements.map { "- \($0)\n" }.joined() + "\n## Cells that differ, and the closest\n\n"
      + cellTable(notable, decimals: 6).markdown + "\n\(verdict)\n"
  }

  private var heading: String {
    "The \(verification.chartName) chart on trial under \(verification.simulated.provenance.rules.name)"
  }

  /// The outcome in one sentence.
  package var verdict: String {
    let wrong = verification.wrong
    if let worst = wrong.max(by: { $0.cost < $1.cost }) {
      let cost = NumberFormat.fixed(worst.cost, decimals: 5)
      return "FAILS: \(wrong.count) cell\(wrong.count == 1 ? "" : "s") certainly wrong, the worst \(worst.key): "
        + "\(worst.tested?.name ?? "nothing") costs \(cost) bets against \(worst.exact.best?.action.name ?? "nothing")."
    }
    return verification.methodsAgree
      ? "HOLDS: no cell is wrong, and the two witnesses agree."
      : "FAILS: the two witnesses do not agree, so neither is to be believed."
  }

  /// One line a cell, the witnesses side by side.
  private func cellTable(_ cells: [Verification.Cell], decimals: Int) -> Table {
    var table = Table(
      ["kind", "player", "dealer", "chart", "simulated", "exact"].map { Table.Column($0) }
        + ["margin", "low", "high", "exact_margin", "cost"].map { Table.Column($0, .right) }
        + [Table.Column("outside"), Table.Column("verdict")])
    for cell in cells {
      let simulated = cell.simulated
      func value(_ number: Double) -> String { NumberFormat.fixed(number, decimals: decimals) }
      let exactMargin = cell.exactMargin.map(value) ?? ""
      table.add([
        cell.key.row.kind.rawValue, cell.key.row.label, cell.key.upcard.description,
        cell.tested.map { String($0.letter) } ?? "", String(simulated.decision.action.letter),
        cell.exact.best.map { String($0.action.letter) } ?? "",
        value(simulated.margin), value(simulated.marginLow), value(simulated.marginHigh), exactMargin,
        value(cell.cost), String(cell.outside.map(\.letter)), simulated.verdict.rawValue,
      ])
    }
    return table
  }
}
