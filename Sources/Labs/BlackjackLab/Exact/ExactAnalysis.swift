// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// The exact value of every two-card hand's actions, of the best chart, and of the whole game, for one set of rules.
///
/// The second witness beside the simulator: it asks the rules of `BlackjackCore` but plays no round. Every value is
/// over the exact composition of a fresh shoe (an infinite one by the same formulas); a game dealt to a cut card is
/// analysed as if each round had a fresh shoe.
///
/// What follows the first action is the best for the cards of the hand itself; after a split each hand is played so,
/// by its own cards alone and as if it were the only hand, doubling where the rules allow it, and pairs are split
/// again whenever they may be (the strategy usually called CDZ-).
package struct ExactAnalysis: Sendable {
  /// The rules analysed.
  package let rules: Rules
  private let table: HandTable

  /// Computes everything for one set of rules; under a tenth of a second for six decks.
  package init(rules: Rules) {
    self.rules = rules
    table = HandTable(rules: rules, policies: nil)
  }

  /// The values of a two-card hand's actions, in bets; a natural only stands, for what it pays.
  package func values(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> ActionValues {
    table.values(first, second, against: upcard)
  }

  /// The value of a whole round, in bets, naturals of both sides included, when every first action is the best for the
  /// two cards.
  package var gameValue: Double {
    table.gameValue { _, _, values in values.best?.value ?? 0 }
  }

  /// The chance that the dealer holds a natural, given the player's two cards and the upcard.
  package func naturalChance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    table.naturalChance(first, second, against: upcard)
  }

  /// The two-card hands of a row with their weights against an upcard, which sum to 1.
  package func handWeights(of row: ChartRow, against upcard: CardValue) -> [HandWeight] {
    table.weights(of: row, against: upcard)
  }

  /// The mean values of the actions of a cell, over its two-card hands in their weights.
  package func values(of key: ChartCellKey) -> ActionValues { table.values(of: key) }

  /// The chart with the best action of each cell.
  package var chart: ChartResult {
    let values = ChartCellKey.all.map(table.values)
    let cells = zip(ChartCellKey.all, values).map { key, mean in
      ChartCell(exact: mean, of: key, decision: ExactDecision(values: values).cell(of: key))
    }
    return ChartResult(
      provenance: Provenance(rules: rules, simulation: nil), cells: cells, gameValue: gameValue)
  }
}

extension ChartCell {
  /// A cell whose values are known exactly.
  init(exact values: ActionValues, of key: ChartCellKey, decision: StrategyChart.Cell) {
    let ranked = values.ranked
    let margin = ranked.count > 1 ? ranked[0].value - ranked[1].value : 0
    self.init(
      key: key, decision: decision, runnerUp: ranked.dropFirst().first?.action, values: values,
      valuesLow: values, valuesHigh: values, margin: margin, marginLow: margin, marginHigh: margin, samples: 0,
      verdict: .exact)
  }
}

/// What a chart says in each cell, fallbacks included, when the cells' values are known.
struct ExactDecision {
  /// The values of all cells, in the order of `ChartCellKey.all`.
  let values: [ActionValues]

  /// The best action and what to do where it is not allowed.
  func cell(of key: ChartCellKey) -> StrategyChart.Cell {
    let best = best(of: key, among: Action.allCases)
    return switch best {
    // A pair that cannot be split again plays its total.
    case .stand, .hit, .split: StrategyChart.Cell(best)
    case .double: StrategyChart.Cell(best, else: self.best(of: key, among: [.stand, .hit]))
    // A surrender is refused to a third card and after a split, where a double may be too.
    case .surrender: StrategyChart.Cell(best, else: self.best(of: key, among: [.stand, .hit, .split]))
    }
  }

  private func best(of key: ChartCellKey, among actions: [Action]) -> Action {
    values[key.index].ranked.first { actions.contains($0.action) }?.action ?? .stand
  }
}
