// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Reporting

/// A strategy chart from nothing but the rules.
struct ChartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart",
    abstract: "Derives the basic strategy from nothing but the rules.",
    discussion: """
      Example: assay blackjack chart --rules 6d-s17-das --output chart.csv --output chart.svg
      """)

  @OptionGroup var game: RuleOptions
  @OptionGroup var way: MethodOption
  @OptionGroup var certification: CertificationOptions
  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let rules = try game.parsed()
    let isExact = try way.isExact()
    let random = try randomness.checked()
    let simulation = try certification.checked(random)
    let plan = try destination.plan(
      for: "chart", formats: [.text, .markdown, .csv, .json], picture: .drawing)
    var echo = CommandLineEcho("assay", "blackjack", "chart", "--rules", game.rules, "--method", way.method)
    if !isExact {
      certification.add(to: &echo)
      random.add(to: &echo)
    }
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let result = try isExact ? bench.trials.exactChart(rules) : bench.trials.simulatedChart(rules, simulation)
    let report = ChartReport(result)
    try plan.write(.drawing(report.rendered(as: .svg), name: "strategy-card")) { report.rendered(as: $0, style: $1) }
    if !result.isDecided {
      throw ExitStatus.Verdict(
        status: bench.early ?? .failed,
        message: "\(result.count(of: .undecided)) of \(result.cells.count) cells are undecided.",
        reproduction: echo.line)
    }
  }
}
