// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// The kinds of scenarios about clubs.
package enum ClubScenarios {
  /// All of them.
  package static let kinds: [ScenarioKind] = [
    stress, feed,
  ]

  /// `club.stress`: weeks of a large club, counted by the core and compared with the truth.
  private static let stress = ScenarioKind(
    "club.stress",
    summary: "Invents weeks of a large club, counts them by the core that ships, and compares both, member by member.",
    keys: ["members", "activities", "weeks", "shared", "random"], read: StressPlan.init)

  /// `club.feed`: seasons of a club told by a virtual service with faults, and what the ledger makes of them.
  private static let feed = ScenarioKind(
    "club.feed",
    summary: "Serves seasons of a club by a virtual service with faults, and judges the ledger against the truth.",
    keys: ["club", "service", "fetch", "faults", "seasons", "together", "random", "confidence"],
    read: FeedPlan.init)
}
