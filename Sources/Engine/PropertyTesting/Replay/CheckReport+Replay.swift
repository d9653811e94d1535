// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

extension CheckReport {
  /// The report of a check that one replayed case ended.
  ///
  /// - Parameters:
  ///   - property: What was tested.
  ///   - failure: What went wrong.
  ///   - arguments: The case's arguments, one description each.
  ///   - token: The case.
  ///   - settings: What would have been tested otherwise.
  public init(
    replaying property: Property, _ failure: Failure, arguments: [String], token: ReplayToken, settings: CheckSettings
  ) {
    let counterexample = Counterexample(
      arguments: arguments, failure: failure, tape: token.tape, original: token.tape, casesUntilFound: 1,
      evaluations: 1, notes: [], irrelevant: [], explainEvaluations: 0)
    self.init(
      .falsified(counterexample), CaseTally(), ending: .completed, coverage: [], warnings: [], settings: settings,
      argumentNames: property.argumentNames)
  }
}
