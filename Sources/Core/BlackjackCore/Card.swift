// SPDX-License-Identifier: Apache-2.0

/// One of the thirteen ranks of a French deck.
public enum Rank: UInt8, CaseIterable, Hashable, Sendable {
  case ace = 1
  case two, three, four, five, six, seven, eight, nine, ten, jack, queen, king

  /// What the rank counts for at the table.
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

/// One of the four suits; blackjack never asks which.
public enum Suit: String, CaseIterable, Hashable, Sendable {
  case spades = "♠"
  case hearts = "♥"
  case diamonds = "♦"
  case clubs = "♣"
}

/// A card as a trainer shows it: a rank and a suit.
public struct Card: Hashable, Sendable, CustomStringConvertible {
  /// The rank, ace to king.
  public let rank: Rank
  /// The suit.
  public let suit: Suit

  /// A card of that rank and suit.
  public init(_ rank: Rank, of suit: Suit) {
    self.rank = rank
    self.suit = suit
  }

  /// What the card counts for at the table.
  public var value: CardValue { rank.value }

  /// For example `Q♥`.
  public var description: String { rank.symbol + suit.rawValue }
}

extension Card {
  /// The 52 cards of one deck, suit by suit.
  public static let deck: [Card] = Suit.allCases.flatMap { suit in Rank.allCases.map { Card($0, of: suit) } }
}
