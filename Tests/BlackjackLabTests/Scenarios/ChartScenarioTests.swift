// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import MonteCarlo
import Reporting
import Scenarios
import Testing

/// Runs a scenario written in a test.
func outcome(of yaml: String, on bench: ScenarioBench = ScenarioBench(workers: 2)) throws -> (Scenario, ScenarioResult)
{
  let scenario = try Scenario(ScenarioDocument(yaml: yaml, file: "s.yaml"), kinds: BlackjackScenarios.kinds)
  return (scenario, try scenario.plan.run(on: bench))
}

extension ScenarioResult {
  /// What was found of a measure.
  func value(_ name: String) throws -> Measurement.Value {
    try #require(measurements.first { $0.measure.fullName == name }, "\(name)").value
  }

  /// The figures of a section, also those within parts.
  func figures(of section: String) -> [Figure] {
    func figures(_ blocks: [ReportBlock]) -> [Figure] {
      blocks.flatMap { block -> [Figure] in
        switch block {
        case .figure(let figure): [figure]
        case .part(_, _, let blocks), .details(_, let blocks): figures(blocks)
        default: []
        }
      }
    }
    return figures(sections.filter { $0.id == section }.flatMap(\.blocks))
  }
}

@Suite("Scenarios of charts and of trials")
struct ChartScenarioTests {
  private static let chart = """
    name: Two rough charts
    kind: blackjack-chart
    rules: [inf, inf-h17]
    random: {seed: 5}
    confidence: 0.9
    indifference: 0.02
    against: [exact, trainer]
    thresholds: [chart.undecided == 0, exact.outside == 0]

    """

  private static let trial = """
    name: A trial
    kind: blackjack-verify
    rules: inf
    chart: trainer
    random: {seed: 5}
    confidence: 0.9
    indifference: 0.02
    thresholds: [cells.wrong == 0, witnesses.disagree == 0, cost <= 0.001]

    """

  @Test("what comes out is the same at any number of workers", arguments: [chart, trial])
  func workers(yaml: String) throws {
    let (_, one) = try outcome(of: yaml, on: ScenarioBench(workers: 1))
    for workers in [2, 4] {
      let (_, other) = try outcome(of: yaml, on: ScenarioBench(workers: workers))
      #expect(other.measurements == one.measurements)
      #expect(other.data.text == one.data.text)
      #expect(other.sections == one.sections && other.files == one.files && other.text == one.text)
    }
  }

  @Test("every measure that the plan promises is found, and the thresholds hold", arguments: [chart, trial])
  func measured(yaml: String) throws {
    let (scenario, result) = try outcome(of: yaml)
    #expect(result.isComplete)
    #expect(result.measurements.map(\.measure) == scenario.plan.measures)
    for judged in scenario.judged(by: result.measurements) {
      #expect(judged.judgement == .holds, "\(judged.text): \(judged.found)")
    }
  }

