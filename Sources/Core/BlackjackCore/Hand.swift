// SPDX-License-Identifier: Apache-2.0
/// A hand reduced to what the rules can ask of it: its total, whether an ace counts eleven, whether it is still one
/// or two cards, and whether those two are a pair.
///
/// Two hands short of a bust that every rule treats alike, now and after any further card, are equal: `10,6` and
/// `9,7` are the same `Hand`, `8,8` is another. That is what lets a simulator tabulate the rules instead of restating
/// them.
@frozen public struct Hand: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline var points: UInt8 = 0
  /// Whether an ace may count eleven. An ace that must count one is like any other point and is forgotten.
  @usableFromInline var holdsAce = false
  @usableFromInline var cards: UInt8 = 0
  /// The value of a lone card or of both cards of a pair; 0 otherwise.
  @usableFromInline var single: UInt8 = 0

  /// A hand without cards.
  @inlinable public init() {}

  /// The hand that holds these cards.
  @inlinable public init(_ cards: CardValue...) { self.init(cards) }

  /// The hand that holds these cards.
  @inlinable public init(_ cards: some Sequence<CardValue>) {
    for card in cards { add(card) }
  }

  /// Takes a card into the hand.
  @inlinable public mutating func add(_ card: CardValue) {
    single = cards == 0 || (cards == 1 && single == card.rawValue) ? card.rawValue : 0
    // No table deals so many cards; held here, a long list of them cannot wrap round to a hand that is not bust.
    points = min(points, .max &- 10) &+ card.rawValue
    holdsAce = (holdsAce || card == .ace) && points <= 11
    cards = min(cards &+ 1, 3)
  }

  /// The sum of the cards with every ace counted as one; exact for any hand that can be dealt, at most 255 for a
  /// longer one.
  @inlinable public var hardTotal: Int { Int(points) }

  /// The number of cards: 0, 1, 2, or 3 for three and more.
  @inlinable public var size: Int { Int(cards) }

  /// Whether an ace counts eleven without busting.
  @inlinable public var isSoft: Bool { holdsAce }

  /// The best total: an ace counts eleven where that does not bust.
  @inlinable public var total: Int { hardTotal &+ (isSoft ? 10 : 0) }

  /// Whether the total is over 21.
  @inlinable public var isBust: Bool { hardTotal > 21 }

  /// Whether the hand is an ace and a ten and no other card. After a split that is 21, not a natural: the round
  /// knows.
  @inlinable public var isTwoCard21: Bool { cards == 2 && holdsAce && points == 11 }

  /// The value that both cards share where the hand is a pair (any two tens are), `nil` otherwise.
  @inlinable public var pair: CardValue? { cards == 2 ? CardValue(rawValue: single) : nil }

  /// For example `pair 8,8`, `soft 18`, `hard 16`.
  public var description: String {
    if let pair { return "pair \(pair),\(pair)" }
    return "\(isSoft ? "soft" : "hard") \(total)"
  }
}

/// A hand in play: its cards, what is bet on it, and how it came about.
@frozen public struct PlayerHand: Hashable, Sendable {
  /// The cards.
  public var hand = Hand()
  /// Whether the bet was doubled.
  public var isDoubled = false
  /// Whether the hand was made by a split.
  public var isSplit = false
  /// Whether the hand was made by splitting aces.
  public var isSplitAce = false

  /// A hand with nothing in it.
  @inlinable public init() {}

  /// The stake on the hand, in original bets.
  @inlinable public var bets: Int { isDoubled ? 2 : 1 }
}

/// The one to four hands of a round, without an allocation.
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

  /// Puts a hand behind the one at that position; the later ones move up.
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
