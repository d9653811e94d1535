// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Every two-card hand's actions against one upcard, in the measure of `UpcardGame`.
struct FirstActions {
  /// The values of each hand's actions, by `first * 10 + second` with the ace 0.
  private(set) var values: [ActionValues]
  /// The chance that the dealer holds a natural, given the hand and the upcard.
  private(set) var naturalChance: [Double]

  /// The values against the game's upcard; splits are made, and made again, as the game's policy says.
  init(of game: UpcardGame) {
    var game = game
    values = Array(repeating: ActionValues(), count: 100)
    naturalChance = Array(repeating: 0, count: 100)
    var scratch = SplitHand.Scratch()
    for first in 0..<10 {
      for second in first..<10 {
        let hand = game.tree.pair(first, second)
        let natural = game.naturalChance(hand)
        var actions = game.withoutSplit(hand, naturalChance: natural)
        if first == second { actions[.split] = game.splitting(first, scratch: &scratch) }
        for place in [first * 10 + second, second * 10 + first] {
          values[place] = actions
          naturalChance[place] = natural
        }
      }
    }
  }
}

extension UpcardGame {
  /// The chance that the dealer holds a natural, given a hand and the upcard.
  func naturalChance(_ hand: Int) -> Double {
    guard let completing = dealer.completing else { return 0 }
    var left = shoe
    left.remove(hand: hand, of: tree)
    return left.chance(of: completing)
  }

  /// The values of a two-card hand's actions, a split apart.
  func withoutSplit(_ hand: Int, naturalChance: Double) -> ActionValues {
    var values = ActionValues()
    let cards = tree.hands[hand]
    if cards.isTwoCard21 {
      let pays = Double(rules.naturalPays.tenths) / 10
      values[.stand] = dealer.givenNoNatural ? pays : (1 - naturalChance) * pays
      return values
    }
    var left = shoe
    left.remove(hand: hand, of: tree)
    var chances = Array(repeating: 0.0, count: 10)
    left.drawChances(hidden: dealer.hidden, into: &chances)
    values[.stand] = standing[hand]
    values[.hit] = expectation(of: later, after: hand, chances: chances)
    if rules.mayDouble(cards) { values[.double] = 2 * expectation(of: standing, after: hand, chances: chances) }
    values[.surrender] = surrendering(naturalChance)
    return values
  }

  /// What giving up half the bet is worth in the game's measure; `nil` where the rules do not know it.
  private func surrendering(_ naturalChance: Double) -> Double? {
    switch rules.surrender {
    case .none: nil
    case .late: dealer.givenNoNatural ? -0.5 : -0.5 * (1 - naturalChance) - naturalChance
    // Half a bet whatever happens: x with -P + (1 - P) x = -1/2.
    case .early: dealer.givenNoNatural ? (naturalChance - 0.5) / (1 - naturalChance) : -0.5
    }
  }

  /// The most hands that a pair of that value (0 for the ace) comes to under the rules and the policy.
  func maximumHands(splitting value: Int) -> Int? {
    guard let card = CardValue(rawValue: UInt8(value + 1)) else { return nil }
    return policy.splitsAgain[value] ? rules.maximumHands(splitting: card) : 2
  }

  /// The value of splitting a pair of that value (0 for the ace), all its hands together.
  mutating func splitting(_ value: Int, scratch: inout SplitHand.Scratch) -> Double? {
    guard let hands = maximumHands(splitting: value) else { return nil }
    let patterns = SplitPattern.all(maximumHands: hands)
    let hand = SplitHand(value: value, in: self)
    let deepest = SplitPattern.deepestLevel(of: patterns)
    return hand.levels(to: deepest, in: &self, scratch: &scratch).sum(over: patterns)
  }
}
