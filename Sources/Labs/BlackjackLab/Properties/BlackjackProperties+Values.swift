// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func values(of code: BlackjackOperations) -> [Property] {
    let seen = Gen.arrays(of: Gen<CardValue>.cardValues(), count: 0...3)
    return [
      Property(
        "blackjack.20", "The chances of the dealer's endings are chances, and a dealer who has looked has no natural",
        reference: "probability: they sum to one", arguments: ["rules", "upcard", "seen"],
        Gen<Rules>.rules(), Gen<CardValue>.cardValues(), seen
      ) { rules, upcard, seen in
        let chances = try code.dealerChances(rules, upcard, seen)
        try claim(chances.allSatisfy { $0 >= -1e-15 && $0 <= 1 + 1e-12 }, "not all between 0 and 1: \(chances)")
        let sum = chances.reduce(0, +)
        try claim(abs(sum - 1) < 1e-12, "they sum to \(sum)")
        let mayHaveNatural = rules.holeCard != .peek && (upcard == .ace || upcard == .ten)
        let natural = chances[Int(DealerFinal.natural.rawValue)]
        try claim(natural == 0 || mayHaveNatural, "a natural has the chance \(natural)")
      },
      Property(
        "blackjack.21", "Standing is worth from one bet lost to one won, no less on a higher total, the same below 17",
        reference: "the dealer never ends below 17", arguments: ["rules", "upcard", "seen"],
        Gen<Rules>.rules(), Gen<CardValue>.cardValues(), seen
      ) { rules, upcard, seen in
        let values = try code.standing(rules, upcard, seen)
        for total in 5...21 {
          let (lower, value) = (values[total - 1], values[total])
          try claim(value >= -1 - 1e-12 && value <= 1 + 1e-12, "\(total) is worth \(value)")
          try claim(value >= lower - 1e-15, "\(total) is worth \(value), \(total - 1) is worth \(lower)")
          try claim(total > 16 || value == lower, "\(total) is not worth as much as \(total - 1)")
        }
      },
      Property(
        "blackjack.22", "With an option more, the best action of no hand is worth less",
        reference: "nobody has to use an option", arguments: ["games", "upcard"],
        AddedOption.any(), Gen<CardValue>.cardValues()
      ) { games, upcard in
        let (without, with) = (code.bestValues(games.without, upcard), code.bestValues(games.with, upcard))
        for place in without.indices {
          try claim(
            with[place] >= without[place] - 1e-12,
            "cards \(place / 10 + 1) and \(place % 10 + 1) are worth \(with[place]) with it, \(without[place]) without")
        }
      },
    ]
  }
}
