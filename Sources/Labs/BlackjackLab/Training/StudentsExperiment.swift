// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Statistics

/// Simulates students of the trainer: the cost of their mistakes, and how soon a misconception is detected.
struct StudentsExperiment: BatchedExperiment {
  static let kind = "blackjack.train"
  static let command = ["blackjack", "students"]
  static let isDrawn = false
  static let summary = "Simulates students of the trainer: accuracy, cost, and how soon a misconception shows."
  static let discussion = """
    Example: assay blackjack students
    Example: assay blackjack students --mode hand-soft --students perfect stands-on-soft-18 --sessions 1e6
    Example: assay blackjack students --learning 0.5 --questions 200

    Every session is played twice by the trainer's own core, in the plain and in the adaptive order, with common \
    random numbers. A misconception shows when the answers in its cells refute that at most a tenth of them are \
    mistakes. The test stays valid after every question, and its error at --certainty covers all ten misconceptions \
    together. --learning is the chance that a corrected mistake teaches the cell: by default 0.5 for the learner and 0 \
    for all others. The learner also forgets.

    The exact analyser is the check. The loss that a student's session reports must agree with the cost of \
    the student's chart by 'blackjack compare', weighted by how often the mode asks each cell.
    """
  static let samplesName = "sessions"
  static let defaultConfidence = 0.999

