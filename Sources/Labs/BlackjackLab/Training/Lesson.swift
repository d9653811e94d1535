// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
public import Reporting
public import Scenarios

extension TrainingChart {
  /// A lesson of the trainer. The exact analyser gives the cost of every mistake: the action's loss against the right
  /// one each time the cell comes up, with later play by the chart of the rules.
  ///
  /// - Throws: `TrainingError.chart` for a chart that does not fit the rules.
  public init(of rules: Rules, teaching source: ChartSource = .exact) throws {
    let own = ExactAnalysis(rules: rules).chart.chart
    let analysis = try ExactAnalysis(rules: rules, following: own)
    let values = ChartCellKey.all.map { analysis.values(of: $0) }
    try self.init(source == .exact ? own : source.chart(for: rules), rules: rules) { values[$0.index][$1] }
  }

  /// The mean loss of a random allowed action, in bets.
  func costOfGuess(in key: ChartCellKey) -> Double {
    let actions = options(in: key).actions
    return actions.reduce(0) { $0 + cost(of: $1, in: key) } / Double(actions.count)
  }
}

extension ValueType where Value == NamedRules {
  /// Rules that a lesson is about.
  public static var taught: Self { rules(refusingCutCards: "the analyser computes a fresh shoe only") }
}

extension ValueType where Value == ChartSource {
  /// A chart that a lesson teaches.
  public static var taught: Self { chart(refusingComposition: "a chart to learn, not play by composition") }
}

extension TrainingError: @retroactive InputError {}
