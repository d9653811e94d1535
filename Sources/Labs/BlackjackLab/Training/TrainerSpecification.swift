// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting
internal import Randomness

/// Generated rules, chart and losses of mistakes; an independent definition of right and allowed actions.
struct DrawnLesson: Sendable, CustomStringConvertible {
  let rules: Rules
  let edited: EditedChart
  /// The seed of the losses, which are tenths and twentieths of a bet and include the ends of the bands.
  let losses: Int

  var description: String { "\(rules), \(edited), losses \(losses)" }

  static func any() -> Gen<DrawnLesson> {
    zip(Gen<Rules>.rules(), EditedChart.any(), Gen<Int>.integers(in: 0...1000)).map {
      DrawnLesson(rules: $0, edited: $1, losses: $2)
    }
  }

  func chart() throws -> TrainingChart {
    try TrainingChart(edited.chart, rules: rules) { key, action in
      action == right(in: key) ? 0 : -loss(of: action, in: key)
    }
  }

  func allowed(in key: ChartCellKey) -> ActionSet {
    let (row, isHard) = (key.row, key.row.kind != .soft)
    let total = row.kind == .pair ? (row.player == 1 ? 12 : 2 * row.player) : row.player
    let isDoubled =
      switch rules.doubling {
      case .anyTwo: true
      case .nineToEleven: isHard && row.player != 1 && (9...11).contains(total)
      case .tenToEleven: isHard && row.player != 1 && (10...11).contains(total)
      case .elevenOnly: isHard && row.player != 1 && total == 11
      }
    var allowed: ActionSet = [.stand, .hit]
    if isDoubled { allowed.insert(.double) }
    if row.kind == .pair { allowed.insert(.split) }
    if rules.surrender == .earlyAgainstTen ? key.upcard == .ten : rules.surrender != .none {
      allowed.insert(.surrender)
    }
    return allowed
  }

  func right(in key: ChartCellKey) -> Action {
    let chart = edited.chart
    func answers(_ cell: StrategyChart.Cell?) -> [Action] { [cell?.action, cell?.fallback].compactMap(\.self) }
    var wanted = answers(chart[key])
    if key.row.kind == .pair {
      switch key.row.player {
      case 1, 2: wanted.append(.hit)
      case 10: wanted.append(.stand)
      case let points:
        wanted += ChartRow.hard(2 * points).map { answers(chart[ChartCellKey($0, against: key.upcard)]) } ?? []
      }
    }
    return wanted.first { allowed(in: key).contains($0) } ?? .stand
  }

  /// The loss of an action against the right one, in bets.
  func loss(of action: Action, in key: ChartCellKey) -> Double {
    let position = mixed(UInt64(losses * 10_000 + key.index * 8 + Int(action.rawValue)))
    return [0.03125, 0.05, 0.0625, 0.1, 0.25, 1][Int(position % 6)]
  }

  func margin(of key: ChartCellKey) -> Double {
    allowed(in: key).actions.filter { $0 != right(in: key) }.map { loss(of: $0, in: key) }.min() ?? 0
  }

  func asks(_ key: ChartCellKey, in mode: TrainingMode) -> Bool {
    switch mode {
    case .quick: return true
    case .dealer(.weak): return [.four, .five, .six].contains(key.upcard)
    case .dealer(.medium): return [.two, .three, .seven, .eight].contains(key.upcard)
    case .dealer(.strong): return [.nine, .ten, .ace].contains(key.upcard)
    case .hand(let kind): return key.row.kind == kind
    case .absolutes:
      let actions = Set(CardValue.allCases.map { right(in: ChartCellKey(key.row, against: $0)) })
      return actions.count == 1 || (key.row.kind == .pair && !actions.contains(.split))
    }
  }
}

/// A session about a generated lesson.
struct DrawnSession {
  let plan: TrainingPlan
  let numbers: RandomWords

  init(
    _ lesson: DrawnLesson, _ mode: TrainingMode, seed: Int, questions: Int, isAdaptive: Bool = false,
    _ code: TrainerOperations
  ) throws {
    do {
      plan = try code.plan(mode, try lesson.chart(), .normal, questions, isAdaptive)
    } catch TrainingError.nothingToAsk {
      // A chart may have no absolute.
      try assume(false)
      throw TrainingError.nothingToAsk(mode, .normal)
    }
    numbers = try RandomWords(seed: UInt32(seed))
  }

  var session: TrainingSession { TrainingSession(plan) }

  /// All questions, each answered with stand.
  func questions(_ code: TrainerOperations) throws -> [TrainingQuestion] {
    try answered(Array(repeating: .stand, count: plan.questions), code).feedback.map(\.question)
  }

  /// The results of answers; one that is not allowed is replaced by stand.
  func answered(
    _ choices: [Action], _ code: TrainerOperations
  ) throws -> (feedback: [TrainingFeedback], summary: TrainingSummary, statistics: TrainingStatistics) {
    var (session, numbers, feedback) = (session, numbers, [TrainingFeedback]())
    for choice in choices {
      try code.next(&session, .zero, &numbers)
      guard case .active(let question) = session.state else { break }
      feedback.append(try code.answer(&session, question.options.contains(choice) ? choice : .stand, .zero))
    }
    return (feedback, code.leave(&session), session.statistics)
  }

  /// The questions if all answers except one are right.
  func answeredRight(but mistake: Int, _ code: TrainerOperations) throws -> [TrainingQuestion] {
    var (session, numbers, asked) = (session, numbers, [TrainingQuestion]())
    for number in 0..<plan.questions {
      try code.next(&session, .zero, &numbers)
      guard case .active(let question) = session.state else { break }
      let right = plan.chart.right(in: question.cell)
      let wrong = question.options.actions.first { $0 != right } ?? right
      _ = try code.answer(&session, number == mistake ? wrong : right, .zero)
      asked.append(question)
    }
    return asked
  }
}
