// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackLab
internal import Foundation
internal import MonteCarlo
internal import Scenarios

/// A lab as the commands use it: progress on the terminal, an ear for Ctrl-C, and the command said first.
struct Bench {
  /// How many workers.
  let jobs: Int
  /// Raised by Ctrl-C, and by SIGTERM.
  let interrupt = Interrupt()
  /// Makes the progress display of one piece of work, given how much it is where that is known; `nil` where none is
  /// wanted.
  let meter: @Sendable (_ most: Int?, _ unit: String) -> ProgressMeter?
  private let signal: InterruptSignal

  /// Says what runs, and makes the lab ready.
  ///
  /// - Parameters:
  ///   - echo: the command with every option.
  ///   - jobs: how many workers.
  ///   - quiet: whether to say nothing.
  ///   - isAnimated: whether progress may be drawn, on a terminal.
  init(announcing echo: CommandLineEcho, jobs: Int, quiet: Bool, isAnimated: Bool = true) {
    self.jobs = jobs
    meter = { most, unit in
      Progress.meter(most: most, unit: unit, isDrawn: isAnimated && !quiet)
    }
    signal = InterruptSignal(raises: interrupt) {
      if !quiet { Console.say("interrupted: ending with what is known; once more to leave at once") }
    }
    if !quiet { Console.say(echo.line) }
  }

  /// Whether somebody asked for an early end.
  var wasInterrupted: Bool { interrupt.isRaised }

  /// How the process ends then; nil where nobody asked.
  var early: ExitStatus? { ExitStatus(interrupt) }

  /// The blackjack lab.
  var trials: BlackjackTrials {
    BlackjackTrials(workers: jobs, interrupt: interrupt, meter: { [meter] in meter($0, "rounds") })
  }

  /// What scenarios are run on.
  var scenarios: ScenarioBench { ScenarioBench(workers: jobs, interrupt: interrupt, meter: meter) }
}
