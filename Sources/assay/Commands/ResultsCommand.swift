// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about runs that were made.
struct ResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Looks back at the runs that were made.",
    discussion: """
      A run is named by its number; by 'latest'; or by its scenario, for the
      latest of it. ~1 behind a name is the run before, ~2 the one before that.

      Examples:
        assay results list
        assay results compare quick~1 quick
      """,
    subcommands: [
      ResultsListCommand.self, ResultsShowCommand.self, ResultsCompareCommand.self, ResultsTrendCommand.self,
      ResultsPruneCommand.self, ResultsRebuildCommand.self,
    ])
}
