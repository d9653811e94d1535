// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

extension ResultDocument {
  /// What came out of a scenario, its thresholds evaluated.
  package init(_ outcome: ScenarioResult, of scenario: Scenario) {
    self.init(
      slug: scenario.slug, name: scenario.name, kind: scenario.kind.name, digest: scenario.digest,
      thresholds: scenario.judged(by: outcome), measurements: outcome.measurements, data: outcome.data,
      isComplete: outcome.isComplete)
  }
}
