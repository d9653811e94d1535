// SPDX-License-Identifier: Apache-2.0

/// The numbers of answers, and of right answers, to a kind of question.
public struct AnswerCount: Hashable, Sendable {
  /// The questions answered.
  public internal(set) var questions = 0
  /// The number answered right.
  public internal(set) var right = 0

  /// The smallest number of questions with an interval: with fewer it would span at least half of all accuracies.
  public static let fewestForInterval = 10

  /// The share answered right; `nil` without a question.
  public var accuracy: Double? { questions == 0 ? nil : Double(right) / Double(questions) }

  /// An interval for the accuracy at 95% confidence: Clopper and Pearson, "The use of confidence or fiducial limits
  /// illustrated in the case of the binomial", Biometrika 26 (1934). `nil` below `fewestForInterval` questions and
  /// above `TrainingPlan.maxQuestions`.
  ///
  /// - Complexity: O(questions).
  public var interval: ClosedRange<Double>? {
    guard (Self.fewestForInterval...TrainingPlan.maxQuestions).contains(questions) else { return nil }
    let low = Self.minimum { 1 - Self.atMost(right - 1, of: questions, $0) >= 0.025 }
    let high = Self.minimum { Self.atMost(right, of: questions, $0) < 0.025 }
    return low...max(low, high)
  }

  /// The smallest probability from which on a monotonic condition is true.
  private static func minimum(_ isTrue: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if isTrue(middle) { high = middle } else { low = middle }
    }
    return high < 1e-9 ? 0 : high > 1 - 1e-9 ? 1 : high
  }

  /// The probability of at most a number of successes in up to 1,000 trials, without underflow of its terms.
  private static func atMost(_ count: Int, of trials: Int, _ share: Double) -> Double {
    if share > 0.5 { return 1 - atMost(trials - count - 1, of: trials, 1 - share) }
    guard count >= 0 else { return 0 }
    var term = (0..<trials).reduce(1.0) { power, _ in power * (1 - share) }
    var sum = term
    for number in 0..<count {
      term *= Double(trials - number) / Double(number + 1) * share / (1 - share)
      sum += term
    }
    return min(1, sum)
  }
}

/// A category of decisions: one kind of hand against one group of upcards.
public struct TrainingCategory: Hashable, Sendable {
  /// The kind of hand.
  public let hand: ChartRow.Kind
  /// The strength of the upcard.
  public let dealer: DealerGroup

  /// The category of a cell.
  public init(of key: ChartCellKey) { (hand, dealer) = (key.row.kind, DealerGroup(of: key.upcard)) }

  private init(_ hand: ChartRow.Kind, _ dealer: DealerGroup) { (self.hand, self.dealer) = (hand, dealer) }

  /// The nine categories: hard, soft and pairs, each against weak, medium and strong upcards.
  public static let all: [TrainingCategory] = ChartRow.Kind.allCases.flatMap { hand in
    DealerGroup.allCases.map { TrainingCategory(hand, $0) }
  }
}

/// The answers of a session as integer counts, which add up to the same in any order.
public struct TrainingStatistics: Hashable, Sendable {
  /// The number of times each action was given, by the cell's index times 5 plus the action's raw value.
  private var answers = [Int32](repeating: 0, count: ChartCellKey.all.count * Action.allCases.count)
  /// The current number of consecutive right answers.
  public private(set) var streak = 0
  /// The largest number of consecutive right answers.
  public private(set) var longestStreak = 0

  /// Statistics without answers.
  public init() {}

  mutating func add(_ action: Action, in key: ChartCellKey, isRight: Bool) {
    answers[key.index &* Action.allCases.count &+ Int(action.rawValue)] &+= 1
    streak = isRight ? streak &+ 1 : 0
    longestStreak = max(longestStreak, streak)
  }

  /// The number of times an action was given in a cell.
  public func count(of action: Action, in key: ChartCellKey) -> Int {
    Int(answers[key.index * Action.allCases.count + Int(action.rawValue)])
  }

  /// A summary of the answers, with the costs from a chart.
  public func summary(by chart: TrainingChart, duration: Duration) -> TrainingSummary {
    var (all, categories) = (AnswerCount(), [TrainingCategory: AnswerCount]())
    var cells: [TrainingSummary.CostlyCell] = []
    for key in ChartCellKey.all {
      var (here, cost) = (AnswerCount(), 0.0)
      for action in Action.allCases {
        let times = count(of: action, in: key)
        guard times > 0 else { continue }
        here.questions += times
        if action == chart.right(in: key) {
          here.right += times
        } else {
          cost += Double(times) * chart.cost(of: action, in: key)
        }
      }
      guard here.questions > 0 else { continue }
      all.questions += here.questions
      all.right += here.right
      categories[TrainingCategory(of: key), default: AnswerCount()].questions += here.questions
      categories[TrainingCategory(of: key), default: AnswerCount()].right += here.right
      if cost > 0 { cells.append(.init(cell: key, mistakes: here.questions - here.right, cost: cost)) }
    }
    let costly = cells.sorted { ($1.cost, $0.cell.index) < ($0.cost, $1.cell.index) }
    return TrainingSummary(
      answers: all, categories: TrainingCategory.all.compactMap { one in categories[one].map { (one, $0) } },
      cost: cells.reduce(0) { $0 + $1.cost }, costliest: Array(costly.prefix(3)), longestStreak: longestStreak,
      duration: duration)
  }
}

/// The result of a session: the right answers by category, and the cost of the mistakes.
public struct TrainingSummary: Sendable {
  /// A cell that was answered wrongly.
  public struct CostlyCell: Hashable, Sendable {
    /// The cell.
    public let cell: ChartCellKey
    /// The number of wrong answers.
    public let mistakes: Int
    /// The total cost of the mistakes, in bets.
    public let cost: Double
  }

  /// All answers.
  public let answers: AnswerCount
  /// The answers by category; categories without questions are left out.
  public let categories: [(category: TrainingCategory, answers: AnswerCount)]
  /// The cost of all mistakes, in bets.
  public let cost: Double
  /// The three cells with the largest total cost, the costliest first.
  public let costliest: [CostlyCell]
  /// The largest number of consecutive right answers.
  public let longestStreak: Int
  /// The time from the first question to the last answer.
  public let duration: Duration
}
