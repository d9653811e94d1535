// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
public import PropertyTesting
internal import Randomness
internal import Statistics

/// Properties of the trainer: its questions, answers and statistics.
public enum TrainerProperties {
  public static let catalogue = PropertyCatalogue(
    core: "BlackjackCore's trainer", production: .shipping, properties: all(of:), mutants: mutations)

  private static func all(of code: TrainerOperations) -> [Property] {
    questions(of: code) + answers(of: code) + [TrainerMachine.property(of: code)] + statistics(of: code)
  }

  private static let cells = Gen.elements(of: ChartCellKey.all)
  private static let seeds = Gen<Int>.integers(in: 0...1_000_000)
  private static let modes = Gen.elements(of: TrainingMode.all)

  // MARK: Questions

  private static func questions(of code: TrainerOperations) -> [Property] {
    [
      Property(
        "trainer.1", "The right action is the first of the chart's answers that the rules allow",
        reference: "Dh, Ds and Rh of charts", arguments: ["lesson", "cell"], DrawnLesson.any(), cells
      ) { lesson, key in
        let (right, allowed) = (code.right(try lesson.chart(), key), lesson.allowed(in: key))
        try require(try lesson.chart().options(in: key) == allowed, "other actions than \(allowed.names)")
        try require(right == lesson.right(in: key), "\(right.name), the chart \(lesson.right(in: key).name)")
      },
      Property(
        "trainer.2", "The cards of a question make its cell, in a hand of two, without repeated cards",
        reference: "a table has one deck at least", arguments: ["lesson", "mode", "seed"], DrawnLesson.any(), modes,
        seeds
      ) { lesson, mode, seed in
        let play = try DrawnSession(lesson, mode, seed: seed, questions: 40, code)
        for question in try play.questions(code) {
          let cards = code.cards(question)
          let row = ChartRow(of: Hand(cards[0].value, cards[1].value), asPair: true)
          try require(
            row == question.cell.row && cards[2].value == question.cell.upcard,
            "\(cards[0]) \(cards[1]) v \(cards[2]) for \(question.cell)")
          try require(Set(cards).count == 3, "the same card twice: \(cards)")
        }
      },
      Property(
        "trainer.3", "A mode asks about all of its cells and about no other",
        reference: "the modes", arguments: ["lesson", "mode", "seed"], DrawnLesson.any(), modes, seeds
      ) { lesson, mode, seed in
        let play = try DrawnSession(lesson, mode, seed: seed, questions: 60, code)
        let cells = ChartCellKey.all.filter { lesson.asks($0, in: mode) }
        try require(play.plan.cells == cells, "\(play.plan.cells.count) cells of \(cells.count)")
        for question in try play.questions(code) {
          try require(lesson.asks(question.cell, in: mode), "asks about \(question.cell)")
        }
      },
      Property(
        "trainer.4", "Easy asks decisions with a margin from 0.1 bets, hard those below 0.05",
        reference: "the margin of the chart", arguments: ["lesson", "difficulty"], DrawnLesson.any(),
        .elements(of: Difficulty.allCases)
      ) { lesson, difficulty in
        let worth = ChartCellKey.all.filter { key in
          let margin = lesson.margin(of: key)
          return difficulty == .normal || (difficulty == .easy ? margin >= 0.1 : margin < 0.05)
        }
        let found = try? code.plan(.quick, try lesson.chart(), difficulty, 1, false).cells
        try require(found ?? [] == worth, "\(found?.count ?? 0) cells of \(worth.count)")
      },
      Property(
        "trainer.5", "An absolute is a row that no upcard changes, or a pair that is never split",
        reference: "the chart of the rules", arguments: ["lesson"], DrawnLesson.any()
      ) { lesson in
        let found = code.absolutes(try lesson.chart())
        for row in ChartRow.all {
          let actions = Set(CardValue.allCases.map { lesson.right(in: ChartCellKey(row, against: $0)) })
          let isFixed = actions.count == 1 || (row.kind == .pair && !actions.contains(.split))
          let count = found.count { $0.rows.contains(row) }
          try require(count == (isFixed ? 1 : 0), "\(row) is in \(count) absolutes")
        }
      },
    ]
  }

