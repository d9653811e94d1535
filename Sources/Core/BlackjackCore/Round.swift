// SPDX-License-Identifier: Apache-2.0

/// Who a card is dealt to.
@frozen
public enum Seat: UInt8, Hashable, Sendable {
  case player, dealer
}

/// Everything on the table, as far as any rule can ask.
@frozen
@usableFromInline
struct Table: Hashable, Sendable {
  @usableFromInline var need = Round.Need.playerCard
  @usableFromInline var hands = HandRow()
  @usableFromInline var active = 0
  @usableFromInline var dealer = Hand()
  @usableFromInline var upcard = CardValue.ace
  @usableFromInline var options: ActionSet = []
  @usableFromInline var isSurrendered = false
  @usableFromInline var isPlayerDone = false

  @inlinable init() {}
}

/// One round of blackjack, from the first card to the payoff: the rules as a state machine.
///
/// A round waits for one thing at a time (`need`): a card for somebody, a decision about the active hand, or nothing,
/// because it is over. A trainer shows that to a person; `play(from:by:)` answers it from a source of cards and a
/// strategy. Cards fall in the order of the table: player, upcard, player, and the hole card where the rules have
/// one.
///
/// A round is a value: copies play on independently, and equal rounds are treated alike by every continuation.
@frozen
public struct Round: Hashable, Sendable {
  /// What a round waits for.
  @frozen
  public enum Need: UInt8, Hashable, Sendable {
    /// The next card of the shoe, for the player's active hand.
    case playerCard
    /// The next card of the shoe, for the dealer.
    case dealerCard
    /// What to do with the active hand; `options` are allowed.
    case decision
    /// Nothing: the round is over and `payoffTenths` is what it paid.
    case nothing
  }

  /// The game's rules.
  public let rules: Rules
  @usableFromInline var table = Table()

  /// A round before its first card.
  @inlinable
  public init(rules: Rules) {
    self.rules = rules
  }

  /// What the round waits for now.
  @inlinable public var need: Need { table.need }

  /// The number of the player's hands, 1 to 4.
  @inlinable public var handCount: Int { table.hands.count }

  /// The player's hand at that position, in the order in which they are played, from 0.
  @inlinable public func hand(at position: Int) -> PlayerHand { table.hands[position] }

  /// The hand being played.
  @inlinable public var activeHand: PlayerHand { table.hands[table.active] }

  /// The dealer's cards, a hole card that nobody has seen yet included.
  @inlinable public var dealer: Hand { table.dealer }

  /// The dealer's first card; the ace before there is one.
  @inlinable public var upcard: CardValue { table.upcard }

  /// Whether the player gave the hand up.
  @inlinable public var isSurrendered: Bool { table.isSurrendered }

  /// Whether all of the player's hands are done.
  @inlinable public var isPlayerDone: Bool { table.isPlayerDone }

  /// What may be done with the active hand when the round waits for a decision; nothing otherwise.
  @inlinable public var options: ActionSet { table.options }

  /// Deals the card that the round waits for.
  ///
  /// - Throws: `BlackjackError.notAsked` when it waits for no card; the round is then unchanged.
  @inlinable
  public mutating func receive(_ card: CardValue) throws(BlackjackError) {
    switch need {
    case .playerCard:
      table.hands[table.active].hand.add(card)
      afterPlayerCard()
    case .dealerCard:
      if dealer.size == 0 { table.upcard = card }
      table.dealer.add(card)
      afterDealerCard()
    case .decision, .nothing:
      throw .notAsked(offered: "a card", needed: need.description)
    }
  }

  /// Plays the active hand as decided.
  ///
  /// - Throws: `BlackjackError.notAsked` when no decision is due, `.illegalAction` when the rules forbid it; the
  ///   round is then unchanged.
  @inlinable
  public mutating func act(_ action: Action) throws(BlackjackError) {
    guard need == .decision else { throw .notAsked(offered: action.name, needed: need.description) }
    guard options.contains(action) else {
      throw .illegalAction(action, hand: activeHand.hand, options: options)
    }
    table.options = []
    if action == .surrender {
      table.isSurrendered = true
      table.isPlayerDone = true
      settleOrDraw()
      return
    }
    // Early surrender is decided before the dealer looks for a natural, so the look comes with the first other
    // action.
    if looksOnFirstAction && isFirstDecision && dealer.isTwoCard21 {
      table.need = .nothing
      table.isPlayerDone = true
      return
    }
    apply(action)
  }
}

extension Round.Need: CustomStringConvertible {
  /// What the round waits for, in words.
  public var description: String {
    switch self {
    case .playerCard: "a card for the player"
    case .dealerCard: "a card for the dealer"
    case .decision: "a decision"
    case .nothing: "nothing: it is over"
    }
  }
}
