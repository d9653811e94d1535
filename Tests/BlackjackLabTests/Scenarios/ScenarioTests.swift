// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Foundation
import Reporting
import Testing

@Suite("A scenario is data, read strictly")
struct ScenarioTests {
  private static let good = """
    name: A chart
    kind: blackjack-chart
    rules: [6d-s17-das, inf]
    random: {generator: taus2, seed: 3}
    confidence: 0.99
    indifference: 0.001
    estimator: paired
    expectations:
      chart: trainer

    """

  private func read(_ yaml: String) throws -> BlackjackScenario {
    try BlackjackScenario(ScenarioDocument(yaml: yaml, file: "Scenarios/s.yaml"))
  }

  @Test("everything that a scenario says is read")
  func everything() throws {
    let scenario = try read(Self.good)
    #expect(scenario.kind == .chart)
    #expect(scenario.rules.map(\.name) == ["6d", "inf"])
    #expect(
      scenario.simulation
        == Provenance.Simulation(
          seed: 3, generator: "taus2", estimator: "paired", confidence: 0.99, indifference: 0.001))
    #expect(scenario.expectations.map(\.chart) == [.trainer])
    #expect(scenario.expectations[0].rules == scenario.rules)
  }

  @Test("an expectation may name its own rules, and files are looked for beside the scenario")
  func ownRules() throws {
    let scenario = try read(
      """
      name: A game
      kind: blackjack-play
      rounds: 1e6
      chart: charts/mine.csv
      expectations:
        - {rules: 6d, ev: {low: -0.005, high: -0.003}, source: somebody}
        - {rules: [8d, 6d], ev: {low: -1, high: 1}}
      """)
    #expect(scenario.rules.map(\.name) == ["6d", "8d"])
    #expect(scenario.rounds == 1_000_000)
    #expect(scenario.expectations[0].ev == -0.005 ... -0.003)
    guard case .file(let path) = scenario.chart else { return #expect(Bool(false), "\(scenario.chart)") }
    #expect(path.hasSuffix("/Scenarios/charts/mine.csv"))
  }

  @Test(
    "what is wrong is named with file, line, field, value and expectation",
    arguments: [
      ("confidence: 0.99", "confidnce: 0.99", "s.yaml:5: confidnce: unknown key; did you mean 'confidence'?"),
      (
        "confidence: 0.99", "confidence: 99", "s.yaml:5: confidence: found '99', expected a probability between 0 and 1"
      ),
      ("seed: 3", "seed: three", "s.yaml:4: random.seed: found 'three', expected a whole number"),
      ("seed: 3", "sed: 3", "s.yaml:4: random.sed: unknown key; did you mean 'seed'?"),
      ("taus2", "tauss2", "s.yaml:4: random.generator: found 'tauss2', expected one of borosh13"),
      (
        "blackjack-chart", "blackjack-charts",
        "s.yaml:2: kind: found 'blackjack-charts', expected one of blackjack-chart"
      ),
      ("inf]", "infinite]", "s.yaml:3: rules[2]: found 'infinite', expected rules such as 6d-s17-das: unknown rule"),
      (
        "paired", "pared",
        "s.yaml:7: estimator: found 'pared', expected one of plain, paired, conditional (did you mean"
      ),
      ("chart: trainer", "chart: trainr", "s.yaml:9: expectations.chart: found 'trainr', expected trainer, exact"),
      ("  chart: trainer", "  ev: {low: 0, high: 1}", "expectations.ev: found a mapping, expected nothing"),
      ("name: A chart\n", "", "s.yaml:1: name: found nothing, expected what to call the scenario"),
      ("indifference: 0.001", "indifference: -1", "indifference: found '-1', expected a number of bets above 0"),
      ("estimator: paired", "rounds: 10", "rounds: found '10', expected nothing: the key is for blackjack-play"),
      ("estimator: paired", "chart: trainer", "chart: found 'trainer', expected nothing"),
      ("rules: [6d-s17-das, inf]\n", "", "rules: found nothing, expected rules such as 6d-s17-das"),
    ])
  func wrong(good: String, bad: String, problem: String) throws {
    let yaml = Self.good.replacingOccurrences(of: good, with: bad)
    try #require(yaml != Self.good)
    let error = #expect(throws: ReportingError.self) { try read(yaml) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test(
    "an EV interval is an interval, and rounds are above zero",
    arguments: [
      ("rounds: 0", "{low: 0, high: 1}", "rounds: found '0', expected a whole number, 1 to 1000000000000."),
      ("rounds: 10", "{low: 1, high: 0}", "expectations.ev.high: found '0', expected at least the low end, 1."),
      ("rounds: 10", "0.5", "expectations.ev: found '0.5', expected a mapping with the keys low, high."),
      ("method: simulate", "{low: 0, high: 1}", "rounds: found nothing, expected the number of rounds to play"),
      ("method: exact\nrounds: 10", "{low: 0, high: 1}", "rounds: found '10', expected nothing: method exact plays no"),
      ("chart: composition\nrounds: 10", "{low: 0, high: 1}", "chart: found 'composition', expected composition only"),
    ])
  func games(line: String, interval: String, problem: String) {
    let yaml = "name: x\nkind: blackjack-play\nrules: 6d\n\(line)\nexpectations: {ev: \(interval)}\n"
    let error = #expect(throws: ReportingError.self) { try read(yaml) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test("every scenario that ships can be read")
  func shipped() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = (1...4).reduce(file) { path, _ in path.deletingLastPathComponent() }
    let folder = root.appendingPathComponent("Scenarios")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(Set(names).isSuperset(of: ["quick.yaml", "strategy-tables.yaml", "house-edge.yaml"]))
    for name in names {
      let scenario = try BlackjackScenario(ScenarioDocument(contentsOf: folder.appendingPathComponent(name).path))
      #expect(!scenario.expectations.isEmpty && !scenario.rules.isEmpty)
    }
  }
}
