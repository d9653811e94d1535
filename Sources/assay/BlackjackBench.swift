// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import BlackjackLab
internal import Reporting
internal import Statistics

/// The blackjack lab as the commands use it: with progress on the terminal and an ear for Ctrl-C.
struct BlackjackBench {
  let rules: Rules
  let jobs: Int
  let quiet: Bool
  let progress: ProgressLine
  let interruption = Interruption()

  /// A bench for a game.
  init(rules: Rules, jobs: Int, quiet: Bool) {
    self.rules = rules
    self.jobs = jobs
    self.quiet = quiet
    progress = ProgressLine(quiet: quiet)
  }

  /// Whether somebody asked for an early end.
  var wasInterrupted: Bool { interruption.flag.isRaised }

  /// Says which command runs, with every option.
  func announce(_ echo: CommandLineEcho) {
    if !quiet { Console.say(echo.line) }
  }

  func simulatedChart(_ simulation: Provenance.Simulation) throws -> ChartResult {
    throw CommandError.nothingToRun(folder: "PENDING")
  }

  func exactChart() throws -> ChartResult {
    throw CommandError.nothingToRun(folder: "PENDING")
  }

  func playedGame(
    _ chart: StrategyChart, rounds: Int, confidence: Double, seed: UInt64, generator: String
  ) throws -> GameReport.Evidence {
    throw CommandError.nothingToRun(folder: "PENDING")
  }

  func exactGame(_ chart: StrategyChart) throws -> GameReport.Evidence {
    throw CommandError.nothingToRun(folder: "PENDING")
  }

  func verification(
    of chart: StrategyChart, named name: String, _ simulation: Provenance.Simulation
  ) throws -> Verification {
    throw CommandError.nothingToRun(folder: "PENDING")
  }

  func hand(_ question: HandQuestion, rounds: Int, _ simulation: Provenance.Simulation) throws -> HandReport {
    throw CommandError.nothingToRun(folder: "PENDING")
  }
}
