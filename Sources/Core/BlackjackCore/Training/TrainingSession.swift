// SPDX-License-Identifier: Apache-2.0

/// The cells that a session asks about.
public enum TrainingMode: Hashable, Sendable {
  /// All 330 cells; 50 questions by default.
  case quick
  /// The cells against a group of upcards: 33 rows against three or four of them; 50 questions by default.
  case dealer(DealerGroup)
  /// The cells of a kind of hands: 150 hard, 80 soft, 100 of pairs; 50 questions by default.
  case hand(ChartRow.Kind)
  /// The cells of the rules for all upcards (`TrainingChart.absolutes`); 20 questions by default. The difficulty of a
  /// row is that of its ten decisions on average, so few rows are hard.
  case absolutes

  /// The default number of questions.
  public var defaultQuestions: Int { self == .absolutes ? 20 : 50 }

  /// The eight modes.
  public static let all: [TrainingMode] =
    [.quick] + DealerGroup.allCases.map { .dealer($0) } + ChartRow.Kind.allCases.map { .hand($0) } + [.absolutes]

  /// The name with a subtype if the mode has one: `quick`, `dealer weak`, `hand pairs`.
  public var name: String {
    switch self {
    case .quick: "quick"
    case .dealer(let group): "dealer \(group.rawValue)"
    case .hand(let kind): "hand \(kind == .pair ? "pairs" : kind.rawValue)"
    case .absolutes: "absolutes"
    }
  }
}

/// The plan of a session: its cells, the number of its questions, and their order.
///
/// In the plain order, every cell of the mode and the difficulty is equally likely at each question. In the adaptive
/// order, a cell that was answered wrongly returns after 3 questions and, if answered right, after 6 and 12 more, as in
/// the boxes of Leitner, "So lernt man lernen" (1972); the questions between are drawn as in the plain order.
public struct TrainingPlan: Sendable {
  /// The cells that may be asked, in chart order.
  public let cells: [ChartCellKey]
  /// The number of questions.
  public let questions: Int
  /// True if cells that were answered wrongly return.
  public let isAdaptive: Bool
  /// The chart that is taught.
  public let chart: TrainingChart
  /// The two-card hands of each row, by the row's index.
  private let hands = ChartRow.all.map(\.twoCardHands)

  /// The largest number of questions of a session.
  public static let maxQuestions = 1000

  /// A plan over a chart, with 1 to 1,000 questions; `nil` for the mode's default number.
  ///
  /// - Throws: `TrainingError.questions` for a number out of range, `.nothingToAsk` if no cell matches the mode and the
  ///   difficulty.
  public init(
    _ mode: TrainingMode, of chart: TrainingChart, difficulty: Difficulty = .normal, questions: Int? = nil,
    isAdaptive: Bool = false
  ) throws(TrainingError) {
    let count = questions ?? mode.defaultQuestions
    guard (1...Self.maxQuestions).contains(count) else { throw .questions(count) }
    let fixed = mode == .absolutes ? Set(chart.absolutes.flatMap(\.rows)) : []
    cells = ChartCellKey.all.filter { key in
      let isAsked =
        switch mode {
        case .quick: true
        case .dealer(let group): DealerGroup(of: key.upcard) == group
        case .hand(let kind): key.row.kind == kind
        case .absolutes: fixed.contains(key.row)
        }
      let margin = mode == .absolutes ? chart.meanMargin(of: key.row) : chart.margin(of: key)
      return isAsked && difficulty.asks(margin: margin)
    }
    guard !cells.isEmpty else { throw .nothingToAsk(mode, difficulty) }
    (self.chart, self.questions, self.isAdaptive) = (chart, count, isAdaptive)
  }

  func hands(of row: ChartRow) -> [(CardValue, CardValue)] { hands[row.index] }
}

/// A question: two cards against an upcard. Suits are for display; the three cards are distinct.
public struct TrainingQuestion: Hashable, Sendable {
  /// The cell of the cards.
  public let cell: ChartCellKey
  /// The player's first card.
  public let first: Card
  /// The player's second card.
  public let second: Card
  /// The dealer's card.
  public let upcard: Card
  /// The actions that the rules allow.
  public let options: ActionSet
}

/// The trainer's reply to an answer.
public struct TrainingFeedback: Hashable, Sendable {
  /// The question.
  public let question: TrainingQuestion
  /// The answer.
  public let answer: Action
  /// The right action.
  public let right: Action
  /// The loss of the answer, in bets; 0 if it is right.
  public let cost: Double
  /// A mnemonic for the right action.
  public let why: String

