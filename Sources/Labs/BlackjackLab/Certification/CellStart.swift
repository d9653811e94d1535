// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The starts of a cell: its two-card hands against its upcard, in their natural weights, given no dealer natural if
/// the dealer has looked.
struct CellStart: Sendable {
  struct Deal: Sendable {
    /// The round with only the player's cards and the upcard dealt.
    let round: Round
    /// The numbers of those three cards in the shoe.
    let cards: SIMD4<UInt16>
    let seen: SeenCards
    /// The weight among the cell's hands: an integer proportional to the chance.
    let weight: UInt32
    /// The chance of a natural under the upcard, before the dealer looks.
    let naturalChance: Double
  }

  let deals: [Deal]
  /// The value of the hole card that would make a natural, if it is known not to be there.
  let excludedHoleCard: CardValue?
  let totalWeight: UInt32

  init(_ key: ChartCellKey, rules: Rules) throws {
    let natural = key.upcard.naturalPartner
    deals = try key.row.twoCardHands.compactMap {
      try Self.deal($0, $1, against: key.upcard, natural: natural, rules: rules)
    }
    excludedHoleCard = rules.holeCard == .peek ? natural : nil
    totalWeight = deals.reduce(0) { $0 + $1.weight }
  }

  private static func deal(
    _ first: CardValue, _ second: CardValue, against upcard: CardValue, natural: CardValue?, rules: Rules
  ) throws(BlackjackError) -> Deal? {
    guard let numbers = ShoeLayout.numbers(of: [upcard, first, second], in: rules) else { return nil }
    var left = CardValue.allCases.map { ShoeLayout.count(of: $0, in: rules) }
    var ways = 1
    for (position, card) in [upcard, first, second].enumerated() {
      if position > 0 { ways *= left[card.index] }
      if rules.decks != .infinite { left[card.index] -= 1 }
    }
    let unseen = left.reduce(0, +)
    let naturals = natural.map { left[$0.index] } ?? 0
    var round = Round(rules: rules)
    try round.receive(first)
    try round.receive(upcard)
    try round.receive(second)
    var seen = SeenCards(upcard: upcard)
    for card in [first, second] { seen.add(card) }
    return Deal(
      round: round, cards: SIMD4(UInt16(numbers[0]), UInt16(numbers[1]), UInt16(numbers[2]), 0), seen: seen,
      weight: UInt32(ways * (rules.holeCard == .peek ? unseen - naturals : 1)),
      naturalChance: Double(naturals) / Double(unseen))
  }
}

/// The cards that a player has seen: the upcard and the player's own, as counts packed into one number.
struct SeenCards: Hashable, Sendable {
  private(set) var packed: UInt64

  init(upcard: CardValue) { packed = UInt64(upcard.rawValue) << 60 }

  @inline(__always) mutating func add(_ card: CardValue) { packed &+= 1 &<< UInt64(card.index &* 6) }

  func count(of card: CardValue) -> Int { Int(truncatingIfNeeded: packed >> UInt64(card.index * 6)) & 63 }

  var upcard: CardValue { CardValue(rawValue: UInt8(packed >> 60)) ?? .ten }
}

/// Cards shared by several plays of one sample: one sequence for the player, another for the dealer; each play reads
/// both from the start.
///
/// The sequences grow as they are read, from one shoe without replacement. Unseen cards are exchangeable, so each play
/// alone is dealt fairly.
@safe struct SharedDeal: CardSource, ~Copyable {
  var shoe: StampedShoe
  private var player: Sequence
  private var dealer: Sequence
  /// The cards that the current play has seen: the upcard and the player's so far.
  private(set) var seen: SeenCards

  /// The cards drawn so far, and the number of them that the play has read.
  @safe private struct Sequence {
    let cards: UnsafeMutableBufferPointer<CardValue>
    var drawn = 0
    var read = 0

    init() {
      unsafe cards = .allocate(capacity: 96)
      unsafe cards.initialize(repeating: .ace)
    }
  }

  init(shoe: consuming StampedShoe) {
    self.shoe = shoe
    player = Sequence()
    dealer = Sequence()
    seen = SeenCards(upcard: .ace)
  }

  deinit {
    unsafe player.cards.deallocate()
    unsafe dealer.cards.deallocate()
  }

  /// Clears the table, deals the first three cards, and empties the sequences.
  mutating func begin(_ deal: CellStart.Deal) {
    shoe.beginRound()
    if !shoe.isInfinite { for position in 0..<3 { shoe.place(Int(deal.cards[position])) } }
    (player.drawn, dealer.drawn) = (0, 0)
  }

  mutating func rewind(to deal: CellStart.Deal) {
    (player.read, dealer.read) = (0, 0)
    seen = deal.seen
  }

  @inline(__always) mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    switch seat {
    case .player:
      let card = try Self.next(of: &player, from: &shoe)
      seen.add(card)
      return card
    case .dealer:
      return try Self.next(of: &dealer, from: &shoe)
    }
  }

  @inline(__always) private static func next(
    of sequence: inout Sequence, from shoe: inout StampedShoe
  ) throws(BlackjackError) -> CardValue {
    if sequence.read == sequence.drawn {
      guard unsafe sequence.drawn < sequence.cards.count else { throw .outOfCards(dealt: sequence.drawn) }
      unsafe sequence.cards[sequence.drawn] = shoe.draw(for: .player)
      sequence.drawn &+= 1
    }
    defer { sequence.read &+= 1 }
    return unsafe sequence.cards[sequence.read]
  }
}
