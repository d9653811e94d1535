// SPDX-License-Identifier: Apache-2.0
/// One of the thirteen ranks of a French deck.
public enum Rank: UInt8, CaseIterable, Hashable, Sendable {
  case ace = 1
  case two, three, four, five, six, seven, eight, nine, ten, jack, queen, king

  /// The value of the rank at the table.
  public var value: CardValue { CardValue(rawValue: min(rawValue, 10)) ?? .ten }

  /// `A`, `2` to `10`, `J`, `Q`, `K`.
  public var symbol: String {
    switch self {
    case .jack: "J"
    case .queen: "Q"
    case .king: "K"
    default: value.description
    }
  }
}

/// One of the four suits; they do not matter in blackjack.
public enum Suit: String, CaseIterable, Hashable, Sendable {
  case spades = "♠"
  case hearts = "♥"
  case diamonds = "♦"
  case clubs = "♣"
}

/// A card for display by a trainer: a rank and a suit.
public struct Card: Hashable, Sendable, CustomStringConvertible {
  /// The rank, ace to king.
  public let rank: Rank
  /// The suit.
  public let suit: Suit

  /// The card of this rank and suit.
  public init(_ rank: Rank, of suit: Suit) {
    self.rank = rank
    self.suit = suit
  }

  /// The value of the card in the game.
  public var value: CardValue { rank.value }

  /// For example `Q♥`.
  public var description: String { rank.symbol + suit.rawValue }

  /// The 52 cards of one deck, suit by suit.
  public static let deck: [Card] = Suit.allCases.flatMap { suit in Rank.allCases.map { Card($0, of: suit) } }
}

/// The value of a card in the game: an ace, the pips two to nine, or ten (for ten, jack, queen and king).
@frozen public enum CardValue: UInt8, CaseIterable, Hashable, Sendable, Comparable, CustomStringConvertible {
  case ace = 1
  case two, three, four, five, six, seven, eight, nine, ten

  /// The points of the card with an ace counted as one: 1 to 10.
  @inlinable public var points: Int { Int(rawValue) }

  /// The position of the value in tables of ten: ace 0, two 1, up to ten 9.
  @inlinable public var index: Int { Int(rawValue) &- 1 }

  /// The number of ranks with this value: four for a ten, one otherwise.
  @inlinable public var ranksPerSuit: Int { self == .ten ? 4 : 1 }

  /// The order of upcards in charts: 2 to 10, then the ace.
  public static let chartOrder: [CardValue] = Array(allCases.dropFirst()) + [.ace]

  /// Orders by points, the ace lowest.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// `A`, `2` to `10`.
  public var description: String { self == .ace ? "A" : String(rawValue) }

  /// The value of a card as typed: `A`, `2` to `10`, or a face `T`, `J`, `Q`, `K`, in either case.
  public init?(_ text: some StringProtocol) {
    switch text.uppercased() {
    case "A": self = .ace
    case "T", "J", "Q", "K": self = .ten
    case let digits:
      guard let points = UInt8(digits), points != 1, digits == String(points) else { return nil }
      self.init(rawValue: points)
    }
  }
}