  // MARK: Answers

  private static func answers(of code: TrainerOperations) -> [Property] {
    let choices = Gen.arrays(of: Gen.elements(of: Action.allCases), count: 1...60)
    return [
      Property(
        "trainer.6", "An answer is right exactly if it is the right action, and else costs their difference in value",
        reference: "the values of the rules", arguments: ["lesson", "seed", "answers"], DrawnLesson.any(), seeds,
        choices
      ) { lesson, seed, choices in
        let play = try DrawnSession(lesson, .quick, seed: seed, questions: choices.count, code)
        for feedback in try play.answered(choices, code).feedback {
          let key = feedback.question.cell
          let (right, cost) = (lesson.right(in: key), code.cost(feedback))
          try require(feedback.right == right && feedback.isRight == (feedback.answer == right), "\(feedback)")
          let loss = feedback.answer == right ? 0 : lesson.loss(of: feedback.answer, in: key)
          try require(cost == loss, "\(feedback.answer.name) at \(key) costs \(cost), not \(loss)")
        }
      },
      Property(
        "trainer.7", "An action that the rules forbid is refused and changes nothing",
        reference: "no mistake, the question waits", arguments: ["lesson", "mode", "seed"], DrawnLesson.any(), modes,
        seeds
      ) { lesson, mode, seed in
        let play = try DrawnSession(lesson, mode, seed: seed, questions: 20, code)
        var (session, numbers) = (play.session, play.numbers)
        for _ in 0..<20 {
          try code.next(&session, .zero, &numbers)
          guard case .active(let question) = session.state else { return }
          for action in Action.allCases where !lesson.allowed(in: question.cell).contains(action) {
            let before = session.statistics
            let feedback = try? code.answer(&session, action, .zero)
            try require(feedback == nil, "\(action.name) is accepted as an answer at \(question.cell)")
            try require(session.state == .active(question) && session.statistics == before, "it changes the session")
          }
          _ = try code.answer(&session, .stand, .zero)
        }
      },
      Property(
        "trainer.8", "Without the adaptive order, the questions do not depend on the answers",
        reference: "the plain order", arguments: ["lesson", "seed", "answers"], DrawnLesson.any(), seeds, choices
      ) { lesson, seed, choices in
        let play = try DrawnSession(lesson, .hand(.pair), seed: seed, questions: choices.count, code)
        let one = try play.answered(choices, code).feedback.map(\.question)
        let other = try play.answered(choices.map { _ in .stand }, code).feedback.map(\.question)
        try require(one == other, "the questions differ")
      },
      Property(
        "trainer.9", "In the adaptive order a mistake comes back after 3 questions, then after 6 and after 12 more",
        reference: "Leitner's boxes", arguments: ["lesson", "seed"], DrawnLesson.any(), seeds
      ) { lesson, seed in
        // One mistake, at the first question, and no other, so only that cell is due.
        let play = try DrawnSession(lesson, .quick, seed: seed, questions: 25, isAdaptive: true, code)
        let asked = try play.answeredRight(but: 0, code)
        let cell = asked[0].cell
        try assume(!asked.enumerated().contains { ![0, 4, 11, 24].contains($0.offset) && $0.element.cell == cell })
        try require(asked[4].cell == cell, "question 5 is \(asked[4].cell), not \(cell) again")
        try require(asked[11].cell == cell, "question 12 is \(asked[11].cell), not \(cell) again")
        try require(asked[24].cell == cell, "question 25 is \(asked[24].cell), not \(cell) again")
      },
    ]
  }

  // MARK: Statistics

