// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Scenarios
import Statistics
import Testing

@Suite("A chart from the rules alone")
struct ChartMakerTests {
  static func maker(
    _ rules: String, seed: UInt64 = 1, confidence: Double, indifference: Double
  ) throws -> ChartMaker {
    let simulation = Provenance.SimulationSettings(
      seed: seed, generator: "taus2", confidence: confidence, indifference: indifference)
    return try ChartMaker(rules: Rules(name: rules), simulation: simulation)
  }

  @Test("a cell's course ends with the margin and the bounds that the chart states")
  func course() throws {
    let chart = try Self.maker("inf-h17", seed: 3, confidence: 0.9, indifference: 0.02)
      .make(on: RunContext(workers: 2))
    for cell in chart.cells where cell.runnerUp != nil {
      let last = try #require(cell.course.last)
      #expect(last.samples == cell.samples && last.margin == cell.margin)
      #expect(last.low == cell.marginLow && last.high == cell.marginHigh)
      #expect(zip(cell.course, cell.course.dropFirst()).allSatisfy { $0.samples < $1.samples })
      #expect(cell.plays[cell.decision.action] == cell.samples)
      #expect(cell.plays.values.allSatisfy { $0 > 0 && $0 <= cell.samples })
    }
  }

  @Test("the decisions of one upcard do not depend on which other upcards are decided")
  func oneUpcard() throws {
    let maker = try Self.maker("1d", seed: 8, confidence: 0.6, indifference: 0.05)
    let keys = ChartCellKey.all.filter { $0.upcard == .six }
    let alone = try maker.decide(keys, error: 0.4 / 330, on: RunContext(workers: 2))
    let all = try maker.make(on: RunContext(workers: 2))
    #expect(alone.map(\.key) == keys)
    #expect(alone == keys.map { all.cells[$0.index] })
  }
}

/// Certifies a small game again and again with other seeds, and holds each statement against the exact values.
@Suite("A certified chart keeps its promise")
struct ChartHonestyTests {
  static let rules = "inf-nodas-spl1"
  static let upcards: [CardValue] = [.four]
  static let confidence = 0.8
  static let indifference = 0.04

  private let keys = ChartCellKey.all.filter { Self.upcards.contains($0.upcard) }

  /// The exact values of first actions when a chart is followed, each chart's computed once.
  private struct Truths {
    private var known: [StrategyChart: [ActionValues]] = [:]

    mutating func values(of cells: [ChartCell], rules: Rules) throws -> [ActionValues] {
      // Against the other upcards nothing is asked; any full chart will do.
      var chart = StrategyChart.trainer
      for cell in cells { chart[cell.key] = cell.decision }
      if let values = known[chart] { return values }
      let exact = try ExactAnalysis(rules: rules, following: chart)
      let values = cells.map { exact.values(of: $0.key) }
      known[chart] = values
      return values
    }
  }

  /// What a cell states that is not so.
  private func lies(_ cell: ChartCell, _ truth: ActionValues) -> [String] {
    let chosen = truth[cell.decision.action] ?? .nan
    let others = truth.ranked.filter { $0.action != cell.decision.action }
    let margin = chosen - (others.first?.value ?? .nan)
    var lies: [String] = []
    switch cell.verdict {
    case .certified: if !(margin >= 0) { lies.append("best") }
    case .indifferent: if !(abs(margin) <= Self.indifference) { lies.append("indifferent") }
    case .undecided, .exact: lies.append("undecided")
    }
    if !(cell.marginLow...cell.marginHigh ~= margin) { lies.append("margin") }
    for (action, value) in truth.ranked {
      let low = cell.valuesLow[action] ?? .nan
      let high = cell.valuesHigh[action] ?? .nan
      if !(low <= value && value <= high) { lies.append("value of \(action)") }
    }
    if let fallback = cell.decision.fallback, let value = truth[fallback] {
      let candidates: [Action] = cell.decision.action == .surrender ? [.stand, .hit, .split] : [.stand, .hit]
      let best = candidates.compactMap { truth[$0] }.max() ?? .nan
      if !(best - value <= Self.indifference) { lies.append("fallback") }
    }
    return lies
  }

  /// In how many of the runs anything at all is wrong.
  private func wrongRuns(_ runs: Int, cellError: Double) throws -> Int {
    let rules = try Rules(name: Self.rules)
    var truths = Truths()
    var wrong = 0
    for seed in 1...UInt64(runs) {
      let maker = try ChartMakerTests.maker(
        Self.rules, seed: seed, confidence: Self.confidence, indifference: Self.indifference)
      let cells = try maker.decide(keys, error: cellError, on: RunContext(workers: 2))
      let lies = try zip(cells, truths.values(of: cells, rules: rules)).map { self.lies($0, $1) }
      if lies.contains(where: { !$0.isEmpty }) { wrong += 1 }
    }
    return wrong
  }

  @Test("of a hundred charts at 80% confidence far fewer than 20% state anything wrong")
  func promise() throws {
    let wrong = try wrongRuns(100, cellError: (1 - Self.confidence) / Double(keys.count))
    // At a level of 0.1%: were the true share 20%, so few wrong charts would be rarer than that.
    let share = try BinomialInterval(successes: wrong, trials: 100, confidence: 0.998)
    #expect(share.upper < 1 - Self.confidence, "\(wrong) of 100")
  }
}

@Suite("The exact values check a simulated chart")
struct VerificationTests {
  @Test("exact values outside their simulated intervals are found, and the methods do not agree")
  func surprises() throws {
    let rules = try Rules(name: "inf")
    let exact = ExactAnalysis(rules: rules).chart
    let cells = exact.cells.map { cell in
      var values = ActionValues()
      for (action, value) in cell.values.ranked { values[action] = value + 0.02 }
      return ChartCell(
        key: cell.key, decision: cell.decision, runnerUp: cell.runnerUp, values: values, valuesLow: values,
        valuesHigh: values, margin: cell.margin, marginLow: cell.margin, marginHigh: cell.margin, samples: 10,
        verdict: .certified)
    }
    let simulated = ChartResult(provenance: Provenance(rules: rules, simulation: .init()), cells: cells)
    let verification = try Verification(of: exact.chart, named: "mine", against: simulated)
    #expect(verification.surprises.count == 330 && !verification.methodsAgree)
  }
}
