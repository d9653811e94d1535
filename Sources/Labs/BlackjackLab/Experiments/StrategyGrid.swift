// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// How charts show a decision: a letter, the fallback in small behind it, a colour, and the words for both.
struct ChartSymbol: Hashable {
  private let decision: StrategyChart.Cell

  init(_ decision: StrategyChart.Cell) { self.decision = decision }

  /// `H`, `S`, `D`, `P` or `R`.
  var letter: String { String(decision.action.letter) }

  /// `h`, `s`, `p`, or nothing where there is no fallback.
  var suffix: String { decision.fallback.map { $0.letter.lowercased() } ?? "" }

  /// Both together, for example `Dh`.
  var text: String { letter + suffix }

  /// For example `double (else hit)`.
  var meaning: String {
    decision.fallback.map { "\(decision.action.name) (else \($0.name))" } ?? decision.action.name
  }

  /// The place in a legend: stand, hit, double, split, surrender; of two fallbacks the more common hit first.
  private var order: Int {
    let fallbacks: [Action?] = [nil, .hit, .stand, .split]
    return Int(decision.action.rawValue) * 8 + (fallbacks.firstIndex(of: decision.fallback) ?? fallbacks.count)
  }

  /// The colour of the action, distinguishable with any of the common kinds of colour blindness: the hues of Okabe and
  /// Ito ("Color universal design", 2008), each of a luminance of its own, lightened where letters need it.
  var colour: Colour {
    switch decision.action {
    case .stand: Colour(0xF4D35E)
    case .hit: Colour(0xCFE8DC)
    case .double: Colour(0x1F6FB2)
    case .split: Colour(0xD98BB9)
    case .surrender: Colour(0x8C2D04)
    }
  }

  /// The distinct decisions, in legend order.
  static func legend(of decisions: some Sequence<StrategyChart.Cell>) -> [ChartSymbol] {
    Set(decisions.map { ChartSymbol($0) }).sorted { $0.order < $1.order }
  }
}

/// A sign in a cell's corner.
struct CellMark: Hashable {
  let sign: String
  let meaning: String

  static let indifferent = CellMark(sign: "~", meaning: "as good as the second best")
  static let undecided = CellMark(sign: "?", meaning: "not decided yet")

  init(sign: String, meaning: String) {
    (self.sign, self.meaning) = (sign, meaning)
  }

  /// The mark of a verdict; `nil` where the cell is decided.
  init?(_ verdict: Verdict) {
    switch verdict {
    case .certified, .exact: return nil
    case .indifferent: self = .indifferent
    case .undecided: self = .undecided
    }
  }
}

extension ReportGrid {
  /// A strategy card whose cells show what every action is worth; `exact` has the values next to simulated ones, in the
  /// cells' order, `decide` what the card says in a cell, `mark` the mark of the cell at a place, one of `marks`.
  init(
    id: String, caption: String, cells: [ChartCell], exact: [Verification.Cell]? = nil,
    decide: (ChartCell) -> StrategyChart.Cell, marks: [CellMark], mark: (Int) -> CellMark?
  ) {
    let placed = cells.indices.map(mark)
    func cell(_ place: Int) -> Cell {
      let (cell, symbol) = (cells[place], ChartSymbol(decide(cells[place])))
      return Cell(
        text: symbol.text,
        name: "\(cell.key.row) against \(cell.key.upcard): \(symbol.meaning)"
          + (placed[place].map { ", \($0.meaning)" } ?? ""),
        colour: symbol.colour, mark: placed[place]?.sign ?? "", detail: Self.detail(of: cell, exact: exact?[place]))
    }
    func group(_ kind: ChartRow.Kind) -> Group {
      Group(
        title: kind.heading,
        rows: ChartRow.all.filter { $0.kind == kind }.map { row in
          Row(title: row.face, cells: cells.indices.filter { cells[$0].key.row == row }.map(cell))
        })
    }
    self.init(
      id: id, caption: caption, columnsTitle: "Dealer's upcard", columns: CardValue.chartOrder.map(\.description),
      groups: ChartRow.Kind.allCases.map(group),
      legend: ChartSymbol.legend(of: cells.map(decide)).map {
        LegendEntry(text: $0.text, meaning: $0.meaning, colour: $0.colour)
      }
        + marks.filter(placed.contains).map { LegendEntry(text: $0.sign, meaning: $0.meaning, colour: nil) })
  }

  /// Every action's value, and the margin.
  private static func detail(of cell: ChartCell, exact: Verification.Cell?) -> ReportTable {
    let isExact = cell.verdict == .exact
    let titles = isExact ? ["exact"] : ["simulated", "from", "to", "rounds", "exact"]
    var table = Table([Table.Column("action")] + titles.map { Table.Column($0, .right) })
    let ranking = isExact || cell.samples > 0 ? cell.values.ranked : exact?.exact.ranked ?? []
    for (action, _) in ranking {
      let values = isExact ? [cell.values] : [cell.values, cell.valuesLow, cell.valuesHigh]
      let rest = [cell.plays[action].map(NumberFormat.grouped) ?? "", NumberFormat.bets(exact?.exact[action])]
      table.add([action.name] + values.map { NumberFormat.bets($0[action]) } + (isExact ? [] : rest))
    }
    if let runnerUp = cell.runnerUp {
      let margins = isExact ? [cell.margin] : [cell.margin, cell.marginLow, cell.marginHigh]
      let rest = [NumberFormat.grouped(cell.samples), NumberFormat.bets(exact?.exactMargin)]
      table.add(
        ["\(cell.decision.action.name) over \(runnerUp.name)"] + margins.map { NumberFormat.bets($0) }
          + (isExact ? [] : rest))
    }
    return ReportTable(caption: "\(cell.sentence), \(cell.verdict.rawValue)", table)
  }
}

