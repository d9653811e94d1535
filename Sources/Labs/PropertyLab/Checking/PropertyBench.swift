// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
package import PropertyTesting

/// Where properties are tested: in this process or in one of their own.
package final class PropertyBench {
  private let interrupt: Interrupt
  private let runner: IsolatedRunner?
  private let meter: ProgressMeter?

  /// Makes the bench ready.
  ///
  /// - Parameters:
  ///   - isolation: how cases are judged elsewhere; `nil` to judge them in this process.
  ///   - jobs: how many threads judge cases.
  ///   - interrupt: ends a check early.
  ///   - meter: told of the cases that pass.
  /// - Throws: `WorkerError.refused` when there is no process to be had.
  package init(isolation: Isolation?, jobs: Int, interrupt: Interrupt, meter: ProgressMeter? = nil) throws {
    (self.interrupt, self.meter) = (interrupt, meter)
    runner = try isolation.map { try IsolatedRunner(command: $0.worker, jobs: jobs, caseLimit: $0.caseLimit) }
  }

  /// Whether somebody asked for an early end.
  package var wasInterrupted: Bool { interrupt.isRaised }

  /// Tests a property.
  ///
  /// - Parameters:
  ///   - chosen: the property.
  ///   - settings: how much, and how.
  /// - Returns: what came of it.
  /// - Throws: what is wrong with the settings, the generators or a case that does not end: the first such case, at any
  ///   number of jobs.
  package func check(_ chosen: Catalogues.Chosen, _ settings: CheckSettings) throws -> CheckReport {
    guard let runner else {
      var environment = CheckEnvironment()
      environment.interrupt = interrupt
      environment.progress = meter
      return try chosen.property.check(settings, in: environment)
    }
    var told = 0
    let tell = { [meter] (passed: Int) in
      meter?.advance(by: max(0, passed - told))
      told = max(told, passed)
    }
    do {
      return try runner.check(
        chosen.property, subject: chosen.subject, settings: settings, interrupt: interrupt, progress: tell)
    } catch WorkerError.hung where settings.jobs > 1 && settings.timeLimit == nil {
      // Another thread may have been about to find an earlier case: one thread finds the first.
      var settings = settings
      settings.jobs = 1
      return try runner.check(
        chosen.property, subject: chosen.subject, settings: settings, interrupt: interrupt, progress: tell)
    }
  }

  /// Runs a case of a property again.
  ///
  /// - Parameters:
  ///   - token: the case.
  ///   - chosen: the property.
  /// - Returns: what came of it.
  /// - Throws: `ReplayError` for a case of another property, `WorkerError` for one that does not end.
  package func replay(_ token: ReplayToken, of chosen: Catalogues.Chosen) throws -> ReplayOutcome {
    guard let runner else { return try chosen.property.replay(token) }
    return try runner.replay(token, of: chosen.property, subject: chosen.subject)
  }
}
