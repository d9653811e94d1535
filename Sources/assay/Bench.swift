// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackLab
internal import Foundation
internal import MonteCarlo

/// The lab as the commands use it: progress on the terminal, an ear for Ctrl-C, and the command said first.
struct Bench {
  /// The lab.
  let trials: BlackjackTrials
  private let signal: InterruptSignal

  /// Says what runs, and makes the lab ready.
  ///
  /// - Parameters:
  ///   - echo: the command with every option.
  ///   - jobs: how many workers.
  ///   - quiet: whether to say nothing.
  init(announcing echo: CommandLineEcho, jobs: Int, quiet: Bool) {
    let interrupt = Interrupt()
    trials = BlackjackTrials(workers: jobs, interrupt: interrupt) { rounds in
      ProgressMeter.onStandardError(
        mostRounds: rounds, quiet: quiet, environment: ProcessInfo.processInfo.environment)
    }
    signal = InterruptSignal(raises: interrupt) {
      if !quiet { Console.say("interrupted: ending with what is known; once more to leave at once") }
    }
    if !quiet { Console.say(echo.line) }
  }

  /// Whether somebody asked for an early end.
  var wasInterrupted: Bool { trials.interrupt.isRaised }
}
