// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// The history, from the folders of runs.
struct ResultsRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Reads the folders of runs into the history, after it was damaged or lost.",
    discussion: """
      What the history has stays as it is; runs that it does not have are added.
      A folder holds the latest run of a scenario, so earlier ones do not come
      back.

      Example: assay results rebuild --runs Results/runs
      """)

  @OptionGroup var runs: RunFoldersOption
  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let plan = try destination.plan(for: "results rebuild", formats: ResultsReport.formats)
    let report = ResultsReport.rebuilding(try history.opened(mayBeNew: true).rebuild(from: runs.runs), from: runs.runs)
    try plan.write { format, _ in report.rendered(as: format) }
  }
}
