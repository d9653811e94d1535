// SPDX-License-Identifier: Apache-2.0

/// What a session asks.
public enum TrainingMode: Hashable, Sendable {
  /// All 330 cells; 50 questions unless stated.
  case quick
  /// The cells against a group of upcards: 33 rows against three or four of them; 50 questions unless stated.
  case dealer(DealerGroup)
  /// The cells of a kind of hands: 150 hard, 80 soft, 100 of pairs; 50 questions unless stated.
  case hand(ChartRow.Kind)
  /// The cells of the rules that no upcard changes (`TrainingChart.absolutes`); 20 questions unless stated. Each row is
  /// one rule to remember, so its difficulty is that of its ten decisions on average: hardly any row is hard.
  case absolutes

  /// How many questions a session has where nobody says.
  public var usualQuestions: Int { self == .absolutes ? 20 : 50 }

  /// The eight modes.
  public static let all: [TrainingMode] =
    [.quick] + DealerGroup.allCases.map { .dealer($0) } + ChartRow.Kind.allCases.map { .hand($0) } + [.absolutes]

  /// The name, with the subtype that some modes need: `quick`, `dealer weak`, `hand pairs`.
  public var name: String {
    switch self {
    case .quick: "quick"
    case .dealer(let group): "dealer \(group.rawValue)"
    case .hand(let kind): "hand \(kind == .pair ? "pairs" : kind.rawValue)"
    case .absolutes: "absolutes"
    }
  }
}

/// A session to be: what it asks, how much its decisions are worth, in which order, and how often.
///
/// In the plain order every cell that the mode and the difficulty leave is equally likely at each question. In the
/// adaptive order a cell that was answered wrongly comes back after 3 questions, then, answered right, after 6 and
/// after 12 more, as in the boxes of Leitner, "So lernt man lernen" (1972); the questions between are drawn as in the
/// plain order.
public struct TrainingPlan: Sendable {
  /// The cells that can be asked, in chart order.
  public let cells: [ChartCellKey]
  /// How many questions are asked.
  public let questions: Int
  /// Whether cells come back that were answered wrongly.
  public let isAdaptive: Bool
  /// The chart that is taught.
  public let chart: TrainingChart
  /// The two-card hands of each row, by the row's index.
  private let hands = ChartRow.all.map(\.twoCardHands)

  /// The most questions of a session.
  public static let mostQuestions = 1000

