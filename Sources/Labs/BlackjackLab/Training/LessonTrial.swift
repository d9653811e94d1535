// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import Statistics

/// Sessions of one student in the plain and in the adaptive order, with common random numbers: both orders draw the
/// same cell for a question of the same number, unless the adaptive one repeats another.
struct LessonTally: MergeableTally, Equatable {
  /// The sums over the sessions in one order, with an entry per session.
  struct Order: MergeableTally, Equatable {
    /// Right answers.
    var right = MomentTally()
    /// The share of right answers by category, in millionths, over sessions that asked about it.
    var categories = Array(repeating: MomentTally(), count: TrainingCategory.all.count)
    /// The mean cost of a question, in 1e-8 bets.
    var cost = MomentTally()
    /// The questions until a misconception is detected, or all of them if none is.
    var questions = MomentTally()
    /// The sessions in which a misconception is detected.
    var shown = 0
    /// The expected cost of a question of the plain order with the final knowledge, in 1e-8 bets.
    var left = MomentTally()

    mutating func merge(_ other: Self) {
      right.merge(other.right)
      for position in categories.indices { categories[position].merge(other.categories[position]) }
      cost.merge(other.cost)
      questions.merge(other.questions)
      shown += other.shown
      left.merge(other.left)
    }
  }

  static let perBet = 1e8

  var plain = Order()
  var adaptive = Order()
  /// The number of questions by which a misconception is detected sooner in the adaptive order.
  var sooner = MomentTally()
  /// The decrease of the final cost in the adaptive order, in 1e-8 bets.
  var fixed = MomentTally()

  mutating func merge(_ other: Self) {
    plain.merge(other.plain)
    adaptive.merge(other.adaptive)
    sooner.merge(other.sooner)
    fixed.merge(other.fixed)
  }
}

/// Plays sessions of students with the core's own trainer.
struct Lesson: Sendable {
  let students: [Student]
  let plain: TrainingPlan
  let adaptive: TrainingPlan
  /// The chance of detecting a misconception in a student who makes mistakes in a tenth of its cells.
  let error: Double
  /// The misconceptions that a mistake in a cell is evidence for, by the cell's index.
  private let signs: [[Int]]
  /// The expected loss of each student's answer in a cell, in bets.
  private let costs: [[Double]]

  init(
    _ students: [Student], misconceptions: [Student], plain: TrainingPlan, adaptive: TrainingPlan, error: Double
  ) {
    (self.students, self.plain, self.adaptive, self.error) = (students, plain, adaptive, error)
    signs = ChartCellKey.all.map { key in
      misconceptions.indices.filter { misconceptions[$0].faults[key.index] != nil }
    }
    costs = students.map { student in ChartCellKey.all.map { student.cost(in: $0, by: plain.chart) } }
  }

  func play(_ sessions: Int, by random: consuming RandomStream, into tallies: inout [LessonTally]) throws {
    for _ in 0..<sessions {
      // All students meet the same questions, with the same random words for their answers.
      let draws = SessionDraws(questions: plain.questions, from: &random)
      for position in students.indices { try play(position, by: draws, into: &tallies[position]) }
    }
  }

  private func play(_ position: Int, by draws: SessionDraws, into tally: inout LessonTally) throws {
    let plain = try play(position, plain, by: draws, into: &tally.plain)
    let adaptive = try play(position, adaptive, by: draws, into: &tally.adaptive)
    tally.sooner.add(plain.questions - adaptive.questions)
    tally.fixed.add(plain.left - adaptive.left)
  }

