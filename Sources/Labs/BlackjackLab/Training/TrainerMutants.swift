// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting
internal import Randomness

extension TrainerProperties {
  /// Mutants: the trainer with one operation replaced by a wrong one.
  static let mutations: [Mutation<TrainerOperations>] = [
    Mutation(
      "cell-without-fallback", "a cell's action is right, allowed or not", caughtBy: "trainer.1", within: 500
    ) { code in code.right = { $0.chart[$1]?.action ?? .stand } },
    Mutation("all-spades", "every card is a spade", caughtBy: "trainer.2", within: 50) { code in
      let cards = code.cards
      code.cards = { cards($0).map { Card($0.rank, of: .spades) } }
    },
    Mutation("pairs-are-totals", "hand types ask pairs among the hard hands", caughtBy: "trainer.3", within: 200) {
      code in
      let plan = code.plan
      code.plan = { mode, chart, difficulty, count, isAdaptive throws(TrainingError) in
        try plan(mode == .hand(.pair) ? .hand(.hard) : mode, chart, difficulty, count, isAdaptive)
      }
    },
    Mutation("hard-asks-all", "a hard session asks everything", caughtBy: "trainer.4", within: 50) { code in
      let plan = code.plan
      code.plan = { mode, chart, difficulty, count, isAdaptive throws(TrainingError) in
        try plan(mode, chart, difficulty == .hard ? .normal : difficulty, count, isAdaptive)
      }
    },
    Mutation("splits-forgotten", "pairs never split do not count as absolutes", caughtBy: "trainer.5", within: 50) {
      code in code.absolutes = { $0.absolutes.filter { $0.rule != .neverSplit } }
    },
    Mutation("cost-of-next-best", "a mistake costs as much as the second best", caughtBy: "trainer.6", within: 200) {
      code in code.cost = { $0.isRight ? 0 : 0.03125 }
    },
    Mutation("forbidden-is-hit", "an action that is not allowed counts as a hit", caughtBy: "trainer.7", within: 50) {
      code in
      let answer = code.answer
      code.answer = { session, action, time throws(TrainingError) in
        do throws(TrainingError) {
          return try answer(&session, action, time)
        } catch .notAllowed {
          return try answer(&session, .hit, time)
        }
      }
    },
    Mutation("always-adaptive", "mistakes come back in the plain order too", caughtBy: "trainer.8", within: 200) {
      code in
      let plan = code.plan
      code.plan = { mode, chart, difficulty, count, isAdaptive throws(TrainingError) in
        try plan(mode, chart, difficulty, count, true)
      }
    },
    Mutation("never-adaptive", "mistakes do not come back", caughtBy: "trainer.9", within: 50) { code in
      let plan = code.plan
      code.plan = { mode, chart, difficulty, count, isAdaptive throws(TrainingError) in
        try plan(mode, chart, difficulty, count, false)
      }
    },
    Mutation(
      "question-waits-silently", "the next question is not refused while one waits", caughtBy: "trainer.10",
      within: 100,
      smallest: ["next()\nnext()"]
    ) { code in
      let next = code.next
      code.next = { session, time, numbers throws(TrainingError) in
        if case .active = session.state { return }
        try next(&session, time, &numbers)
      }
    },
    Mutation("category-lost", "the last category is left out", caughtBy: "trainer.11", within: 50) { code in
      code.categories = { Array($0.categories.dropLast()) }
    },
    Mutation("actions-mixed", "hits are counted as stands", caughtBy: "trainer.11", within: 50) { code in
      code.count = { $0.count(of: $1 == .hit ? .stand : $1, in: $2) }
    },
    Mutation("cheapest-first", "the costliest cells begin with the cheapest", caughtBy: "trainer.12", within: 200) {
      code in code.costliest = { $0.costliest.reversed() }
    },
    Mutation("endless-session", "a pause of hours ends no session", caughtBy: "trainer.13", within: 100) { code in
      let answer = code.answer
      code.answer = { session, action, _ throws(TrainingError) in try answer(&session, action, .zero) }
    },
    Mutation("normal-interval", "the interval is that of a normal distribution", caughtBy: "trainer.14", within: 50) {
      code in
      code.interval = { answers in
        guard answers.questions >= AnswerCount.fewestForInterval, let share = answers.accuracy else { return nil }
        let half = 1.96 * (share * (1 - share) / Double(answers.questions)).squareRoot()
        return max(0, share - half)...min(1, share + half)
      }
    },
  ]
}

/// The operations that the properties check: those of the trainer, or a mutant's.
struct TrainerOperations: Sendable {
  var plan: @Sendable (TrainingMode, TrainingChart, Difficulty, Int?, Bool) throws(TrainingError) -> TrainingPlan = {
    mode, chart, difficulty, questions, isAdaptive throws(TrainingError) in
    try TrainingPlan(mode, of: chart, difficulty: difficulty, questions: questions, isAdaptive: isAdaptive)
  }
  var next: @Sendable (inout TrainingSession, Duration, inout RandomWords) throws(TrainingError) -> Void = {
    session, time, numbers throws(TrainingError) in try session.next(at: time, using: &numbers)
  }
  var answer: @Sendable (inout TrainingSession, Action, Duration) throws(TrainingError) -> TrainingFeedback = {
    session, action, time throws(TrainingError) in try session.answer(action, at: time)
  }
  var recording: @Sendable (inout TrainingSession, Bool) throws(TrainingError) -> Void = {
    session, failed throws(TrainingError) in try session.recording(failed: failed)
  }
  var leave: @Sendable (inout TrainingSession) -> TrainingSummary = { $0.leave() }
  var right: @Sendable (TrainingChart, ChartCellKey) -> Action = { $0.right(in: $1) }
  var absolutes: @Sendable (TrainingChart) -> [Absolute] = { $0.absolutes }
  /// The player's two cards, and the dealer's.
  var cards: @Sendable (TrainingQuestion) -> [Card] = { [$0.first, $0.second, $0.upcard] }
  var cost: @Sendable (TrainingFeedback) -> Double = { $0.cost }
  var count: @Sendable (TrainingStatistics, Action, ChartCellKey) -> Int = { $0.count(of: $1, in: $2) }
  var categories: @Sendable (TrainingSummary) -> [(category: TrainingCategory, answers: AnswerCount)] = {
    $0.categories
  }
  var costliest: @Sendable (TrainingSummary) -> [TrainingSummary.CostlyCell] = { $0.costliest }
  var interval: @Sendable (AnswerCount) -> ClosedRange<Double>? = { $0.interval }

  static let shipping = TrainerOperations()
}