  /// A plan over a chart, with 1 to 1,000 questions; the usual number of the mode where `questions` is `nil`.
  ///
  /// - Throws: `TrainingError.questions` for a number out of range, `.nothingToAsk` where mode and difficulty leave no
  ///   cell.
  public init(
    _ mode: TrainingMode, of chart: TrainingChart, difficulty: Difficulty = .normal, questions: Int? = nil,
    isAdaptive: Bool = false
  ) throws(TrainingError) {
    let count = questions ?? mode.usualQuestions
    guard (1...Self.mostQuestions).contains(count) else { throw .questions(count) }
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

/// A question: two cards against an upcard. Suits are for display; no two of the three cards are the same card.
public struct TrainingQuestion: Hashable, Sendable {
  /// The cell that the cards are of.
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

/// What the trainer answers to an answer.
public struct TrainingFeedback: Hashable, Sendable {
  /// The question.
  public let question: TrainingQuestion
  /// The answer.
  public let answer: Action
  /// The right action.
  public let right: Action
  /// The loss by the answer, in bets; 0 where it is right.
  public let cost: Double
  /// Why the right action is right: a line to remember.
  public let why: String

  /// Whether the answer is the right one.
  public var isRight: Bool { answer == right }
}

/// Questions about a chart, one after the other, and what the answers cost.
///
/// A session is a value without a clock or randomness of its own: the time comes with each call, as the time since any
/// moment, and so does the generator of questions. A call in a state that does not allow it throws and changes nothing.
/// Statistics are of this session alone; they begin again after an hour without an answer.
public struct TrainingSession: Sendable {
  /// Where a session stands.
  public enum State: Hashable, Sendable {
    /// Nothing was asked yet.
    case ready
    /// A question waits for its answer.
    case active(TrainingQuestion)
    /// The last answer, until the next question.
    case feedback(TrainingFeedback)
    /// The last answer, which the app could not record.
    case failedToRecord(TrainingFeedback)
    /// All questions are answered, or the session was left.
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

  /// What is asked, and how often.
  public let plan: TrainingPlan
  /// Where the session stands.
  public private(set) var state = State.ready
  /// How many questions were asked.
  public private(set) var asked = 0
  /// The answers since the session, or an hour's pause, began.
  public private(set) var statistics = TrainingStatistics()
  private var began = Duration.zero
  private var lastAnswer: Duration?
  private var boxes: LeitnerBoxes

  /// Statistics begin again after a pause of this length.
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
  /// - Throws: `TrainingError.state` where none waits, `.notAllowed` for an action that the rules forbid with these
  ///   cards, which is no mistake: the question still waits.
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

  /// Notes that the app could not record the last answer, or, with `false`, that it has now. The session's own
  /// statistics have it either way.
  ///
  /// - Throws: `TrainingError.state` without an answer that is the last.
  public mutating func recording(failed: Bool) throws(TrainingError) {
    switch state {
    case .feedback(let feedback), .failedToRecord(let feedback):
      state = failed ? .failedToRecord(feedback) : .feedback(feedback)
    case .ready, .active, .completed: throw .state(state.name, expected: "feedback")
    }
  }

  /// Leaves the session early, or reads the summary of a completed one.
  public mutating func leave() -> TrainingSummary {
    state = .completed
    return summary
  }

  /// The summary of the answers until now.
  public var summary: TrainingSummary {
    statistics.summary(by: plan.chart, duration: lastAnswer.map { max(.zero, $0 - began) } ?? .zero)
  }
}

extension TrainingSession {
  /// Cards of a cell, each two-card hand of its row as likely as the others, in either order.
  private func question(of cell: ChartCellKey, using generator: inout some RandomNumberGenerator) -> TrainingQuestion {
    let hands = plan.hands(of: cell.row)
    let (larger, smaller) = hands[Self.draw(below: hands.count, using: &generator)]
    let isSwapped = Self.draw(below: 2, using: &generator) == 1
    let first = Self.card(of: isSwapped ? smaller : larger, besides: [], using: &generator)
    let second = Self.card(of: isSwapped ? larger : smaller, besides: [first], using: &generator)
    let upcard = Self.card(of: cell.upcard, besides: [first, second], using: &generator)
    return TrainingQuestion(
      cell: cell, first: first, second: second, upcard: upcard, options: plan.chart.options(in: cell))
  }

  /// A card of a value, of any rank that counts so much and any suit, but none that is on the table.
  private static func card(
    of value: CardValue, besides taken: [Card], using generator: inout some RandomNumberGenerator
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

  /// A whole number from 0, each as likely: Lemire, "Fast random integer generation in an interval" (2019). The
  /// standard library's own draw may change between versions of Swift.
  private static func draw(below bound: Int, using generator: inout some RandomNumberGenerator) -> Int {
    let bound = UInt64(bound)
    var product = UInt64(generator.next()).multipliedFullWidth(by: bound)
    if product.low < bound {
      while product.low < (0 &- bound) % bound { product = UInt64(generator.next()).multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }
}

/// Cells that were answered wrongly, and when they come back.
private struct LeitnerBoxes: Sendable {
  /// How many other questions come between, by the box.
  private static let spacings = [3, 6, 12]
  /// The box of each cell, from 1; 0 for none.
  private var boxes: [Int]
  /// The cells that come back, the soonest last.
  private var waiting: [(due: Int, cell: ChartCellKey)] = []

  /// Boxes for so many cells; with none nothing comes back.
  init(cells: Int) { boxes = Array(repeating: 0, count: cells) }

  /// The cell that is longest due once so many questions were asked.
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

/// An error in a training session, with what a person needs to mend it.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A chart that is not one of the rules, at a cell.
  case chart(ChartCellKey, String, expected: String)
  /// A number of questions out of range.
  case questions(Int)
  /// A mode and a difficulty that leave no cell.
  case nothingToAsk(TrainingMode, Difficulty)
  /// A call that the session's state does not allow.
  case state(String, expected: String)
  /// An action that the rules do not allow with these cards.
  case notAllowed(Action, TrainingQuestion)

  /// One sentence: what is wrong, the value found, and what was expected.
  public var description: String {
    switch self {
    case .chart(let cell, let problem, let expected): "the chart's cell \(cell) \(problem); expected \(expected)."
    case .questions(let count): "questions: found \(count), expected 1 to \(TrainingPlan.mostQuestions)."
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
