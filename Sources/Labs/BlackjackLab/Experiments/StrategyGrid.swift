// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
internal import Reporting
internal import Scenarios

// MARK: - The content of a cell

extension StrategyChart.Cell {
  /// The action's letter, and the fallback's in lower case if there is one: `S`, `Dh`.
  public var symbol: String { String(action.letter) + (fallback.map { $0.letter.lowercased() } ?? "") }

  /// The action in words, such as `double (else hit)`.
  var meaning: String { fallback.map { "\(action.name) (else \($0.name))" } ?? action.name }

  /// The order in a legend: stand, hit, double, split, surrender; hit before other fallbacks.
  fileprivate var order: Int {
    let fallbacks: [Action?] = [nil, .hit, .stand, .split]
    return Int(action.rawValue) * 8 + (fallbacks.firstIndex(of: fallback) ?? fallbacks.count)
  }
}

extension Action {
  /// A colour distinguishable with any common colour deficiency: the hues of Okabe and Ito ("Color universal design",
  /// 2008), with distinct luminances, lightened where letters need it.
  var colour: Colour {
    switch self {
    case .stand: Colour(0xF4D35E)
    case .hit: Colour(0xCFE8DC)
    case .double: Colour(0x1F6FB2)
    case .split: Colour(0xD98BB9)
    case .surrender: Colour(0x8C2D04)
    }
  }
}

/// A sign in a cell's corner; the raw value is its meaning.
enum CellMark: String, CaseIterable {
  case indifferent = "as good as the second best"
  case wrong = "certainly wrong"
  case close = "worse than the best by less than the indifference"

  var sign: String {
    switch self {
    case .indifferent, .close: "~"
    case .wrong: "!"
    }
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
  /// The row as cards show it: `16`, `A,7`, `8,8`.
  public var face: String {
    switch kind {
    case .hard: label
    case .soft: "A,\(player - 11)"
    case .pair: "\(label),\(label)"
    }
  }
}

// MARK: - The card as a grid

extension ReportGrid {
  private static let openColour = Colour(0xFFFFFF)
  private static let open = (text: "?", meaning: "undecided")

  /// A strategy card whose cells, in the order of `ChartCellKey.all`, show the value of every action: the decision of
  /// each cell (`nil` if open), its mark, and the exact values next to simulated ones.
  init(
    id: String, caption: String, cells: [ChartCell], exact: [Verification.Cell]? = nil,
    decisions: [StrategyChart.Cell?], marks: [CellMark?]
  ) {
    func cell(_ key: ChartCellKey) -> Cell {
      let (decision, mark) = (decisions[key.index], marks[key.index])
      return Cell(
        text: decision?.symbol ?? Self.open.text,
        name: "\(key.row) against \(key.upcard): \(decision?.meaning ?? Self.open.meaning)"
          + (mark.map { ", \($0.rawValue)" } ?? ""),
        colour: decision?.action.colour ?? Self.openColour, mark: mark?.sign ?? "",
        detail: Self.detail(of: cells[key.index], exact: exact?[key.index]))
    }
    let groups = ChartRow.Kind.allCases.map { kind in
      Group(
        title: kind.heading,
        rows: ChartRow.all.filter { $0.kind == kind }.map { row in
          Row(title: row.face, cells: CardValue.chartOrder.map { cell(ChartCellKey(row, against: $0)) })
        })
    }
    self.init(
      id: id, caption: caption, columnsTitle: "Dealer's upcard", columns: CardValue.chartOrder.map(\.description),
      groups: groups,
      legend: Set(decisions.compactMap(\.self)).sorted { $0.order < $1.order }.map {
        LegendEntry(text: $0.symbol, meaning: $0.meaning, colour: $0.action.colour)
      }
        + (decisions.contains(nil)
          ? [LegendEntry(text: Self.open.text, meaning: Self.open.meaning, colour: Self.openColour)] : [])
        + CellMark.allCases.filter(marks.contains).map {
          LegendEntry(text: $0.sign, meaning: $0.rawValue, colour: nil)
        })
  }

  /// The decisions of a chart; those between equal actions are marked.
  init(id: String, caption: String, of result: ChartResult, exact: [Verification.Cell]? = nil) {
    self.init(
      id: id, caption: caption, cells: result.cells, exact: exact,
      decisions: result.cells.map { $0.verdict == .undecided ? nil : $0.decision },
      marks: result.cells.map { $0.verdict == .indifferent ? .indifferent : nil })
  }

  private static func detail(of cell: ChartCell, exact: Verification.Cell?) -> ReportTable {
    let isExact = cell.verdict == .exact
    var table = Table(["action"], numbers: isExact ? ["exact"] : ["simulated", "from", "to", "rounds", "exact"])
    let ranking = isExact || cell.samples > 0 ? cell.values.ranked : exact?.exact.ranked ?? []
    for (action, _) in ranking {
      let values = isExact ? [cell.values] : [cell.values, cell.valuesLow, cell.valuesHigh]
      let rest = [cell.plays[action].map(NumberFormat.grouped) ?? "", NumberFormat.bets(exact?.exact[action])]
      table.add([action.name] + values.map { NumberFormat.bets($0[action]) } + (isExact ? [] : rest))
    }
    if let runnerUp = cell.runnerUp {
      let rest = [NumberFormat.grouped(cell.samples), NumberFormat.bets(exact?.exactMargin)]
      table.add(
        ["\(cell.decision.action.name) over \(runnerUp.name)"]
          + (isExact ? [NumberFormat.bets(cell.margin)] : cell.marginTexts + rest))
    }
    let isCertain = cell.verdict == .certified || cell.verdict == .exact
    return ReportTable(caption: cell.sentence + (isCertain ? ", \(cell.verdict.rawValue)" : ""), table)
  }
}

// MARK: - The card as files

extension ChartResult {
  func files(named name: String) -> [ScenarioResult.File] {
    let grid = ReportGrid(id: "card", caption: "", of: self)
    return [("csv", table.csv), ("md", markdown(of: grid)), ("svg", svg(of: grid))].map {
      ScenarioResult.File(name: "\(name).\($0)", content: $1)
    }
  }

  var table: Table { Table(records: cells.map { .object($0.fields) }) }

  private var rules: Rules { provenance.rules }

  private func markdown(of grid: ReportGrid) -> String {
    let parts = [
      "# Basic strategy for `\(provenance.label)`", rules.inWords + ".", grid.markdown(headed: "hand"), "## Evidence",
      evidence.joined(separator: "\n"), String(closestCells.markdown.dropLast()),
    ]
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var closestCells: Table {
    let isExact = provenance.simulation == nil
    let numbers = ["margin"] + (isExact ? [] : ["from", "to", "rounds"])
    return closestTable("closest cells", maximum: 12, numbers: numbers) {
      isExact ? [$0.marginTexts[0]] : $0.marginTexts + [NumberFormat.grouped($0.samples)]
    }
  }

  /// The familiar strategy card: hard totals on one side, soft totals and pairs on the other.
  private func svg(of grid: ReportGrid) -> String {
    let words = rules.inWords
    return grid.svg(
      title: "Blackjack basic strategy: \(rules.inShort)",
      subtitles: [words.prefix(1).uppercased() + words.dropFirst() + "."] + evidence,
      tips: cells.map(\.sentence),
      notes: closest.prefix(3).map { "Close: \($0.sentence)." }
        + ["assay \(Version.current), rules \(provenance.label). Margins in bets."])
  }
}
