// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import ExperimentTestSupport
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("The parameters of the blackjack experiments")
struct ParameterTests {
  private static let chart = """
    rules: [6d-s17-das, inf]
    random: {generator: taus2, seed: 3}
    confidence: 0.99
    indifference: 0.001
    against:
      - exact
      - {chart: trainer, rules: 6d}
    thresholds: [chart.undecided == 0]

    """

  private static let game = """
    rules: [6d-s17-das, 8d]
    chart: trainer
    method: simulate
    rounds: 1e6
    thresholds:
      - ev[6d-s17-das] in -1..1 at 0.99

    """

  @Test("measures are labelled by the rules as the scenario writes them, and a threshold without a label asks all")
  func labels() throws {
    let scenario = try scenario("blackjack.chart", Self.chart, among: Blackjack.experiments)
    let names = scenario.plan.measures.map(\.fullName)
    #expect(names.contains("exact.mismatches[inf]") && names.contains("trainer.mismatches[6d-s17-das]"))
    #expect(!names.contains("trainer.mismatches[inf]"))
    #expect(scenario.evaluated(by: []).map(\.measurement) == ["chart.undecided[6d-s17-das]", "chart.undecided[inf]"])
  }

  @Test(
    "what is wrong in a chart's scenario is named with file, line, field, value and expectation",
    arguments: [
      (
        "confidence: 0.99", "confidence: 99",
        "test.yaml:5: confidence: found '99', expected a number, above 0.5 and below 1"
      ),
      ("inf]", "infinite]", "test.yaml:3: rules[2]: unknown rule 'infinite'"),
      ("inf]", "6d]", "test.yaml:3: rules[2]: found '6d', expected each rules once: '6d-s17-das' are the same"),
      ("inf]", "inf-cut75]", "test.yaml:3: rules[2]: 'cut75' contradicts 'inf': an infinite shoe has no cut card"),
      (
        "inf]", "6d-cut75]",
        "test.yaml:3: rules[2]: found '6d-cut75', expected rules without a cut card: charts are for a fresh shoe;"
      ),
      ("rules: [6d-s17-das, inf]", "rules: []", "test.yaml:3: rules: found a list, expected at least one rule name"),
      (
        "indifference: 0.001", "indifference: -1",
        "test.yaml:6: indifference: found '-1', expected a number, 1e-05 to 1"
      ),
      ("chart: trainer", "chart: trainr", "test.yaml:9: against[2].chart: found 'trainr', expected trainer, exact"),
      ("- exact", "- composition", "test.yaml:8: against[1]: found 'composition', expected trainer, exact or a file"),
      ("- exact", "- trainer", "test.yaml:9: against[2]: found a mapping, expected each chart once: 'trainer' was"),
      (
        "- exact", "- none.csv",
        "test.yaml:8: against[1]: found 'none.csv', expected a chart, which 'assay blackjack chart --output mine.csv' "
          + "begins: cannot read '/"
      ),
      (
        "rules: 6d}", "rules: 2d}",
        "against: found a list, expected rules among those of the charts: 6d-s17-das, inf"
      ),
    ])
  func wrongChart(good: String, bad: String, problem: String) {
    let text = refusal("chart", Self.chart.replacing(good, with: bad))
    #expect(text.contains(problem), "\(text)")
  }

  @Test(
    "what is wrong in a game's scenario is named with file, line, field, value and expectation",
    arguments: [
      ("rounds: 1e6", "rounds: 0", "test.yaml:6: rounds: found '0', expected a whole number, 1 to 1,000,000,000,000."),
      ("rounds: 1e6", "half-width: 0", "test.yaml:6: half-width: found '0', expected a half-width such as 0.05 or 5%"),
      (
        "method: simulate\nrounds: 1e6", "method: exact\ndeadline: 10s",
        "test.yaml:6: deadline: found '10s', expected nothing: method exact plays no rounds"
      ),
      (
        "method: simulate", "method: exact", "test.yaml:6: rounds: found '1e6', expected nothing: method exact plays no"
      ),
      ("method: simulate", "method: exactly", "test.yaml:5: method: found 'exactly', expected one of simulate, exact"),
      (
        "chart: trainer", "chart: composition",
        "test.yaml:4: chart: found 'composition', expected a chart: play by composition"
      ),
      (
        "chart: trainer", "chart: trainr", "test.yaml:4: chart: found 'trainr', expected trainer, exact, composition or"
      ),
      (
        "8d]\nchart: trainer\nmethod: simulate\nrounds: 1e6", "8d-cut75]\nmethod: exact",
        "test.yaml:3: rules: found a list, expected rules without a cut card: the analyser computes a fresh"
      ),
    ])
  func wrongGame(good: String, bad: String, problem: String) {
    let text = refusal("play", Self.game.replacing(good, with: bad))
    #expect(text.contains(problem), "\(text)")
  }
}

