// SPDX-License-Identifier: Apache-2.0
/// A hand reduced to the facts that the rules use: its total, whether an ace counts eleven, whether it has one card,
/// two or more, and whether two cards are a pair.
///
/// Two hands that are not bust are equal exactly if all rules treat them alike, now and after any further card: `10,6`
/// and `9,7` are the same `Hand`, `8,8` is another. A simulator can therefore tabulate the rules instead of restating
/// them.
@frozen public struct Hand: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline var points: UInt8 = 0
  /// True if an ace may count eleven. An ace that must count one is treated like any other point.
  @usableFromInline var holdsAce = false
  @usableFromInline var cards: UInt8 = 0
  /// The value of a lone card or of both cards of a pair; 0 otherwise.
  @usableFromInline var single: UInt8 = 0

  /// A hand without cards.
  @inlinable public init() {}

  /// The hand of these cards.
  @inlinable public init(_ cards: CardValue...) { self.init(cards) }

  /// The hand of these cards.
  @inlinable public init(_ cards: some Sequence<CardValue>) {
    for card in cards { add(card) }
  }

  /// Adds a card to the hand.
  @inlinable public mutating func add(_ card: CardValue) {
    single = cards == 0 || (cards == 1 && single == card.rawValue) ? card.rawValue : 0
    // A clamped sum: a list of cards longer than any deal cannot overflow to a hand that is not bust.
    points = min(points, .max &- 10) &+ card.rawValue
    holdsAce = (holdsAce || card == .ace) && points <= 11
    cards = min(cards &+ 1, 3)
  }

  /// The sum of the cards with every ace counted as one; exact for any hand that can be dealt, else at most 255.
  @inlinable public var hardTotal: Int { Int(points) }

  /// The number of cards: 0, 1, 2, or 3 for three and more.
  @inlinable public var size: Int { Int(cards) }

  /// True if an ace counts eleven without busting.
  @inlinable public var isSoft: Bool { holdsAce }

  /// The best total: an ace counts eleven where that does not bust.
  @inlinable public var total: Int { hardTotal &+ (isSoft ? 10 : 0) }

  /// True if the total is over 21.
  @inlinable public var isBust: Bool { hardTotal > 21 }

  /// True if the hand is an ace and a ten and no other card. After a split that is 21 and not a natural, which `Round`
  /// decides.
  @inlinable public var isTwoCard21: Bool { cards == 2 && holdsAce && points == 11 }

  /// The common value of a pair (any two tens are a pair), else `nil`.
  @inlinable public var pair: CardValue? { cards == 2 ? CardValue(rawValue: single) : nil }

  /// For example `pair 8,8`, `soft 18`, `hard 16`.
  public var description: String {
    if let pair { return "pair \(pair),\(pair)" }
    return "\(isSoft ? "soft" : "hard") \(total)"
  }
}

/// A hand in play: its cards, its bet, and its origin.
@frozen public struct PlayerHand: Hashable, Sendable {
  /// The cards.
  public var hand = Hand()
  /// True if the bet was doubled.
  public var isDoubled = false
  /// True if the hand was made by a split.
  public var isSplit = false
  /// True if the hand was made by splitting aces.
  public var isSplitAce = false
  /// True if one of the two bets was given up after a double ("rescue").
  public var isRescued = false

  /// A hand without cards.
  @inlinable public init() {}

  /// The bet on the hand, in original bets.
  @inlinable public var bets: Int { isDoubled ? 2 : 1 }
}

/// The one to four hands of a round, stored without an allocation.
@frozen @usableFromInline struct HandRow: Hashable, Sendable {
  @usableFromInline var first = PlayerHand()
  @usableFromInline var second = PlayerHand()
  @usableFromInline var third = PlayerHand()
  @usableFromInline var fourth = PlayerHand()
  @usableFromInline var count = 1

  @inlinable init() {}

  @inlinable subscript(position: Int) -> PlayerHand {
    get {
      switch position & 3 {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch position & 3 {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }

  /// Inserts a hand after the one at a position.
  @inlinable mutating func insert(_ hand: PlayerHand, after position: Int) {
    var last = count
    while last > position &+ 1 {
      self[last] = self[last &- 1]
      last &-= 1
    }
    self[position &+ 1] = hand
    count &+= 1
  }
}
