// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about what is claimed of the cores.
struct PropertiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "properties",
    abstract: "Tests what is claimed of the cores.",
    subcommands: [
      PropertiesListCommand.self, PropertiesCheckCommand.self, PropertiesReplayCommand.self,
      PropertiesFaultsCommand.self, PropertiesWorkerCommand.self,
    ])
}
