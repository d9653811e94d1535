// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Any round") struct RoundPropertyTests {
  /// Card weights that make what is rare common: the true deck, pairs and low cards, aces and tens.
  private static let decks: [[CardValue]] = [
    CardValue.allCases + [.ten, .ten, .ten],
    [.ace, .two, .three, .eight, .eight, .eight, .ten],
    [.ace, .ace, .ten, .ten, .five],
    [.ace, .two, .three],
  ]

  /// Plays one random legal round in the core and at the reference table side by side.
  private func play(
    _ rules: Rules, deck: [CardValue], using random: inout SplitMix
  ) throws -> (round: Round, table: ReferenceTable, cards: Int) {
    var round = Round(rules: rules)
    var table = ReferenceTable(rules: rules)
    var cards = 0
    while round.need != .nothing && cards < 200 {
      try #require(round.need == table.need, "\(rules): \(table)")
      switch round.need {
      case .playerCard, .dealerCard:
        let card = deck.randomElement(using: &random) ?? .ten
        try round.receive(card)
        table.receive(card.points)
        cards += 1
      case .decision:
        let options = round.options.actions
        try #require(options == table.options, "\(rules): \(table)")
        for action in Action.allCases where !options.contains(action) {
          let before = round
          #expect(throws: BlackjackError.self) { try round.act(action) }
          #expect(round == before)
        }
        let prefersSplit = options.contains(.split) && Int.random(in: 0..<4, using: &random) < 3
        let action = prefersSplit ? .split : options.randomElement(using: &random) ?? .stand
        try round.act(action)
        table.act(action)
      case .nothing: break
      }
    }
    return (round, table, cards)
  }

  @Test("waits, allows and pays what the rules told the long way do, and ends within sixty cards", arguments: 0..<4)
  func sideBySide(deck: Int) throws {
    var random = SplitMix(seed: UInt64(100 + deck))
    var seen: Set<Int> = []
    for _ in 0..<1_500 {
      let rules = try #require(RulesSpace.all.randomElement(using: &random))
      let (round, table, cards) = try play(rules, deck: Self.decks[deck], using: &random)
      #expect(table.need == .nothing, "\(rules): \(table)")
      #expect(round.need == .nothing && cards <= 60)
      #expect(round.payoffTenths == table.payoff, "\(rules): \(table)")
      #expect(round.isPlayerDone && round.handCount == table.hands.count)
      seen.insert(round.payoffTenths)
    }
    // The test is worth nothing if the random rounds never reach what is rare.
    if deck == 1 { #expect(seen.isSuperset(of: [-60, -50, -40, -30, -20, -10, -5, 0, 10, 12, 15, 20, 30, 40])) }
  }

  @Test("the longest hands still end: all aces, all twos, every hand hit until it is done", arguments: ["A", "2", "3"])
  func longest(card: String) throws {
    let value = try #require(CardValue(card))
    var round = Round(rules: try Rules(name: "inf-hsa-rsa-enhc-h17"))
    var dealt = 0
    while round.need != .nothing && dealt < 100 {
      if round.need == .decision {
        try round.act(round.options.actions.contains(.split) ? .split : .hit)
      } else {
        try round.receive(value)
        dealt += 1
      }
    }
    #expect(round.need == .nothing)
    #expect(round.handCount == 4)
    #expect(dealt <= 60)
  }

  @Test("a player that is done may be settled before or after the dealer draws: the payoff is that of the ending")
  func endings() throws {
    var random = SplitMix(seed: 8)
    for _ in 0..<2_000 {
      let rules = try #require(RulesSpace.all.randomElement(using: &random))
      var source = RandomCards(deck: Self.decks[0], random: random)
      var player = RandomPlayer(random: random)
      var round = Round(rules: rules)
      try round.finishPlayer(from: &source, by: &player)
      #expect(round.isPlayerDone)
      let before = round
      try round.finish(from: &source, by: &player)
      #expect(round.payoffTenths == before.payoffTenths(against: DealerFinal(round.dealer)))
      random = source.random
    }
  }
}

/// Cards drawn with replacement.
private struct RandomCards: CardSource {
  let deck: [CardValue]
  var random: SplitMix

  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    guard let card = deck.randomElement(using: &random) else { throw .outOfCards(dealt: 0) }
    return card
  }
}

/// A player who does anything allowed.
private struct RandomPlayer: Strategy {
  var random: SplitMix

  mutating func decide(_ round: borrowing Round) throws(BlackjackError) -> Action {
    round.options.actions.randomElement(using: &random) ?? .stand
  }
}
