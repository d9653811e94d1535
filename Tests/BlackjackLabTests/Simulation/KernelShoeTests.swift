// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Randomness
import Statistics
import Testing

@testable import BlackjackLab

@Suite("A shoe that is never shuffled deals every card once")
struct KernelShoeTests {
  private func count(_ cards: [CardValue]) -> [Int] { CardValue.allCases.map { value in cards.count { $0 == value } } }

  @Test("a round that takes the whole shoe gets every card of it", arguments: ["1d", "2d", "8d"])
  func wholeShoe(name: String) throws {
    let rules = try Rules(name: name)
    let full = CardValue.allCases.map { rules.cards(of: $0) ?? 0 }
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 1)
    for _ in 0..<20 {
      shoe.beginRound()
      var cards: [CardValue] = []
      for _ in 0..<ShoeLayout.size(of: rules) { cards.append(shoe.draw(for: .player)) }
      #expect(count(cards) == full)
    }
  }

  @Test("cards put on the table are not dealt again, and come back with the next round")
  func placedCards() throws {
    let rules = try Rules(name: "1d")
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 5)
    shoe.beginRound()
    for number in 0..<3 { shoe.place(number) }
    var cards: [CardValue] = []
    for _ in 0..<49 { cards.append(shoe.draw(for: .player)) }
    #expect(count(cards) == [1, 4, 4, 4, 4, 4, 4, 4, 4, 16])
    shoe.beginRound()
    for _ in 0..<3 { cards.append(shoe.draw(for: .player)) }
    #expect(cards.count == 52)
  }

  @Test("a hole card that cannot be an ace leaves all aces in the shoe")
  func holeCard() throws {
    let rules = try Rules(name: "1d")
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 9)
    for _ in 0..<200 {
      shoe.beginRound()
      let hole = shoe.drawHoleCard(excluding: .ace)
      #expect(hole != .ace)
      var cards = [hole]
      for _ in 0..<51 { cards.append(shoe.draw(for: .player)) }
      #expect(count(cards) == [4, 4, 4, 4, 4, 4, 4, 4, 4, 16])
    }
  }

  @Test(
    "the feed is the generator's words, cut into cards, without the refused ones", arguments: ["1d", "6d", "8d", "inf"])
  func feedIsTheWords(name: String) throws {
    let rules = try Rules(name: name)
    let size = ShoeLayout.size(of: rules)
    let packing = try PackedDraw(bound: UInt32(size))
    var feed = try CardFeed(rules: rules, generator: "mt19937", seed: 4357)
    var words = try WordStream(named: "mt19937", seed: 4357)
    var counts = Array(repeating: 0, count: size)
    for _ in 0..<40 {
      let cards = unsafe Array(feed.nextBatch())
      var expected: [UInt16] = []
      for _ in 0..<256 {
        var word = words.next()
        guard packing.accepts(word) else { continue }
        for _ in 0..<packing.count { expected.append(UInt16(packing.draw(&word))) }
      }
      #expect(cards == expected)
      for card in cards { counts[Int(card)] += 1 }
    }
    let uniform = Array(repeating: 1 / Double(size), count: size)
    #expect(try ChiSquareTest(observed: counts, probabilities: uniform).pValue > 1e-4)
  }

  @Test("after a seed the feed begins anew")
  func reseeded() throws {
    var feed = try CardFeed(rules: Rules(name: "6d"), generator: "taus2", seed: 11)
    let first = unsafe Array(feed.nextBatch())
    _ = unsafe feed.nextBatch()
    try feed.reseed(11)
    #expect(unsafe Array(feed.nextBatch()) == first)
    #expect(throws: RandomnessError.self) {
      _ = try CardFeed(rules: Rules(name: "6d"), generator: "no such generator", seed: 1)
    }
  }
}
