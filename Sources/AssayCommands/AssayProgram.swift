// SPDX-License-Identifier: GPL-3.0-or-later
package import ArgumentParser
internal import BlackjackLab
internal import CalibrationLab
internal import ClubLab
internal import LeagueLab
internal import LiveLab
internal import PropertyLab
internal import Reporting
package import Scenarios
internal import Workbench

/// The programs of this package: the labs that there are, with or without what not every build has.
package enum AssayProgram {
  /// What a program has beside what every one has in a lab: experiments, and commands that are none.
  package struct Addition: Sendable {
    let lab: String
    let experiments: [any Experiment.Type]
    let commands: [any ParsableCommand.Type]

    package init(
      to lab: any Lab.Type, experiments: [any Experiment.Type] = [], commands: [any ParsableCommand.Type] = []
    ) {
      (self.lab, self.experiments, self.commands) = (lab.name, experiments, commands)
    }
  }

  /// Every lab with its commands that are no experiments: one that is not named here has no commands and no kinds.
  private static var labs: [(lab: any Lab.Type, commands: [any ParsableCommand.Type])] {
    [
      (Blackjack.self, []), (Clubs.self, [ClubReportCommand.self, ClubInsightsCommand.self]),
      (Leagues.self, [LeagueRankCommand.self, LeagueExportCommand.self, LeagueRoastPromptCommand.self]),
      (LiveExperiments.self, []),
      (
        Properties<LabProperties>.self,
        [PropertiesListCommand.self, PropertiesReplayCommand.self, PropertiesWorkerCommand.self]
      ),
    ]
  }

  /// The kinds that every program has.
  static var experiments: [any Experiment.Type] { labs.flatMap { $0.lab.experiments } + alone }

  /// Experiments that are commands of their own, about no core.
  private static var alone: [any Experiment.Type] { [Calibration<LabMethods>.self] }

  /// The commands that only the program with the network has.
  private static let withSockets = [
    "live soak", "live proxy", "live listen", "live serve", "league connect", "league list", "league refresh",
    "league context", "league remove",
  ]

  /// Parses the process's arguments, runs, and leaves with a documented exit code.
  package static func main(with additions: [Addition] = []) {
    let groups = labs.map { lab, commands in
      let more = additions.filter { $0.lab == lab.name }
      return CommandGroup(lab, adding: more.flatMap(\.experiments), commands: commands + more.flatMap(\.commands))
    }
    let elsewhere = withSockets.map { words in
      (
        words,
        "This program is without the network; '\(words)' is in assay-live, which 'swift build -c release --product "
          + "assay-live' builds."
      )
    }
    ProgramParts(
      name: "assay",
      summary: "Puts the cores that ship inside apps under test, and states with a confidence whether they hold.",
      version: Version.current, groups: groups, experiments: alone,
      firstSteps: [
        ("run Scenarios/quick.yaml", "runs a scenario: verdict, thresholds, report.html"),
        ("scenario new live.storm", "begins a scenario of your own: every key with its meaning"),
        ("blackjack chart", "the basic strategy, from the rules alone"),
        ("properties check", "properties of the cores, on random cases"),
        ("live simulate tunnel", "how often a connection that broke is back in time"),
        ("results list", "the results of earlier runs"),
        ("doctor", "whether this machine has what Assay needs"),
      ], elsewhere: Dictionary(uniqueKeysWithValues: additions.isEmpty ? elsewhere : [])
    ).run()
  }
}

/// Every way in which a lab turns samples into a statement.
enum LabMethods: CalibrationSource {
  static let methods = StatedMethods.all + ShareCalibration.methods + CertificationCalibration.methods
}
