// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension ChartReport {
  /// The columns of the file format, in order.
  static let csvColumns = [
    "kind", "player", "dealer", "action", "fallback", "stand", "hit", "double", "split", "surrender", "margin",
    "margin_low", "margin_high", "samples", "verdict",
  ]

  /// One line a cell; values in bets, empty where the rules do not allow the action.
  var csv: String {
    ([Self.csvColumns] + result.cells.map(Self.fields)).map(CSV.line).joined()
  }

  private static func fields(of cell: ChartCell) -> [String] {
    let decimals = Evidence.decimals(of: cell.verdict)
    func value(_ number: Double?) -> String { number.map { NumberFormat.fixed($0, decimals: decimals) } ?? "" }
    func margin(_ number: Double) -> String { cell.runnerUp == nil ? "" : value(number) }
    let row = cell.key.row
    return [
      row.kind.rawValue, row.label, cell.key.upcard.description, String(cell.decision.action.letter),
      cell.decision.fallback.map { String($0.letter) } ?? "",
    ] + Action.allCases.map { value(cell.values[$0]) } + [
      margin(cell.margin), margin(cell.marginLow), margin(cell.marginHigh), String(cell.samples), cell.verdict.rawValue,
    ]
  }

  /// The chart as a Markdown document.
  var markdown: String {
    var parts = ["# Basic strategy for `\(result.provenance.rules.name)`", result.provenance.rules.inWords + "."]
    for kind in ChartRow.Kind.allCases {
      var table = Table(
        [Table.Column("hand", .right)] + CardValue.chartOrder.map { Table.Column($0.description, .centre) })
      for (row, cells) in rows(of: kind) {
        table.add(["**\(row.face)**"] + cells.map { ChartSymbol($0.decision).text + $0.verdict.sign })
      }
      parts += ["## \(kind.heading)", table.markdown.trimmingLineEnd]
    }
    parts.append(legend.map { "`\($0.symbol)` \($0.meaning)" }.joined(separator: ", ") + ".")
    parts += ["## Evidence", evidence.lines.joined(separator: "\n"), closestTable.markdown.trimmingLineEnd]
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The dozen cells that were hardest to decide.
  private var closestTable: Table {
    var table = Table([
      Table.Column("closest cells"), Table.Column("best"), Table.Column("second"), Table.Column("margin", .right),
      Table.Column("from", .right), Table.Column("to", .right), Table.Column("rounds", .right), Table.Column("verdict"),
    ])
    for cell in evidence.closest.prefix(12) {
      table.add(
        [cell.key.description, cell.decision.action.name, cell.runnerUp?.name ?? ""]
          + [cell.margin, cell.marginLow, cell.marginHigh].map { NumberFormat.fixed($0, decimals: 6) }
          + [NumberFormat.grouped(cell.samples), cell.verdict.rawValue])
    }
    return table
  }
}

extension String {
  /// The text without one line end at its end.
  var trimmingLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
