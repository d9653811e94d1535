// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Synchronization
import Testing

/// The exact analyser against tables that other programs computed, which split a pair again wherever the rules allow
/// it.
@Suite("The exact analyser agrees with independent ones")
struct ExactReferenceTests {
  private static let actions: [(column: String, action: Action)] = [
    ("stand", .stand), ("hit", .hit), ("double", .double), ("split", .split), ("surrender", .surrender),
  ]

  /// Compares the five columns of a row; an empty column is an action that is not allowed.
  private func compare(_ values: ActionValues, with row: [String: String], within tolerance: Double) {
    for (column, action) in Self.actions {
      guard let expected = row.number(column) else {
        #expect(values[action] == nil, "\(column) of \(row)")
        continue
      }
      let difference = abs((values[action] ?? .nan) - expected)
      #expect(difference <= tolerance, "\(column): \(String(describing: values[action])) for \(row)")
    }
  }

  @Test("every two-card hand of six decks has the reference's values, to the last digit")
  func twoCardHands() throws {
    let analysis = try ExactAnalyses.of("6d", resplit: .always)
    let rows = try ExactFixture("ev_6D_S17_DAS_noLS").rows
    #expect(rows.count == 550)
    for row in rows {
      let (first, second, upcard) = try (row.card("card1"), row.card("card2"), row.card("dealer_up"))
      var values = analysis.values(first, second, against: upcard)
      if Hand(first, second).isTwoCard21 {
        #expect(values[.stand] == 1.5)
        continue
      }
      if row.number("split") == nil { values[.split] = nil }
      compare(values, with: row, within: 1e-11)
    }
  }

  @Test(
    "every chart cell has the reference's values, its hands in their weights",
    arguments: [("td_6D_S17_DAS_noLS", "6d"), ("td_6D_S17_DAS_SPL1", "6d-spl1"), ("td_4D_S17_DAS_noLS", "4d")])
  func chartCells(table: String, rules: String) throws {
    let analysis = try ExactAnalyses.of(rules, resplit: .always)
    let chart = analysis.chart
    let rows = try ExactFixture(table).rows
    #expect(rows.count == 330)
    for row in rows {
      let key = try row.cellKey()
      let cell = chart.cells[key.index]
      #expect(cell.key == key && cell.verdict == .exact)
      compare(cell.values, with: row, within: 1e-11)
      #expect(String(cell.decision.action.letter) == row["best"], "\(key)")
      #expect(abs(cell.margin - (row.number("margin") ?? .nan)) <= 1e-11, "\(key)")
    }
  }

  @Test("the smallest margins of six decks equal the reference's")
  func closeCells() throws {
    let cells = try ExactAnalyses.of("6d", resplit: .always).chart.cells
    for row in try ExactFixture("close_6D_S17_DAS_noLS").rows {
      let cell = cells[try row.cellKey().index]
      #expect(abs(cell.margin - (row.number("margin") ?? .nan)) < 1.5e-9, "\(cell.key)")
      #expect((cell.runnerUp?.letter).map(String.init) == row["second"])
    }
  }
}

