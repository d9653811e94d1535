// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Foundation
internal import Reporting

/// Scenarios, run one after the other.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios and compares what comes out with what they expect.",
    discussion: """
      Example: assay run Scenarios/quick.yaml

      All scenarios are read before the first one runs. Exits with 1 when an expectation does not hold.
      """)

  @Argument(help: "Scenario files; every .yaml in Scenarios/ when none is named. Example: Scenarios/quick.yaml")
  var scenarios: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one a core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  @Option(
    help: ArgumentHelp(
      "The folder for the charts that scenarios make: a table and a picture for each of the rules, in a folder named "
        + "after the scenario's file. Example: --out /tmp/charts",
      valueName: "folder"))
  var out = "Results/runs"

  @OptionGroup var destination: OutputOptions

  func run() throws {
    let files = try scenarios.isEmpty ? Self.all(in: "Scenarios") : scenarios
    let read = try files.map { file in
      try BlackjackScenario(ScenarioDocument(contentsOf: file))
    }
    let folders = files.map { "\(out)/\(URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent)" }
    for (scenario, folder) in zip(read, folders) where scenario.kind == .chart { try AtomicFile.makeFolder(folder) }
    let workers = try RandomOptions.workers(jobs)
    let plan = try destination.plan(for: "run", formats: [.text, .markdown, .csv, .json])
    var echo = CommandLineEcho("assay", "run")
    echo.add(files)
    echo.add("--jobs", String(workers))
    echo.add("--out", out)
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: workers, quiet: destination.quiet)
    var outcomes: [ScenarioOutcome] = []
    for (scenario, folder) in zip(read, folders) where !bench.wasInterrupted {
      if !destination.quiet { Console.say("running: \(scenario.name)") }
      let outcome = try scenario.run(in: bench.trials)
      for chart in outcome.charts { try write(chart, in: folder) }
      outcomes.append(outcome)
    }
    let report = ScenarioReport(outcomes)
    try plan.write { report.rendered(as: $0, style: $1) }
    if bench.wasInterrupted || !report.holds {
      throw ExitStatus.Verdict(
        status: bench.wasInterrupted ? .interrupted : .failed, message: report.verdict, reproduction: echo.line)
    }
  }

  /// Writes a chart as tables and as a picture.
  private func write(_ chart: ChartResult, in folder: String) throws {
    for (ending, format) in [("csv", ReportFormat.csv), ("md", .markdown), ("svg", .svg)] {
      let path = "\(folder)/\(chart.provenance.rules.name).\(ending)"
      try AtomicFile.write(ChartReport(chart).rendered(as: format), to: path)
      if !destination.quiet { Console.say("wrote \(path)") }
    }
  }

  /// The scenarios of a folder, by name.
  private static func all(in folder: String) throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
    guard !files.isEmpty else { throw CommandError.nothingToRun(folder: folder) }
    return files.map { "\(folder)/\($0)" }
  }
}
