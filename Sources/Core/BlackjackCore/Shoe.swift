// SPDX-License-Identifier: Apache-2.0

/// A shoe that is dealt to a cut card: shuffled, dealt round after round, and shuffled again once the cut card has
/// come out.
///
/// The shuffle is a partial Fisher-Yates: each card dealt is a random one of those not yet dealt, so a reshuffle
/// costs nothing. Should a round need more cards than are left, the discards (not the cards on the table) are
/// shuffled back in, and the next round begins with a shuffle.
@frozen public struct Shoe<Generator: RandomNumberGenerator>: CardSource {
  @usableFromInline var cards: [CardValue]
  @usableFromInline var dealt = 0
  @usableFromInline var dealtBeforeRound = 0
  @usableFromInline var mustShuffle = false
  @usableFromInline let cut: Int
  @usableFromInline var generator: Generator

  /// A full shoe.
  ///
  /// - Parameters:
  ///   - rules: a game with a finite number of decks; where every round has a fresh shoe the cut card comes out at
  ///     once.
  ///   - generator: what decides the order of the cards.
  /// - Throws: `BlackjackError.outOfRange` for an infinite shoe.
  @inlinable public init(rules: Rules, generator: Generator) throws(BlackjackError) {
    cards = CardValue.allCases.flatMap { value in Array(repeating: value, count: rules.cards(of: value) ?? 0) }
    guard !cards.isEmpty else { throw .outOfRange(what: "shoe", found: "inf decks", expected: "1 to 8 decks") }
    switch rules.dealing {
    case .freshShoe: cut = 0
    case .cutCard(let percent): cut = cards.count * percent / 100
    }
    self.generator = generator
  }

  /// Clears the table: the next card begins a new round, with a shuffle first where the cut card is out.
  @inlinable public mutating func beginRound() {
    if mustShuffle || dealt >= cut { dealt = 0 }
    mustShuffle = false
    dealtBeforeRound = dealt
  }

  /// The next card.
  ///
  /// - Throws: `BlackjackError.outOfCards` when the whole shoe lies on the table.
  @inlinable public mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    if dealt == cards.count { try shuffleDiscards() }
    let other = Int.random(in: dealt..<cards.count, using: &generator)
    cards.swapAt(dealt, other)
    dealt += 1
    return cards[dealt - 1]
  }

  /// Puts the table's cards in front, as the only ones dealt.
  @inlinable mutating func shuffleDiscards() throws(BlackjackError) {
    guard dealtBeforeRound > 0 else { throw .outOfCards(dealt: dealt) }
    let onTable = cards[dealtBeforeRound...]
    cards = Array(onTable + cards[..<dealtBeforeRound])
    dealt = onTable.count
    dealtBeforeRound = 0
    // The cut card came out in this round, whatever the count of cards says now.
    mustShuffle = true
  }
}
