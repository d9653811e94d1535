// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
public import Reporting
internal import Scenarios

extension TrainingChart {
  /// A lesson of the trainer. The exact analyser gives the cost of every mistake: the action's loss against the right
  /// one each time the cell comes up, with later play by the chart of the rules.
  ///
  /// - Parameters:
  ///   - rules: The rules as `--rules` takes them, without a cut card.
  ///   - chart: The chart as `--chart` takes it: `exact` for that of the rules, `trainer`, or the path of a .csv file.
  /// - Throws: An error about an invalid option, and `TrainingError.chart` for a chart that does not fit the rules.
  public init(rules: String, chart: String) throws {
    let named = try ValueType<[NamedRules]>.rules(refusingCutCards: LessonError.cutCard)
      .read(option: "--rules", rules)
    let source = try ValueType<ChartSource>.chart(refusingComposition: "a chart to learn, not play by composition")
      .read(option: "--chart", chart)
    try self.init(of: named[0].rules, teaching: source)
  }

  init(of rules: Rules, teaching source: ChartSource = .exact) throws {
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

enum LessonError {
  static let cutCard = "the analyser computes a fresh shoe only"
}

extension TrainingError: @retroactive InputError {}
