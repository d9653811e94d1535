// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension ChartReport {
  /// The familiar strategy card: hard totals on one side, soft totals and pairs on the other.
  var card: StrategyCard {
    StrategyCard(
      title: "Blackjack basic strategy: \(result.provenance.rules.inShort)",
      subtitles: [Self.sentence(result.provenance.rules.inWords)] + evidence.lines,
      columnsTitle: "dealer's upcard",
      columns: CardValue.chartOrder.map(\.description),
      stacks: [[section(.hard)], [section(.soft), section(.pair)]],
      categories: ChartSymbol.legend(of: result.cells).map {
        StrategyCard.Category(letter: $0.text, meaning: $0.meaning, colour: $0.colour)
      },
      marks: marks.map { StrategyCard.Mark(sign: $0.sign, meaning: $0.meaning) },
      notes: notes)
  }

  private var notes: [String] {
    evidence.closest.prefix(3).map { "Close: \(Evidence.sentence(about: $0))." }
      + ["assay \(Version.current), rules \(result.provenance.rules.name). Margins in bets."]
  }

  private func section(_ kind: ChartRow.Kind) -> StrategyCard.Section {
    let rows = rows(of: kind).map { row, cells in
      StrategyCard.Row(label: row.face, cells: cells.map(Self.cell))
    }
    return StrategyCard.Section(title: kind.heading, rows: rows)
  }

  private static func cell(_ cell: ChartCell) -> StrategyCard.Cell {
    let symbol = ChartSymbol(cell.decision)
    let mark = marks[cell.verdict]
    return StrategyCard.Cell(
      letter: symbol.letter, suffix: symbol.suffix, colour: symbol.colour, mark: mark,
      detail: Evidence.sentence(about: cell))
  }

  private static let marks: [Verdict: StrategyCard.Mark] = [
    .indifferent: StrategyCard.Mark(sign: Verdict.indifferent.sign, meaning: ""),
    .undecided: StrategyCard.Mark(sign: Verdict.undecided.sign, meaning: ""),
  ]

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst() + "."
  }
}
