// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A blackjack scenario is data, read strictly")
struct ScenarioReadingTests {
  private static let chart = """
    name: A chart
    kind: blackjack-chart
    rules: [6d-s17-das, inf]
    random: {generator: taus2, seed: 3}
    confidence: 0.99
    indifference: 0.001
    estimator: paired
    against:
      - exact
      - {chart: trainer, rules: 6d}
    thresholds: [chart.undecided == 0]

    """

  private static let game = """
    name: A game
    kind: blackjack-play
    rules: [6d-s17-das, 8d]
    chart: trainer
    method: simulate
    rounds: 1e6
    thresholds:
      - ev[6d-s17-das] in -1..1 at 0.99

    """

  private func read(_ yaml: String, file: String = "Scenarios/s.yaml") throws -> Scenario {
    try Scenario(ScenarioDocument(yaml: yaml, file: file), kinds: BlackjackScenarios.kinds)
  }

  private func setting(_ key: String, of scenario: Scenario) throws -> JSONValue {
    try #require(scenario.plan.settings.first { $0.key == key }).value
  }

  private func names(_ names: JSONValue...) -> JSONValue { .array(names) }

  @Test("everything that a scenario says stands in its settings, with the defaults it leaves out")
  func settings() throws {
    let scenario = try read(Self.chart)
    #expect(try setting("rules", of: scenario) == names("6d-s17-das", "inf"))
    #expect(try setting("random", of: scenario) == ["generator": "taus2", "seed": .unsigned(3)])
    #expect(try setting("confidence", of: scenario) == .number(0.99))
    #expect(try setting("indifference", of: scenario) == .number(0.001))
    #expect(try setting("estimator", of: scenario) == "paired")
    #expect(
      try setting("against", of: scenario)
        == .array([
          ["chart": "exact", "rules": names("6d-s17-das", "inf")], ["chart": "trainer", "rules": names("6d-s17-das")],
        ]))
    let short = try read("name: x\nkind: blackjack-chart\nrules: 6d\n")
    #expect(short.plan.settings.map(\.key) == scenario.plan.settings.map(\.key))
    #expect(try setting("against", of: short) == .array([["chart": "exact", "rules": names("6d")]]))
  }

  @Test(
    "a resolved scenario read again, from anywhere, is the same scenario",
    arguments: [
      chart, game, "name: x\nkind: blackjack-verify\nrules: 6d\nchart: exact\n",
      "name: x\nkind: blackjack-play\nrules: inf\nmethod: exact\nchart: composition\n",
    ])
  func resolved(yaml: String) throws {
    let scenario = try read(yaml)
    let again = try read(scenario.resolved, file: "/elsewhere/t.yaml")
    #expect(again.resolved == scenario.resolved)
    #expect(again.plan.settings == scenario.plan.settings && again.plan.measures == scenario.plan.measures)
  }

  @Test("measures bear the rules' name as the scenario writes it, and thresholds without one mean them all")
  func labels() throws {
    let scenario = try read(Self.chart)
    let names = scenario.plan.measures.map(\.fullName)
    #expect(names.contains("exact.mismatches[inf]") && names.contains("trainer.mismatches[6d-s17-das]"))
    #expect(!names.contains("trainer.mismatches[inf]"))
    #expect(scenario.judged(by: []).map(\.measurement) == ["chart.undecided[6d-s17-das]", "chart.undecided[inf]"])
  }

  @Test(
    "what is wrong in a chart's scenario is named with file, line, field, value and expectation",
    arguments: [
      ("confidence: 0.99", "confidnce: 0.99", "s.yaml:5: confidnce: unknown key; did you mean 'confidence'?"),
      ("confidence: 0.99", "confidence: 99", "s.yaml:5: confidence: found '99', expected a probability between"),
      ("confidence: 0.99", "confidence: 0.4", "s.yaml:5: confidence: found '0.4', expected a probability above 0.5"),
      ("seed: 3", "seed: three", "s.yaml:4: random.seed: found 'three', expected a whole number"),
      ("seed: 3", "sed: 3", "s.yaml:4: random.sed: unknown key; did you mean 'seed'?"),
      ("taus2", "tauss2", "s.yaml:4: random.generator: found 'tauss2', expected one of borosh13"),
      ("inf]", "infinite]", "s.yaml:3: rules[2]: found 'infinite', expected rules such as 6d-s17-das: unknown rule"),
      ("inf]", "6d]", "s.yaml:3: rules[2]: found '6d', expected each rules once: '6d-s17-das' are the same"),
      ("inf]", "inf-cut75]", "s.yaml:3: rules[2]: found 'inf-cut75', expected rules"),
      ("inf]", "6d-cut75]", "s.yaml:3: rules[2]: found '6d-cut75', expected rules without a cut card: a chart is made"),
      ("rules: [6d-s17-das, inf]\n", "", "s.yaml:1: rules: found nothing, expected rules such as 6d-s17-das"),
      ("rules: [6d-s17-das, inf]", "rules: []", "s.yaml:3: rules: found a list, expected at least one rule name"),
      (
        "paired", "pared",
        "s.yaml:7: estimator: found 'pared', expected one of plain, paired, conditional (did you mean"
      ),
      (
        "indifference: 0.001", "indifference: -1", "s.yaml:6: indifference: found '-1', expected a number of bets above"
      ),
      ("chart: trainer", "chart: trainr", "s.yaml:10: against[2].chart: found 'trainr', expected trainer, exact"),
      ("- exact", "- composition", "s.yaml:9: against[1]: found 'composition', expected trainer, exact or a file"),
      ("- exact", "- trainer", "s.yaml:10: against[2]: found a mapping, expected each chart once: 'trainer' was"),
      ("- exact", "- none.csv", "s.yaml:9: against[1]: found 'none.csv', expected a chart: cannot read '/"),
      (
        "rules: 6d}", "rules: 2d}",
        "against[2].rules: found '2d', expected one of the scenario's rules: 6d-s17-das, inf"
      ),
      ("estimator: paired", "rounds: 10", "s.yaml:7: rounds: unknown key"),
      ("estimator: paired", "chart: trainer", "s.yaml:7: chart: unknown key"),
    ])
  func wrongChart(good: String, bad: String, problem: String) throws {
    try expect(problem, in: Self.chart, replacing: good, by: bad)
  }

  @Test(
    "what is wrong in a game's scenario is named with file, line, field, value and expectation",
    arguments: [
      ("rounds: 1e6", "rounds: 0", "s.yaml:6: rounds: found '0', expected a whole number, 2 to 1000000000000."),
      ("rounds: 1e6\n", "", "s.yaml:1: rounds: found nothing, expected the number of rounds to play"),
      ("method: simulate", "method: exact", "s.yaml:6: rounds: found '1e6', expected nothing: method exact plays no"),
      ("method: simulate", "method: exactly", "s.yaml:5: method: found 'exactly', expected one of simulate, exact"),
      (
        "chart: trainer", "chart: composition",
        "s.yaml:4: chart: found 'composition', expected a chart: play by the cards"
      ),
      ("chart: trainer", "chart: trainr", "s.yaml:4: chart: found 'trainr', expected trainer, exact, composition or"),
      ("method: simulate", "indifference: 0.1", "s.yaml:5: indifference: unknown key"),
      (
        "8d]\nchart: trainer", "8d-cut75]\nchart: exact",
        "s.yaml:3: rules[2]: found '8d-cut75', expected rules without a cut card: the analyser knows the fresh"
      ),
      ("ev[6d-s17-das]", "ev[6d]", "s.yaml:8: thresholds[1]"),
      ("thresholds:", "expectations:", "s.yaml:8: expectations: found a key of earlier versions"),
    ])
  func wrongGame(good: String, bad: String, problem: String) throws {
    try expect(problem, in: Self.game, replacing: good, by: bad)
  }

  private func expect(_ problem: String, in yaml: String, replacing good: String, by bad: String) throws {
    let wrong = yaml.replacingOccurrences(of: good, with: bad)
    try #require(wrong != yaml)
    let error = #expect(throws: ReportingError.self) { try read(wrong) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test("every scenario that ships can be read, and asks for something")
  func shipped() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = (1...4).reduce(file) { path, _ in path.deletingLastPathComponent() }
    let folder = root.appendingPathComponent("Scenarios")
    for name in ["quick", "strategy-tables", "house-edge", "trainer-play"] {
      let path = folder.appendingPathComponent("\(name).yaml").path
      let scenario = try Scenario(ScenarioDocument(contentsOf: path), kinds: BlackjackScenarios.kinds)
      #expect(!scenario.thresholds.isEmpty)
    }
  }
}
