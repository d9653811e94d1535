// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

/// Every multiset of up to that many cards, as sorted lists.
private func multisets(upTo size: Int) -> [[CardValue]] {
  var all: [[CardValue]] = [[]]
  var last = all
  for _ in 0..<size {
    last = last.flatMap { cards in
      CardValue.allCases.filter { $0 >= (cards.last ?? .ace) }.map { cards + [$0] }
    }
    all += last
  }
  return all
}

/// All ways to count a hand: every ace as one or as eleven.
private func counts(of cards: [CardValue]) -> Set<Int> {
  cards.reduce([0]) { sums, card in
    Set(sums.flatMap { card == .ace ? [$0 + 1, $0 + 11] : [$0 + card.points] })
  }
}

@Suite("Hands") struct HandTests {
  private static let hands = multisets(upTo: 6)

  @Test("A natural is an ace and a ten alone, and a hand counts its cards up to three")
  func naturals() {
    for cards in Self.hands {
      #expect(Hand(cards).isTwoCard21 == (cards == [.ace, .ten]), "\(cards)")
      #expect(Hand(cards).size == min(cards.count, 3), "\(cards)")
    }
  }

  /// What the rules can see of a hand, now and after one more card of any value.
  private struct View: Hashable {
    let now: [Int]
    let later: [[Int]]

    init(_ cards: [CardValue]) {
      now = Self.seen(cards)
      later = CardValue.allCases.map { Self.seen(cards + [$0]) }
    }

    static func seen(_ cards: [CardValue]) -> [Int] {
      let ways = counts(of: cards)
      let best = ways.filter { $0 <= 21 }.max()
      let hard = cards.map(\.points).reduce(0, +)
      let pair = cards.count == 2 && cards[0] == cards[1] ? cards[0].points : 0
      return [best ?? hard, best.map { $0 > hard ? 1 : 0 } ?? 0, min(cards.count, 3), pair]
    }
  }

  @Test("Two hands are equal exactly where no rule and no further card can distinguish them")
  func equality() {
    var views: [Hand: View] = [:]
    for cards in Self.hands where !Hand(cards).isBust {
      let view = View(cards)
      let known = views.updateValue(view, forKey: Hand(cards))
      #expect(known == nil || known == view, "\(cards)")
    }
    #expect(Set(views.values).count == views.count)
  }

  @Test("More cards than any table deals neither trap nor count as less than bust")
  func absurdlyLong() {
    for count in [24, 25, 26, 52, 1000] {
      let hand = Hand(Array(repeating: CardValue.ten, count: count))
      #expect(hand.isBust, "\(count) tens")
      #expect(hand.total > 21, "\(count) tens")
    }
  }

  @Test("A hand is described by kind and total")
  func description() throws {
    #expect(try hand("8 8").description == "pair 8,8")
    #expect(try hand("A A").description == "pair A,A")
    #expect(try hand("A 7").description == "soft 18")
    #expect(try hand("10 6").description == "hard 16")
    #expect(try hand("10 6 10").description == "hard 26")
    #expect(Hand().description == "hard 0")
  }
}
