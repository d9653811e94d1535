// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

/// Which chart is played, judged or compared with.
enum ChartSource: Hashable, Sendable {
  /// The one that the trainer ships.
  case trainer
  /// The exact analyser's, made for the rules.
  case exact
  /// No chart but the best play for the cards themselves; exact only.
  case composition
  /// One of the scenario's own, from a file or written out, with its name.
  case own(String, StrategyChart)

  /// The name that scenarios and reports use.
  var name: String {
    switch self {
    case .trainer: "trainer"
    case .exact: "exact"
    case .composition: "composition"
    case .own(let name, _): name
    }
  }

  /// The chart to play under some rules.
  ///
  /// - Throws: `CertificationError.needsFreshShoe` where the analyser cannot make one.
  func chart(for rules: Rules, in trials: BlackjackTrials) throws(CertificationError) -> StrategyChart {
    switch self {
    case .trainer: .trainer
    case .exact, .composition: try trials.exactChart(rules).chart
    case .own(_, let chart): chart
    }
  }

  /// The source as a setting of a scenario: a chart of its own with all its cells, so that no file is needed again.
  var setting: JSONValue {
    guard case .own(let name, let chart) = self else { return .string(name) }
    return ["name": .string(name), "cells": .object(Self.rows(of: chart))]
  }

  private static func rows(of chart: StrategyChart) -> [JSONMember] {
    ChartRow.all.map { row in
      let cells = CardValue.chartOrder.map { upcard in chart[ChartCellKey(row, against: upcard)].map(symbol) ?? "?" }
      return JSONMember(rowName(row), .string(cells.joined(separator: " ")))
    }
  }

  /// The action's letter and the fallback's in small; an action that falls back on itself says so, for files take
  /// silence for the usual fallback.
  private static func symbol(_ cell: StrategyChart.Cell) -> String {
    let symbol = ChartSymbol(cell)
    let isSilent = cell.fallback == nil && (cell.action == .double || cell.action == .surrender)
    return isSilent ? symbol.letter + symbol.letter.lowercased() : symbol.text
  }

  /// What scenarios call a row: `hard 16`, `soft 18`, `pair A`.
  static func rowName(_ row: ChartRow) -> String { "\(row.kind.rawValue) \(row.label)" }
}
