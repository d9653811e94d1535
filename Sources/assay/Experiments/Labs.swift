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

  /// The experiments of all labs, as kinds of scenarios.
  static var kinds: [ScenarioKind] {
    all.flatMap { lab in lab.experiments.map { kind(of: $0) } }
  }

  /// What there is to say about each kind.
  static var references: [KindReference] { all.flatMap { $0.experiments.map { KindReference($0) } } }

  /// The commands of a lab's experiments.
  static func commands(of lab: String) -> [any ParsableCommand.Type] {
    all.filter { $0.name == lab }.flatMap { $0.experiments.map { command(of: $0) } }
  }

  private static func kind<E: Experiment>(of type: E.Type) -> ScenarioKind { ScenarioKind(type) }

  private static func command<E: Experiment>(of type: E.Type) -> any ParsableCommand.Type { ExperimentCommand<E>.self }
}
