// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Testing

@Suite("What one round pays, exactly")
struct ExactPayoffTests {
  private func payoffs(_ name: String) throws -> (ExactPayoffs, ExactAnalysis) {
    let value = try ExactAnalysis(rules: Rules(name: name), following: .trainer)
    return (ExactPayoffs(of: value), value)
  }

  @Test("the trainer's chart, six decks, two hands: ten payoffs and a standard deviation of 1.146391462572")
  func trainerTwoHands() throws {
    let expected: [(tenths: Int, probability: Double)] = [
      (-40, 0.000197803), (-30, 0.001710943), (-20, 0.042643194), (-10, 0.434165478), (0, 0.087887007),
      (10, 0.326320040), (15, 0.045322988), (20, 0.059181286), (30, 0.002175592), (40, 0.000395670),
    ]
    let (payoffs, _) = try payoffs("6d-spl1")
    let distribution = try #require(payoffs.distribution)
    #expect(distribution.map(\.tenths) == expected.map(\.tenths))
    for (found, known) in zip(distribution, expected) {
      #expect(abs(found.probability - known.probability) <= 0.51e-9, "\(known.tenths)")
    }
    #expect(abs(payoffs.standardDeviation - 1.146_391_462_572) < 1e-12)
  }

  @Test(
    "chances sum to one and have the mean and deviation found without them",
    arguments: ["inf", "inf-rsa-hsa-enhc"])
  func distributionAgrees(name: String) throws {
    let (payoffs, value) = try payoffs(name)
    let distribution = try #require(payoffs.distribution)
    let sum = distribution.reduce(0) { $0 + $1.probability }
    let mean = distribution.reduce(0) { $0 + $1.probability * Double($1.tenths) } / 10
    let square = distribution.reduce(0) { $0 + $1.probability * Double($1.tenths * $1.tenths) } / 100
    #expect(abs(sum - 1) < 1e-13)
    #expect(abs(mean - value.gameValue) < 1e-13)
    #expect(abs(payoffs.mean - value.gameValue) < 1e-13)
    #expect(abs((square - mean * mean).squareRoot() - payoffs.standardDeviation) < 1e-13)
  }

  /// The trainer's chart, except that of all pairs only eights against a six are split.
  private func splittingOnlyEights() throws -> StrategyChart {
    var chart = StrategyChart.trainer
    for key in ChartCellKey.all where key.row.kind == .pair && key != ChartCellKey(.pair(.eight), against: .six) {
      let value = try #require(CardValue(key.row.label))
      let total = ChartRow(of: Hand(value, value), asPair: false).map { ChartCellKey($0, against: key.upcard) }
      chart[key] = total.flatMap { chart[$0] } ?? StrategyChart.Cell(value == .ten ? .stand : .hit)
    }
    return chart
  }

  @Test("with resplits from one deck, pairs of hands have the mean that hands alone have; no distribution is claimed")
  func resplits() throws {
    let chart = try splittingOnlyEights()
    let value = try ExactAnalysis(rules: Rules(name: "1d"), following: chart)
    let payoffs = ExactPayoffs(of: value)
    #expect(abs(payoffs.mean - value.gameValue) < 1e-14)
    #expect(payoffs.distribution == nil)
    let twoHands = ExactPayoffs(of: try ExactAnalysis(rules: Rules(name: "1d-spl1"), following: chart))
    #expect(twoHands.distribution != nil)
    #expect(payoffs.standardDeviation > twoHands.standardDeviation)
  }

  @Test("an infinite shoe splits into four hands at most: eight bets either way")
  func extremes() throws {
    let (payoffs, _) = try payoffs("inf")
    let distribution = try #require(payoffs.distribution)
    #expect(distribution.first?.tenths == -80 && distribution.last?.tenths == 80)
  }

  @Test("where a surrender is the chart's, half a bet is lost in just those rounds")
  func surrender() throws {
    var chart = StrategyChart.trainer
    let sixteen = try #require(ChartRow.hard(16))
    chart[ChartCellKey(sixteen, against: .ten)] = StrategyChart.Cell(.surrender, else: .hit)
    let value = try ExactAnalysis(rules: Rules(name: "inf-ls"), following: chart)
    let distribution = try #require(ExactPayoffs(of: value).distribution)
    let half = try #require(distribution.first { $0.tenths == -5 }).probability
    // 10,6 or 9,7, a ten, and a second card of the dealer that is no ace.
    let hands = 2 * (4.0 * 1 + 1 * 1) / 169
    #expect(abs(half - hands * 4 / 13 * 12 / 13) < 1e-15)
  }
}
