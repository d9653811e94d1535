// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// What a report's page shows, from above to below.
package struct ReportPage: Hashable, Sendable {
  /// A fact about the run: `Seed` and `1`.
  package struct Fact: Hashable, Sendable {
    /// What it is.
    package let name: String
    /// What it comes to.
    package let value: String

    /// A fact.
    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// What people call the scenario.
  package let title: String
  /// What all thresholds come to; `nil` for a run that is not complete.
  package let judgement: Judgement?
  /// Why there is no verdict yet, or what else must be said first; empty for nothing.
  package let notice: String
  /// The thresholds, judged.
  package let thresholds: [JudgedThreshold]
  /// What a person of the field wants to look at.
  package let sections: [ReportSection]
  /// The scenario as resolved, as YAML.
  package let scenario: String
  /// The command that runs it again.
  package let command: String
  /// When, where, how long, which versions.
  package let facts: [Fact]

  /// A page.
  package init(
    title: String, judgement: Judgement?, notice: String = "", thresholds: [JudgedThreshold],
    sections: [ReportSection], scenario: String, command: String, facts: [Fact]
  ) {
    (self.title, self.judgement, self.notice, self.thresholds) = (title, judgement, notice, thresholds)
    (self.sections, self.scenario, self.command, self.facts) = (sections, scenario, command, facts)
  }
}
