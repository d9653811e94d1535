// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func hands(of code: BlackjackOperations) -> [Property] {
    let cards = Gen.arrays(of: Gen<CardValue>.cardValues(), count: 1...12)
    return [
      Property(
        "blackjack.1", "The total of a hand is the best of all ways to count its aces",
        reference: "rules of the game: an ace counts one or eleven", arguments: ["cards"], cards
      ) { cards in
        let expected = HandSpecification(cards: cards)
        let total = code.total(cards)
        try claim(total == expected.total, "total \(total), by all ways to count \(expected.total)")
        try claim(code.isBust(cards) == expected.isBust, "over 21 is \(!expected.isBust)")
      },
      Property(
        "blackjack.2", "A hand is soft exactly when its best count has an ace as eleven",
        reference: "rules of the game: soft hands", arguments: ["cards"], cards
      ) { cards in
        let expected = HandSpecification(cards: cards).isSoft
        try claim(code.isSoft(cards) == expected, expected ? "not called soft" : "called soft")
      },
      Property(
        "blackjack.3", "The order in which cards come changes nothing about a hand",
        reference: "the hand is a set of cards", arguments: ["cards", "turn"], cards, .integers(in: 0...11)
      ) { cards, turn in
        let start = turn % cards.count
        let turned = Array(cards[start...] + cards[..<start])
        for other in [turned, turned.reversed()] {
          try claim(code.total(other) == code.total(cards), "\(other) has another total")
          try claim(code.isSoft(other) == code.isSoft(cards), "\(other) is not as soft")
          try claim(code.row(Hand(other), true) == code.row(Hand(cards), true), "\(other) has another row")
        }
      },
      Property(
        "blackjack.4", "Two cards are a pair exactly when they count the same, whatever their ranks and suits",
        reference: "rules of the game: any two tens may be split", arguments: ["first", "second"],
        Gen<Card>.cards(), Gen<Card>.cards()
      ) { first, second in
        let expected = first.value == second.value ? first.value : nil
        let pair = code.pair(first, second)
        try claim(pair == expected, "found \(pair.map { "a pair of \($0)" } ?? "no pair")")
      },
      Property(
        "blackjack.5", "The dealer draws to 16, stands on 18, and draws to a soft 17 only where the rules say so",
        reference: "rules of the game: S17 and H17", arguments: ["rules", "cards as they come"],
        Gen<Rules>.rules(), Gen<CardValue>.deals(1...8)
      ) { rules, cards in
        for count in 1...cards.count {
          let held = Array(cards.prefix(count))
          let hand = HandSpecification(cards: held)
          let expected = hand.total < 17 || (hand.total == 17 && hand.isSoft && rules.dealerHitsSoft17)
          try claim(
            code.dealerDraws(rules, Hand(held)) == expected,
            "\(expected ? "stands on" : "draws to") \(hand.isSoft ? "soft" : "hard") \(hand.total)")
        }
      },
    ]
  }
}
