// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about blackjack.
struct BlackjackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blackjack",
    abstract: "Derives, checks and plays blackjack strategy.",
    subcommands: Labs.commands(of: "blackjack"))
}
