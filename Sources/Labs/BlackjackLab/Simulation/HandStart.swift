// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// One hand whose actions are played repeatedly, every action with separate cards, to estimate the value of each.
///
/// With a peek the hole card is drawn given that it makes no natural. Later play follows a chart.
struct HandStart: Sendable {
  let rules: Rules
  private let cards: [CardValue]
  private let upcard: CardValue
  /// The cards that the shoe lacks: those on the table and those seen before.
  private let gone: [CardValue]
  /// Their numbers in the shoe.
  private let numbers: [Int]

  init(rules: Rules, cards: [CardValue], upcard: CardValue, seen: [CardValue] = []) throws(BlackjackError) {
    (self.rules, self.cards, self.upcard, gone) = (rules, cards, upcard, cards + [upcard] + seen)
    guard let numbers = ShoeLayout.numbers(of: gone, in: rules), cards.count >= 2 else {
      throw .outOfCards(dealt: cards.count)
    }
    self.numbers = numbers
    guard try begun(holding: .seven).need == .decision else {
      throw .impossibleHand(text: cards.map(\.description).joined(separator: ","), why: "there is no decision")
    }
  }

  var options: ActionSet { (try? begun(holding: .seven).options) ?? [] }

  /// The value of an action that no card decides: a surrender after the look or before it. An early one is worth half a
  /// bet before the look (see `ActionValues`); if a natural can still turn up later, cards decide.
  func knownValue(of action: Action) -> Double? {
    let surrender = rules.surrender(against: upcard)
    guard action == .surrender, surrender == .early || rules.holeCard == .peek else { return nil }
    guard surrender == .early, rules.holeCard == .peek, let natural = upcard.naturalPartner else { return -0.5 }
    let gone = rules.decks == .infinite ? [] : gone
    let unseen = ShoeLayout.size(of: rules) - gone.count
    let chance = Double(ShoeLayout.count(of: natural, in: rules) - gone.count { $0 == natural }) / Double(unseen)
    return (chance - 0.5) / (1 - chance)
  }

  func play(
    _ action: Action, times: Int, following chart: StrategyChart, from shoe: inout StampedShoe
  ) throws -> PayoffTally {
    var tally = PayoffTally()
    var player = ChartPlayer(chart)
    let holds = rules.holeCard == .peek
    let excluded = holds ? upcard.naturalPartner : nil
    let open = try begun(holding: nil)
    for _ in 0..<times {
      shoe.beginRound()
      if rules.decks != .infinite { for number in numbers { shoe.place(number) } }
      var round = open
      if holds {
        try round.receive(excluded.map { shoe.drawHoleCard(excluding: $0) } ?? shoe.draw(for: .dealer))
        for card in cards.dropFirst(2) { try Self.hit(card, &round) }
      }
      try round.act(action)
      try round.finish(from: &shoe, by: &player)
      tally.add(round.payoffTenths)
    }
    return tally
  }

  /// The round up to its decision, or up to the hole card if there is one and `hole` is nil.
  private func begun(holding hole: CardValue?) throws(BlackjackError) -> Round {
    var round = Round(rules: rules)
    try round.receive(cards[0])
    try round.receive(upcard)
    try round.receive(cards[1])
    if rules.holeCard == .peek {
      guard let hole else { return round }
      try round.receive(hole)
    }
    for card in cards.dropFirst(2) { try Self.hit(card, &round) }
    return round
  }

  private static func hit(_ card: CardValue, _ round: inout Round) throws(BlackjackError) {
    try round.act(.hit)
    try round.receive(card)
  }
}
