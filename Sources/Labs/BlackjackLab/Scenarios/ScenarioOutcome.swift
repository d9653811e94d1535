// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore

/// What a scenario's run came to: every expectation beside what was found.
public struct ScenarioOutcome: Hashable, Sendable {
  /// One expectation under one set of rules.
  public struct Check: Hashable, Sendable {
    /// The rules.
    public let rules: Rules
    /// What was looked at, for example `chart against trainer` or `EV of the trainer chart`.
    public let subject: String
    /// What was found.
    public let found: String
    /// What was expected.
    public let expected: String
    /// Who expects it; empty where nobody is named.
    public let source: String
    /// Whether it holds.
    public let holds: Bool

    /// An expectation beside what was found.
    public init(rules: Rules, subject: String, found: String, expected: String, source: String = "", holds: Bool) {
      self.rules = rules
      self.subject = subject
      self.found = found
      self.expected = expected
      self.source = source
      self.holds = holds
    }
  }

  /// The scenario.
  public let scenario: BlackjackScenario
  /// Its expectations, in the order in which they were checked.
  public let checks: [Check]
  /// The charts that were made, in the order of the scenario's rules.
  public let charts: [ChartResult]

  /// The outcome of a run.
  public init(scenario: BlackjackScenario, checks: [Check], charts: [ChartResult] = []) {
    self.scenario = scenario
    self.checks = checks
    self.charts = charts
  }

  /// Whether everything holds.
  public var holds: Bool { checks.allSatisfy(\.holds) }
}
