// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
public import Scenarios

/// What scenario files can ask of the blackjack lab.
public enum BlackjackScenarios {
  /// The lab's kinds of scenario.
  public static let kinds: [ScenarioKind] = [
    ScenarioKind(
      "blackjack-chart", summary: "makes basic strategy charts by simulation and compares them with others",
      keys: ["rules", "random", "confidence", "indifference", "estimator", "against"],
      read: { map throws(ReportingError) in try ChartPlan(map) }),
    ScenarioKind(
      "blackjack-play", summary: "plays whole rounds by a chart, or computes what it earns",
      keys: ["rules", "chart", "method", "rounds", "random", "confidence"],
      read: { map throws(ReportingError) in try PlayPlan(map) }),
    ScenarioKind(
      "blackjack-verify", summary: "judges a chart cell by cell, by simulation and by exact analysis",
      keys: ["rules", "chart", "random", "confidence", "indifference", "estimator"],
      read: { map throws(ReportingError) in try VerifyPlan(map) }),
  ]
}
