// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

@Suite("What one round pays, exactly")
struct ExactPayoffTests {
  private func payoffs(_ name: String) throws -> (ExactPayoffs, ExactChartValue) {
    let value = try ExactChartValue(chart: .trainer, rules: Rules(name: name))
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
    arguments: ["inf", "inf-rsa-hsa-enhc", "1d-spl1-obo"])
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

  @Test("with resplits from one deck, pairs of hands have the mean that hands alone have; no distribution is claimed")
  func resplits() throws {
    let (payoffs, value) = try payoffs("1d-spl2")
    #expect(abs(payoffs.mean - value.gameValue) < 1e-13)
    #expect(payoffs.distribution == nil)
    let (twoHands, _) = try self.payoffs("1d-spl1")
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
    let rules = try Rules(name: "6d-ls-spl1")
    var chart = StrategyChart.trainer
    let sixteen = try #require(ChartRow.hard(16))
    let key = ChartCellKey(sixteen, against: .ten)
    chart[key] = StrategyChart.Cell(.surrender, else: .hit)
    let value = try ExactChartValue(chart: chart, rules: rules)
    let distribution = try #require(ExactPayoffs(of: value).distribution)
    let half = try #require(distribution.first { $0.tenths == -5 }).probability
    // 10,6 and 9,7 from 312 cards with a ten showing, and a second card of the dealer that is no ace.
    let tens = 96.0
    let others = 24.0
    let cards = 312.0
    let dealt = 2 * tens * (tens - 1) * others + 2 * tens * others * others
    #expect(abs(half - dealt / (cards * (cards - 1) * (cards - 2)) * (1 - others / (cards - 3))) < 1e-15)
  }
}