  private static func statistics(of code: TrainerOperations) -> [Property] {
    let choices = Gen.arrays(of: Gen.elements(of: Action.allCases), count: 1...120)
    return [
      Property(
        "trainer.11", "Statistics add up to the answers and their costs, also by category, in any order",
        reference: "counts of whole numbers", arguments: ["lesson", "seed", "answers"], DrawnLesson.any(), seeds,
        choices
      ) { lesson, seed, choices in
        let play = try DrawnSession(lesson, .quick, seed: seed, questions: choices.count, code)
        let (feedback, summary, statistics) = try play.answered(choices, code)
        let categories = code.categories(summary)
        try require(
          summary.answers.questions == feedback.count, "\(summary.answers.questions) of \(feedback.count) answers")
        try require(
          categories.reduce(0) { $0 + $1.answers.questions } == feedback.count
            && categories.reduce(0) { $0 + $1.answers.right } == feedback.count(where: \.isRight),
          "the categories' sums differ")
        for (category, answers) in categories {
          let own = feedback.filter { TrainingCategory(of: $0.question.cell) == category }
          try require(answers.questions == own.count, "\(answers.questions) of \(own.count) answers in \(category)")
        }
        let cost = feedback.reduce(0) { $0 + $1.cost }
        try require(abs(summary.cost - cost) < 1e-9, "a cost of \(summary.cost), not \(cost)")
        var counts: [ChartCellKey: [Action: Int]] = [:]
        for one in feedback { counts[one.question.cell, default: [:]][one.answer, default: 0] += 1 }
        for key in ChartCellKey.all {
          for action in Action.allCases {
            let (found, expected) = (code.count(statistics, action, key), counts[key]?[action] ?? 0)
            try require(found == expected, "\(action.name) at \(key) counts \(found), not \(expected)")
          }
        }
      },
      Property(
        "trainer.12", "The costliest cells are the three whose mistakes cost most, the costliest first",
        reference: "the summary", arguments: ["lesson", "seed", "answers"], DrawnLesson.any(), seeds, choices
      ) { lesson, seed, choices in
        let play = try DrawnSession(lesson, .dealer(.weak), seed: seed, questions: choices.count, code)
        let (feedback, summary, _) = try play.answered(choices, code)
        let costs = Dictionary(grouping: feedback, by: \.question.cell).mapValues { $0.reduce(0) { $0 + $1.cost } }
        let maximum = Array(costs.values.filter { $0 > 0 }.sorted(by: >).prefix(3))
        let found = code.costliest(summary)
        try require(
          found.count == maximum.count && zip(found, maximum).allSatisfy { abs($0.cost - $1) < 1e-9 },
          "found \(found.map(\.cost)), expected \(maximum)")
      },
      Property(
        "trainer.13", "Statistics begin again with the first answer after more than an hour, and not before",
        reference: "statistics are of the session", arguments: ["lesson", "seed", "seconds between answers"],
        DrawnLesson.any(), seeds, .arrays(of: Gen<Int>.elements(of: [1, 60, 3599, 3600, 3601, 90_000]), count: 1...20)
      ) { lesson, seed, pauses in
        let play = try DrawnSession(lesson, .quick, seed: seed, questions: pauses.count, code)
        var (session, numbers, time, expected) = (play.session, play.numbers, Duration.zero, 0)
        for pause in pauses {
          try code.next(&session, time, &numbers)
          time += .seconds(pause)
          _ = try code.answer(&session, .stand, time)
          expected = pause > 3600 ? 1 : expected + 1
          let found = session.summary.answers.questions
          try require(found == expected, "\(found) answers after a pause of \(pause) s, not \(expected)")
        }
      },
      Property(
        "trainer.14", "The interval of an accuracy is that of Clopper and Pearson, from ten questions on",
        reference: "GSL's beta distribution", arguments: ["lesson", "seed", "answers"], DrawnLesson.any(), seeds,
        choices
      ) { lesson, seed, choices in
        let play = try DrawnSession(lesson, .quick, seed: seed, questions: choices.count, code)
        let answers = try play.answered(choices, code).summary.answers
        let expected =
          answers.questions < 10
          ? nil : try BinomialInterval(successes: answers.right, trials: answers.questions, confidence: 0.95)
        let found = code.interval(answers)
        try require(
          (found == nil) == (expected == nil)
            && zip([found?.lowerBound, found?.upperBound], [expected?.lower, expected?.upper])
              .allSatisfy { abs(($0 ?? 0) - ($1 ?? 0)) < 1e-9 },
          "\(answers.right) of \(answers.questions): \(String(describing: found))")
      },
    ]
  }
}

