// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// The exact value of playing by a given chart: of the whole game, and of every first action followed by the chart.
///
/// See `ExactAnalysis` for what is exact about it; here the later play is the chart's instead of the best.
package struct ExactChartValue: Sendable {
  /// The rules of the game.
  package let rules: Rules
  /// The chart that is followed.
  package let chart: StrategyChart
  /// The value of a whole round, in bets, naturals of both sides included.
  package let gameValue: Double
  let policies: [HandPolicy]
  let firstActions: FirstChoices
  let table: HandTable

  /// Computes everything for one chart and one set of rules.
  ///
  /// - Throws: `BlackjackError.noCell` or `.noLegalAction` where the chart has no answer to a hand that can be dealt.
  package init(chart: StrategyChart, rules: Rules) throws(BlackjackError) {
    self.chart = chart
    self.rules = rules
    var policies: [HandPolicy] = []
    for upcard in CardValue.allCases {
      policies.append(
        try HandPolicy(following: chart, against: upcard, rules: rules, tree: HandTree.shared))
    }
    self.policies = policies
    let table = HandTable(rules: rules, policies: policies)
    self.table = table
    let firstActions = try FirstChoices(of: chart, rules: rules)
    self.firstActions = firstActions
    gameValue = table.gameValue { hand, upcard, values in values[firstActions.action(hand, against: upcard)] ?? 0 }
  }

  /// The values of a two-card hand's first actions, in bets, when the chart decides what follows.
  package func values(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> ActionValues {
    table.values(first, second, against: upcard)
  }

  /// The mean values of the first actions of a cell, over its two-card hands in their weights.
  package func values(of key: ChartCellKey) -> ActionValues { table.values(of: key) }
}

/// What a chart does first with every two-card hand.
struct FirstChoices: Sendable {
  private var actions: [[Hand: Action]] = []

  /// The chart's first actions; a natural stands.
  ///
  /// - Throws: what `StrategyChart.action(for:against:options:)` throws.
  init(of chart: StrategyChart, rules: Rules) throws(BlackjackError) {
    for upcard in CardValue.allCases {
      var column: [Hand: Action] = [:]
      for number in HandTree.shared.pairsOfCards {
        let hand = HandTree.shared.hands[number]
        if hand.isTwoCard21 { continue }
        var options: ActionSet = [.stand, .hit]
        if rules.mayDouble(hand) { options.insert(.double) }
        if hand.pair != nil { options.insert(.split) }
        if rules.surrender != .none { options.insert(.surrender) }
        column[hand] = try chart.action(for: hand, against: upcard, options: options)
      }
      actions.append(column)
    }
  }

  /// What the chart does with two cards against an upcard.
  func action(_ hand: Hand, against upcard: CardValue) -> Action { actions[upcard.index][hand] ?? .stand }
}
