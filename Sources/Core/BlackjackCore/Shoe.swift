// SPDX-License-Identifier: Apache-2.0

/// A shoe with a cut card: it is dealt round after round and shuffled again after the round in which the cut card came
/// out.
///
/// The shuffle is a partial Fisher-Yates: each card dealt is drawn uniformly from those not yet dealt, so a reshuffle
/// has no cost. If a round needs more cards than are left, the discards (not the cards on the table) are shuffled back
/// in, and the next round begins with a shuffle.
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
  ///   - rules: a game with a finite number of decks; with the rule `freshShoe` it is shuffled before every round.
  ///   - generator: the generator that draws the cards.
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

  /// Ends a round: the next card begins a new one, after a shuffle if the cut card has come out.
  @inlinable public mutating func beginRound() {
    if mustShuffle || dealt >= cut { dealt = 0 }
    mustShuffle = false
    dealtBeforeRound = dealt
  }

  /// The next card.
  ///
  /// - Throws: `BlackjackError.outOfCards` when all cards of the shoe are on the table.
  @inlinable public mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    if dealt == cards.count { try shuffleDiscards() }
    let other = Int.random(in: dealt..<cards.count, using: &generator)
    cards.swapAt(dealt, other)
    dealt += 1
    return cards[dealt - 1]
  }

  /// Moves the table's cards to the front, as the only ones dealt.
  @inlinable mutating func shuffleDiscards() throws(BlackjackError) {
    guard dealtBeforeRound > 0 else { throw .outOfCards(dealt: dealt) }
    let onTable = cards[dealtBeforeRound...]
    cards = Array(onTable + cards[..<dealtBeforeRound])
    dealt = onTable.count
    dealtBeforeRound = 0
    // The cut card has come out in this round, although `dealt` may be below it now.
    mustShuffle = true
  }
}
