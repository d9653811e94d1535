// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Reporting

/// A chart on trial before two witnesses.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Judges a chart cell by cell, by simulation and by exact analysis side by side.",
    discussion: """
      Example: assay blackjack verify --rules 6d-s17-das --chart my-chart.csv

      Exits with 1 when the chart plays a cell certainly wrong, or when the two witnesses do not agree.
      """)

  @OptionGroup var game: RuleOptions
  @OptionGroup var trial: ChartOption
  @OptionGroup var certification: CertificationOptions
  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let rules = try game.parsed()
    let chart = try trial.read()
    let random = try randomness.checked()
    let simulation = try certification.checked(random)
    let plan = try destination.plan(for: "verify", formats: [.text, .markdown, .csv, .json])
    var echo = CommandLineEcho("assay", "blackjack", "verify", "--rules", game.rules)
    if let file = trial.chart { echo.add("--chart", file) }
    certification.add(to: &echo)
    random.add(to: &echo)
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let report = VerificationReport(
      try bench.trials.verification(rules, of: chart, named: trial.name, simulation))
    try plan.write { format, _ in report.rendered(as: format) }
    if bench.wasInterrupted || !report.verification.holds {
      throw ExitStatus.Verdict(
        status: bench.early ?? .failed, message: report.verdict, reproduction: echo.line)
    }
  }
}
