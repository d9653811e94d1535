// SPDX-License-Identifier: Apache-2.0

/// How many questions of a kind were answered, and how many of them right.
public struct AnswerCount: Hashable, Sendable {
  /// The questions answered.
  public internal(set) var questions = 0
  /// Those answered right.
  public internal(set) var right = 0

  /// From this many questions on an interval says something: with fewer it spans half of all accuracies and more.
  public static let fewestForInterval = 10

  /// The share answered right; `nil` without a question.
  public var accuracy: Double? { questions == 0 ? nil : Double(right) / Double(questions) }

  /// An interval for the accuracy at 95% confidence: Clopper and Pearson, "The use of confidence or fiducial limits
  /// illustrated in the case of the binomial", Biometrika 26 (1934). `nil` below `fewestForInterval` questions and
  /// above `TrainingPlan.mostQuestions`.
  ///
  /// - Complexity: O(questions).
  public var interval: ClosedRange<Double>? {
    guard (Self.fewestForInterval...TrainingPlan.mostQuestions).contains(questions) else { return nil }
    let low = Self.least { 1 - Self.atMost(right - 1, of: questions, $0) >= 0.025 }
    let high = Self.least { Self.atMost(right, of: questions, $0) < 0.025 }
    return low...max(low, high)
  }

  /// The least probability for which a condition is true that stays true above it.
  private static func least(_ isTrue: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if isTrue(middle) { high = middle } else { low = middle }
    }
    return high < 1e-9 ? 0 : high > 1 - 1e-9 ? 1 : high
  }

  /// The probability of at most so many successes of at most 1,000 trials; none of its terms underflows.
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

/// A kind of decisions: hands of one kind against a group of upcards.
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

/// The answers of a session, as whole numbers: they add up to the same in any order.
public struct TrainingStatistics: Hashable, Sendable {
  /// How often each action was given, by the cell's index times 5 plus the action's raw value.
  private var answers = [Int32](repeating: 0, count: ChartCellKey.all.count * Action.allCases.count)
  /// The right answers in a row until now.
  public private(set) var streak = 0
  /// The longest row of right answers.
  public private(set) var longestStreak = 0

  /// No answers.
  public init() {}

  mutating func add(_ action: Action, in key: ChartCellKey, isRight: Bool) {
    answers[key.index &* Action.allCases.count &+ Int(action.rawValue)] &+= 1
    streak = isRight ? streak &+ 1 : 0
    longestStreak = max(longestStreak, streak)
  }

  /// How often an action was given in a cell.
  public func count(of action: Action, in key: ChartCellKey) -> Int {
    Int(answers[key.index * Action.allCases.count + Int(action.rawValue)])
  }

  /// A summary of the answers by what a chart says of them.
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

/// The result of a session: how many answers were right, by category, and what the mistakes cost.
public struct TrainingSummary: Sendable {
  /// A cell in which mistakes were made.
  public struct CostlyCell: Hashable, Sendable {
    /// The cell.
    public let cell: ChartCellKey
    /// How many answers were wrong.
    public let mistakes: Int
    /// Their cost together, in bets.
    public let cost: Double
  }

  /// All answers.
  public let answers: AnswerCount
  /// The answers by category, without those of which nothing was asked.
  public let categories: [(category: TrainingCategory, answers: AnswerCount)]
  /// The cost of all mistakes, in bets.
  public let cost: Double
  /// The three cells whose mistakes cost most, the costliest first.
  public let costliest: [CostlyCell]
  /// The longest row of right answers.
  public let longestStreak: Int
  /// From the first question to the last answer.
  public let duration: Duration
}
