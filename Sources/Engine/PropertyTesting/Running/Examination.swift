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

  func examine(_ tape: Tape, _ failure: Failure, casesUntilFound: Int) throws -> CheckReport.Outcome {
    let streams = try CheckStreams(settings)
    var draws = try streams.draws(.explaining)
    if let second = again(tape, failure, &draws) {
      return .flaky(flake(tape, failure, second, casesUntilFound, &draws))
    }
    let context = CaseContext()
    let shrunk = try CaseContext.$current.withValue(context) {
      var shrinker = Shrinker(
        trial.recording(into: context), tape, failure, limit: settings.shrinkLimit, draws: try streams.draws(.shrinking)
      )
      return shrinker.run()
    }
    let notes: [String]
    switch noted(shrunk.tape, shrunk.failure, &draws) {
    case .success(let all): notes = all
    case .failure(let other):
      return .flaky(flake(shrunk.tape, shrunk.failure, other.verdict, casesUntilFound, &draws))
    }
    var explainer = Explainer(
      trial.recording(into: context), shrunk.tape, shrunk.failure, names: ArgumentNames(argumentNames))
    if settings.explains { CaseContext.$current.withValue(context) { explainer.run(&draws) } }
    return .falsified(
      Counterexample(
        arguments: shrunk.arguments, failure: shrunk.failure, tape: shrunk.tape, original: tape,
        casesUntilFound: casesUntilFound, evaluations: shrunk.evaluations + Self.confirmations, notes: notes,
        irrelevant: explainer.irrelevant, explainEvaluations: explainer.evaluations))
  }

  /// Runs a case again; nil if it fails in the same way, else what became of it.
  private func again(_ tape: Tape, _ failure: Failure, _ draws: inout Draws) -> Verdict? {
    let verdict = judge(tape, CaseContext(), &draws)
    if case .failed(let second) = verdict, second.origin == failure.origin { return nil }
    return verdict
  }

  /// How often a failure is run again to be believed: as found and as shrunk.
  private static let confirmations = 2

  private struct NonReproducibleFailure: Error {
    let verdict: Verdict
  }

  private func noted(_ tape: Tape, _ failure: Failure, _ draws: inout Draws) -> Result<[String], NonReproducibleFailure>
  {
    let context = CaseContext(keepsNotes: true)
    let verdict = judge(tape, context, &draws)
    guard case .failed(let second) = verdict, second.origin == failure.origin else {
      return .failure(NonReproducibleFailure(verdict: verdict))
    }
    return .success(context.withAnnotations { $0.notes })
  }

  private func judge(_ tape: Tape, _ context: CaseContext, _ draws: inout Draws) -> Verdict {
    draws.begin(reading: tape)
    return CaseContext.$current.withValue(context) { trial.recording(into: context).attempt(&draws) { _ in true } }
  }

  private func flake(
    _ tape: Tape, _ first: Failure, _ second: Verdict, _ casesUntilFound: Int, _ draws: inout Draws
  ) -> FlakyCase {
    draws.begin(reading: tape)
    return FlakyCase(
      arguments: trial.describe(&draws), first: first, second: second, tape: tape, casesUntilFound: casesUntilFound)
  }
}
