// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Testing

@Suite("The dealer's chances, given the cards that the player saw")
struct DealerTests {
  /// The chances by the raw value of `DealerFinal`.
  private func chances(_ odds: inout DealerOdds, given seen: SeenCards) -> [Double] {
    let chances = unsafe odds.chances(given: seen)
    return DealerFinal.allCases.map { unsafe chances[Int($0.rawValue)] }
  }

  @Test("an infinite shoe's dealer ends as an independent recursion says, with and without a look for a natural")
  func infinite() throws {
    let columns: [(String, DealerFinal)] = [
      ("p17", .seventeen), ("p18", .eighteen), ("p19", .nineteen), ("p20", .twenty), ("p21", .twentyOne),
      ("pbust", .bust), ("pbj", .natural),
    ]
    let rows = try ExactFixture("infinite_dealer").rows
    #expect(rows.count == 40)
    for row in rows {
      let hasLooked = row["peek"] == "after peek"
      let rules = try Rules(name: "inf-\(row["soft17"] == "S17" ? "s17" : "h17")-\(hasLooked ? "peek" : "enhc")")
      var odds = DealerOdds(rules: rules)
      var seen = SeenCards(upcard: try row.card("dealer_up"))
      for card in [CardValue.six, .nine, .ace] { seen.add(card) }
      let chances = chances(&odds, given: seen)
      let exact = try ExactDealer(rules: rules, upcard: seen.upcard, givenNoNatural: hasLooked)
      for (column, final) in columns {
        let expected = row.number(column) ?? .nan
        #expect(abs(chances[Int(final.rawValue)] - expected) < 1e-12, "\(column) of \(row)")
        #expect(abs(exact[final] - expected) < 1e-14, "\(column) of \(row)")
      }
    }
  }

  @Test(
    "every upcard, any cards seen: the same chances as the exact analyser's, to 1e-12",
    arguments: ["1d", "2d", "6d", "8d", "inf"].flatMap { decks in
      ["s17", "s17-enhc", "h17", "h17-obo"].map { "\(decks)-\($0)" }
    })
  func finite(name: String) throws {
    let rules = try Rules(name: name)
    var random = TestRandom(seed: name.utf8.reduce(0) { 31 &* $0 &+ Int($1) })
    var odds = DealerOdds(rules: rules)
    for round in 0..<300 {
      var shoe = CardValue.allCases.flatMap { Array(repeating: $0, count: rules.cards(of: $0) ?? 12 * $0.ranksPerSuit) }
      shoe.shuffle(using: &random)
      let upcard = CardValue.allCases[round % 10]
      try shoe.remove(at: #require(shoe.firstIndex(of: upcard)))
      let cards = Array(shoe.prefix(2 + Int.random(in: 0...12, using: &random)))
      var seen = SeenCards(upcard: upcard)
      for card in cards { seen.add(card) }
      let expected = try ExactDealer(
        rules: rules, upcard: upcard, seen: cards, givenNoNatural: rules.holeCard == .peek)
      let found = chances(&odds, given: seen)
      for final in DealerFinal.allCases {
        let difference = abs(found[Int(final.rawValue)] - expected[final])
        #expect(difference < 1e-12, "\(final) under \(upcard), seen \(cards)")
      }
    }
  }

  @Test("seen cards remember the upcard and up to 63 of each value, whatever the upcard")
  func seenCards() {
    for upcard in CardValue.allCases {
      var seen = SeenCards(upcard: upcard)
      for card in CardValue.allCases { for _ in 0..<(card.points * 6) { seen.add(card) } }
      #expect(seen.upcard == upcard)
      #expect(CardValue.allCases.allSatisfy { seen.count(of: $0) == $0.points * 6 })
    }
  }

  @Test("a table that keeps three sets of cards and forgets them all the time gives the same bits")
  func forgetting() throws {
    let rules = try Rules(name: "2d-h17")
    var wide = DealerOdds(rules: rules)
    var narrow = DealerOdds(rules: rules, keeping: 2)
    var random = TestRandom(seed: 77)
    for _ in 0..<2000 {
      var seen = SeenCards(upcard: random.card())
      for _ in 0..<2 { seen.add(random.card()) }
      #expect(chances(&wide, given: seen) == chances(&narrow, given: seen))
    }
  }

  @Test("cached numbers are found as they were left, or not at all")
  func cache() {
    var cache = SeenCardsCache(bits: 6, width: 2)
    var random = TestRandom(seed: 5)
    var found = 0
    for turn in 1...5000 {
      var seen = SeenCards(upcard: random.card())
      seen.add(random.card())
      let truth = Double(seen.packed)
      if let numbers = unsafe cache.find(seen) {
        #expect(unsafe numbers[0] == truth && numbers[1] == -truth)
        found += 1
      } else {
        let numbers = unsafe cache.add(seen)
        unsafe numbers[0] = truth
        unsafe numbers[1] = -truth
      }
      var stranger = SeenCards(upcard: .two)
      for _ in 0..<(turn % 60 + 2) { stranger.add(.three) }
      #expect(unsafe cache.find(stranger) == nil)
    }
    // A hundred sets share room for 48: some are found, some were forgotten.
    #expect((1000...4900).contains(found))
  }
}

@Suite("How the dealer ends, exactly")
struct ExactDealerTests {
  @Test("from one deck: an ace finds a natural in 16 of the 49 cards that 16 against it leaves")
  func natural() throws {
    let rules = try Rules(name: "1d")
    let blind = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: false)
    #expect(abs(blind[.natural] - 16.0 / 49) < 1e-16)
    let looked = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: true)
    #expect(looked[.natural] == 0)
    for final in DealerFinal.allCases where final != .natural {
      #expect(abs(blind[final] - looked[final] * 33 / 49) < 1e-15)
    }
  }

  @Test("five aces from one deck are refused")
  func impossible() throws {
    let rules = try Rules(name: "1d")
    #expect(throws: BlackjackError.self) {
      try ExactDealer(rules: rules, upcard: .ace, seen: Array(repeating: .ace, count: 4), givenNoNatural: true)
    }
  }
}
