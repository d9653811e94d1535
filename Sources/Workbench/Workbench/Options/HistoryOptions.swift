// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting
internal import Scenarios

struct HistoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file that runs are recorded in. Example: --history /tmp/Results/history.sqlite", valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var history = History.defaultPath

  mutating func validate() { WrittenFiles.note([history], of: "--history") }

  /// The history, opened; warnings go to the standard error.
  func opened(for purpose: History.Purpose) throws -> History {
    try History.open(history, for: purpose) { Console.say(Program.named(in: "warning: \($0)")) }
  }

  func add(to echo: inout CommandLineEcho) {
    if history != History.defaultPath { echo.add("--history", history) }
  }
}

/// True if and where a run is recorded.
struct RecordingOptions: ParsableArguments {
  @OptionGroup var location: HistoryOptions

  @Flag(help: "Do not record the run.")
  var noHistory = false

  /// The history, opened; `nil` if nothing is to be recorded.
  func opened() throws -> History? {
    guard !noHistory else {
      guard location.history == History.defaultPath else {
        throw CommandError.badValue(
          option: "--history", found: location.history, expected: "no --no-history beside it")
      }
      return nil
    }
    let opened = try location.opened(for: .recording)
    Log.info("opened the history", ["file": opened.path])
    return opened
  }

  func add(to echo: inout CommandLineEcho) {
    location.add(to: &echo)
    if noHistory { echo.add(["--no-history"]) }
  }
}

/// The earlier run that relative thresholds compare with.
struct BaselineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The earlier run for thresholds such as 'wins >= baseline - 1%': its folder, or a name as 'assay results "
        + "compare' takes it. Example: --baseline quick~1",
      valueName: "run"))
  var baseline: String?

  /// The run, checked against the needs of the scenarios' thresholds.
  func run(for scenarios: [Scenario], in history: HistoryOptions) throws -> BaselineRun? {
    let run = try baseline.map { name in try BaselineRun(named: name) { try history.opened(for: .reading) } }
    try BaselineRun.check(run, for: scenarios)
    return run
  }

  func add(to echo: inout CommandLineEcho) {
    if let baseline { echo.add("--baseline", baseline) }
  }
}

struct RunFoldersOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for the folders of runs, which are named after the scenario and its digest. Example: --runs "
        + "/tmp/runs",
      valueName: "folder"),
    completion: .directory)
  var runs = Self.default

  private static let `default` = "Results/runs"

  func add(to echo: inout CommandLineEcho) {
    if runs != Self.default { echo.add("--runs", runs) }
  }
}

/// The number of latest runs to include.
struct LastOption: ParsableArguments {
  @Option("last", .count(1...(.max)), "Show only this many of the newest runs.", example: "10") var count: Int?
}

/// The confidence of intervals, except for measurements with a fixed one.
struct ConfidenceOption: ParsableArguments {
  @Option(
    "confidence", .probability, "The confidence of each interval; in a comparison, of all intervals together.",
    example: "0.999")
  var probability = 0.99
}