  /// True if the answer is the right one.
  public var isRight: Bool { answer == right }
}

/// A sequence of questions about a chart, with the cost of the answers.
///
/// A session is a value without a clock or a random generator: each call passes the time since any fixed moment, and
/// the generator of questions. A call that the state does not allow throws an error and changes nothing. Statistics
/// cover this session only and restart after an hour without an answer.
public struct TrainingSession: Sendable {
  /// The state of a session.
  public enum State: Hashable, Sendable {
    /// No question was asked yet.
    case ready
    /// A question waits for its answer.
    case active(TrainingQuestion)
    /// The last answer, until the next question.
    case feedback(TrainingFeedback)
    /// The last answer, which the app failed to record.
    case failedToRecord(TrainingFeedback)
    /// All questions are answered, or the session was left early.
    case completed

    /// The name in errors.
    var name: String {
      switch self {
      case .ready: "ready"
      case .active: "active"
      case .feedback: "feedback"
      case .failedToRecord: "failed to record"
      case .completed: "completed"
      }
    }
  }

  /// The cells and the number of questions.
  public let plan: TrainingPlan
  /// The state of the session.
  public private(set) var state = State.ready
  /// The number of questions asked.
  public private(set) var asked = 0
  /// The answers since the beginning of the session, or since the last pause of an hour.
  public private(set) var statistics = TrainingStatistics()
  private var began = Duration.zero
  private var lastAnswer: Duration?
  private var boxes: LeitnerBoxes

  /// The pause after which statistics restart.
  public static let longestPause = Duration.seconds(3600)

  /// A session before its first question.
  public init(_ plan: TrainingPlan) {
    self.plan = plan
    boxes = LeitnerBoxes(cells: plan.isAdaptive ? ChartCellKey.all.count : 0)
  }

  /// Asks the next question, or completes the session after the last.
  ///
  /// - Throws: `TrainingError.state` while a question waits, and once the session is completed.
  public mutating func next(at time: Duration, using generator: inout some RandomNumberGenerator) throws(TrainingError)
  {
    switch state {
    case .ready: began = time
    case .feedback, .failedToRecord: break
    case .active, .completed: throw .state(state.name, expected: "ready or feedback")
    }
    guard asked < plan.questions else {
      state = .completed
      return
    }
    let cell = boxes.take(due: asked) ?? plan.cells[Self.draw(below: plan.cells.count, using: &generator)]
    asked += 1
    state = .active(question(of: cell, using: &generator))
  }

  /// Answers the question.
  ///
  /// - Throws: `TrainingError.state` if no question waits, `.notAllowed` for an action that the rules forbid with these
  ///   cards; this does not count as a mistake, and the question still waits.
  @discardableResult
  public mutating func answer(_ action: Action, at time: Duration) throws(TrainingError) -> TrainingFeedback {
    guard case .active(let question) = state else { throw .state(state.name, expected: "active") }
    guard question.options.contains(action) else { throw .notAllowed(action, question) }
    if time - (lastAnswer ?? began) > Self.longestPause { (statistics, began) = (TrainingStatistics(), time) }
    let right = plan.chart.right(in: question.cell)
    let feedback = TrainingFeedback(
      question: question, answer: action, right: right,
      cost: action == right ? 0 : plan.chart.cost(of: action, in: question.cell),
      why: plan.chart.mnemonic(of: question.cell))
    statistics.add(action, in: question.cell, isRight: feedback.isRight)
    boxes.record(question.cell, isRight: feedback.isRight, asked: asked)
    lastAnswer = time
    state = .feedback(feedback)
    return feedback
  }

  /// Records that the app failed to store the last answer, or, with `false`, that it has stored it now. The session's
  /// statistics include the answer in both cases.
  ///
  /// - Throws: `TrainingError.state` if there is no last answer.
  public mutating func recording(failed: Bool) throws(TrainingError) {
    switch state {
    case .feedback(let feedback), .failedToRecord(let feedback):
      state = failed ? .failedToRecord(feedback) : .feedback(feedback)
    case .ready, .active, .completed: throw .state(state.name, expected: "feedback")
    }
  }

  /// Leaves the session early, or returns the summary of a completed one.
  public mutating func leave() -> TrainingSummary {
    state = .completed
    return summary
  }

  /// The summary of the answers so far.
  public var summary: TrainingSummary {
    statistics.summary(by: plan.chart, duration: lastAnswer.map { max(.zero, $0 - began) } ?? .zero)
  }
}