@Suite("A user's own chart")
struct OwnChartTests {
  /// The trainer's chart as a file, one cell of it played otherwise.
  private static func csv(_ change: (inout StrategyChart) -> Void = { _ in }) -> String {
    var chart = StrategyChart.trainer
    change(&chart)
    return "kind,player,dealer,action,fallback\n"
      + ChartCellKey.all.compactMap { key in
        chart[key].map { cell in
          "\(key.row.kind.rawValue),\(key.row.label),\(key.upcard),\(cell.action.letter),"
            + (cell.fallback.map { String($0.letter) } ?? "") + "\n"
        }
      }.joined()
  }

  /// Reads a scenario that checks a chart file which lies next to it.
  private static func scenario(chart: String, named name: String = "mine.csv") throws -> Scenario {
    let folder = try TemporaryFolder([name: chart])
    return try withExtendedLifetime(folder) {
      try Scenario(
        ScenarioDocument(
          yaml: "name: x\nkind: blackjack.verify\nrules: inf\nchart: \(name)\n", file: folder.path("s.yaml")),
        kinds: Blackjack.experiments)
    }
  }

  @Test("the resolved scenario contains the file's cells and does not need the file")
  func embedded() throws {
    let scenario = try Self.scenario(chart: Self.csv { $0[ChartCellKey(.pair(.eight), against: .six)] = .init(.hit) })
    _ = try again(scenario, among: Blackjack.experiments)
    #expect(scenario.resolved.contains("pair 8"))
    let other = try Self.scenario(chart: Self.csv())
    #expect(other.resolved != scenario.resolved && other.digest != scenario.digest)
  }

  @Test(
    "a file that is not a chart, or has the name of another chart, is refused at its place in the scenario",
    arguments: [
      (
        "kind,player,dealer,action\nhard,5,2,X\n", "mine.csv",
        "s.yaml:4: chart: found 'mine.csv', expected a chart, which 'assay blackjack chart --output mine.csv' begins: "
          + "line 2, action: found 'X', expected one of H, S, D, P, R."
      ),
      (csv(), "exact.csv", "s.yaml:4: chart: found 'exact.csv', expected another name"),
      (csv(), "8 decks.csv", "s.yaml:4: chart: found '8 decks.csv', expected a chart whose name begins with a letter"),
    ])
  func refused(chart: String, name: String, problem: String) {
    let error = #expect(throws: ReportingError.self) { try Self.scenario(chart: chart, named: name) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test(
    "wrong cells of a chart in a scenario are named by their row",
    arguments: [
      ("hard 16: H", "hard 16: X", "test.yaml:", "hard 16: found 'X H H"),
      ("hard 16: H", "hard 16: P", "test.yaml:", "expected a split only of a pair"),
      ("hard 16: H H", "hard 16: H", "test.yaml:", "10 cells against 2 to 10 and A"),
      ("    hard 16: H H H H H H H H H H\n", "", "hard 16: found nothing", "10 cells against"),
      ("hard 16:", "hrd 16:", "hrd 16: unknown key", "did you mean 'hard 16'?"),
    ])
  func wrongCells(good: String, bad: String, first: String, second: String) {
    var chart = StrategyChart()
    for key in ChartCellKey.all { chart[key] = StrategyChart.Cell(.hit) }
    let yaml = "rules: inf\nchart:\n" + written(chart)
    #expect(refusal("verify", yaml) == "accepted")
    let text = refusal("verify", yaml.replacing(good, with: bad))
    #expect(text.contains(first) && text.contains(second), "\(text)")
  }
}
