// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackLab
internal import ClubLab
internal import LeagueLab
internal import LiveLab
internal import PropertyLab
internal import Scenarios

/// The labs that there are: the only list of them.
enum Labs {
  /// A lab that is not named here has no commands and no kinds.
  static var all: [any Lab.Type] {
    [Blackjack.self, Clubs.self, Leagues.self, LiveExperiments.self, Properties<LabProperties>.self]
  }

  static var kinds: [ScenarioKind] {
    all.flatMap { lab in lab.experiments.map(ScenarioKind.init) }
  }

  /// What there is to say about each kind.
  static var references: [KindReference] { all.flatMap { $0.experiments.map { KindReference($0) } } }

  /// The commands of the labs.
  static var groups: [any ParsableCommand.Type] { all.map { group(of: $0) } }

  /// What a lab offers beside its experiments.
  fileprivate static func others(of lab: String) -> [any ParsableCommand.Type] {
    switch lab {
    case Clubs.name: [ClubReportCommand.self, ClubInsightsCommand.self]
    case Properties<LabProperties>.name:
      [PropertiesListCommand.self, PropertiesReplayCommand.self, PropertiesWorkerCommand.self]
    default: []
    }
  }

  fileprivate static func command<E: Experiment>(of type: E.Type) -> any ParsableCommand.Type {
    ExperimentCommand<E>.self
  }

  private static func group<L: Lab>(of lab: L.Type) -> any ParsableCommand.Type { LabCommand<L>.self }
}

/// A lab on the command line: a command for each of its experiments, and what else it offers.
struct LabCommand<L: Lab>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: L.name, abstract: L.summary,
      subcommands: L.experiments.map { Labs.command(of: $0) } + Labs.others(of: L.name))
  }
}