extension TrainingSession {
  /// A question about a cell: a uniform two-card hand of its row, in either order.
  private func question(of cell: ChartCellKey, using generator: inout some RandomNumberGenerator) -> TrainingQuestion {
    let hands = plan.hands(of: cell.row)
    let (larger, smaller) = hands[Self.draw(below: hands.count, using: &generator)]
    let isSwapped = Self.draw(below: 2, using: &generator) == 1
    let first = Self.card(of: isSwapped ? smaller : larger, beside: [], using: &generator)
    let second = Self.card(of: isSwapped ? larger : smaller, beside: [first], using: &generator)
    let upcard = Self.card(of: cell.upcard, beside: [first, second], using: &generator)
    return TrainingQuestion(
      cell: cell, first: first, second: second, upcard: upcard, options: plan.chart.options(in: cell))
  }

  /// A card of a value: a uniform rank of that value and a uniform suit, but no card that is on the table.
  private static func card(
    of value: CardValue, beside taken: [Card], using generator: inout some RandomNumberGenerator
  ) -> Card {
    let suits = Suit.allCases
    let free = value.ranksPerSuit * suits.count - taken.count { $0.value == value }
    var left = draw(below: free, using: &generator)
    for offset in 0..<UInt8(value.ranksPerSuit) {
      for suit in suits {
        let card = Card(Rank(rawValue: value.rawValue + offset) ?? .ace, of: suit)
        if taken.contains(card) { continue }
        if left == 0 { return card }
        left -= 1
      }
    }
    return Card(.ace, of: .spades)
  }

  /// A uniform integer from 0 to below a bound: Lemire, "Fast random integer generation in an interval" (2019). The
  /// standard library's method may change between versions of Swift.
  private static func draw(below bound: Int, using generator: inout some RandomNumberGenerator) -> Int {
    let bound = UInt64(bound)
    var product = UInt64(generator.next()).multipliedFullWidth(by: bound)
    if product.low < bound {
      while product.low < (0 &- bound) % bound { product = UInt64(generator.next()).multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }
}

/// The cells that were answered wrongly, and the times of their return.
private struct LeitnerBoxes: Sendable {
  /// The number of questions until a cell returns, by its box.
  private static let spacings = [3, 6, 12]
  /// The box of each cell, from 1; 0 for cells that do not return.
  private var boxes: [Int]
  /// The cells that return, the earliest last.
  private var waiting: [(due: Int, cell: ChartCellKey)] = []

  /// Boxes for a number of cells; with 0 no cell returns.
  init(cells: Int) { boxes = Array(repeating: 0, count: cells) }

  /// The earliest cell that is due after a number of questions.
  mutating func take(due asked: Int) -> ChartCellKey? {
    guard let last = waiting.last, last.due <= asked else { return nil }
    return waiting.removeLast().cell
  }

  mutating func record(_ cell: ChartCellKey, isRight: Bool, asked: Int) {
    guard boxes.indices.contains(cell.index), !isRight || boxes[cell.index] > 0 else { return }
    let box = isRight ? boxes[cell.index] + 1 : 1
    boxes[cell.index] = box <= Self.spacings.count ? box : 0
    waiting.removeAll { $0.cell == cell }
    guard box <= Self.spacings.count else { return }
    let due = asked + Self.spacings[box - 1]
    waiting.insert((due, cell), at: waiting.firstIndex { $0.due <= due } ?? waiting.endIndex)
  }
}

/// An error in a training session.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A chart that does not fit the rules, with the cell.
  case chart(ChartCellKey, String, expected: String)
  /// A number of questions out of range.
  case questions(Int)
  /// A mode and a difficulty without a matching cell.
  case nothingToAsk(TrainingMode, Difficulty)
  /// A call that the session's state does not allow.
  case state(String, expected: String)
  /// An action that the rules do not allow with these cards.
  case notAllowed(Action, TrainingQuestion)

  /// One sentence: what is wrong, the value found, and what was expected.
  public var description: String {
    switch self {
    case .chart(let cell, let problem, let expected): "the chart's cell \(cell) \(problem); expected \(expected)."
    case .questions(let count): "questions: found \(count), expected 1 to \(TrainingPlan.maxQuestions)."
    case .nothingToAsk(let mode, let difficulty):
      "difficulty: found '\(difficulty.rawValue)', which leaves nothing to ask in the mode '\(mode.name)'; expected "
        + "another difficulty, or another mode."
    case .state(let found, let expected): "the session is \(found), expected \(expected)."
    case .notAllowed(let action, let question):
      "\(action.name) is not allowed with \(question.first) \(question.second); allowed: "
        + question.options.actions.map(\.name).joined(separator: ", ") + "."
    }
  }
}
