// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting

/// The command line's root.
@main
struct AssayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assay",
    abstract: "Puts the cores that ship inside apps on trial, and says with a stated confidence whether they hold.",
    discussion: """
      Start here:
        assay blackjack chart      the basic strategy, from the rules alone
        assay blackjack verify     the trainer's chart before two witnesses
        assay league simulate      a fantasy league's power ranking against luck
        assay properties check     what is claimed of the cores, case by case
        assay run                  everything in Scenarios/

      Exit codes: 0 holds, 1 something on trial failed, 2 bad input, 64 usage,
      130 interrupted. Results go to the standard output or to --output, all
      else to the standard error.
      """,
    version: Version.current,
    subcommands: [RunCommand.self, BlackjackCommand.self, LeagueCommand.self, PropertiesCommand.self])

  /// Parses, runs, and leaves with a documented exit code.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      ExitStatus.leave(after: error)
    }
  }
}
