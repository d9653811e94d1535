// SPDX-License-Identifier: GPL-3.0-or-later

/// What is done with a case that failed: run again before it is believed, shrunk, run once more, explained.
struct Examination: Sendable {
  private let trial: Trial
  private let settings: CheckSettings
  private let argumentNames: [String]

  init(_ trial: Trial, _ settings: CheckSettings, argumentNames: [String] = []) {
    self.argumentNames = argumentNames
    self.trial = trial
    self.settings = settings
  }

  /// Examines a case.
  ///
  /// - Parameters:
  ///   - tape: The choices that make the case.
  ///   - failure: How it failed.
  ///   - casesUntilFound: How many cases had been judged when it was found.
  /// - Returns: `falsified`, or `flaky` if it does not fail every time.
  /// - Throws: What is wrong with the generator's name in the settings.
  func examine(_ tape: Tape, _ failure: Failure, casesUntilFound: Int) throws -> CheckReport.Outcome {
    let streams = try CheckStreams(settings)
    var draws = try streams.draws(.explaining)
    if let second = again(tape, failure, &draws) {
      return .flaky(flake(tape, failure, second, casesUntilFound, &draws))
    }
    let context = CaseContext()
    let shrunk = try CaseContext.$current.withValue(context) {
      var shrinker = Shrinker(
        trial.heard(by: context), tape, failure, limit: settings.shrinkLimit, draws: try streams.draws(.shrinking))
      return shrinker.run()
    }
    if let second = again(shrunk.tape, shrunk.failure, &draws) {
      return .flaky(flake(shrunk.tape, shrunk.failure, second, casesUntilFound, &draws))
    }
    let notes = notes(on: shrunk.tape, &draws)
    var explainer = Explainer(
      trial.heard(by: context), shrunk.tape, shrunk.failure, names: ArgumentNames(argumentNames))
    if settings.explains { CaseContext.$current.withValue(context) { explainer.run(&draws) } }
    return .falsified(
      Counterexample(
        arguments: shrunk.arguments, failure: shrunk.failure, tape: shrunk.tape, original: tape,
        casesUntilFound: casesUntilFound, evaluations: shrunk.evaluations, notes: notes,
        irrelevant: explainer.irrelevant, explainEvaluations: explainer.evaluations))
  }

  /// Runs a case again; nil if it fails in the same way, else what became of it.
  private func again(_ tape: Tape, _ failure: Failure, _ draws: inout Draws) -> Verdict? {
    let verdict = judge(tape, CaseContext(), &draws)
    if case .failed(let second) = verdict, second.origin == failure.origin { return nil }
    return verdict
  }

  /// What the body notes about a case.
  private func notes(on tape: Tape, _ draws: inout Draws) -> [String] {
    let context = CaseContext(keepsNotes: true)
    _ = judge(tape, context, &draws)
    return context.withRemarks { $0.notes }
  }

  private func judge(_ tape: Tape, _ context: CaseContext, _ draws: inout Draws) -> Verdict {
    draws.begin(reading: tape)
    return CaseContext.$current.withValue(context) { trial.heard(by: context).attempt(&draws) { _ in true } }
  }

  private func flake(
    _ tape: Tape, _ first: Failure, _ second: Verdict, _ casesUntilFound: Int, _ draws: inout Draws
  ) -> FlakyCase {
    draws.begin(reading: tape)
    return FlakyCase(
      arguments: trial.describe(&draws), first: first, second: second, tape: tape, casesUntilFound: casesUntilFound)
  }
}
