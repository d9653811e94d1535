// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Cards that several plays of one sample share: the player's come from one sequence, the dealer's from another, and
/// each play reads both from the start.
///
/// The sequences grow as they are read, from one shoe without replacement. Which of the unseen cards lies where is all
/// the same to the chances, so each play alone is dealt fairly.
@safe
struct SharedDeal: CardSource, ~Copyable {
  var shoe: StampedShoe
  private var player: Sequence
  private var dealer: Sequence
  /// What the play has seen: the upcard, and the player's cards so far.
  private(set) var seen: SeenCards

  /// Cards drawn so far, and how many of them the play has read.
  @safe
  private struct Sequence {
    let cards: UnsafeMutableBufferPointer<CardValue>
    var drawn = 0
    var read = 0

    /// Room for more cards than a seat can need: four hands of at most 21 aces.
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

  /// Clears the table, puts the first three cards on it, and forgets the sequences.
  mutating func begin(_ deal: CellStart.Deal) {
    shoe.beginRound()
    if !shoe.isInfinite { for place in 0..<3 { shoe.place(Int(deal.cards[place])) } }
    (player.drawn, dealer.drawn) = (0, 0)
  }

  /// Starts a play from the first card of both sequences.
  mutating func rewind(to deal: CellStart.Deal) {
    (player.read, dealer.read) = (0, 0)
    seen = deal.seen
  }

  /// The next card of the seat's sequence.
  @inline(__always)
  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    switch seat {
    case .player:
      let card = try Self.next(of: &player, from: &shoe)
      seen.add(card)
      return card
    case .dealer:
      return try Self.next(of: &dealer, from: &shoe)
    }
  }

  @inline(__always)
  private static func next(
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
