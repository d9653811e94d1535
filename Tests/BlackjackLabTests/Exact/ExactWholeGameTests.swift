// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

@Suite("The exact value of a whole game")
struct ExactWholeGameTests {
  private func analyse(_ name: String) throws -> ExactAnalysis { try ExactAnalyses.of(name) }

  /// The rules that a row of `infinite_overall.csv` describes in words.
  private func infiniteRules(_ words: String) -> String {
    let tokens: [(words: String, token: String)] = [
      ("H17", "h17"), ("NDAS", "nodas"), ("2 hands", "spl1"), ("RSA", "rsa"), (" LS", "ls"), ("ENHC", "enhc"),
      ("BJ 1.2", "bj65"),
    ]
    return (["inf"] + tokens.filter { words.contains($0.words) }.map(\.token)).joined(separator: "-")
  }

  @Test("the infinite deck agrees with an independent recursion under sixteen sets of rules")
  func infiniteDeck() throws {
    let rows = try ExactFixture("infinite_overall").rows
    #expect(rows.count == 16)
    for row in rows {
      let words = try #require(row["rules"])
      let value = try analyse(infiniteRules(words)).gameValue
      #expect(abs(value - (row.number("player_ev") ?? .nan)) < 1e-13, "\(words)")
    }
  }

  @Test(
    "decks, soft 17, doubling after splits and the hole card: percentages that an independent engine computed",
    arguments: [
      ("1d", 0.181934), ("1d-nodas", 0.041252), ("1d-h17-nodas-spl1", -0.168767), ("6d-h17-enhc", -0.726943),
      ("8d-h17-enhc", -0.755966), ("8d-h17-nodas-enhc", -0.898390), ("6d-h17", -0.615389),
    ])
  func publishedEdges(rules: String, percent: Double) throws {
    #expect(abs(100 * (try analyse(rules).gameValue) - percent) < 0.6e-6)
  }

  @Test("the trainer's chart costs 0.405922417699% with four hands and 0.459935593622% with two")
  func trainerChart() throws {
    let four = try ExactChartValue(chart: .trainer, rules: Rules(name: "6d"))
    #expect(abs(four.gameValue - -0.004_059_224_176_99) < 1e-14)
    let two = try ExactChartValue(chart: .trainer, rules: Rules(name: "6d-spl1"))
    #expect(abs(two.gameValue - -0.004_599_355_936_22) < 1e-14)
  }

  @Test("a game dealt to a cut card is analysed as if every shoe were fresh")
  func cutCard() throws {
    #expect(try analyse("6d-cut75").gameValue == analyse("6d").gameValue)
  }
}
