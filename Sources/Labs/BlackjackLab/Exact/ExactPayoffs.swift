// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What one round pays when a chart is followed: exact mean, standard deviation and, where it can be had, every
/// payoff's chance.
///
/// Two hands of a split share the shoe and the dealer. The second moment needs them two at a time, whatever their
/// number; the chances of all payoffs need them all together, which is done for splits into two hands and for an
/// infinite shoe, where the hands are independent once the dealer's ending is given.
package struct ExactPayoffs: Sendable {
  /// A payoff and its chance.
  package struct Payoff: Hashable, Sendable {
    /// Tenths of a bet.
    package let tenths: Int
    /// The chance.
    package let probability: Double
  }

  /// The mean payoff, in bets: the chart's `gameValue`, reached by another way.
  package let mean: Double
  /// The standard deviation of one round's payoff, in bets.
  package let standardDeviation: Double
  /// Every payoff that can occur, ascending; `nil` for a finite shoe in which the chart splits into more than two
  /// hands.
  package let distribution: [Payoff]?

  /// Computes the payoffs of a chart: about a second for six decks, nearly all for pairs of hands after splits.
  package init(of value: ExactChartValue) {
    var sum = PayoffSum()
    for upcard in CardValue.allCases { sum.add(value, against: upcard) }
    mean = sum.mean
    standardDeviation = max(sum.meanSquare - mean * mean, 0).squareRoot()
    distribution =
      sum.isComplete
      ? sum.chances.sorted { $0.key < $1.key }.filter { $0.value > 1e-15 }
        .map { Payoff(tenths: $0.key, probability: $0.value) }
      : nil
  }
}

/// Chances of payoffs, gathered hand by hand.
struct PayoffSum {
  /// By tenths of a bet.
  private(set) var chances: [Int: Double] = [:]
  /// In bets.
  private(set) var mean = 0.0
  /// In squared bets.
  private(set) var meanSquare = 0.0
  /// Whether `chances` holds every payoff.
  var isComplete = true

  /// Adds a payoff.
  mutating func add(_ tenths: Int, _ chance: Double) {
    addChance(tenths, chance)
    mean += chance * Double(tenths) / 10
    meanSquare += chance * Double(tenths * tenths) / 100
  }

  /// Adds a payoff to the distribution alone.
  mutating func addChance(_ tenths: Int, _ chance: Double) { chances[tenths, default: 0] += chance }

  /// Adds to the moments alone.
  mutating func addMoments(mean: Double, square: Double) {
    self.mean += mean
    meanSquare += square
  }

  /// Adds all rounds against an upcard.
  mutating func add(_ value: ExactChartValue, against upcard: CardValue) {
    let game = UpcardGame(rules: value.rules, upcard: upcard, policy: value.policies[upcard.index])
    let squared = game.squared()
    for number in game.tree.pairsOfCards {
      let hand = game.tree.hands[number]
      let (first, second) = game.tree.cards(ofPair: number)
      let chance = value.table.chance(first, second, against: upcard)
      let natural = game.naturalChance(number)
      // In the measure given no natural, what a natural takes stands apart: one bet, or nothing from another natural.
      let played = game.dealer.givenNoNatural ? chance * (1 - natural) : chance
      let action = value.firstActions.action(hand, against: upcard)
      if action == .surrender {
        let whole = value.rules.surrender == .late ? chance * natural : 0
        add(-10, whole)
        add(-5, chance - whole)
        continue
      }
      if hand.isTwoCard21 {
        add(0, chance * natural)
        add(value.rules.naturalPays.tenths, chance * (1 - natural))
        continue
      }
      add(-10, chance - played)
      if action == .split {
        addSplit(first.index, in: game, chance: played)
      } else {
        let stake = action == .double ? 2 : 1
        let mean = (game.withoutSplit(number, naturalChance: natural)[action] ?? 0) / Double(stake)
        let square = (squared.withoutSplit(number, naturalChance: natural)[action] ?? 0) / Double(stake)
        add(10 * stake, played * (square + mean) / 2)
        add(0, played * (1 - square))
        add(-10 * stake, played * (square - mean) / 2)
      }
    }
  }
}

extension HandTree {
  /// The two cards of a hand of two.
  func cards(ofPair hand: Int) -> (CardValue, CardValue) {
    let cards = CardValue.allCases.flatMap { Array(repeating: $0, count: count($0.index, in: hand)) }
    return (cards.first ?? .ace, cards.last ?? .ace)
  }
}