  var rules = NamedRules.default
  var mode = TrainingMode.quick
  var difficulty = Difficulty.normal
  var questions: Int?
  var students = Student.Name.allCases
  var slips = 0.0
  var learning: Double?
  var forgetting = 0.01
  var certainty = 0.95
  private var course: Course?

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .taught, NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
    Parameter("mode", \.mode, .mode, "The subject of the sessions.", example: "hand-soft"),
    Parameter("difficulty", \.difficulty, .choice, "The difficulty, by the decisions' margins.", example: "hard"),
    Parameter(
      "questions", \.questions, ValueType<Int>.count(1...TrainingPlan.maxQuestions).optional,
      "The questions of a session; by default 50, or 20 for absolutes.", example: "200"),
    Parameter(
      "students", \.students, ValueType<Student.Name>.choice.list(), "The students who answer.",
      example: "perfect hits-12"),
    Parameter(
      "slips", \.slips, .share, "The share of answers that are a random allowed action.", example: "5%"),
    Parameter(
      "learning", \.learning, ValueType<Double>.share.optional,
      "The chance that a corrected mistake teaches its cell; by default 0.5 for the learner and 0 for others.",
      example: "0.5"),
    Parameter(
      "forgetting", \.forgetting, .share,
      "The chance at each question that the learner forgets a cell it has "
        + "learned.",
      example: "2%"),
    Parameter(
      "certainty", \.certainty, .number(0.5...1, isOpen: true, named: "probability"),
      "The confidence at which a misconception shows.", example: "0.99"),
  ]

  static let defaultThresholds = ["witness.outside == 0", "witness.gap <= 0.000000001"]

  func tallied(at confidence: Double) -> [Measure] {
    rows(at: confidence, ofLook: confidence).measures(of: students.map(\.rawValue)) + Self.witnesses.measures()
  }

  private var asked: Int { questions ?? mode.defaultQuestions }

  // MARK: Measures

  private func rows(at confidence: Double, ofLook confidenceOfLook: Double) -> [MeasureRow<StudentFinding>] {
    let asked = Double(asked)
    func bets(
      _ name: String, _ meaning: String, isSigned: Bool = false, ofLearnersOnly: Bool = false,
      _ tally: @escaping @Sendable (LessonTally) -> MomentTally
    ) -> MeasureRow<StudentFinding> {
      .interval(name, meaning, unit: "bets", confidence: confidence) { finding in
        if ofLearnersOnly, finding.student.habits.learning == 0 { return nil }
        let (mean, interval) = finding.bets(tally(finding.tally), isSigned: isSigned, at: confidenceOfLook)
        return .interval(
          mean, low: interval.lowerBound, high: interval.upperBound, confidence: confidence,
          samples: finding.tally.sooner.count)
      }
    }
    let accuracy: MeasureRow<StudentFinding> = .mean(
      "accuracy", "the share of a session's answers that are right", range: 0...1
    ) {
      .mean(of: $0.tally.plain.right, slope: 1 / Double($0.questions))
    }
    let categories: [MeasureRow<StudentFinding>] = TrainingCategory.all.enumerated().map { position, category in
      .mean(
        "accuracy.\(category.hand.rawValue).\(category.dealer.rawValue)",
        title: "\(category.hand.rawValue) v \(category.dealer.rawValue)",
        "the accuracy with \(category.hand.rawValue) hands against \(category.dealer.rawValue) cards, if asked",
        range: 0...1
      ) {
        let tally = $0.tally.plain.categories[position]
        return tally.count == 0 ? nil : .mean(of: tally, slope: 1e-6)
      }
    }
    let effects: [MeasureRow<StudentFinding>] = [
      bets("cost", "the mean cost of a question by the session's statistics") { $0.plain.cost },
      .exact("cost.exact", title: "by compare", "the cost by the student's chart, computed", unit: "bets", \.exact),
      .proportion("shown", "sessions in which a misconception shows") {
        ($0.tally.plain.shown, $0.tally.plain.questions.count)
      },
      .proportion("shown.adaptive", title: "shown, adaptive", "sessions that show one, in the adaptive order") {
        ($0.tally.adaptive.shown, $0.tally.adaptive.questions.count)
      },
      .mean(
        "questions", "questions until a misconception shows, all of them if none does", unit: "questions",
        range: 1...asked
      ) { .mean(of: $0.tally.plain.questions) },
      .mean(
        "sooner", "how many questions sooner in the adaptive order, by common random numbers", unit: "questions",
        range: -asked...asked
      ) { .mean(of: $0.tally.sooner) },
      bets("left", "the cost of a question to a learner with the final knowledge", ofLearnersOnly: true) {
        $0.plain.left
      },
      bets(
        "fixed", "the decrease of 'left' by the adaptive order, by common random numbers", isSigned: true,
        ofLearnersOnly: true
      ) { $0.fixed },
    ]
    return [accuracy] + categories + effects
  }

  private static let witnesses: [MeasureRow<[StudentFinding]>] = [
    .count(
      "witness.outside", "students whose cost by compare is outside the interval of their sessions", unit: "students"
    ) { findings in findings.count { $0.isOutside } },
    .exact(
      "witness.gap", "the largest difference of the trainer's and compare's cost of a student's chart", unit: "bets"
    ) { $0.compactMap(\.gap).max() ?? 0 },
  ]

  // MARK: Running

  /// Figures that are computed before the sessions.
  private struct Course: Sendable {
    let lesson: Lesson
    /// The cost of each student's chart in each cell, by the exact analyser; `nil` for students without a chart.
    let exact: [[Double]?]
  }

  mutating func prepare(on context: RunContext) throws {
    let chart = try TrainingChart(of: rules.rules)
    let other = try ExactAnalysis(rules: rules.rules.withOtherSoft17()).chart.chart
    func plan(isAdaptive: Bool) throws(TrainingError) -> TrainingPlan {
      try TrainingPlan(mode, of: chart, difficulty: difficulty, questions: questions, isAdaptive: isAdaptive)
    }
    let lesson = Lesson(
      students.map { Student($0, habits(of: $0), of: chart, otherRules: other) },
      misconceptions: Student.Name.misconceptions.map { Student($0, Habits(), of: chart, otherRules: other) },
      plain: try plan(isAdaptive: false), adaptive: try plan(isAdaptive: true), error: 1 - certainty)
    let right = try ExactAnalysis(rules: rules.rules, following: chart.chart)
    course = Course(
      lesson: lesson,
      exact: try lesson.students.map { student in
        try student.followsChart ? exactCosts(of: student, beside: right, of: chart.chart) : nil
      })
  }

  func tally() -> [LessonTally] { students.map { _ in LessonTally() } }

  /// The name of the generator.
  func scratch(generator: String) -> String { generator }

  func draw(_ batch: SampleBatch, _ generator: inout String, into tally: inout [LessonTally]) throws {
    try course?.lesson.play(batch.count, by: RandomStream(named: generator, seed: batch.seed()), into: &tally)
  }

  private func findings(in run: SampledRun<[LessonTally]>) -> [StudentFinding] {
    guard let course else { return [] }
    let shared = 1 - (1 - run.confidenceOfLook) / Double(students.count)
    return students.indices.map { position in
      var finding = StudentFinding(
        course.lesson.students[position], run.tally[position], plan: course.lesson.plain,
        exact: course.exact[position])
      if let exact = finding.exact {
        let interval = finding.bets(finding.tally.plain.cost, at: shared).interval
        // Costs of sessions are rounded to 1e-8 bets.
        finding.isOutside = exact < interval.lowerBound - 1e-8 || exact > interval.upperBound + 1e-8
      }
      return finding
    }
  }

  func measurements(of run: SampledRun<[LessonTally]>) -> [Measurement] {
    let (rows, findings) = (rows(at: run.confidence, ofLook: run.confidenceOfLook), findings(in: run))
    return findings.flatMap { rows.measurements(of: $0.student.name.rawValue, in: $0) }
      + Self.witnesses.measurements(in: findings)
  }

  private func habits(of name: Student.Name) -> Habits {
    let isLearner = name == .learner
    return Habits(
      slips: slips, learning: name == .random ? 0 : learning ?? (isLearner ? 0.5 : 0),
      forgetting: isLearner ? forgetting : 0)
  }

  /// The cost of the student's chart in each cell, in bets, as `blackjack compare` has it: its action, with later play
  /// by the student's chart, against the best by the chart of the rules.
  private func exactCosts(
    of student: Student, beside right: ExactAnalysis, of own: StrategyChart
  ) throws(BlackjackError) -> [Double] {
    let played = try ExactAnalysis(rules: rules.rules, following: student.chart(beside: own))
    return ChartCellKey.all.map { key in
      guard case .action(let action) = student.faults[key.index], let best = right.values(of: key).best,
        let value = played.values(of: key)[action]
      else { return 0 }
      return best.value - value
    }
  }

  private func categories(in measurements: [Measurement]) -> Table {
    let all = TrainingCategory.all.map { ($0.hand.rawValue, $0.dealer.rawValue) }
    return Table(
      ["student"], numbers: all.map { "\($0) v \($1)" },
      rows: students.map { student in
        let accuracies = all.map { hand, dealer in
          measurements.first {
            $0.measure.name == "accuracy.\(hand).\(dealer)" && $0.measure.label == student.rawValue
          }
        }
        return [student.rawValue]
          + accuracies.map { $0.map { NumberFormat.percent(($0.estimate * 1000).rounded() / 1000) } ?? "" }
      })
  }

  func sections(of run: SampledRun<[LessonTally]>) -> [ReportBlock] {
    guard let plan = course?.lesson.plain else { return [] }
    func table(_ names: [String]) -> Table { Table(run.measurements, by: "student", names, at: run.confidence) }
    return [
      .paragraph(
        "Students of \(rules.label), \(mode.name): sessions have \(plan.questions) questions about "
          + "\(plan.cells.count) cells, each in both orders. The table above compares with the exact analyser."),
      .table(table(["accuracy", "cost", "cost.exact"]), caption: "Accuracy and cost of a question, plain order"),
      .table(
        table(["shown", "shown.adaptive", "questions", "sooner"]),
        caption: "How soon a misconception shows, at \(NumberFormat.shortest(certainty)) certainty"),
      .table(table(["left", "fixed"]), caption: "The cost of a question at the end of the session"),
      .table(categories(in: run.measurements), caption: "Accuracy by category, plain order; CSV has the intervals"),
      .details(summary: "The students", [.list(students.map { "\($0.rawValue): \($0.words)" })]),
    ]
  }
}

