// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

extension ChartPlan {
  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let trials = BlackjackTrials(on: bench)
    var findings: [ChartFindings] = []
    for named in rules where !bench.interrupt.isRaised {
      let result = try trials.simulatedChart(named.rules, simulation)
      findings.append(try self.findings(named, result, in: trials))
    }
    return ScenarioResult(
      measurements: measures.found(in: findings.map { ($0.named.label, $0.values) }),
      data: ["charts": .array(findings.map(\.json))], sections: ChartSections(findings).all,
      files: findings.flatMap(\.files), text: Self.text(of: findings, isColoured: false),
      colouredText: Self.text(of: findings, isColoured: true),
      isComplete: findings.count == rules.count && !findings.contains(where: \.isInterrupted))
  }

  private func findings(
    _ named: NamedRules, _ result: ChartResult, in trials: BlackjackTrials
  ) throws -> ChartFindings {
    let trial = try trials.verification(of: result.chart, named: "simulated", by: result)
    let comparisons = try against.filter { $0.rules.contains(named) }.map { comparison in
      let chart =
        comparison.source == .exact
        ? trial.compositionDependent.chart : try comparison.source.chart(for: named.rules, in: trials)
      return ChartFindings.Comparison(
        source: comparison.source, chart: chart,
        mismatches: trial.decided.map(\.simulated).filter { !$0.matches(chart) })
    }
    return ChartFindings(
      named: named, trial: trial, comparisons: comparisons,
      isInterrupted: trials.interrupt.isRaised && !result.isDecided)
  }

  /// The card of a single chart; a line for each of several.
  private static func text(of findings: [ChartFindings], isColoured: Bool) -> String {
    if findings.count == 1, let only = findings.first {
      return ChartReport(only.result).rendered(as: .text, style: TerminalStyle(isColoured: isColoured))
    }
    var table = Table(
      [Table.Column("rules")]
        + ["certified", "indifferent", "undecided", "rounds", "closest cell", "margin", "from", "to"].map {
          Table.Column($0, $0 == "closest cell" ? .left : .right)
        })
    for finding in findings {
      let closest = Evidence(result: finding.result).closest.first
      let margins = closest.map { [$0.margin, $0.marginLow, $0.marginHigh] } ?? []
      table.add(
        [finding.named.label]
          + [Verdict.certified, .indifferent, .undecided].map { String(finding.result.count(of: $0)) }
          + [NumberFormat.grouped(Evidence(result: finding.result).samples), closest?.key.description ?? ""]
          + margins.map { NumberFormat.fixed($0, decimals: 5) })
    }
    return findings.isEmpty ? "" : table.text
  }
}

extension ChartFindings {
  /// The chart as tables and as a picture.
  var files: [ScenarioResult.File] {
    [ReportFormat.csv, .markdown, .svg].map { format in
      ScenarioResult.File(
        name: "\(named.label).\(format.extensions[0])", content: ChartReport(result).rendered(as: format))
    }
  }

  /// The chart with its evidence, and where others differ from it.
  var json: JSONValue {
    [
      "rules": .string(named.label),
      "chart": ChartReport(result).json,
      "comparisons": .array(
        comparisons.map { comparison in
          [
            "chart": .string(comparison.source.name),
            "mismatches": .array(comparison.mismatches.map { .string($0.key.description) }),
          ]
        }),
    ]
  }
}

extension BlackjackTrials {
  /// The lab with a scenario's workers, interrupt and progress display.
  init(on bench: ScenarioBench) {
    self.init(workers: bench.workers, interrupt: bench.interrupt, meter: { bench.meter($0, "rounds") })
  }
}

extension [Measure] {
  /// The measurements of these measures that were found, in their order.
  ///
  /// - Parameter found: by the labels of the measures, what was found by their names.
  /// - Returns: the measures with what was found; those of which nothing was found are left out.
  func found(in found: [(label: String, values: [String: Measurement.Value])]) -> [Measurement] {
    compactMap { measure in
      found.first { $0.label == measure.label }?.values[measure.name].map { Measurement(measure, $0) }
    }
  }
}
