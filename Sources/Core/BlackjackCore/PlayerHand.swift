// SPDX-License-Identifier: Apache-2.0

/// A hand in play: its cards, what is bet on it, and how it came about.
@frozen
public struct PlayerHand: Hashable, Sendable {
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

  /// What is bet on the hand, in original bets.
  @inlinable public var bets: Int { isDoubled ? 2 : 1 }
}

/// The one to four hands of a round, without an allocation.
@frozen
@usableFromInline
struct HandRow: Hashable, Sendable {
  @usableFromInline var first = PlayerHand()
  @usableFromInline var second = PlayerHand()
  @usableFromInline var third = PlayerHand()
  @usableFromInline var fourth = PlayerHand()
  @usableFromInline var count = 1

  @inlinable init() {}

  @inlinable
  subscript(position: Int) -> PlayerHand {
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
  @inlinable
  mutating func insert(_ hand: PlayerHand, after position: Int) {
    var last = count
    while last > position &+ 1 {
      self[last] = self[last &- 1]
      last &-= 1
    }
    self[position &+ 1] = hand
    count &+= 1
  }
}
