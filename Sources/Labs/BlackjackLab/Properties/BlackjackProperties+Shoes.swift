// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func shoes(of code: BlackjackOperations) -> [Property] {
    let finite = Gen<Rules>.rules(decks: .integers(in: 1...8))
    let seed = Gen<UInt64>.integers(in: 0...UInt64(UInt32.max))
    return [
      Property(
        "blackjack.18", "A shoe loses exactly the cards dealt: no value comes oftener than the shoe holds it",
        reference: "rules of the game: dealing without replacement", arguments: ["rules", "seed", "cards"],
        finite, seed, .integers(in: 1...416)
      ) { rules, seed, count in
        var left = ShoeSpecification(rules)
        var shoe = try BlackjackOperations.NumberedShoe(rules: rules, generator: ShoeNumbers(seed))
        code.beginRound(&shoe)
        for _ in 0..<min(count, left.full.reduce(0, +)) {
          try left.lose(try code.draw(&shoe))
        }
      },
      Property(
        "blackjack.19", "A shoe is whole again after a shuffle and at no other time; cards on the table stay there",
        reference: "rules of the game: the cut card", arguments: ["rules", "seed", "cards by round"],
        finite, seed, .arrays(of: .integers(in: 0...40), count: 0...12)
      ) { rules, seed, rounds in
        var left = ShoeSpecification(rules)
        var shoe = try BlackjackOperations.NumberedShoe(rules: rules, generator: ShoeNumbers(seed))
        for count in rounds {
          code.beginRound(&shoe)
          left.beginRound()
          for _ in 0..<count { try left.lose(try code.draw(&shoe)) }
        }
      },
    ]
  }
}

/// The cards that a shoe holds, by counting.
struct ShoeSpecification {
  /// The whole shoe, the ace's first.
  let full: [Int]
  private let cut: Int
  private var left: [Int]
  private var onTable = [Int](repeating: 0, count: 10)
  private var mustShuffle = false

  init(_ rules: Rules) {
    full = CardValue.allCases.map { rules.cards(of: $0) ?? 0 }
    left = full
    if case .cutCard(let percent) = rules.dealing { cut = full.reduce(0, +) * percent / 100 } else { cut = 0 }
  }

  /// Clears the table, and shuffles where the cut card is out.
  mutating func beginRound() {
    onTable = onTable.map { _ in 0 }
    if mustShuffle || full.reduce(0, +) - left.reduce(0, +) >= cut { left = full }
    mustShuffle = false
  }

  /// Takes the card that was dealt. An empty shoe takes the discards back first, but not what lies on the table.
  mutating func lose(_ card: CardValue) throws {
    if left.allSatisfy({ $0 == 0 }) {
      for value in left.indices { left[value] = full[value] - onTable[value] }
      mustShuffle = true
    }
    left[card.index] -= 1
    onTable[card.index] += 1
    try claim(left[card.index] >= 0, "a \(card) comes though none is left")
  }
}
