// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Foundation
internal import Reporting
internal import Scenarios

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
      try Scenario(ScenarioDocument(contentsOf: file), kinds: BlackjackScenarios.kinds)
    }
    let folders = read.map { "\(out)/\($0.slug)" }
    for folder in folders { try AtomicFile.makeFolder(folder) }
    let workers = try RandomOptions.workers(jobs)
    let plan = try destination.plan(for: "run", formats: [.text])
    var echo = CommandLineEcho("assay", "run")
    echo.add(files)
    echo.add("--jobs", String(workers))
    echo.add("--out", out)
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: workers, quiet: destination.quiet)
    var text = ""
    var judgements: [Judgement] = []
    for (scenario, folder) in zip(read, folders) where !bench.wasInterrupted {
      if !destination.quiet { Console.say("running: \(scenario.name)") }
      let rounds = bench.meter
      let result = try scenario.plan.run(
        on: ScenarioBench(workers: workers, interrupt: bench.interrupt, meter: { most, _ in rounds(most) }))
      for file in result.files { try AtomicFile.write(file.content, to: "\(folder)/\(file.name)") }
      text += result.text + "\n" + scenario.name + "\n"
      for judged in scenario.judged(by: result.measurements) {
        judgements.append(judged.judgement)
        text += "\(judged.judgement.rawValue)  \(judged.text): \(judged.found)\n"
      }
    }
    try plan.write { _, _ in text }
    let judgement = Judgement.all(judgements)
    if bench.wasInterrupted || judgement != .holds {
      throw ExitStatus.Verdict(
        status: bench.wasInterrupted ? .interrupted : .failed, message: judgement.rawValue, reproduction: echo.line)
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
