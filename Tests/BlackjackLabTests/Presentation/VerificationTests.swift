// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Reporting
import Testing

@Suite("A chart on trial is judged by what it costs")
struct VerificationTests {
  private let key = ChartCellKey(.pair(.eight), against: .six)
  private let analysis: ExactAnalysis
  private let rules: Rules

  init() throws {
    rules = try Rules(name: "inf-s17-das")
    analysis = ExactAnalysis(rules: rules)
  }

  /// The trial of a chart by a witness that knows the exact values, off by `error` each, with bounds `width` around.
  private func trial(
    of chart: StrategyChart, error: Double = 0, width: Double = 0.01, confidence: Double = 0.999
  ) -> Verification {
    let exact = analysis.chart
    let simulation = Provenance.Simulation(
      seed: 1, generator: "mt19937", estimator: "plain", confidence: confidence, indifference: 0.001)
    let cells = exact.cells.map { cell in
      var (values, low, high) = (ActionValues(), ActionValues(), ActionValues())
      for (action, value) in cell.values.ranked {
        (values[action], low[action], high[action]) = (value + error, value + error - width, value + error + width)
      }
      return ChartCell(
        key: cell.key, decision: cell.decision, runnerUp: cell.runnerUp, values: values, valuesLow: low,
        valuesHigh: high, margin: cell.margin, marginLow: cell.margin - width, marginHigh: cell.margin + width,
        samples: 10, verdict: .certified)
    }
    let simulated = ChartResult(provenance: Provenance(rules: rules, simulation: simulation), cells: cells)
    return Verification(
      of: chart, named: "mine", simulated: simulated, exact: exact.cells.map(\.values), compositionDependent: exact,
      testedValue: -0.006, simulatedValue: -0.005)
  }

  @Test("the best chart stands, and costs nothing in any cell")
  func best() {
    let verification = trial(of: analysis.chart.chart)
    #expect(verification.holds)
    #expect(verification.cells.allSatisfy { $0.cost == 0 })
    #expect(VerificationReport(verification).verdict == "HOLDS: no cell is wrong, and the two witnesses agree.")
  }

  @Test("hitting two eights against a six costs what splitting is worth more")
  func wrongCell() throws {
    var chart = analysis.chart.chart
    chart[key] = StrategyChart.Cell(.hit)
    let verification = trial(of: chart)
    let wrong = try #require(verification.wrong.first)
    let values = analysis.values(of: key)
    #expect(verification.wrong.count == 1 && wrong.key == key && !verification.holds)
    #expect(wrong.cost == (try #require(values[.split])) - (try #require(values[.hit])))
    #expect(abs(verification.totalCost - 0.001) < 1e-12)
  }

  @Test("an action that the rules forbid is judged by its fallback")
  func fallback() {
    var chart = analysis.chart.chart
    chart[key] = StrategyChart.Cell(.surrender, else: .split)
    #expect(trial(of: chart).holds)
  }

  @Test("a cell within the indifference is not called wrong")
  func indifferent() throws {
    let close = try #require(analysis.chart.cells.filter { $0.margin > 0 }.min { $0.margin < $1.margin })
    try #require(close.margin < 0.001)
    var chart = analysis.chart.chart
    chart[close.key] = StrategyChart.Cell(try #require(close.runnerUp))
    let verification = trial(of: chart)
    #expect(verification.holds)
    #expect(abs(verification.cells[close.key.index].cost - close.margin) < 1e-15)
  }

  @Test("a witness whose intervals miss the exact values is not believed: they hold together")
  func surprises() {
    let verification = trial(of: analysis.chart.chart, error: 0.02, width: 0.01)
    #expect(verification.surprises.count == 330 && !verification.methodsAgree && !verification.holds)
    #expect(VerificationReport(verification).verdict.hasPrefix("FAILS: the two witnesses do not agree"))
  }

  @Test("CSV has a line a cell, JSON says whether it holds, and there is no picture")
  func formats() {
    let report = VerificationReport(trial(of: analysis.chart.chart))
    let lines = report.rendered(as: .csv)?.split(separator: "\n")
    #expect(lines?.count == 331)
    #expect(
      lines?.first == "kind,player,dealer,chart,simulated,exact,margin,low,high,exact_margin,cost,outside,verdict")
    #expect(report.rendered(as: .json)?.contains("\"holds\": true") == true)
    #expect(report.rendered(as: .svg) == nil)
  }
}
