// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Scenarios

/// The earlier run that relative thresholds compare with.
struct BaselineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The earlier run for thresholds such as 'wins >= baseline - 1%': its folder, or a name as 'assay results "
        + "compare' takes it. Example: --baseline quick~1",
      valueName: "run"))
  var baseline: String?

  /// The run, checked against what the scenarios ask of it.
  func run(for scenarios: [Scenario], in history: HistoryOptions) throws -> BaselineRun? {
    let run = try baseline.map { name in try BaselineRun(named: name) { try history.opened() } }
    try BaselineRun.check(run, for: scenarios)
    return run
  }

  func add(to echo: inout CommandLineEcho) {
    if let baseline { echo.add("--baseline", baseline) }
  }
}
