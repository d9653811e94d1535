// SPDX-License-Identifier: GPL-3.0-or-later
public import Scenarios

/// What a report's page shows, from above to below.
public struct ReportPage: Hashable, Sendable {
  /// A fact about the run: `Seed` and `1`.
  public struct Fact: Hashable, Sendable {
    /// What it is.
    public let name: String
    /// What it comes to.
    public let value: String

    /// A fact.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// What people call the scenario.
  public let title: String
  /// What all thresholds come to; `nil` for a run that is not complete.
  public let judgement: Judgement?
  /// Why there is no verdict yet, or what else must be said first; empty for nothing.
  public let notice: String
  /// The thresholds, judged.
  public let thresholds: [JudgedThreshold]
  /// What a person of the field wants to look at.
  public let sections: [ReportSection]
  /// The scenario as resolved, as YAML.
  public let scenario: String
  /// The command that runs it again.
  public let command: String
  /// When, where, how long, which versions.
  public let facts: [Fact]

  /// A page.
  public init(
    title: String, judgement: Judgement?, notice: String = "", thresholds: [JudgedThreshold],
    sections: [ReportSection], scenario: String, command: String, facts: [Fact]
  ) {
    (self.title, self.judgement, self.notice, self.thresholds) = (title, judgement, notice, thresholds)
    (self.sections, self.scenario, self.command, self.facts) = (sections, scenario, command, facts)
  }
}
