// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
public import Reporting
internal import Scenarios

extension TrainingChart {
  /// What the trainer teaches, with the cost of every mistake by the exact analyser: what the action earns less than
  /// the right one each time the cell comes up, play going on by the chart of the rules.
  ///
  /// - Parameters:
  ///   - rules: as `--rules` takes them, without a cut card.
  ///   - chart: as `--chart` takes it: `exact`, the chart of the rules, `trainer`, or a file ending in `.csv`.
  /// - Throws: what is wrong with an option, and `TrainingError.chart` for a chart that is not one of the rules.
  public init(rules: String, chart: String) throws {
    let named = try ValueType<[NamedRules]>.rules(refusingCutCards: LessonError.cutCard)
      .read(option: "--rules", rules)
    let source = try ValueType<ChartSource>.chart(refusingComposition: "a chart: play by the cards has none to learn")
      .read(option: "--chart", chart)
    try self.init(of: named[0].rules, teaching: source)
  }

  init(of rules: Rules, teaching source: ChartSource = .exact) throws {
    let own = ExactAnalysis(rules: rules).chart.chart
    let analysis = try ExactAnalysis(rules: rules, following: own)
    let values = ChartCellKey.all.map { analysis.values(of: $0) }
    try self.init(source == .exact ? own : source.chart(for: rules), rules: rules) { values[$0.index][$1] }
  }

  /// What is lost on average, in bets, by one of the allowed actions at random.
  func costOfGuess(in key: ChartCellKey) -> Double {
    let actions = options(in: key).actions
    return actions.reduce(0) { $0 + cost(of: $1, in: key) } / Double(actions.count)
  }
}

enum LessonError {
  static let cutCard = "the analyser computes a fresh shoe only"
}

extension TrainingError: @retroactive InputError {}
