// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Measures the property-testing engine and prints tables, other engines' figures beside its own.
@main
struct PropertyBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "property-benchmark",
    abstract: "Measures the property-testing engine against what other engines reach.",
    subcommands: [ShrinkingCommand.self, TreesCommand.self, ThroughputCommand.self],
    defaultSubcommand: ShrinkingCommand.self)
}
