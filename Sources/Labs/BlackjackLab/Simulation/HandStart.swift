// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness
internal import Statistics

/// A hand against an upcard, ready to be played from its decision on.
struct HandStart: Sendable {
  let rules: Rules
  private let cards: [CardValue]
  private let upcard: CardValue
  /// The numbers of the cards on the table in the shoe.
  private let numbers: [Int]

  init(rules: Rules, cards: [CardValue], upcard: CardValue) throws(BlackjackError) {
    self.rules = rules
    self.cards = cards
    self.upcard = upcard
    let first = ShoeLayout.firstCards(of: rules)
    var used: [CardValue: Int] = [:]
    var numbers: [Int] = []
    for card in cards + [upcard] {
      let count = used[card, default: 0]
      guard rules.decks == .infinite || count < ShoeLayout.count(of: card, in: rules) else {
        throw .outOfCards(dealt: numbers.count)
      }
      numbers.append(first[card.index] + (rules.decks == .infinite ? 0 : count))
      used[card] = count + 1
    }
    self.numbers = numbers
    guard try begun(holding: .seven).need == .decision else {
      throw .impossibleHand(text: cards.map(\.description).joined(separator: ","), why: "there is nothing to decide")
    }
  }

  /// What may be done.
  var options: ActionSet { (try? begun(holding: .seven).options) ?? [] }

  /// The value of an action that no card decides: a surrender after the look or before it. An early one is worth half a
  /// bet before the look (see `ActionValues`); where a natural may still turn up late, cards decide.
  func knownValue(of action: Action) -> Double? {
    guard action == .surrender, rules.surrender == .early || rules.holeCard == .peek else { return nil }
    guard rules.surrender == .early, rules.holeCard == .peek, let natural = upcard.naturalPartner else { return -0.5 }
    let gone = rules.decks == .infinite ? 0 : cards.count { $0 == natural }
    let unseen = ShoeLayout.size(of: rules) - (rules.decks == .infinite ? 0 : cards.count + 1)
    let chance = Double(ShoeLayout.count(of: natural, in: rules) - gone) / Double(unseen)
    return (chance - 0.5) / (1 - chance)
  }

  /// Plays an action that many times.
  func play(
    _ action: Action, times: Int, following chart: StrategyChart, from shoe: inout StampedShoe
  ) throws -> MomentTally {
    var tally = MomentTally()
    var player = ChartPlayer(chart)
    let excluded = rules.holeCard == .peek ? upcard.naturalPartner : nil
    let open = try begun(holding: nil)
    let holds = rules.holeCard == .peek
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

  /// The round up to its decision; where there is a hole card and none is given, up to the hole card.
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
