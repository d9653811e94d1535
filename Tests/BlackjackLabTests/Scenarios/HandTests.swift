// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Testing

@Suite("One hand before both witnesses")
struct HandTests {
  @Test(
    "every action's exact value lies in its simulated interval",
    arguments: ["6d", "6d-ls-enhc", "2d-es", "6d-es-enhc", "1d-h17-ls-obo", "inf-ls", "8d-enhc-rsa-hsa"],
    ["16", "pair"])
  func agree(name: String, kind: String) throws {
    let rules = try Rules(name: name)
    let simulation = Provenance.Simulation(
      seed: 11, generator: "taus2", estimator: "plain", confidence: 0.99999, indifference: 0)
    let cards: [CardValue] = kind == "pair" ? [.eight, .eight] : [.ten, .six]
    for upcard in [CardValue.ace, .ten, .six] {
      let report = try BlackjackTrials(workers: 1).hand(rules, cards, against: upcard, samples: 200_000, simulation)
      let exact = try #require(report.exactByChart)
      for action in Action.allCases {
        guard let value = exact[action] else { continue }
        let low = try #require(report.estimate.low[action])
        let high = try #require(report.estimate.high[action])
        #expect(
          (low - 1e-12)...(high + 1e-12) ~= value, "\(action) of \(cards) against \(upcard) under \(name)")
      }
    }
  }

  @Test("a third card leaves nothing but to stand and to hit")
  func threeCards() throws {
    let simulation = Provenance.Simulation(
      seed: 1, generator: "mt19937", estimator: "plain", confidence: 0.999, indifference: 0)
    let report = try BlackjackTrials(workers: 1).hand(
      Rules(name: "6d-ls"), [.five, .five, .six], against: .ten, samples: 1000, simulation)
    #expect(Action.allCases.filter { report.estimate.values[$0] != nil } == [.stand, .hit])
  }
}
