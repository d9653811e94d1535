// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Draws and judges cases until enough have passed or one has failed.
struct Checker: Sendable {
  private let trial: Trial
  private let settings: CheckSettings

  init(_ trial: Trial, _ settings: CheckSettings) {
    self.trial = trial
    self.settings = settings
  }

  func run() throws -> CheckReport {
    try CaseContext.$current.withValue(CaseContext()) { try runInContext() }
  }

  private func runInContext() throws -> CheckReport {
    let family = try StreamFamily(rootSeed: settings.seed, experiments: ["property"])
    var draws = try Draws(generator: settings.generator, seed: family.seed(ordinal: 0, block: 0))
    var passed = 0
    var discards: [Discard: Int] = [:]
    while passed < settings.cases {
      draws.begin()
      switch trial.attempt(&draws, { _ in true }) {
      case .passed: passed += 1
      case .discarded(let reason):
        discards[reason, default: 0] += 1
        if discards.values.reduce(0, +) > 10 * settings.cases {
          return CheckReport(outcome: .exhausted, passed: passed, discards: discards)
        }
      case .failed(let failure):
        let found = draws.tape
        var shrinker = Shrinker(trial, found, failure, limit: settings.shrinkLimit, draws: draws)
        let result = shrinker.run()
        let counterexample = Counterexample(
          arguments: result.arguments, failure: result.failure, tape: result.tape, original: found,
          casesUntilFound: passed + 1, evaluations: result.evaluations)
        return CheckReport(outcome: .falsified(counterexample), passed: passed, discards: discards)
      case .declined: break
      }
    }
    return CheckReport(outcome: .held, passed: passed, discards: discards)
  }
}
