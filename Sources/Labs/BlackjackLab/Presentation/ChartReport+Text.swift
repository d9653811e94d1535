// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension ChartReport {
  /// The chart for a terminal or a text file: three tables, a legend and the evidence.
  func text(style: TerminalStyle) -> String {
    var lines = [style.bold("Basic strategy for \(result.provenance.rules.name)"), result.provenance.rules.inWords]
    for kind in ChartRow.Kind.allCases {
      lines += ["", heading(of: kind, style: style)]
      lines += rows(of: kind).map { line(of: $0.row, $0.cells, style: style) }
    }
    lines += ["", legendLine(style: style), ""]
    lines += evidence.lines
    lines += ["The closest cells:"] + evidence.closest.prefix(6).map { "  " + Evidence.sentence(about: $0) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func heading(of kind: ChartRow.Kind, style: TerminalStyle) -> String {
    let columns = CardValue.chartOrder.map { Self.centred($0.description) }.joined(separator: " ")
    return style.bold(Self.padded(kind.heading, to: 13) + columns.trimmingTrailingSpaces)
  }

  private func line(of row: ChartRow, _ cells: [ChartCell], style: TerminalStyle) -> String {
    let shown = cells.map { cell in
      let symbol = ChartSymbol(cell.decision)
      return style.painted(Self.centred(symbol.text + cell.verdict.sign), on: symbol.colour)
    }
    let label = String(repeating: " ", count: max(0, 11 - row.face.count)) + row.face + "  "
    return (label + shown.joined(separator: " ")).trimmingTrailingSpaces
  }

  private func legendLine(style: TerminalStyle) -> String {
    let letters = ChartSymbol.legend(of: result.cells).map { symbol in
      style.painted(style.isColoured ? " \(symbol.text) " : symbol.text, on: symbol.colour) + " " + symbol.meaning
    }
    return (letters + marks.map { "\($0.sign) \($0.meaning)" }).joined(separator: "   ")
  }

  /// Four characters wide, the letter always in the second.
  private static func centred(_ text: String) -> String {
    padded(text.count == 4 ? text : " " + text, to: 4)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  /// The text without the spaces at its end.
  var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
