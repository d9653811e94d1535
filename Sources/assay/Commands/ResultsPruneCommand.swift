// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// Fewer runs than before.
struct ResultsPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes runs that are no longer wanted, with their folders.",
    discussion: """
      A run goes when neither option keeps it. Its folder goes with it where it
      lies straight in --runs, is no link, and holds no run that stays; nothing
      else is ever removed.

      Example: assay results prune --keep 20 --older-than 30d --dry-run
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep the latest so many runs of each scenario. Example: --keep 20", valueName: "count"))
  var keep: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep what began less than so long ago, in days, hours or minutes. Example: --older-than 30d", valueName: "time"))
  var olderThan: String?

  @Flag(help: "Say what would go, and remove nothing. Example: --dry-run")
  var dryRun = false

  @OptionGroup var runs: RunFoldersOption
  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let count = try HistoryOptions.count("--keep", keep, least: 0)
    let age = try olderThan.map(Self.age)
    guard count != nil || age != nil else {
      throw CommandError.badValue(
        option: "prune", found: "neither", expected: "--keep, --older-than or both, for example --keep 20")
    }
    let plan = try destination.plan(for: "results prune", formats: ResultsReport.formats)
    let history = try history.opened()
    let pruning =
      dryRun
      ? try history.pruning(keeping: count, olderThan: age, root: runs.runs)
      : try history.prune(keeping: count, olderThan: age, root: runs.runs)
    let report = ResultsReport.pruning(pruning, isRehearsal: dryRun)
    try plan.write { format, _ in report.rendered(as: format) }
  }

  /// A time such as `30d`; what `TimeSpan` knows is understood as well.
  private static func age(_ text: String) throws(CommandError) -> Duration {
    let days = text.hasSuffix("d") ? Double(text.dropLast()) : nil
    if let days, days > 0, days <= 36_500 { return .seconds(days * 86_400) }
    guard let span = TimeSpan.parse(text) else {
      throw .badValue(option: "--older-than", found: text, expected: "a time such as 30d, 12h or 90m")
    }
    return span
  }
}