/// A session of the trainer next to a model of its states: `trainer.10`.
enum TrainerMachine {
  struct Model: Hashable, Sendable {
    var state = "ready"
    var (asked, answered, right, streak) = (0, 0, 0, 0)
  }

  /// The outcome of a call.
  enum Outcome: String, Sendable {
    case done, right, wrong, notAllowed, wrongState
  }

  struct System {
    var session: TrainingSession
    var numbers: RandomWords
  }

  private static let questions = 4

  static func property(of code: TrainerOperations) -> Property {
    let machine = StateMachine(
      model: Model(),
      system: {
        // The common game has no surrender, so it is never allowed.
        let lesson = DrawnLesson(rules: .common, edited: EditedChart(edits: []), losses: 1)
        return System(
          session: TrainingSession(try code.plan(.hand(.soft), try lesson.chart(), .normal, questions, false)),
          numbers: try RandomWords(seed: 1))
      }
    ) { machine in
      machine.command("next") { model -> Outcome in
        guard model.state != "active", model.state != "completed" else { return .wrongState }
        (model.state, model.asked) =
          model.asked == questions ? ("completed", model.asked) : ("active", model.asked + 1)
        return .done
      } run: { system in
        outcome { try code.next(&system.session, .zero, &system.numbers) }
      }
      machine.command("answer", Gen.elements(of: [Outcome.right, .wrong, .notAllowed])) { model, kind -> Outcome in
        guard model.state == "active" else { return .wrongState }
        guard kind != .notAllowed else { return .notAllowed }
        (model.state, model.answered) = ("feedback", model.answered + 1)
        model.right += kind == .right ? 1 : 0
        model.streak = kind == .right ? model.streak + 1 : 0
        return kind
      } run: { system, kind in
        var action = Action.surrender
        if case .active(let question) = system.session.state, kind != .notAllowed {
          let right = code.right(system.session.plan.chart, question.cell)
          action = kind == .right ? right : question.options.actions.first { $0 != right } ?? right
        }
        var isRight = false
        let result = outcome { isRight = try code.answer(&system.session, action, .zero).isRight }
        return result == .done ? (isRight ? .right : .wrong) : result
      }
      machine.command("recording(failed:)", Gen<Bool>.booleans()) { model, failed -> Outcome in
        guard ["feedback", "failed"].contains(model.state) else { return .wrongState }
        model.state = failed ? "failed" : "feedback"
        return .done
      } run: { system, failed in
        outcome { try code.recording(&system.session, failed) }
      }
      machine.command("leave") { model -> Int in
        model.state = "completed"
        return model.answered
      } run: { system in
        code.leave(&system.session).answers.questions
      }
      machine.invariant("state and counts agree") { model, system in
        let (session, answers) = (system.session, system.session.summary.answers)
        let state =
          switch session.state {
          case .ready: "ready"
          case .active: "active"
          case .feedback: "feedback"
          case .failedToRecord: "failed"
          case .completed: "completed"
          }
        try require(state == model.state, "\(state), not \(model.state)")
        try require(
          session.asked == model.asked && answers.questions == model.answered && answers.right == model.right
            && session.statistics.streak == model.streak, "asked \(session.asked), \(answers), not \(model)")
      }
    }
    return machine.property(
      "trainer.10", "A session accepts the calls that its state allows; other calls change nothing")
  }

  private static func outcome(of call: () throws -> Void) -> Outcome {
    do {
      try call()
      return .done
    } catch TrainingError.state {
      return .wrongState
    } catch {
      return .notAllowed
    }
  }
}