@Suite("The exact value of a whole game")
struct ExactWholeGameTests {
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
      let value = try ExactAnalyses.of(infiniteRules(words)).gameValue
      #expect(abs(value - (row.number("player_ev") ?? .nan)) < 1e-13, "\(words)")
    }
  }

  @Test(
    "an independent engine computed the same EV for decks, soft 17, doubling after splits and the hole card",
    arguments: [
      ("1d", 0.181934), ("1d-nodas", 0.041252), ("1d-h17-nodas-spl1", -0.168767), ("6d-h17-enhc", -0.726943),
      ("8d-h17-enhc", -0.755966), ("8d-h17-nodas-enhc", -0.898390), ("6d-h17", -0.615389),
    ])
  func publishedEdges(rules: String, percent: Double) throws {
    #expect(abs(100 * (try ExactAnalyses.of(rules, resplit: .always).gameValue) - percent) < 0.6e-6)
  }

  @Test("the trainer's chart costs 0.405922417699% with four hands and 0.459935593622% with two")
  func trainerChart() throws {
    let four = try ExactAnalysis(rules: Rules(name: "6d"), following: .trainer)
    #expect(abs(four.gameValue - -0.004_059_224_176_99) < 1e-14)
    let two = try ExactAnalysis(rules: Rules(name: "6d-spl1"), following: .trainer)
    #expect(abs(two.gameValue - -0.004_599_355_936_22) < 1e-14)
  }

  @Test("a rule of some tables is worth what is published")
  func tableRules() throws {
    for row in try ExactFixture("rule_worth_published").rows {
      let base = try row["base"].flatMap { $0.isEmpty ? nil : $0 }.map { try ExactAnalyses.of($0).gameValue } ?? 0
      let rules = try #require(row["rules"])
      let worth = 100 * (try ExactAnalyses.of(rules).gameValue - base)
      let (percent, tolerance) = (try #require(row.number("percent")), try #require(row.number("tolerance")))
      #expect(abs(worth - percent) < tolerance, "\(rules): \(worth)")
    }
  }

  @Test("a natural costs more if it takes busted bets plus one than if it takes one, and less than if it takes all")
  func bustedBetsPlusOne() throws {
    let (all, plusOne, one) = try (
      ExactAnalyses.of("inf-enhc").gameValue, ExactAnalyses.of("inf-bb1").gameValue,
      ExactAnalyses.of("inf-obo").gameValue
    )
    #expect(all < plusOne && plusOne < one)
  }

  @Test("a doubled hand gives up one bet with 12 to 16 against 8 to A (wizardofodds.com, Super Fun 21)")
  func rescue() throws {
    let rules = try Rules(name: "inf-rescue")
    for upcard in CardValue.allCases {
      let game = UpcardGame(rules: rules, upcard: upcard, policy: nil)
      for (number, hand) in game.tree.hands.enumerated() where game.tree.sizes[number] == 3 && hand.total >= 12 {
        let rescues = hand.total <= 16 && (upcard == .ace || upcard >= .eight)
        #expect(game.policy.rescues[number] == rescues, "\(hand) v \(upcard)")
      }
    }
  }

  @Test(
    "split hands are played as before the split: CDZ- of an independent analyser",
    arguments: [
      ("8d-s17-nodas-spl1-enhc", CardValue.three, CardValue.ten, -0.641977),
      ("1d-nodas-spl1-enhc", .four, .nine, -0.491248),
    ])
  func splits(rules: String, pair: CardValue, upcard: CardValue, value: Double) throws {
    let split = try ExactAnalyses.of(rules).values(pair, pair, against: upcard)[.split]
    #expect(abs((split ?? 0) - value) < 6e-7)
  }

  @Test("a game dealt to a cut card is analysed as if every shoe were fresh")
  func cutCard() throws {
    #expect(try ExactAnalyses.of("6d-cut75").gameValue == ExactAnalyses.of("6d").gameValue)
  }
}

@Suite("Relations between exact values")
struct ExactPropertyTests {
  private func value(_ name: String) throws -> Double { try ExactAnalyses.of(name).gameValue }

  @Test(
    "a game in which a natural takes the original bet only is worth as much as with a peek",
    arguments: ["2d-h17", "6d-ls", "inf-es"])
  func originalBetOnly(base: String) throws {
    let peek = try ExactAnalyses.of(base)
    let blind = try ExactAnalyses.of(base + "-obo")
    #expect(abs(peek.gameValue - blind.gameValue) < 1e-14)
    for (seen, unseen) in zip(peek.chart.cells, blind.chart.cells) {
      #expect(seen.values.best?.action == unseen.values.best?.action, "\(seen.key)")
    }
  }

