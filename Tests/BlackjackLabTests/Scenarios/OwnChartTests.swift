// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A scenario may bring a chart of its own")
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

  /// Reads a scenario that judges a chart file which lies beside it.
  private static func scenario(chart: String, named name: String = "mine.csv") throws -> Scenario {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-chart-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(chart.utf8).write(to: folder.appendingPathComponent(name))
    let yaml = "name: x\nkind: blackjack-verify\nrules: inf\nchart: \(name)\n"
    return try Scenario(
      ScenarioDocument(yaml: yaml, file: folder.appendingPathComponent("s.yaml").path), kinds: BlackjackScenarios.kinds)
  }

  @Test("a file's cells stand in the resolved scenario, which needs the file no more")
  func embedded() throws {
    let scenario = try Self.scenario(chart: Self.csv { $0[ChartCellKey(.pair(.eight), against: .six)] = .init(.hit) })
    let again = try Scenario(
      ScenarioDocument(yaml: scenario.resolved, file: "t.yaml"), kinds: BlackjackScenarios.kinds)
    #expect(again.resolved == scenario.resolved)
    #expect(scenario.resolved.contains("pair 8"))
    let other = try Self.scenario(chart: Self.csv())
    #expect(other.resolved != scenario.resolved && other.digest != scenario.digest)
  }

  @Test(
    "a file that is no chart, or that bears the name of another chart, is refused where the scenario names it",
    arguments: [
      ("kind,player,dealer,action\nhard,5,2,X\n", "mine.csv", "s.yaml:4: chart: found 'mine.csv', expected a chart: "),
      (csv(), "exact.csv", "s.yaml:4: chart: found 'exact.csv', expected a chart named otherwise"),
      (csv(), "8 decks.csv", "s.yaml:4: chart: found '8 decks.csv', expected a chart whose name begins with a letter"),
    ])
  func refused(chart: String, name: String, problem: String) {
    let error = #expect(throws: ReportingError.self) { try Self.scenario(chart: chart, named: name) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test(
    "cells written out wrongly are named by their row",
    arguments: [
      ("hard 16: H", "hard 16: X", "s.yaml:", "hard 16: found 'X H H"),
      ("hard 16: H", "hard 16: P", "s.yaml:", "expected a split only of a pair"),
      ("hard 16: H H", "hard 16: H", "s.yaml:", "10 cells against 2 to 10 and A"),
      ("    hard 16: H H H H H H H H H H\n", "", "hard 16: found nothing", "10 cells against"),
      ("hard 16:", "hrd 16:", "hrd 16: unknown key", "did you mean 'hard 16'?"),
    ])
  func wrongCells(good: String, bad: String, first: String, second: String) throws {
    let rows = ChartRow.all.map { row in "    \(row.kind.rawValue) \(row.label): H H H H H H H H H H\n" }
    let yaml =
      "name: x\nkind: blackjack-verify\nrules: inf\nchart:\n  name: mine\n  cells:\n" + rows.joined()
    _ = try Scenario(ScenarioDocument(yaml: yaml, file: "s.yaml"), kinds: BlackjackScenarios.kinds)
    let wrong = yaml.replacingOccurrences(of: good, with: bad)
    try #require(wrong != yaml)
    let error = #expect(throws: ReportingError.self) {
      try Scenario(ScenarioDocument(yaml: wrong, file: "s.yaml"), kinds: BlackjackScenarios.kinds)
    }
    let description = error?.description ?? ""
    #expect(description.contains(first) && description.contains(second), "\(description)")
  }
}
