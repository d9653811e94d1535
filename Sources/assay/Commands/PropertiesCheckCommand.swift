// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import MonteCarlo
internal import PropertyLab
internal import PropertyTesting
internal import Reporting

/// Properties, tested by many cases.
struct PropertiesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tests properties by drawn cases, and makes what fails as simple as it can be.",
    discussion: """
      Example: assay properties check blackjack --cases 1M --seed 7

      Exits with 1 when a property fails, with its simplest case and the command that runs it again, and with 2 when \
      one cannot be judged: its generators produce nothing, or a case does not end.
      """)

  @Argument(
    help: "Ids, groups such as blackjack, or ids with * in them; all when none is named. Example: blackjack",
    completion: Completions.properties)
  var ids: [String] = []

  @OptionGroup var effort: EffortOptions
  @OptionGroup var randomness: RandomOptions
  @OptionGroup var trial: SubjectOption
  @OptionGroup var isolation: IsolationOptions
  @OptionGroup var keeping: StoreOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let chosen = try LabProperties().chosen(ids, subject: trial.subject)
    let effort = try effort.checked()
    let random = try randomness.checked()
    let caseLimit = try isolation.checked()
    let store = try keeping.checked(subject: trial.subject)
    let plan = try destination.plan(for: "properties check", formats: [.text, .markdown, .json, .junit])
    var settings = CheckSettings()
    (settings.cases, settings.search) = (effort.cases, effort.search)
    (settings.seed, settings.generator, settings.jobs) = (random.seed, random.generator, random.jobs)
    try settings.validate()
    let echo = echo(random)
    let announced = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = ProgressMeter.onStandardError(
      mostRounds: effort.time == nil ? effort.cases * chosen.count : nil, quiet: destination.quiet, unit: "cases",
      environment: ProcessInfo.processInfo.environment)
    let bench = try PropertyBench(
      isolation: caseLimit.map { Isolation(worker: LabProperties.workerCommand, caseLimit: $0) }, jobs: random.jobs,
      interrupt: announced.interrupt, meter: meter)
    let session = PropertySession(
      bench: bench, settings: settings, store: store, replayOptions: isolation.words)
    let report = try test(chosen, by: session, within: effort.time, showing: plan.onOutput == .text, meter: meter)
    let rest = OutputPlan(
      files: plan.files, onOutput: plan.onOutput == .text ? nil : plan.onOutput, quiet: plan.quiet)
    try rest.write { format, _ in report.rendered(as: format) }
    if plan.onOutput == .text { try Console.write(report.verdict + "\n") }
    if let early = announced.early {
      throw ExitStatus.Verdict(
        status: early, message: "Interrupted: what was tested until then is above.", reproduction: echo.line)
    }
    if report.status != .holds {
      let failing = report.results.first { $0.status == .fails }
      throw ExitStatus.Verdict(
        status: report.status == .fails ? .failed : .badInput, message: report.verdict,
        reproduction: failing?.replay ?? echo.line)
    }
  }

  private func echo(_ random: RandomOptions.Checked) -> CommandLineEcho {
    var echo = CommandLineEcho("assay", "properties", "check")
    echo.add(ids)
    effort.add(to: &echo)
    random.add(to: &echo)
    trial.add(to: &echo)
    isolation.add(to: &echo)
    keeping.add(to: &echo)
    destination.add(to: &echo)
    return echo
  }

  /// Tests one property after the other; what time one leaves over is for those behind it.
  private func test(
    _ chosen: [Catalogues.Chosen], by session: PropertySession, within time: Duration?, showing: Bool,
    meter: ProgressMeter?
  ) throws -> PropertiesReport {
    let start = ContinuousClock.now
    var results: [PropertyResult] = []
    for (index, one) in chosen.enumerated() where index == 0 || !session.bench.wasInterrupted {
      let left = time.map { max(.milliseconds(1), $0 - (ContinuousClock.now - start)) / (chosen.count - index) }
      let result = session.result(of: one, within: left)
      results.append(result)
      if index == chosen.count - 1 || session.bench.wasInterrupted { meter?.finish() }
      if showing { try Console.write(result.text + "\n") }
    }
    return PropertiesReport(
      results: results, settings: session.settings, subject: trial.subject, wanted: chosen.count)
  }
}
