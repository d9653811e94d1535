// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("A strategy chart") struct StrategyChartTests {
  private let all: ActionSet = [.stand, .hit, .double, .split, .surrender]

  private func chart(_ cells: (ChartRow?, StrategyChart.Cell)...) throws -> StrategyChart {
    var chart = StrategyChart.trainer
    for (row, cell) in cells {
      for upcard in CardValue.allCases { chart[ChartCellKey(try #require(row), against: upcard)] = cell }
    }
    return chart
  }

  @Test("A fallback that repeats the action is dropped")
  func repeatedFallback() {
    #expect(StrategyChart.Cell(.hit, else: .hit) == StrategyChart.Cell(.hit))
    #expect(StrategyChart.Cell(.double, else: .hit).fallback == .hit)
  }

  @Test(
    "A hand without a cell throws the hand and the upcard",
    arguments: [("", "6"), ("A", "6"), ("9", "A"), ("10 6 10", "10"), ("10 10 10", "2")])
  func noCell(text: String, upcardText: String) throws {
    let hand = try hand(text)
    let upcard = try #require(CardValue(upcardText))
    #expect(throws: BlackjackError.noCell(hand: hand, upcard: upcard)) {
      try StrategyChart.trainer.cell(for: hand, against: upcard)
    }
    #expect(throws: BlackjackError.noCell(hand: hand, upcard: upcard)) {
      try StrategyChart.trainer.action(for: hand, against: upcard, options: all)
    }
  }

  @Test("An empty chart stands on 20 and 21 and has no other answer")
  func empty() throws {
    let chart = StrategyChart()
    let error = blackjackError { _ = try chart.cell(for: hand("8 8"), against: .ten) }
    #expect(error?.description == "the chart has no cell for pair 8,8 against 10.")
    #expect(throws: BlackjackError.self) { try chart.cell(for: hand("A A"), against: .ten) }
    #expect(try chart.cell(for: hand("10 5 5"), against: .ten) == StrategyChart.Cell(.stand))
    #expect(try chart.cell(for: hand("A 10"), against: .ten) == StrategyChart.Cell(.stand))
  }

  @Test("A,A and 6,6 and 10,2 are played from three cells")
  func twelves() throws {
    let trainer = StrategyChart.trainer
    #expect(try trainer.action(for: hand("A A"), against: .ten, options: all) == .split)
    #expect(try trainer.action(for: hand("6 6"), against: .ten, options: all) == .hit)
    #expect(try trainer.action(for: hand("10 2"), against: .four, options: all) == .stand)
    #expect(try trainer.action(for: hand("6 6"), against: .four, options: all) == .split)
  }

  @Test("A double that is no longer allowed hits, and stands on soft 18")
  func afterThreeCards() throws {
    let drawn: ActionSet = [.stand, .hit]
    let trainer = StrategyChart.trainer
    #expect(try trainer.action(for: hand("6 5"), against: .six, options: [.stand, .hit, .double]) == .double)
    #expect(try trainer.action(for: hand("2 4 5"), against: .six, options: drawn) == .hit)
    #expect(try trainer.action(for: hand("A 7"), against: .five, options: drawn) == .stand)
    #expect(try trainer.action(for: hand("A 2 5"), against: .five, options: drawn) == .stand)
    #expect(try trainer.action(for: hand("A 6"), against: .five, options: drawn) == .hit)
  }

  @Test("A pair at the hand limit plays its total, doubles of the total included")
  func handLimit() throws {
    let limited: ActionSet = [.stand, .hit, .double]
    let trainer = StrategyChart.trainer
    let plays: [(String, CardValue, Action)] = [
      ("8 8", .ten, .hit), ("8 8", .six, .stand), ("9 9", .nine, .stand), ("7 7", .six, .stand), ("7 7", .seven, .hit),
      ("6 6", .two, .hit), ("6 6", .four, .stand), ("3 3", .four, .hit), ("2 2", .seven, .hit), ("4 4", .five, .hit),
      ("A A", .six, .hit), ("A A", .ace, .hit),
    ]
    for (text, upcard, action) in plays {
      #expect(try trainer.action(for: hand(text), against: upcard, options: limited) == action, "\(text) v \(upcard)")
    }
    var splitsFives = try chart((.pair(.five), StrategyChart.Cell(.split)))
    #expect(try splitsFives.action(for: hand("5 5"), against: .six, options: limited) == .double)
    splitsFives[ChartCellKey(.pair(.five), against: .six)] = StrategyChart.Cell(.split, else: .stand)
    #expect(try splitsFives.action(for: hand("5 5"), against: .six, options: limited) == .stand)
  }

  @Test("A pair of tens that may not be split stands")
  func tens() throws {
    let chart = try chart((.pair(.ten), StrategyChart.Cell(.split)))
    #expect(try chart.action(for: hand("10 10"), against: .six, options: [.stand, .hit]) == .stand)
  }

  @Test("A pair of split aces stands where the chart would hit it and the rules give it no card")
  func splitAcesWithoutACard() throws {
    // Without a hole card A,A against an ace is hit; once split (by an experiment, say), a second ace can only stay
    // or split.
    let chart = try chart((.pair(.ace), StrategyChart.Cell(.hit)))
    #expect(try chart.action(for: hand("A A"), against: .ace, options: [.stand, .split]) == .stand)
    #expect(try chart.action(for: hand("A A"), against: .ace, options: [.stand]) == .stand)
    var round = try unfinished("8d-enhc-rsa", "A A A A", "P")
    var player = ChartPlayer(chart)
    #expect(round.need == .decision)
    try round.act(player.decide(round))
    #expect(round.need == .playerCard)
  }

  @Test("A surrender that is not allowed hits, or stands, or splits")
  func surrender() throws {
    let chart = try chart(
      (.hard(16), StrategyChart.Cell(.surrender, else: .hit)),
      (.hard(17), StrategyChart.Cell(.surrender, else: .stand)),
      (.pair(.eight), StrategyChart.Cell(.surrender, else: .split)))
    #expect(try chart.action(for: hand("10 6"), against: .ten, options: all) == .surrender)
    #expect(try chart.action(for: hand("10 4 2"), against: .ten, options: [.stand, .hit]) == .hit)
    #expect(try chart.action(for: hand("10 7"), against: .ace, options: [.stand, .hit, .double]) == .stand)
    #expect(try chart.action(for: hand("8 8"), against: .ace, options: [.stand, .hit, .double, .split]) == .split)
    #expect(try chart.action(for: hand("8 8"), against: .ace, options: [.stand, .hit, .double]) == .hit)
  }

  @Test("A lone letter means what charts mean by it")
  func defaultFallbacks() throws {
    func fallback(_ action: Action, _ row: ChartRow?) throws -> Action? {
      StrategyChart.defaultFallback(of: action, in: try #require(row))
    }
    #expect(try fallback(.double, .hard(11)) == .hit)
    #expect(try fallback(.double, .soft(17)) == .hit)
    #expect(try fallback(.double, .soft(18)) == .stand)
    #expect(try fallback(.double, .pair(.five)) == .hit)
    #expect(try fallback(.surrender, .hard(16)) == .hit)
    #expect(try fallback(.surrender, .hard(17)) == .stand)
    #expect(try fallback(.surrender, .pair(.seven)) == .hit)
    #expect(try fallback(.surrender, .pair(.eight)) == .split)
    #expect(try fallback(.surrender, .pair(.nine)) == .stand)
    for action in [Action.stand, .hit, .split] { #expect(try fallback(action, .pair(.eight)) == nil) }
  }

  @Test("If nothing in the chart's cell is allowed, the error lists what is")
  func nothingAllowed() throws {
    let chart = try chart((.hard(16), StrategyChart.Cell(.double, else: .surrender)))
    let error = blackjackError { _ = try chart.action(for: hand("10 4 2"), against: .ten, options: [.stand, .hit]) }
    #expect(error == .noLegalAction(hand: try hand("10 4 2"), upcard: .ten, options: [.stand, .hit]))
    #expect(
      error?.description == "the chart's answers for hard 16 against 10 are not allowed here; allowed: stand, hit.")
  }
}
