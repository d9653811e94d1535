// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Statistics
import Testing

@testable import BlackjackLab

@Suite("Shared cards and known dealers make differences cheaper")
struct CertificationEstimatorTests {
  /// A close decision and what is known about it.
  struct CloseCell: CustomTestStringConvertible {
    let key: ChartCellKey
    let best: Action
    let second: Action
    let difference: Double
    /// How many times fewer samples than with cards of its own for every action.
    let pairedGain: Double
    let conditionalGain: Double

    var testDescription: String { key.description }

    init(_ row: [String: String]) throws {
      let words = try #require(row["hand"]).split(separator: " ")
      let player = try #require(Int(words[1]))
      let chartRow = try #require(words[0] == "hard" ? ChartRow.hard(player) : ChartRow.soft(player))
      key = ChartCellKey(chartRow, against: try row.card("dealer_up"))
      best = try #require(Action(letter: row["best"] ?? ""))
      second = try #require(Action(letter: row["second"] ?? ""))
      difference = try #require(row.number("delta_ev"))
      pairedGain = try #require(row.number("gain_crn"))
      conditionalGain = try #require(row.number("gain_rb"))
    }
  }

  static let closeCells = (try? ExactFixture("variance_reduction_exact").rows.map(CloseCell.init)) ?? []
  static let samples = 1 << 17

  /// The moments of the difference of the two actions, in bets.
  private func play(_ cell: CloseCell, _ estimator: Estimator) throws -> (mean: Double, variance: Double, error: Double)
  {
    let rules = try Rules(name: "inf")
    var player = try CellPlayer(rules: rules, estimator: estimator, generator: "mt19937")
    let chart = ExactAnalysis(rules: rules).chart.chart
    let start = try CellStart(cell.key, rules: rules)
    var tally = CellTally(actions: [cell.best, cell.second])
    for block in 1...UInt32(Self.samples / BlockSums.mostSamples) {
      tally.merge(
        try player.play(
          start, actions: [cell.best, cell.second], following: chart, samples: BlockSums.mostSamples, seed: block))
    }
    let moments = tally.differences[0]
    #expect(moments.count == Self.samples)
    let unit = CellTally.unit
    return (moments.mean * unit, moments.variance * unit * unit, moments.standardError * unit)
  }

  @Test("twelve close cells: nearly the whole of the known gains, and no bias", arguments: closeCells)
  func gains(cell: CloseCell) throws {
    let plain = try play(cell, .plain)
    let paired = try play(cell, .paired)
    let conditional = try play(cell, .conditional)
    for estimate in [plain, paired, conditional] {
      #expect(abs(estimate.mean - cell.difference) < 5 * estimate.error)
    }
    #expect(plain.variance / paired.variance > 0.85 * cell.pairedGain)
    #expect(plain.variance / conditional.variance > 0.85 * cell.conditionalGain)
  }

  @Test("all twelve cells of the reference were read")
  func cellsWereRead() { #expect(Self.closeCells.count == 12) }
}
