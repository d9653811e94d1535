// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

@Suite("What must hold between exact values")
struct ExactPropertyTests {
  private func value(_ name: String) throws -> Double { try ExactAnalyses.of(name).gameValue }

  @Test(
    "where a natural takes the original bet only, the game is worth what it is with a peek",
    arguments: ["2d-h17", "6d-ls", "inf-es"])
  func originalBetOnly(base: String) throws {
    let peek = try ExactAnalyses.of(base)
    let blind = try ExactAnalyses.of(base + "-obo")
    #expect(abs(peek.gameValue - blind.gameValue) < 1e-14)
    for (seen, unseen) in zip(peek.chart.cells, blind.chart.cells) {
      #expect(seen.values.best?.action == unseen.values.best?.action, "\(seen.key)")
    }
  }

  @Test(
    "an option more is never worth less",
    arguments: [
      ("6d-nodas", "6d"), ("6d-spl1", "6d-spl2"), ("6d-spl2", "6d"), ("6d", "6d-rsa"), ("6d", "6d-hsa"),
      ("6d-hsa", "6d-rsa-hsa"), ("6d-d10", "6d-d9"), ("6d-d9", "6d"), ("6d", "6d-ls"), ("6d-ls", "6d-es"),
      ("6d-enhc", "6d"), ("6d-bj11", "6d-bj65"), ("6d-bj65", "6d"), ("6d", "6d-bj21"), ("6d-h17", "6d"),
      ("1d-nodas-spl1", "1d-nodas-spl3"), ("inf-spl1", "inf-spl2"),
    ])
  func optionsHelp(less: String, more: String) throws {
    #expect(try value(less) < value(more))
  }

  @Test("fewer decks are better for the player, and many are nearly an infinite shoe")
  func decks() throws {
    let values = try (1...8).map { try value("\($0)d") } + [value("inf")]
    for (fewer, more) in zip(values, values.dropFirst()) { #expect(fewer > more) }
  }

  @Test(
    "a chart is worth at most the best play by cards, and its own best chart comes within a tenth of a percent",
    arguments: ["6d", "1d-nodas", "4d-h17-enhc-ls", "inf-rsa"])
  func chartsBelowBestPlay(name: String) throws {
    let rules = try Rules(name: name)
    let analysis = try ExactAnalyses.of(name)
    let chart = try ExactChartValue(chart: analysis.chart.chart, rules: rules)
    #expect(chart.gameValue <= analysis.gameValue + 1e-15)
    #expect(chart.gameValue > analysis.gameValue - 0.001)
  }

  @Test("in an infinite shoe a total says everything: the best chart is the best play")
  func infiniteChart() throws {
    for name in ["inf", "inf-h17-ls-spl1", "inf-nodas-enhc"] {
      let rules = try Rules(name: name)
      let analysis = try ExactAnalyses.of(name)
      let chart = try ExactChartValue(chart: analysis.chart.chart, rules: rules)
      #expect(abs(chart.gameValue - analysis.gameValue) < 1e-13, "\(name)")
    }
  }

  @Test("the six-deck chart is the trainer's, cell by cell")
  func trainer() throws {
    let chart = try ExactAnalyses.of("6d").chart.chart
    for key in ChartCellKey.all { #expect(chart[key]?.action == StrategyChart.trainer[key]?.action, "\(key)") }
  }

  @Test("weights of a row's hands sum to one; 10,6 is most of hard 16 against a ten")
  func weights() throws {
    let analysis = try ExactAnalyses.of("6d")
    for key in ChartCellKey.all {
      let weights = analysis.handWeights(of: key.row, against: key.upcard)
      #expect(abs(weights.reduce(0) { $0 + $1.weight } - 1) < 1e-12)
    }
    let sixteen = try #require(ChartRow.hard(16))
    let common = analysis.handWeights(of: sixteen, against: .ten).first { $0.first == .ten }
    #expect((common?.weight ?? 0) > 0.75)
  }

  @Test("early surrender against an ace is worth half a bet exactly when weighed against the peek")
  func earlySurrender() throws {
    let analysis = try ExactAnalyses.of("6d-es")
    let values = analysis.values(.ten, .six, against: .ace)
    let natural = analysis.naturalChance(.ten, .six, against: .ace)
    let surrender = try #require(values[.surrender])
    #expect(abs(-natural + (1 - natural) * surrender + 0.5) < 1e-15)
    #expect(values.best?.action == .surrender)
  }

  @Test("16 against a ten is a hit by half a percent of a bet")
  func sixteenAgainstTen() throws {
    let analysis = try ExactAnalyses.of("6d")
    let sixteen = try #require(ChartRow.hard(16))
    let values = analysis.values(of: ChartCellKey(sixteen, against: .ten))
    #expect(values.best?.action == .hit)
    let margin = try #require(values[.hit]) - #require(values[.stand])
    #expect((0.005...0.0055).contains(margin))
  }
}
