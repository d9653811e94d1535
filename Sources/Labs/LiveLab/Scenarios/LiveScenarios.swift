// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// The kinds of scenarios about connections that come back.
package enum LiveScenarios {
  /// All of them.
  package static let kinds: [ScenarioKind] = [simulate, StormPlan.kind]

  /// `live.simulate`: sessions of a client under named outages, and how often it was back in time.
  static let simulate = ScenarioKind(
    "live.simulate",
    summary: "Runs sessions of the reconnecting client under named outages, and says how often it was back in time.",
    keys: ["profiles", "subject", "policy", "sessions", "end", "target", "confidence", "random"],
    read: SimulatePlan.init)
}