  @Test("fewer decks are better for the player, and many are nearly an infinite shoe")
  func decks() throws {
    let values = try (1...8).map { try value("\($0)d") } + [value("inf")]
    for (fewer, more) in zip(values, values.dropFirst()) { #expect(fewer > more) }
  }

  @Test("in an infinite shoe the best chart is the best play")
  func infiniteChart() throws {
    for name in ["inf", "inf-h17-ls-spl1", "inf-nodas-enhc"] {
      let rules = try Rules(name: name)
      let analysis = try ExactAnalyses.of(name)
      let chart = try ExactAnalysis(rules: rules, following: analysis.chart.chart)
      #expect(abs(chart.gameValue - analysis.gameValue) < 1e-13, "\(name)")
    }
  }

  @Test("early surrender against an ace loses exactly half a bet, the peek included")
  func earlySurrender() throws {
    let analysis = try ExactAnalyses.of("6d-es")
    let values = analysis.values(.ten, .six, against: .ace)
    let natural = analysis.naturalChance(.ten, .six, against: .ace)
    let surrender = try #require(values[.surrender])
    #expect(abs(-natural + (1 - natural) * surrender + 0.5) < 1e-15)
    #expect(values.best?.action == .surrender)
  }
}

@Suite("The value of a split chooses whether to split again")
struct ExactResplitTests {
  @Test(
    "best play is never worth less than splitting always, nor than the chart in a hand that is not split",
    arguments: 0..<8)
  func neverBelow(seed: Int) throws {
    var random = TestRandom(seed: seed + 100)
    let rules = try random.rules()
    let best = ExactAnalysis(rules: rules)
    let always = ExactAnalysis(rules: rules, resplit: .always)
    let chart = try ExactAnalysis(rules: rules, following: best.chart.chart)
    for upcard in CardValue.allCases {
      for first in CardValue.allCases {
        for second in CardValue.allCases where second <= first && best.chance(first, second, against: upcard) > 0 {
          let values = best.values(first, second, against: upcard)
          for other in [always, chart] {
            for (action, value) in other.values(first, second, against: upcard).ranked
            where action != .split || other.policies == nil {
              #expect((values[action] ?? -8) >= value - 1e-12, "\(action) of \(first),\(second) v \(upcard): \(rules)")
            }
          }
        }
      }
    }
  }
}

@Suite("Every set of rules can be analysed")
struct ExactRuleNameTests {
  @Test(
    "twelve random rule names have a full chart, legal and finite, worth at most 0.1% less than the best play",
    arguments: 0..<12)
  func anyRules(seed: Int) throws {
    var random = TestRandom(seed: seed + 1)
    let rules = try random.rules()
    let analysis = ExactAnalysis(rules: rules)
    let result = analysis.chart
    #expect(result.cells.map(\.key) == ChartCellKey.all)
    for cell in result.cells {
      let values = cell.values
      #expect(values[.stand] != nil && values[.hit] != nil)
      #expect((values[.split] != nil) == (cell.key.row.kind == .pair))
      #expect((values[.surrender] != nil) == (rules.surrender(against: cell.key.upcard) != .none))
      #expect(values.ranked.allSatisfy { $0.value.isFinite && abs($0.value) < 8 })
      #expect(values.best?.action == cell.decision.action && cell.margin >= 0)
    }
    #expect((-0.05...0.05).contains(analysis.gameValue), "\(rules)")
    let chart = try ExactAnalysis(rules: rules, following: result.chart)
    // A chart does not count the cards of a Charlie.
    let loss = rules.charlieCards > 0 ? 0.02 : 0.001
    #expect((analysis.gameValue - loss...analysis.gameValue + 1e-14).contains(chart.gameValue), "\(rules)")
  }
}

@Suite("Exact payoffs of rounds that split again")
struct ExactPayoffTests {
  @Test(
    "under rules of some tables the payoffs have the analyser's mean, and the chances their deviation",
    arguments: ["inf-bb1-rescue-charlie5", "2d-d9-spl1-bb1-rescue", "1d-rescue-enhc-es10", "2d-bb1-charlie6"])
  func tableRules(name: String) throws {
    let value = try ExactAnalysis(rules: Rules(name: name), following: .trainer)
    let payoffs = ExactPayoffs(of: value)
    #expect(abs(payoffs.mean - value.gameValue) < 1e-12)
    guard let distribution = payoffs.distribution else { return }
    func expectation(_ function: (Double) -> Double) -> Double {
      distribution.reduce(0) { $0 + $1.probability * function(Double($1.tenths) / 10) }
    }
    let mean = expectation { $0 }
    #expect(abs(expectation { _ in 1 } - 1) < 1e-12 && abs(mean - payoffs.mean) < 1e-12)
    #expect(abs((expectation { $0 * $0 } - mean * mean).squareRoot() - payoffs.standardDeviation) < 1e-9)
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

  @Test("with resplits from one deck, pairs of hands have the mean of single hands, and no distribution is stated")
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
}

/// Analyses that several tests ask for, each made once: a second apiece in a debug build.
enum ExactAnalyses {
  private static let known = Mutex<[String: ExactAnalysis]>([:])

  /// The analysis of those rules.
  static func of(_ name: String, resplit: Resplit = .best) throws -> ExactAnalysis {
    let rules = try Rules(name: name)
    let key = "\(rules.name), \(resplit)"
    if let analysis = known.withLock({ $0[key] }) { return analysis }
    let analysis = ExactAnalysis(rules: rules, resplit: resplit)
    return known.withLock { known in
      known[key] = analysis
      return analysis
    }
  }
}
