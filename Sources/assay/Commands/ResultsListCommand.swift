// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// The runs, the newest first.
struct ResultsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the runs, the newest first.",
    discussion: """
      Example: assay results list --scenario quick --last 10
      """)

  @Option(help: ArgumentHelp("Only runs of this scenario. Example: --scenario quick", valueName: "name"))
  var scenario: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("At most so many runs, the newest. Example: --last 10", valueName: "count"))
  var last: String?

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let count = try HistoryOptions.count("--last", last)
    let plan = try destination.plan(for: "results list", formats: ResultsReport.formats)
    let runs = try history.opened().runs(of: scenario, last: count)
    let report = ResultsReport.list(of: runs, in: history.history)
    try plan.write { format, _ in report.rendered(as: format) }
  }
}
