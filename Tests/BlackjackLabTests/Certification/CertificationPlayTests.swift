// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Statistics
import Testing

@testable import BlackjackLab

@Suite("A cell's plays are worth what the analyser says")
struct CertificationPlayTests {
  static let games = [
    "6d-ls", "1d-h17-es-rsa-hsa", "2d-enhc-ls", "inf-obo-ls", "8d-enhc-es", "inf-nodas-d10-spl1", "4d-obo-es-d9",
    "1d-spl2-rsa",
  ]
  static let samples = 1 << 14

  @Test("every action of random cells, under every rule, by each estimator", arguments: games)
  func values(game: String) throws {
    let rules = try Rules(name: game)
    let chart = ExactAnalysis(rules: rules).chart.chart
    let exact = try ExactChartValue(chart: chart, rules: rules)
    var random = KernelRandom(seed: game.utf8.reduce(0) { 31 &* $0 &+ Int($1) })
    let keys = (0..<12).compactMap { _ in ChartCellKey.all.randomElement(using: &random) }
    // A natural can still turn up under an ace or a ten; they and a pair are always among the cells.
    let always = [CardValue.ace, .ten].map { ChartCellKey(.pair(.eight), against: $0) }
    for estimator in Estimator.allCases {
      var player = try CellPlayer(rules: rules, estimator: estimator, generator: "mt19937")
      for key in keys + always {
        let truth = exact.values(of: key)
        let actions = truth.ranked.map(\.action)
        let tally = try player.play(
          CellStart(key, rules: rules), actions: actions, following: chart, samples: Self.samples, seed: 1)
        for (action, moments) in zip(actions, tally.values) {
          let difference = moments.mean * CellTally.unit - (truth[action] ?? .nan)
          // One unit more: a value that no card changes has no error but its rounding.
          let allowed = 5 * moments.standardError * CellTally.unit + CellTally.unit
          #expect(abs(difference) < allowed, "\(action) with \(key), \(estimator), \(rules)")
        }
      }
    }
  }

  @Test("a player who has played other cells gives the same sums", arguments: Estimator.allCases)
  func independentOfThePast(estimator: Estimator) throws {
    let rules = try Rules(name: "2d-ls")
    let key = ChartCellKey(.pair(.eight), against: .nine)
    let start = try CellStart(key, rules: rules)
    let actions: [Action] = [.stand, .hit, .double, .split, .surrender]
    var fresh = try CellPlayer(rules: rules, estimator: estimator, generator: "taus2")
    var used = try CellPlayer(rules: rules, estimator: estimator, generator: "taus2")
    for other in ChartCellKey.all.prefix(40) {
      _ = try used.play(
        CellStart(other, rules: rules), actions: [.stand, .hit], following: .trainer, samples: 500, seed: 3)
    }
    let first = try fresh.play(start, actions: actions, following: .trainer, samples: 3000, seed: 9)
    let second = try used.play(start, actions: actions, following: .trainer, samples: 3000, seed: 9)
    #expect(first.values == second.values && first.differences == second.differences)
    // The plays of one sample share their cards: that is what the differences are for.
    #expect(first.values[0].count == 3000 && first.differences.count == 10)
  }
}
