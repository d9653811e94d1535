// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// The kinds of scenarios about leagues.
package enum LeagueScenarios {
  /// `league-seasons`: seasons by the million, and what both rankings make of them.
  package static let kinds = [
    ScenarioKind(
      "league-seasons",
      summary: "Plays seasons whose strongest team is known, and judges the power ranking beside plain record.",
      keys: ["teams", "weeks", "mean", "deviation", "strength", "ties", "seasons", "random", "confidence"],
      read: SeasonsPlan.init)
  ]
}
