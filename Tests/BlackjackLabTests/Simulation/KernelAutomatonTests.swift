// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Testing

@testable import BlackjackLab

@Suite("The automaton is the core's round, tabulated")
struct KernelAutomatonTests {
  @Test("random cards lead a random game to the same end in the table and in the core", arguments: 0..<60)
  func sameEnds(seed: Int) throws {
    var random = KernelRandom(seed: seed)
    let rules = try random.rules()
    let chart = random.chart()
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    var player = ChartPlayer(chart)
    for _ in 0..<1000 {
      var round = Round(rules: rules)
      var position = automaton.start
      repeat {
        let card = random.card()
        position = automaton.next[Int(position) + card.index]
        try round.receive(card)
        while round.need == .decision && round.handCount == 1 { try round.act(player.decide(round)) }
      } while round.need != .nothing && round.handCount == 1
      try #require(position < automaton.exitLimit, "\(rules)")
      switch automaton.exits[Int(position) / 10] {
      case .payoff(let tenths): #expect(round.need == .nothing && round.payoffTenths == tenths, "\(rules)")
      case .onward(let split): #expect(split.round == round, "\(rules)")
      }
    }
  }

  @Test("a split leaves with the cards that are on the table, as the first ones of their values")
  func cardsOfSplits() throws {
    let rules = try Rules(name: "2d")
    let automaton = try RoundAutomaton(rules: rules, chart: .trainer)
    let splits = automaton.exits.compactMap { if case .onward(let split) = $0 { split } else { nil } }
    let values = ShoeLayout.values(of: rules)
    #expect(!splits.isEmpty)
    for split in splits {
      #expect(Set(split.cards).count == 4)
      let half = split.round.activeHand.hand.hardTotal - 1
      let dealer = Hand(split.cards.dropFirst(2).compactMap { CardValue(rawValue: values[$0] + 1) })
      #expect(split.cards.prefix(2).allSatisfy { Int(values[$0]) == half })
      #expect(dealer == split.round.dealer && Int(values[split.cards[2]]) == split.round.upcard.index)
    }
  }

  @Test("positions of random games and charts stay far below what the table can number", arguments: 0..<40)
  func size(seed: Int) throws {
    var random = KernelRandom(seed: 1000 + seed)
    // With an early surrender there are most: each hand is decided over each hole card.
    let rules = try seed.isMultiple(of: 4) ? Rules(name: "8d-h17-es") : random.rules()
    let automaton = try RoundAutomaton(rules: rules, chart: random.chart())
    let positions = automaton.next.count / 10
    #expect(positions < RoundAutomaton.mostPositions / 2)
    #expect(automaton.next.allSatisfy { $0 % 10 == 0 && Int($0) < automaton.next.count })
    #expect(Int(automaton.exitLimit) == 10 * automaton.exits.count && automaton.start >= automaton.exitLimit)
  }

  @Test("a chart without an answer is an error that names the hand")
  func missingCell() throws {
    var chart = StrategyChart.trainer
    let key = ChartCellKey(try #require(ChartRow.hard(16)), against: .ten)
    chart[key] = nil
    let rules = try Rules(name: "6d")
    let error = #expect(throws: BlackjackError.self) { try RoundAutomaton(rules: rules, chart: chart) }
    guard case .noCell(let hand, .ten) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hand.total == 16 && !hand.isSoft)
  }
}
