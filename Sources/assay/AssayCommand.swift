// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The command line's root.
@main
struct AssayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assay",
    abstract: "Puts the cores that ship inside apps on trial, and says with a stated confidence whether they hold.",
    discussion: """
      Results go to the standard output or to --output, all else to the standard
      error. Exit codes:
      \(ExitStatus.table)
      When several apply: 130 and 143 before 1 before 3.
      """,
    version: Version.current,
    subcommands: [
      RunCommand.self, ScenarioCommand.self, BlackjackCommand.self, LeagueCommand.self, ClubCommand.self,
      LiveCommand.self,
      PropertiesCommand.self, ResultsCommand.self, DoctorCommand.self, MishapCommand.self,
    ])

  /// Parses, runs, and leaves with a documented exit code.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Ending.leave(after: error)
    }
  }

  func run() throws {
    let name = FirstScreen.name(
      arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
    try Console.write(FirstScreen.text(calling: name))
  }
}