  @Test("a chart's counts add up, and its least margin lies within its bounds")
  func counts() throws {
    let (_, result) = try outcome(of: Self.chart)
    guard case .count(let certified, 0) = try result.value("chart.certified[inf]"),
      case .count(let indifferent, 0) = try result.value("chart.indifferent[inf]"),
      case .interval(let margin, let low, let high, 0.9, let samples) = try result.value("margin.least[inf]")
    else { return #expect(Bool(false), "\(result.measurements)") }
    #expect(certified + indifferent == 330 && certified > 200 && indifferent > 0)
    #expect(low <= margin && margin <= high && high <= 0.02 && samples > 0)
  }

  @Test("the trainer's chart under other rules has mismatches, named in the data and in the report")
  func mismatches() throws {
    let (_, result) = try outcome(
      of: "name: x\nkind: blackjack-chart\nrules: inf-ls\nconfidence: 0.9\nindifference: 0.02\nagainst: trainer\n")
    guard case .count(let count, 0) = try result.value("trainer.mismatches[inf-ls]") else {
      return #expect(Bool(false), "\(result.measurements)")
    }
    #expect(count > 0 && result.data.text.contains("\"hard 16 v 10\""))
    let section = try #require(result.sections.first { $0.id == "comparisons" })
    guard case .table(let table) = try #require(section.blocks.first) else { return #expect(Bool(false)) }
    #expect(table.table.rows.count == count)
    #expect(table.table.rows.contains { $0.starts(with: ["hard 16 v 10", "surrender", "hit"]) })
  }

  @Test("a chart that plays a cell wrong costs what the trial says, and the card marks the cell")
  func wrongCell() throws {
    let (_, right) = try outcome(of: Self.trial)
    let rows = ChartRow.all.map { row in
      let cells = CardValue.chartOrder.map { upcard in
        let cell = StrategyChart.trainer[ChartCellKey(row, against: upcard)] ?? StrategyChart.Cell(.stand)
        if row == .pair(.eight), upcard == .six { return "H" }
        return String(cell.action.letter) + (cell.fallback.map { String($0.letter).lowercased() } ?? "")
      }
      return "    \(row.kind.rawValue) \(row.label): \(cells.joined(separator: " "))\n"
    }
    let own = "chart:\n  name: mine\n  cells:\n" + rows.joined()
    let (_, wrong) = try outcome(of: Self.trial.replacing("chart: trainer\n", with: own))
    #expect(try right.value("cells.wrong[inf]") == .count(0, undecided: 0))
    #expect(try wrong.value("cells.wrong[inf]") == .count(1, undecided: 0))
    guard case .exact(let before) = try right.value("cost[inf]"), case .exact(let after) = try wrong.value("cost[inf]")
    else { return #expect(Bool(false)) }
    #expect(after > before)
    let section = try #require(wrong.sections.first { $0.id == "trial" })
    let grids = section.blocks.compactMap { block in if case .grid(let grid) = block { grid } else { nil } }
    let marked = try #require(grids.first).groups.flatMap(\.rows).flatMap(\.cells).filter { $0.mark == "!" }
    #expect(marked.map(\.name) == ["pair 8,8 against 6: hit, certainly wrong"])
  }

  @Test("an interruption leaves what is known, and says that it is not all")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let (scenario, none) = try outcome(of: Self.chart, on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(none.measurements.isEmpty && none.sections.isEmpty && !none.isComplete && none.text.isEmpty)
    #expect(scenario.judged(by: none.measurements).allSatisfy { $0.judgement == .undecided })
  }

  @Test("the report has the card with every cell's actions, the margins, the way there, and the exact values beside")
  func sections() throws {
    let (_, result) = try outcome(of: Self.chart.replacing("[inf, inf-h17]", with: "inf"))
    #expect(result.sections.map(\.id) == ["strategy", "comparisons", "margins", "convergence", "agreement"])
    guard case .grid(let grid) = try #require(result.sections.first?.blocks.first) else {
      return #expect(Bool(false), "no card")
    }
    #expect(grid.groups.map(\.title) == ["Hard totals", "Soft totals", "Pairs"])
    #expect(grid.groups.flatMap(\.rows).map(\.cells.count) == Array(repeating: 10, count: 33))
    let cell = try #require(grid.groups[2].rows.first { $0.title == "8,8" }?.cells.first)
    #expect(cell.detail.table.columns.map(\.title) == ["action", "simulated", "from", "to", "rounds", "exact"])
    #expect(cell.detail.table.rows.map { $0[0] }.prefix(4).contains("split"))
    #expect(cell.detail.table.rows.allSatisfy { row in row.allSatisfy { !$0.isEmpty } })
    #expect(result.files.map(\.name) == ["inf.csv", "inf.md", "inf.svg"])
  }

  @Test("figures draw as many points as there are cells, and none where it could not be seen")
  func figures() throws {
    let (_, result) = try outcome(of: Self.chart.replacing("[inf, inf-h17]", with: "inf"))
    let margins = try #require(result.figures(of: "margins").first)
    let drawn = margins.series.filter { $0.style == .points }.flatMap(\.points)
    #expect(drawn.count == 330)
    #expect(drawn.allSatisfy { $0.y > 0 && ($0.interval.map { $0.lowerBound > 0 } ?? false) })
    let course = try #require(result.figures(of: "convergence").first)
    for series in course.series where series.style == .line {
      #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.x < $1.x })
      let last = try #require(series.points.last?.interval)
      #expect(last.lowerBound > 0 || (last.lowerBound >= -0.02 && last.upperBound <= 0.02))
    }
    let agreement = try #require(result.figures(of: "agreement").first)
    let deviations = agreement.series.filter { $0.style == .points }.flatMap(\.points).map(\.y)
    #expect(deviations.count > 330 && deviations.allSatisfy { abs($0) <= 1 })
    #expect(agreement.series.filter { $0.style == .reference }.flatMap(\.points).map(\.y) == [1, 1, -1, -1])
  }
}
