// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// The exact values of every two-card hand against every upcard, with the hands' natural weights.
struct HandTable: Sendable {
  let rules: Rules
  /// The games against the ten upcards, the ace's first.
  private let upcards: [FirstActions]

  /// The table of one strategy.
  ///
  /// - Parameters:
  ///   - rules: the game.
  ///   - policies: what follows the first action, by upcard; `nil` for what is best for a hand's own cards.
  init(rules: Rules, policies: [HandPolicy]?) {
    self.rules = rules
    upcards = CardValue.allCases.map { upcard in
      FirstActions(of: UpcardGame(rules: rules, upcard: upcard, policy: policies?[upcard.index]))
    }
  }

  /// Whether a dealer's natural is found out before the player plays.
  private var peeks: Bool { rules.holeCard == .peek }

  /// The chance that the dealer holds a natural, given the player's two cards and the upcard.
  func naturalChance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    upcards[upcard.index].naturalChance[first.index * 10 + second.index]
  }

  /// A hand's values as `ActionValues` defines them: given no natural with a peek, unconditional without one.
  func values(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> ActionValues {
    var values = upcards[upcard.index].values[first.index * 10 + second.index]
    guard rules.holeCard == .noneOriginalBetOnly else { return values }
    let natural = naturalChance(first, second, against: upcard)
    let lost = Hand(first, second).isTwoCard21 ? 0 : natural
    for action in Action.allCases {
      if let value = values[action] { values[action] = (1 - natural) * value - lost }
    }
    return values
  }

  /// The chance of being dealt those two cards, in either order, and the upcard.
  func chance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    var shoe = ShoeContents(rules: rules)
    var chance = first == second ? 1.0 : 2.0
    for card in [first, second, upcard] {
      chance *= shoe.chance(of: card.index)
      shoe.remove(card.index)
    }
    return max(chance, 0)
  }

  /// The two-card hands of a row with their weights against an upcard, which sum to 1.
  func weights(of row: ChartRow, against upcard: CardValue) -> [HandWeight] {
    let hands = row.twoCardHands.map { first, second in
      let natural = peeks ? naturalChance(first, second, against: upcard) : 0
      return HandWeight(
        first: first, second: second, weight: chance(first, second, against: upcard) * (1 - natural))
    }
    let total = hands.reduce(0) { $0 + $1.weight }
    return hands.map { HandWeight(first: $0.first, second: $0.second, weight: $0.weight / total) }
  }

  /// The mean values over the hands of a cell.
  func values(of key: ChartCellKey) -> ActionValues {
    weights(of: key.row, against: key.upcard).reduce(into: ActionValues()) { mean, hand in
      let values = values(hand.first, hand.second, against: key.upcard)
      for action in Action.allCases {
        if let value = values[action] { mean[action] = (mean[action] ?? 0) + hand.weight * value }
      }
    }
  }

  /// The value of a whole round, naturals included, when the first action is chosen so.
  ///
  /// - Parameter choice: the value of a hand's chosen action, among its values.
  /// - Returns: the value in bets.
  func gameValue(choosing choice: (Hand, CardValue, ActionValues) -> Double) -> Double {
    var sum = 0.0
    for upcard in CardValue.allCases {
      for first in CardValue.allCases {
        for second in CardValue.allCases where second <= first {
          let hand = Hand(first, second)
          let value = choice(hand, upcard, values(first, second, against: upcard))
          let natural = peeks ? naturalChance(first, second, against: upcard) : 0
          let lost = hand.isTwoCard21 ? 0 : natural
          sum += chance(first, second, against: upcard) * ((1 - natural) * value - lost)
        }
      }
    }
    return sum
  }
}

/// A two-card hand of a chart's row with its share of the row.
package struct HandWeight: Hashable, Sendable {
  /// The larger card.
  package let first: CardValue
  /// The smaller card.
  package let second: CardValue
  /// The chance of the hand among those of its row, given the upcard and, with a peek, no dealer natural.
  package let weight: Double
}
