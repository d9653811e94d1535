// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import TestSupport
import Testing

@Suite("The shoe") struct ShoeTests {
  private func shoe(_ name: String, seed: UInt64 = 1) throws -> Shoe<SplitMix64> {
    try Shoe(rules: try Rules(name: name), generator: SplitMix64(seed: seed))
  }

  private func draw(_ count: Int, from shoe: inout Shoe<SplitMix64>) throws -> [CardValue] {
    var drawn: [CardValue] = []
    for _ in 0..<count { drawn.append(try shoe.draw(for: .player)) }
    return drawn
  }

  private func counts(_ cards: [CardValue]) -> [CardValue: Int] {
    Dictionary(cards.map { ($0, 1) }, uniquingKeysWith: +)
  }

  private func full(_ decks: Int) -> [CardValue: Int] {
    Dictionary(uniqueKeysWithValues: CardValue.allCases.map { ($0, 4 * decks * $0.ranksPerSuit) })
  }

  @Test("A full shoe holds every card of its decks", arguments: 1...8)
  func fullShoe(decks: Int) throws {
    var shoe = try shoe("\(decks)d")
    shoe.beginRound()
    #expect(try counts(draw(52 * decks, from: &shoe)) == full(decks))
    let rules = try Rules(name: "\(decks)d")
    for value in CardValue.allCases { #expect(rules.cards(of: value) == full(decks)[value]) }
  }

  @Test("When every card lies on the table there is no next one")
  func exhausted() throws {
    var shoe = try shoe("1d")
    shoe.beginRound()
    _ = try draw(52, from: &shoe)
    #expect(blackjackError { _ = try shoe.draw(for: .dealer) } == .outOfCards(dealt: 52))
    shoe.beginRound()
    #expect(try counts(draw(52, from: &shoe)) == full(1))
  }

  @Test("An infinite shoe cannot be dealt from a list of cards")
  func infinite() throws {
    let error = blackjackError { _ = try self.shoe("inf") }
    #expect(error == .outOfRange(what: "shoe", found: "inf decks", expected: "1 to 8 decks"))
    #expect(try Rules(name: "inf").cards(of: .ten) == nil)
  }

  @Test("Every value is as likely first, fifth and last, after shuffles of shuffles", arguments: [0, 4, 51])
  func uniform(position: Int) throws {
    var shoe = try shoe("1d", seed: UInt64(1000 + position))
    var seen: [CardValue: Int] = [:]
    let rounds = 5_200
    for _ in 0..<rounds {
      shoe.beginRound()
      let drawn = try draw(position + 1, from: &shoe)
      if let last = drawn.last { seen[last, default: 0] += 1 }
    }
    // Chi-square with 9 degrees of freedom: 27.88 is passed once in a thousand fair shoes.
    #expect(chiSquare(seen, of: rounds) < 27.88)
  }

  @Test("Discards that come back are as likely as the deck's other cards")
  func uniformDiscards() throws {
    var seen: [CardValue: Int] = [:]
    let rounds = 5_200
    var shoe = try shoe("1d-cut95", seed: 77)
    for _ in 0..<rounds {
      shoe.beginRound()
      _ = try draw(48, from: &shoe)
      shoe.beginRound()
      let drawn = try draw(6, from: &shoe)
      if let last = drawn.last { seen[last, default: 0] += 1 }
    }
    #expect(chiSquare(seen, of: rounds) < 27.88)
  }

  private func chiSquare(_ seen: [CardValue: Int], of rounds: Int) -> Double {
    CardValue.allCases.map { value in
      let expected = Double(rounds * value.ranksPerSuit) / 13
      let difference = Double(seen[value, default: 0]) - expected
      return difference * difference / expected
    }.reduce(0, +)
  }

  @Test("The same generator deals the same shoe")
  func reproducible() throws {
    var first = try shoe("6d", seed: 5)
    var second = try shoe("6d", seed: 5)
    var third = try shoe("6d", seed: 6)
    let cards = try draw(100, from: &first)
    #expect(try cards == draw(100, from: &second))
    #expect(try cards != draw(100, from: &third))
  }

  @Test("Whole rounds are played from a shoe by a chart")
  func rounds() throws {
    let rules = try Rules(name: "1d-cut75")
    var shoe = try Shoe(rules: rules, generator: SplitMix64(seed: 9))
    var player = ChartPlayer(.trainer)
    var payoffs: Set<Int> = []
    for _ in 0..<2_000 {
      shoe.beginRound()
      payoffs.insert(try Round.play(rules: rules, from: &shoe, by: &player))
    }
    #expect(payoffs.isSuperset(of: [-20, -10, 0, 10, 15, 20]))
  }
}
