// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import MonteCarlo
internal import PropertyLab
internal import PropertyTesting
internal import Reporting

/// Every broken subject with the property that catches it.
struct PropertiesFaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Tries the properties on the broken subjects: what catches each, how soon, by which smallest case.",
    discussion: """
      Example: assay properties faults league --seeds 5

      Exits with 1 when a broken subject passes all properties, or a statement that is known not to hold finds no \
      counterexample.
      """)

  @Argument(
    help: "The groups whose cores are looked at; all when none is named. Example: league",
    completion: Completions.properties)
  var groups: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From how many seeds; the cases are the median over them. Example: --seeds 11"))
  var seeds = "3"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many cases of each property at most, from each seed. Example: --cases 10k"))
  var cases = "2k"

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    guard let seedCount = WholeNumber.parse(seeds), (1...1000).contains(seedCount) else {
      throw CommandError.badValue(option: "--seeds", found: seeds, expected: "a whole number from 1 to 1000")
    }
    guard let caseCount = WholeNumber.parse(cases), (1...1_000_000_000).contains(caseCount) else {
      throw CommandError.badValue(option: "--cases", found: cases, expected: "a whole number from 1 to 1e9")
    }
    let random = try randomness.checked()
    let catalogues = try LabProperties().catalogues(of: groups)
    let plan = try destination.plan(for: "properties faults", formats: [.text, .markdown, .csv])
    var settings = CheckSettings()
    (settings.cases, settings.seed, settings.generator) = (caseCount, random.seed, random.generator)
    try settings.validate()
    let echo = echo(random)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = ProgressMeter.onStandardError(
      mostRounds: catalogues.reduce(0) { $0 + $1.subjects.count }, quiet: destination.quiet, unit: "broken subjects",
      environment: ProcessInfo.processInfo.environment)
    let report = try FaultReport(
      catalogues, settings: settings, seeds: seedCount, jobs: random.jobs, interrupt: bench.interrupt, meter: meter)
    meter?.finish()
    try plan.write { format, _ in report.rendered(as: format) }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early, message: "Interrupted: what was found until then is above.", reproduction: echo.line)
    }
    if !report.unnoticed.isEmpty {
      throw ExitStatus.Verdict(
        status: .failed, message: "Noticed by nothing: \(report.unnoticed.joined(separator: ", ")).",
        reproduction: echo.line)
    }
  }

  private func echo(_ random: RandomOptions.Checked) -> CommandLineEcho {
    var echo = CommandLineEcho("assay", "properties", "faults")
    echo.add(groups)
    echo.add("--seeds", seeds)
    echo.add("--cases", cases)
    random.add(to: &echo)
    destination.add(to: &echo)
    return echo
  }
}
