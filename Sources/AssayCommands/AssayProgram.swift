// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackLab
internal import ClubLab
internal import ContrastLab
internal import FantasyLab
internal import LeagueLab
internal import LiveLab
internal import ProfileLab
public import Workbench

/// The parts of this package's programs, with and without the network.
public enum AssayProgram {
  /// The name of both programs.
  public static let name = "assay"
  /// The purpose of both programs.
  public static let summary =
    "Tests code that ships in apps by simulation, property-based testing and fault injection, with a stated confidence."

  /// Every lab: one that is not named here has no commands and no kinds.
  public static var labs: [Lab] {
    [
      Lab(
        "blackjack", Blackjack.summary, experiments: Blackjack.experiments,
        commands: [BlackjackTrainCommand.self, BlackjackCardsCommand.self],
        properties: [BlackjackProperties.catalogue, TrainerProperties.catalogue, CountingProperties.catalogue]),
      Lab(
        "league", Leagues.summary, experiments: Leagues.experiments,
        commands: [
          LeagueRankCommand.self, LeagueTemplateCommand.self, LeagueExportCommand.self, LeagueRoastPromptCommand.self,
          LeagueConnectCommand.self, LeagueListCommand.self, LeagueRefreshCommand.self, LeagueContextCommand.self,
          LeagueRemoveCommand.self,
        ],
        properties: [LeagueProperties.catalogue, LeagueServiceProperties.catalogue]),
      Lab(
        "club", Clubs.summary, experiments: Clubs.experiments,
        commands: [ClubReportCommand.self, ClubInsightsCommand.self], properties: [ClubProperties.catalogue]),
      Lab(
        "live", LiveExperiments.summary, experiments: LiveExperiments.experiments,
        properties: [LiveProperties.catalogue]),
      Lab(
        "contrast", Contrasts.summary, experiments: Contrasts.experiments, commands: [ContrastRatioCommand.self],
        properties: [ContrastProperties.catalogue]),
      Lab(
        "profile", Profiles.summary, experiments: Profiles.experiments,
        commands: [ProfileFindCommand.self, ProfileMergeCommand.self], properties: [ProfileProperties.catalogue]),
      Lab(
        "fantasy", Fantasy.summary, experiments: Fantasy.experiments,
        commands: [
          FantasyCaptainCommand.self, FantasyTradeCommand.self, FantasyByesCommand.self, FantasyPathsCommand.self,
          FantasyAlertsCommand.self, FantasyTeamCommand.self,
        ], properties: [FantasyProperties.catalogue]),
    ]
  }

  /// The statistical methods of the labs.
  public static let methods = ShareCalibration.methods + CertificationCalibration.methods

  /// The commands that people use most.
  public static let firstSteps: [(words: String, purpose: String)] = [
    (words: "run Scenarios/quick.yaml", purpose: "runs a scenario: verdict, thresholds, report.html"),
    ("scenario new live.storm", "begins a scenario of your own: every key with its meaning"),
    ("blackjack chart", "derives the basic strategy from the rules alone"),
    ("properties check", "tests properties of the cores on random cases"),
    ("live simulate tunnel", "estimates how often a broken connection is back in time"),
    ("results list", "lists the results of earlier runs"),
    ("doctor", "checks that this machine has what Assay needs"),
  ]
}
