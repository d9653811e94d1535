// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// A chart on trial under some rules, before the simulation and the exact analyser.
struct VerifyPlan: ScenarioPlan, Hashable {
  /// The rules, one after the other.
  let rules: [NamedRules]
  /// The chart on trial.
  let chart: ChartSource
  /// What determines the simulation.
  let simulation: Provenance.Simulation

  /// Reads the plan.
  ///
  /// - Throws: `ReportingError` naming file, line, field, the value found and what was expected.
  init(_ map: ScenarioMapping) throws(ReportingError) {
    rules = try NamedRules.all(of: map, refusingCutCards: "a chart is judged for a fresh shoe every round")
    chart =
      try map["chart"].map { field throws(ReportingError) in
        try ChartSource(
          field, refusingComposition: "trainer, exact or a file: play by the cards themselves is no chart to judge")
      } ?? .trainer
    simulation = try Provenance.Simulation(certifyingFrom: map)
  }

  var settings: [JSONMember] {
    [JSONMember("rules", NamedRules.setting(rules)), JSONMember("chart", chart.setting)]
      + simulation.certifyingSettings
  }

  var measures: [Measure] {
    rules.map(\.label).flatMap { label -> [Measure] in
      [
        Measure(
          "cells.wrong", of: label,
          meaning: "cells where the chart costs more than the indifference, by the exact values", unit: "cells",
          nature: .count),
        Measure(
          "cost", of: label, meaning: "what the chart earns less than the simulated one, computed",
          unit: "bets a round",
          nature: .exact),
        Measure("ev.exact", of: label, meaning: "what the chart earns, computed", unit: "bets a round", nature: .exact),
        Measure(
          "witnesses.disagree", of: label, meaning: "cells where simulation and analyser name different actions",
          unit: "cells", nature: .count),
        .exactOutside(label),
        Measure(
          "chart.undecided", of: label, meaning: "cells that the simulation did not decide", unit: "cells",
          nature: .count),
        Measure(
          "rounds", of: label, meaning: "rounds played from a cell on, each with every action under trial",
          unit: "rounds", nature: .count),
      ]
    }
  }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let trials = BlackjackTrials(on: bench)
    var findings: [TrialFindings] = []
    for named in rules where !bench.interrupt.isRaised {
      let chart = try chart.chart(for: named.rules, in: trials)
      let trial = try trials.verification(named.rules, of: chart, named: self.chart.name, simulation)
      let isOpen = !trial.simulated.isDecided
      findings.append(
        TrialFindings(named: named, chart: chart, trial: trial, isInterrupted: bench.interrupt.isRaised && isOpen))
    }
    return ScenarioResult(
      measurements: measures.found(in: findings.map { ($0.named.label, $0.values) }),
      data: ["trials": .array(findings.map(\.json))], sections: TrialSections(findings).all,
      files: findings.flatMap(\.files), text: findings.map(\.text).joined(separator: "\n"),
      isComplete: findings.count == rules.count && !findings.contains(where: \.isInterrupted))
  }
}

/// A chart's trial under some rules.
struct TrialFindings {
  /// Under which rules.
  let named: NamedRules
  /// The chart on trial.
  let chart: StrategyChart
  /// What the witnesses say.
  let trial: Verification
  /// Whether an interruption left cells open.
  let isInterrupted: Bool

  /// What was found, by the names of the measures.
  var values: [String: Measurement.Value] {
    var values = trial.simulatedValues(isInterrupted: isInterrupted)
    let decided = trial.decided
    let open = trial.cells.count - decided.count
    let keys = Set(decided.map(\.key))
    values["cells.wrong"] = .count(trial.wrong.count { keys.contains($0.key) }, undecided: open)
    values["witnesses.disagree"] = .count(trial.disagreements.count { keys.contains($0.key) }, undecided: open)
    values["ev.exact"] = .exact(trial.testedValue)
    if open == 0 { values["cost"] = .exact(trial.totalCost) }
    return values
  }

  /// The report as the command writes it.
  var text: String { VerificationReport(trial).rendered(as: .text) ?? "" }

  /// Every cell with both witnesses.
  var json: JSONValue { ["rules": .string(named.label), "trial": VerificationReport(trial).json] }

  /// Every cell as a table.
  var files: [ScenarioResult.File] {
    VerificationReport(trial).rendered(as: .csv).map { [ScenarioResult.File(name: "\(named.label).csv", content: $0)] }
      ?? []
  }
}
