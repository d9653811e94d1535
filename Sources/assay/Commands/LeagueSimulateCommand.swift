// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LeagueLab
internal import MonteCarlo
internal import Reporting

/// Seasons whose strongest team is known, ranked week by week.
struct LeagueSimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Plays seasons and asks, week by week, how well the power ranking knows the teams, and what luck does.",
    discussion: """
      Example: assay league simulate --teams 12 --weeks 14 --seasons 1e6
      """)

  @OptionGroup var league: LeagueOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many seasons to play. Example: --seasons 1e6", valueName: "count"))
  var seasons = "1e5"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Each interval's confidence. Example: --confidence 0.99", valueName: "probability"))
  var confidence = "0.999"

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let shape = try league.shape()
    guard let count = WholeNumber.parse(seasons), (2...1_000_000_000_000).contains(count) else {
      throw CommandError.badValue(
        option: "--seasons", found: seasons, expected: "a whole number from 2 to 1e12, for example 1e6")
    }
    let probability = try RandomOptions.probability(confidence)
    let random = try randomness.checked()
    let plan = try destination.plan(for: "simulate", formats: [.text, .markdown, .csv, .json], picture: .figure)
    var echo = CommandLineEcho("assay", "league", "simulate")
    league.add(to: &echo)
    echo.add("--seasons", seasons)
    echo.add("--confidence", confidence)
    random.add(to: &echo)
    destination.add(to: &echo)
    let simulator = try LeagueSimulator(
      shape: shape, seed: random.seed, generator: random.generator, workers: random.jobs)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = bench.meter(count, "seasons")
    let result = try simulator.play(
      seasons: count, confidence: probability, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    meter?.finish()
    if let report = result.map(LeagueReport.init) {
      try plan.write(.figure(report.findingTheBest)) { format, _ in report.rendered(as: format) }
    }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early,
        message: result == nil
          ? "Interrupted before there was anything to say." : "Interrupted: what was played until then is above.",
        reproduction: echo.line)
    }
  }
}
