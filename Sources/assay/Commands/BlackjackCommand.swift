// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about blackjack.
struct BlackjackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blackjack",
    abstract: "Derives, judges and plays blackjack strategy.",
    subcommands: [ChartCommand.self, VerifyCommand.self, PlayCommand.self, HandCommand.self])
}
