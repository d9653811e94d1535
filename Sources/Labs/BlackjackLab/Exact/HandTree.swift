// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Every hand of cards that is not bust, as a multiset of values, and what each becomes with one more card.
///
/// A hand is a number: 0 stands for any bust hand, 1 for the empty one, and a hand with more points has a larger
/// number, so that a loop from the last number down meets every hand after all that it can become. There are about
/// 3500.
final class HandTree: Sendable {
  /// The one tree: it depends on no rule.
  static let shared = HandTree()

  /// The number of every bust hand.
  static let bust = 0
  /// The number of the hand without cards.
  static let empty = 1

  /// The rules' view of each hand; the empty hand's in place of a bust one.
  let hands: [Hand]
  /// How many cards of each value the hand holds: ten counts a hand, the ace's first.
  let counts: [UInt8]
  /// The number of cards.
  let sizes: [Int]
  /// What the hand becomes: ten numbers a hand, by the value drawn.
  let children: [Int]
  /// The hands of exactly two cards.
  let pairsOfCards: [Int]

  /// The number of hands, the bust one included.
  var count: Int { hands.count }

  /// How many cards of that value (0 for the ace) the hand holds.
  func count(_ value: Int, in hand: Int) -> Int { Int(counts[hand * 10 + value]) }

  /// What the hand becomes with a card of that value (0 for the ace).
  func child(_ hand: Int, _ value: Int) -> Int { children[hand * 10 + value] }

  /// The number of the hand of these two cards.
  func pair(_ first: Int, _ second: Int) -> Int { child(child(Self.empty, first), second) }

  private init() {
    let multisets = Self.multisets()
    let numbers = Dictionary(uniqueKeysWithValues: zip(multisets.map(\.packed), 1...))
    hands = [Hand()] + multisets.map { Hand($0.cards) }
    counts = Array(repeating: 0, count: 10) + multisets.flatMap(\.counts)
    let sizes = [0] + multisets.map { $0.counts.reduce(0) { $0 + Int($1) } }
    self.sizes = sizes
    children =
      Array(repeating: Self.bust, count: 10)
      + multisets.flatMap { multiset in
        (0..<10).map { numbers[multiset.packed + Multiset.packed(value: $0)] ?? Self.bust }
      }
    pairsOfCards = sizes.indices.filter { sizes[$0] == 2 }
  }

  /// All multisets of up to 21 points, by points.
  private static func multisets() -> [Multiset] {
    var byPoints = [[Multiset()]]
    for points in 1...21 {
      byPoints.append(
        (0..<min(points, 10)).flatMap { value in
          byPoints[points - value - 1].filter { $0.largest <= value }.map { $0.adding(value) }
        })
    }
    return byPoints.flatMap(\.self)
  }
}

/// Some cards, in no order.
private struct Multiset {
  private(set) var counts = Array(repeating: UInt8(0), count: 10)
  /// The largest value held, 0 for the ace and for none.
  private(set) var largest = 0
  /// All counts in one word, five bits each: the packed word of a union is the sum.
  private(set) var packed: UInt64 = 0

  static func packed(value: Int) -> UInt64 { 1 << UInt64(5 * value) }

  /// With one more card, of a value no smaller than any held.
  func adding(_ value: Int) -> Multiset {
    var copy = self
    copy.counts[value] += 1
    copy.largest = value
    copy.packed += Self.packed(value: value)
    return copy
  }

  var cards: [CardValue] {
    CardValue.allCases.flatMap { Array(repeating: $0, count: Int(counts[$0.index])) }
  }
}
