// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about fantasy leagues.
struct LeagueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "league",
    abstract: "Puts a fantasy league's power ranking on trial.",
    subcommands: Labs.commands(of: "league") + [LeagueSimulateCommand.self])
}
