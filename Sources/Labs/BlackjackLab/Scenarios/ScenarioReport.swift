// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
public import Reporting

/// What scenarios came to, ready to be written as text, Markdown, CSV or JSON.
public struct ScenarioReport {
  /// The outcomes in the order in which the scenarios ran.
  public let outcomes: [ScenarioOutcome]

  /// The report of some runs.
  public init(_ outcomes: [ScenarioOutcome]) {
    self.outcomes = outcomes
  }

  /// Whether everything holds.
  public var holds: Bool { outcomes.allSatisfy(\.holds) }

  /// The outcome in one sentence.
  public var verdict: String {
    let checks = outcomes.flatMap(\.checks)
    let failed = checks.count { !$0.holds }
    return failed == 0
      ? "HOLDS: \(checks.count) of \(checks.count) expectations."
      : "FAILS: \(failed) of \(checks.count) expectations."
  }

  /// The report in a format.
  ///
  /// - Parameters:
  ///   - format: any but a picture.
  ///   - style: whether a text is coloured.
  /// - Returns: the whole document; `nil` for a picture, which there is none of.
  public func rendered(
    as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false)
  ) -> String? {
    switch format {
    case .text:
      outcomes.map { "\(onlyChart(of: $0, style: style))\($0.scenario.name)\n\n\(table(of: $0).text)\n" }.joined()
        + verdict + "\n"
    case .markdown:
      "# Scenarios\n\n" + outcomes.map { "## \($0.scenario.name)\n\n\(table(of: $0).markdown)\n" }.joined()
        + verdict + "\n"
    case .csv: csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  /// The chart of a scenario that makes a single one; the charts of the others are in their files.
  private func onlyChart(of outcome: ScenarioOutcome, style: TerminalStyle) -> String {
    guard outcomes.count == 1, outcome.charts.count == 1, let chart = outcome.charts.first else { return "" }
    return ChartReport(chart).rendered(as: .text, style: style) + "\n"
  }

  private func table(of outcome: ScenarioOutcome) -> Table {
    var table = Table(["rules", "subject", "found", "expected", "verdict"].map { Table.Column($0) })
    for check in outcome.checks {
      table.add([check.rules.name, check.subject, check.found, check.expected, check.holds ? "holds" : "FAILS"])
    }
    return table
  }

  private var csv: String {
    var table = Table(
      ["scenario", "rules", "subject", "found", "expected", "source", "holds"].map { Table.Column($0) })
    for outcome in outcomes {
      for check in outcome.checks {
        table.add([
          outcome.scenario.name, check.rules.name, check.subject, check.found, check.expected, check.source,
          check.holds ? "true" : "false",
        ])
      }
    }
    return table.csv
  }

  private var json: JSONValue {
    [
      "kind": "scenarios",
      "version": .string(Version.current),
      "holds": .bool(holds),
      "scenarios": .array(outcomes.map(Self.json)),
    ]
  }

  private static func json(of outcome: ScenarioOutcome) -> JSONValue {
    let checks = outcome.checks.map { check -> JSONValue in
      [
        "rules": .string(check.rules.name), "subject": .string(check.subject), "found": .string(check.found),
        "expected": .string(check.expected), "source": .string(check.source), "holds": .bool(check.holds),
      ]
    }
    return [
      "name": .string(outcome.scenario.name),
      "kind": .string(outcome.scenario.kind.rawValue),
      "seed": .unsigned(outcome.scenario.simulation.seed),
      "generator": .string(outcome.scenario.simulation.generator),
      "holds": .bool(outcome.holds),
      "checks": .array(checks),
    ]
  }
}
