// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import MonteCarlo
import Randomness
import Scenarios
import TestSupport
import Testing

@testable import BlackjackLab

@Suite("Charts for a cut card")
struct CutCardTests {
  private static func make(
    _ name: String, cut: Int, wave: Int = 64, waves: Int = 1, workers: Workers = 2,
    _ change: (inout Provenance.Simulation) -> Void = { _ in }
  ) throws -> CutCardChart {
    var simulation = Provenance.Simulation()
    change(&simulation)
    return try CutCardMaker(
      rules: try Rules(name: name), cut: cut, simulation: simulation, workers: workers, wave: wave, waves: waves
    ).make()
  }

  @Test(
    "equal the fresh shoe's in every cell and value if every shoe has one round",
    arguments: [("1d-h17-ls", 4), ("1d-s17-nodas-d10-enhc", 3), ("6d", 4)])
  func oneRound(_ name: String, cut: Int) throws {
    let made = try Self.make(name, cut: cut)
    #expect(made.rounds == 1)
    #expect(made.result.chart == made.fresh.chart)
    #expect(made.result.count(of: .certified) == ChartCellKey.all.count)
    #expect(made.result.cells.map(\.values) == made.fresh.cells.map(\.values))
    #expect(made.result.cells.map(\.valuesHigh) == made.fresh.cells.map(\.values))
    let effect = try #require(made.effect)
    #expect((effect.low, effect.value, effect.high) == (0, 0, 0))
    #expect(made.result.chart == ExactAnalysis(rules: try Rules(name: name)).chart.chart)
  }

  @Test(
    "have the cut-card effect of 5e11 hands that another program played",
    arguments: [("1d", 5), ("1d", 6), ("1d", 7), ("1d", 8), ("1d", 14), ("1d", 26)])
  func published(_ decks: String, cut: Int) throws {
    let made = try Self.make("\(decks)-h17-ls", cut: cut, wave: 256) { $0.confidence = 0.99 }
    let edges = try ExactFixture("cut_card_house_edge").rows.filter { "\($0["decks"] ?? "")d" == decks }
    func edge(_ cut: Int) throws -> Double {
      try #require(edges.first { $0["cards_before_cut_card"] == "\(cut)" }?["house_edge_pct"].flatMap(Double.init))
    }
    let (effect, wanted) = (try #require(made.effect), -(try edge(cut) - edge(1)) / 100)
    // Their errors are about 0.001% of a bet, and the charts are not quite the same.
    #expect(effect.low - 0.00004 <= wanted && wanted <= effect.high + 0.00004)
    #expect(effect.high - effect.low < 0.001)
  }

  @Test("value actions like the plain mean over all rounds, with less error")
  func plain() throws {
    let (rules, cut) = (try Rules(name: "1d-h17-ls"), 20)
    let chart = ExactAnalysis(rules: rules).chart.chart
    let made = try Self.make("1d-h17-ls", cut: cut, wave: 256)
    let analysis = try ExactAnalysis(rules: rules, following: chart)
    var shoe = try CutShoe(
      rules: rules, chart: chart, automaton: RoundAutomaton(rules: rules, chart: chart), generator: "mt19937")
    try shoe.reseed(77)
    let keys = ChartCellKey.all.filter { $0.upcard == .ten }
    var sums = keys.map { _ in VectorMoments(width: 2) }
    for _ in 0..<400 {
      var rows = keys.map { _ in [0.0, 0.0] }
      try shoe.deal { _, dealt, left in
        guard dealt < cut else { return false }
        let rest = analysis.left(left, against: [.ten])
        for (place, key) in keys.enumerated() {
          for (first, second) in key.row.twoCardHands {
            let chance = rest.playedChance(first, second, against: .ten)
            guard chance > 0 else { continue }
            let values = rest.values(first, second, against: .ten)
            rows[place][0] += chance
            rows[place][1] += chance * ((values[.stand] ?? 0) - (values[.hit] ?? 0))
          }
        }
        return true
      }
      for place in keys.indices {
        var row = Array(repeating: 0.0, count: VectorMoments.size(2))
        VectorMoments.add(2, rows[place], at: 0, to: &row, at: 0)
        sums[place].merge(row[...], count: 1)
      }
    }
    for (key, sums) in zip(keys, sums) {
      let values = made.result.cells[key.index].values
      let found = try #require(values[.stand]) - (try #require(values[.hit]))
      // The mean of a ratio, linearised.
      let (chance, _) = sums.mean(weighted: [1, 0])
      let (difference, _) = sums.mean(weighted: [0, 1])
      let error = sums.mean(weighted: [-difference / chance, 1]).variance.squareRoot() / chance
      #expect(abs(found - difference / chance) < 5 * error, "\(key)")
      let cell = made.result.cells[key.index]
      #expect(cell.valuesHigh[.stand].map { $0 - (values[.stand] ?? 0) } ?? 1 < 5 * error, "\(key)")
    }
  }

  @Test("are the same to the byte after an interruption, at any number of workers")
  func resumed() throws {
    let (rules, folder) = (try Rules(name: "1d-h17-ls"), try TemporaryFolder())
    let path = "\(folder.path)/checkpoint"
    func make(_ workers: Workers, interrupt: Interrupt) throws -> CutCardChart {
      try CutCardMaker(
        rules: rules, cut: 6, simulation: Provenance.Simulation(), workers: workers, wave: 64, waves: 1
      ).make(interrupt: interrupt)
    }
    let whole = try make(2, interrupt: Interrupt())
    for count in [1, 3] {
      var records: [Checkpoint.Record] = []
      // The first run ends among the 8,192 shoes of which the guess is averaged, after the 2,048 of the pilot.
      for mostSamples in [6000, nil] {
        let (checkpoint, interrupt) = (
          try Checkpoint(path, header: Data("{}".utf8), records: records, interval: .zero), Interrupt()
        )
        let made = try make(Workers(count, checkpoint: checkpoint, mostSamples: mostSamples), interrupt: interrupt)
        checkpoint.finish()
        records = try Checkpoint.Content(of: path).records
        #expect(interrupt.isRaised == (mostSamples != nil) && !records.isEmpty)
        guard mostSamples == nil else { continue }
        #expect(made.result == whole.result && made.rounds == whole.rounds && made.shoes == whole.shoes)
        #expect(made.result.files(named: "c").map(\.content) == whole.result.files(named: "c").map(\.content))
      }
    }
  }

  @Test("decide more cells with another wave, and never fewer")
  func waves() throws {
    let (one, more) = (try Self.make("1d-h17-ls", cut: 26), try Self.make("1d-h17-ls", cut: 26, waves: 3))
    #expect(more.result.count(of: .undecided) < one.result.count(of: .undecided))
    #expect(more.shoes > one.shoes)
    let before = Dictionary(uniqueKeysWithValues: one.result.cells.map { ($0.key, $0) })
    for cell in more.result.cells where cell.verdict == .certified && before[cell.key]?.verdict == .certified {
      #expect(cell.decision.action == before[cell.key]?.decision.action, "\(cell.key)")
    }
  }

  @Test("stop undecided at an interruption")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let made = try CutCardMaker(
      rules: try Rules(name: "1d"), cut: 13, simulation: Provenance.Simulation(), workers: 1
    ).make(interrupt: interrupt)
    #expect(made.result.count(of: .undecided) == ChartCellKey.all.count)
    #expect(made.effect == nil && made.differences.isEmpty)
  }
}