  /// Plays one session; returns the questions until a detection, and the final expected cost.
  private func play(
    _ position: Int, _ plan: TrainingPlan, by draws: SessionDraws, into order: inout LessonTally.Order
  ) throws -> (questions: Int, left: Int) {
    let (student, habits) = (students[position], students[position].habits)
    let own = Student.Name.misconceptions.firstIndex(of: student.name)
    var session = TrainingSession(plan)
    var questions = draws.questions
    // By the cell's index: the question at which the cell was learned or last answered from that knowledge.
    var learned: [Int: Int] = [:]
    var evidence = Evidence(error: error)
    var shownAfter: Int?
    for number in 0..<plan.questions {
      questions.begin(number)
      try session.next(at: .seconds(number), using: &questions)
      guard case .active(let question) = session.state else { break }
      var luck = draws.luck(of: number)
      let cell = question.cell.index
      if let last = learned[cell] {
        // The cell may have been forgotten at each question since.
        learned[cell] = luck.next() < habits.stillKnown(after: number - last) ? number : nil
      }
      let feedback = try session.answer(
        answer(of: student, to: question, knows: learned[cell] != nil, &luck), at: .seconds(number))
      if !feedback.isRight, luck.next() < habits.learning { learned[cell] = number }
      guard shownAfter == nil else { continue }
      for sign in signs[cell] where own == nil || sign == own {
        if evidence.add(isRight: feedback.isRight, to: sign) { shownAfter = number + 1 }
      }
    }
    let summary = session.leave()
    order.right.add(summary.answers.right)
    order.cost.add(Int((summary.cost / Double(plan.questions) * LessonTally.perBet).rounded()))
    for (category, answers) in summary.categories {
      guard let index = TrainingCategory.all.firstIndex(of: category), let accuracy = answers.accuracy else { continue }
      order.categories[index].add(Int((accuracy * 1e6).rounded()))
    }
    order.questions.add(shownAfter ?? plan.questions)
    if shownAfter != nil { order.shown += 1 }
    var lost = 0.0
    for key in plan.cells {
      let known = learned[key.index].map { habits.stillKnown(after: plan.questions - $0) } ?? 0
      lost += costs[position][key.index] * (1 - known)
    }
    let left = Int((lost / Double(plan.cells.count) * LessonTally.perBet).rounded())
    order.left.add(left)
    return (shownAfter ?? plan.questions, left)
  }

  private func answer(
    of student: Student, to question: TrainingQuestion, knows isKnown: Bool, _ luck: inout SessionDraws.Outcome
  ) -> Action {
    let right = plain.chart.right(in: question.cell)
    let fault = isKnown ? nil : student.faults[question.cell.index]
    guard fault == .guess || luck.next() < student.habits.slips else {
      if case .action(let action) = fault { return action }
      return right
    }
    let actions = question.options.actions
    return actions[min(actions.count - 1, Int(luck.next() * Double(actions.count)))]
  }
}

/// The random words of a session from one stream, with a fixed number per question, so that each question's words do
/// not depend on the use of earlier ones.
struct SessionDraws {
  private static let wordsPerQuestion = 16
  private let words: [UInt32]

  init(questions: Int, from random: inout RandomStream) {
    words = (0..<(questions + 1) * Self.wordsPerQuestion).map { _ in random.word() }
  }

  /// Twelve words per question for its cards: a cell, a hand, their order and three cards.
  struct Questions: RandomNumberGenerator {
    fileprivate let words: [UInt32]
    fileprivate var position = 0

    mutating func begin(_ number: Int) { position = number * SessionDraws.wordsPerQuestion }

    /// Two words make one number; a rejected draw, one in 2^55, uses the words that follow.
    mutating func next() -> UInt64 {
      let word = UInt64(words[position]) << 32 | UInt64(words[position + 1])
      position = (position + 2) % (words.count - 1)
      return word
    }
  }

  /// Four words per question for the student's answer.
  struct Outcome {
    fileprivate let words: [UInt32]
    fileprivate var position: Int

    /// A uniform number in [0, 1).
    mutating func next() -> Double {
      defer { position += 1 }
      return Double(words[position]) * 0x1p-32
    }
  }

  var questions: Questions { Questions(words: words) }

  func luck(of number: Int) -> Outcome { Outcome(words: words, position: number * Self.wordsPerQuestion + 12) }
}