/// The results of one student.
private struct StudentFinding: Sendable {
  let student: Student
  let tally: LessonTally
  let questions: Int
  /// The cost of a question by the exact analysis of the student's chart, in bets; `nil` for students without a chart.
  let exact: Double?
  /// The largest loss of an answer of the student, in bets.
  private let maximum: Double
  /// The difference of the trainer's expectation from `exact`, in bets.
  let gap: Double?
  /// True if the interval of the sessions' cost, at the confidence for all students together, excludes it.
  var isOutside = false

  /// `exact` has the costs by the cell's index.
  init(_ student: Student, _ tally: LessonTally, plan: TrainingPlan, exact costs: [Double]?) {
    (self.student, self.tally, questions) = (student, tally, plan.questions)
    func mean(_ cost: (ChartCellKey) -> Double) -> Double {
      plan.cells.reduce(0) { $0 + cost($1) } / Double(plan.cells.count)
    }
    gap = costs.map { costs in abs(mean { costs[$0.index] } - mean { student.cost(in: $0, by: plan.chart) }) }
    let slips = student.habits.slips
    maximum =
      plan.cells.flatMap { key in
        let isAny = slips > 0 || student.faults[key.index] == .guess
        return isAny
          ? plan.chart.options(in: key).actions.map { plan.chart.cost(of: $0, in: key) }
          : [student.cost(in: key, by: plan.chart)]
      }.max() ?? 0
    exact = costs.flatMap { costs in
      student.habits.learning > 0
        ? nil : mean { (1 - slips) * costs[$0.index] + slips * plan.chart.costOfGuess(in: $0) }
    }
  }

  /// The mean of a tally of 1e-8 bets, in bets, with its interval by the largest possible loss.
  func bets(_ tally: MomentTally, isSigned: Bool = false, at confidence: Double) -> (
    mean: Double, interval: ClosedRange<Double>
  ) {
    let value = Measurement.Value.mean(of: tally, slope: 1 / LessonTally.perBet)
    // Costs of sessions are rounded to integers.
    let range = (isSigned ? -maximum - 1e-8 : 0)...(maximum + 1e-8)
    guard case .mean(let mean, let deviation, let samples) = value,
      let sample = BoundedSample(mean: mean, standardDeviation: deviation, count: samples, range: range)
    else { return (.nan, range) }
    return (mean, sample.interval(tail: (1 - confidence) / 2))
  }
}

extension Rules {
  fileprivate func withOtherSoft17() throws(BlackjackError) -> Rules {
    let tokens = name.split(separator: "-").map(String.init).filter { $0 != "h17" }
    return try Rules(name: (dealerHitsSoft17 ? tokens : tokens + ["h17"]).joined(separator: "-"))
  }
}

extension ValueType where Value == TrainingMode {
  /// The eight modes; a subtype follows a dash.
  fileprivate static var mode: Self {
    ValueType<String>.choice(TrainingMode.all.map(Self.word), named: "mode").map { word in
      TrainingMode.all.first { Self.word($0) == word }
    } back: {
      Self.word($0)
    }
  }

  private static func word(_ mode: TrainingMode) -> String { mode.name.split(separator: " ").joined(separator: "-") }
}
