// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Every hand that is not bust, as a multiset of card values, with its successors by one more card.
///
/// A hand is a number: 0 stands for any bust hand, 1 for the empty one, and a hand with more points has a larger
/// number. So a loop down from the last number meets every hand after all its successors. There are about 3500.
final class HandTree: Sendable {
  static let shared = HandTree()

  static let bust = 0
  static let empty = 1

  /// Each hand as the rules' `Hand`; the empty hand stands for a bust one.
  let hands: [Hand]
  /// The number of cards of each value in the hand: ten counts per hand, the ace's first.
  let counts: [UInt8]
  let sizes: [Int]
  /// The hand after one more card: ten numbers per hand, by the value drawn.
  let children: [Int]
  let pairsOfCards: [Int]

  var count: Int { hands.count }

  /// The number of cards of a value (0 for the ace) in the hand.
  func count(_ value: Int, in hand: Int) -> Int { Int(counts[hand * 10 + value]) }

  /// The hand after a card of a value (0 for the ace).
  func child(_ hand: Int, _ value: Int) -> Int { children[hand * 10 + value] }

  func number(of cards: [CardValue]) -> Int { cards.reduce(Self.empty) { child($0, $1.index) } }

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

private struct Multiset {
  private(set) var counts = Array(repeating: UInt8(0), count: 10)
  /// The largest value held; 0 for aces only and for the empty hand.
  private(set) var largest = 0
  /// All counts in one word, five bits each, so that the packed word of a union is the sum.
  private(set) var packed: UInt64 = 0

  static func packed(value: Int) -> UInt64 { 1 << UInt64(5 * value) }

  func adding(_ value: Int) -> Multiset {
    var copy = self
    copy.counts[value] += 1
    copy.largest = value
    copy.packed += Self.packed(value: value)
    return copy
  }

  var cards: [CardValue] { CardValue.allCases.flatMap { Array(repeating: $0, count: Int(counts[$0.index])) } }
}

/// The remaining cards, and the chances of the next one.
///
/// An infinite shoe is one of thirteen ranks with replacement: a drawn card removes `step` = 0 cards instead of 1, with
/// the same formulas.
struct ShoeContents {
  /// The number of cards of each value left, the ace's first.
  var counts: [Double]
  var total: Double
  /// The number of cards that a drawn card removes: 1, or 0 for an infinite shoe.
  let step: Double

  init(rules: Rules) {
    step = rules.decks == .infinite ? 0 : 1
    counts = CardValue.allCases.map { Double(rules.cards(of: $0) ?? $0.ranksPerSuit) }
    total = counts.reduce(0, +)
  }

  var isInfinite: Bool { step == 0 }

  /// Takes cards of one value (0 for the ace) out; a negative number puts them back.
  mutating func remove(_ value: Int, _ cards: Int = 1) {
    counts[value] -= step * Double(cards)
    total -= step * Double(cards)
  }

  mutating func remove(hand: Int, of tree: HandTree) {
    for value in 0..<10 { remove(value, tree.count(value, in: hand)) }
  }

  /// Puts a hand's cards back; counts are integers, so that the shoe is exactly restored.
  mutating func restore(hand: Int, of tree: HandTree) {
    for value in 0..<10 { remove(value, -tree.count(value, in: hand)) }
  }

  var isPossible: Bool { counts.allSatisfy { $0 >= 0 } }

  func chance(of value: Int) -> Double { counts[value] / total }

  /// The chances of the ten values for a card that the player draws.
  ///
  /// `hidden` is a value that the dealer's unseen second card is known not to have, because the dealer looked. Then the
  /// chance of r is P(r) P(second card not hidden | r gone) / P(second card not hidden).
  func drawChances(hidden: Int?, into chances: inout [Double]) {
    guard let hidden else {
      let scale = 1 / total
      for value in 0..<10 { chances[value] = counts[value] * scale }
      return
    }
    let others = total - counts[hidden]
    let scale = 1 / ((total - step) * others)
    for value in 0..<10 { chances[value] = counts[value] * (others - step) * scale }
    chances[hidden] = counts[hidden] * others * scale
  }
}
