// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

/// What scenario files can ask of the blackjack lab.
///
/// Rules are names such as `6d-s17-das`, one or a list; what is measured bears them as labels, as the file writes them:
/// `ev[6d-s17-das]`. A chart is `trainer`, `exact` (the analyser's, made for the rules), `composition` (best play for
/// the cards themselves, where it is only computed), a `.csv` file looked for beside the scenario, or written out:
///
///     chart:
///       name: mine
///       cells:
///         hard 16: S S S S S H H H Rh H
///         ...
///
/// with a row for each of the 33 and a cell for each upcard from 2 to the ace: the letter of the action, and the
/// fallback's in small behind it. A file is read when the scenario is, and the resolved scenario has its cells written
/// out: it needs no file again, and its digest changes when a cell does.
///
/// - `blackjack-chart`: `rules`, `random` (`generator`, `seed`), `confidence`, `indifference`, `estimator`, and
///   `against`: the charts to compare with, each alone or as `{chart: trainer, rules: 6d-s17-das}` for some of the
///   rules; the analyser's where nothing is said. A chart named `x` there gives the measure `x.mismatches`.
/// - `blackjack-play`: `rules`, `chart`, `method` (`simulate` or `exact`), `rounds`, `random`, `confidence`.
/// - `blackjack-verify`: `rules`, `chart`, `random`, `confidence`, `indifference`, `estimator`.
package enum BlackjackScenarios {
  /// The lab's kinds of scenario.
  package static let kinds: [ScenarioKind] = [
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
