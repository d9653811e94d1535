// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import PropertyTesting

/// Where properties are tested: in this process or in one of their own, with progress on the terminal and an ear for
/// Ctrl-C.
final class PropertyBench {
  /// What makes this executable judge cases for another process.
  static var workerCommand: [String] {
    [Bundle.main.executablePath ?? CommandLine.arguments.first ?? "assay", "properties", "worker"]
  }

  private let interrupt: Interrupt
  private let signal: InterruptSignal
  private let runner: IsolatedRunner?
  private let meter: ProgressMeter?

  /// Says what runs, and makes the bench ready.
  ///
  /// - Parameters:
  ///   - echo: the command with every option.
  ///   - jobs: how many threads judge cases.
  ///   - caseLimit: how long a case may take; `nil` to judge cases in this process.
  ///   - cases: how many there are in all; `nil` where nobody knows.
  ///   - quiet: whether to say nothing.
  /// - Throws: `WorkerError.refused` when there is no process to be had.
  init(announcing echo: CommandLineEcho, jobs: Int, caseLimit: Duration?, cases: Int?, quiet: Bool) throws {
    let interrupt = Interrupt()
    self.interrupt = interrupt
    runner = try caseLimit.map { try IsolatedRunner(command: Self.workerCommand, jobs: jobs, caseLimit: $0) }
    signal = InterruptSignal(raises: interrupt) {
      if !quiet { Console.say("interrupted: ending with what is known; once more to leave at once") }
    }
    if !quiet { Console.say(echo.line) }
    meter = ProgressMeter.onStandardError(
      mostRounds: cases, quiet: quiet, unit: "cases", environment: ProcessInfo.processInfo.environment)
  }

  /// Whether somebody asked for an early end.
  var wasInterrupted: Bool { interrupt.isRaised }

  /// Tests a property.
  ///
  /// - Throws: what is wrong with the settings, the generators or a case that does not end.
  func check(_ chosen: Catalogues.Chosen, _ settings: CheckSettings) throws -> CheckReport {
    guard let runner else {
      var environment = CheckEnvironment()
      environment.interrupt = interrupt
      environment.progress = meter
      return try chosen.property.check(settings, in: environment)
    }
    var told = 0
    return try runner.check(
      chosen.property, subject: chosen.subject, settings: settings, interrupt: interrupt
    ) { [meter] passed in
      meter?.advance(by: max(0, passed - told))
      told = max(told, passed)
    }
  }

  /// Runs a case of a property again.
  func replay(_ token: ReplayToken, of chosen: Catalogues.Chosen) throws -> ReplayOutcome {
    guard let runner else { return try chosen.property.replay(token) }
    return try runner.replay(token, of: chosen.property, subject: chosen.subject)
  }

  /// Clears the progress from the terminal.
  func finish() { meter?.finish() }
}
