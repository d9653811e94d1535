// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LeagueLab

/// Everything about fantasy leagues.
struct LeagueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Leagues.name,
    abstract: Leagues.summary,
    subcommands: Labs.commands(of: Leagues.name))
}