extension ChartRow.Kind {
  var heading: String {
    switch self {
    case .hard: "Hard totals"
    case .soft: "Soft totals"
    case .pair: "Pairs"
    }
  }
}

extension ChartRow {
  /// How people read the row: `16`, `A,7`, `8,8`.
  var face: String {
    switch kind {
    case .hard: label
    case .soft: "A,\(player - 11)"
    case .pair: "\(label),\(label)"
    }
  }
}

/// The files of a chart: its cells as a table, and the strategy card to read and to print.
struct ChartFiles {
  let result: ChartResult

  init(_ result: ChartResult) { self.result = result }

  func all(named name: String) -> [ScenarioResult.File] {
    [("csv", cells.csv), ("md", markdown), ("svg", card.svg)].map {
      ScenarioResult.File(name: "\(name).\($0)", content: $1)
    }
  }

  /// One line a cell.
  var cells: Table {
    let rows = result.cells.map(\.fields)
    var table = Table((rows.first ?? []).map { Table.Column($0.key) })
    for row in rows {
      table.add(
        row.map { field in
          switch field.value {
          case .string(let text): text
          case .fixed(let number, let decimals): NumberFormat.fixed(number, decimals: decimals)
          case .integer(let number): String(number)
          default: ""
          }
        })
    }
    return table
  }

  private var rules: Rules { result.provenance.rules }

  private var symbols: [ChartSymbol] { ChartSymbol.legend(of: result.cells.map(\.decision)) }

  private var marks: [CellMark] {
    [CellMark.indifferent, .undecided].filter { mark in result.cells.contains { CellMark($0.verdict) == mark } }
  }

  private func rows(of kind: ChartRow.Kind) -> [(row: ChartRow, cells: [ChartCell])] {
    ChartRow.all.filter { $0.kind == kind }.map { row in (row, result.cells.filter { $0.key.row == row }) }
  }

  private var markdown: String {
    var parts = ["# Basic strategy for `\(rules.name)`", rules.inWords + "."]
    for kind in ChartRow.Kind.allCases {
      var table = Table(
        [Table.Column("hand", .right)] + CardValue.chartOrder.map { Table.Column($0.description, .centre) })
      for (row, cells) in rows(of: kind) {
        table.add(
          ["**\(row.face)**"] + cells.map { ChartSymbol($0.decision).text + (CellMark($0.verdict)?.sign ?? "") })
      }
      parts += ["## \(kind.heading)", String(table.markdown.dropLast())]
    }
    let legend = symbols.map { ($0.text, $0.meaning) } + marks.map { ($0.sign, $0.meaning) }
    parts.append(legend.map { "`\($0)` \($1)" }.joined(separator: ", ") + ".")
    parts += ["## Evidence", result.evidence.joined(separator: "\n"), String(closestCells.markdown.dropLast())]
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The dozen cells that were hardest to decide.
  private var closestCells: Table {
    var table = Table(
      ["closest cells", "best", "second"].map { Table.Column($0) }
        + ["margin", "from", "to", "rounds"].map { Table.Column($0, .right) } + [Table.Column("verdict")])
    for cell in result.closest.prefix(12) {
      table.add(
        [cell.key.description, cell.decision.action.name, cell.runnerUp?.name ?? ""]
          + [cell.margin, cell.marginLow, cell.marginHigh].map { NumberFormat.bets($0) }
          + [NumberFormat.grouped(cell.samples), cell.verdict.rawValue])
    }
    return table
  }

  /// The familiar strategy card: hard totals on one side, soft totals and pairs on the other.
  private var card: StrategyCard {
    let words = rules.inWords
    return StrategyCard(
      title: "Blackjack basic strategy: \(rules.inShort)",
      subtitles: [words.prefix(1).uppercased() + words.dropFirst() + "."] + result.evidence,
      columnsTitle: "dealer's upcard", columns: CardValue.chartOrder.map(\.description),
      stacks: [[section(.hard)], [section(.soft), section(.pair)]],
      categories: symbols.map { StrategyCard.Category(letter: $0.text, meaning: $0.meaning, colour: $0.colour) },
      marks: marks.map { StrategyCard.Mark(sign: $0.sign, meaning: $0.meaning) },
      notes: result.closest.prefix(3).map { "Close: \($0.sentence)." }
        + ["assay \(Version.current), rules \(rules.name). Margins in bets."])
  }

  private func section(_ kind: ChartRow.Kind) -> StrategyCard.Section {
    let rows = rows(of: kind).map { row, cells in
      StrategyCard.Row(
        label: row.face,
        cells: cells.map { cell in
          let symbol = ChartSymbol(cell.decision)
          return StrategyCard.Cell(
            letter: symbol.letter, suffix: symbol.suffix, colour: symbol.colour,
            mark: CellMark(cell.verdict).map { StrategyCard.Mark(sign: $0.sign, meaning: "") }, detail: cell.sentence)
        })
    }
    return StrategyCard.Section(title: kind.heading, rows: rows)
  }
}
