// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
package import Reporting

/// A chart with its evidence, ready to be written in any format.
///
/// What it writes depends on the result alone: the same seed gives the same bytes.
package struct ChartReport {
  /// The chart and its evidence.
  package let result: ChartResult

  /// The report of a chart.
  package init(_ result: ChartResult) {
    self.result = result
  }

  /// The report in a format.
  ///
  /// - Parameters:
  ///   - format: any of them; a chart has no cases, so JUnit gives the text; a PNG picture is made of the SVG one.
  ///   - style: whether a text is coloured; the other formats never are.
  /// - Returns: the whole document.
  package func rendered(as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false)) -> String {
    switch format {
    case .text, .junit: text(style: style)
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .svg, .png: card.svg
    }
  }

  /// The cells of one table, row by row.
  func rows(of kind: ChartRow.Kind) -> [(row: ChartRow, cells: [ChartCell])] {
    ChartRow.all.filter { $0.kind == kind }.map { row in
      (row, result.cells.filter { $0.key.row == row })
    }
  }

  /// The rules, the evidence, and the cells that were hardest to decide.
  var evidence: Evidence { Evidence(result: result) }

  /// The meaning of every letter and sign that the chart shows.
  var legend: [(symbol: String, meaning: String)] {
    ChartSymbol.legend(of: result.cells).map { ($0.text, $0.meaning) } + marks.map { ($0.sign, $0.meaning) }
  }

  /// The signs that occur.
  var marks: [(sign: String, meaning: String)] {
    [
      (Verdict.indifferent, "as good as the second best"), (.undecided, "not decided yet"),
    ].filter { result.count(of: $0.0) > 0 }.map { ($0.0.sign, $0.1) }
  }
}
