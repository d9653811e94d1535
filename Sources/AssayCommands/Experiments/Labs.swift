// SPDX-License-Identifier: GPL-3.0-or-later
package import ArgumentParser
internal import BlackjackLab
internal import CalibrationLab
internal import ClubLab
internal import LeagueLab
internal import LiveLab
internal import PropertyLab
package import Scenarios
internal import Synchronization

/// The labs that there are: the only list of them.
enum Labs {
  /// A lab that is not named here has no commands and no kinds.
  static var all: [any Lab.Type] {
    [Blackjack.self, Clubs.self, Leagues.self, LiveExperiments.self, Properties<LabProperties>.self]
  }

  /// Experiments that are commands of their own, about no core.
  private static var alone: [any Experiment.Type] { [Calibration<LabMethods>.self] }

  /// The commands of each lab that only the program with the network has.
  static let withSockets = [
    "live": ["soak", "proxy", "listen", "serve"], "league": ["connect", "list", "refresh", "context", "remove"],
  ]

  private static let additions = Mutex<[LabAddition]>([])

  /// Adds what this program has beside the labs that every one has; before anything asks for them.
  static func add(_ more: [LabAddition]) { additions.withLock { $0 += more } }

  private static func additions(to lab: String) -> [LabAddition] { additions.withLock { $0.filter { $0.lab == lab } } }

  fileprivate static func experiments(of lab: any Lab.Type) -> [any Experiment.Type] {
    lab.experiments + additions(to: lab.name).flatMap(\.experiments)
  }

  static var experiments: [any Experiment.Type] { all.flatMap { experiments(of: $0) } + alone }

  /// What there is to say about each kind.
  static var references: [KindReference] { experiments.map { KindReference($0) } }

  static var groups: [any ParsableCommand.Type] { all.map { group(of: $0) } + alone.map { command(of: $0) } }

  /// What a lab offers beside its experiments.
  fileprivate static func others(of lab: String) -> [any ParsableCommand.Type] {
    let own: [any ParsableCommand.Type] =
      switch lab {
      case Clubs.name: [ClubReportCommand.self, ClubInsightsCommand.self]
      case Leagues.name: [LeagueRankCommand.self, LeagueExportCommand.self, LeagueRoastPromptCommand.self]
      case Properties<LabProperties>.name:
        [PropertiesListCommand.self, PropertiesReplayCommand.self, PropertiesWorkerCommand.self]
      default: []
      }
    return own + additions(to: lab).flatMap(\.commands)
  }

  fileprivate static func command<E: Experiment>(of type: E.Type) -> any ParsableCommand.Type {
    ExperimentCommand<E>.self
  }

  private static func group<L: Lab>(of lab: L.Type) -> any ParsableCommand.Type { LabCommand<L>.self }
}

/// Every way in which a lab turns samples into a statement.
enum LabMethods: CalibrationSource {
  static let methods = StatedMethods.all + ShareCalibration.methods + CertificationCalibration.methods
}

/// A lab on the command line: a command for each of its experiments, and what else it offers.
struct LabCommand<L: Lab>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: L.name, abstract: L.summary,
      subcommands: Labs.experiments(of: L.self).map { Labs.command(of: $0) } + Labs.others(of: L.name))
  }
}

/// What a program offers in a lab beside what every program does.
package struct LabAddition: Sendable {
  let lab: String
  let experiments: [any Experiment.Type]
  let commands: [any ParsableCommand.Type]

  /// Adds experiments, and commands that are none, to the lab of a name.
  package init(
    to lab: any Lab.Type, experiments: [any Experiment.Type] = [], commands: [any ParsableCommand.Type] = []
  ) {
    (self.lab, self.experiments, self.commands) = (lab.name, experiments, commands)
  }
}
