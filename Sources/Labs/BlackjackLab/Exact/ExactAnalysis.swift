// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The exact value of every two-card hand's actions, of the best chart, and of the whole game, for one set of rules.
///
/// The analysis is independent of the simulator: it uses the rules of `BlackjackCore` but plays no round. Every value
/// is over the exact composition of a fresh shoe (an infinite one by the same formulas); a game dealt to a cut card is
/// analysed as if each round had a fresh shoe.
///
/// Later play is either the best for the cards of the hand or follows a given chart. In the first case, each hand after
/// a split is played by its own cards alone, as before the split, and doubled if the rules allow it: the convention
/// CDZ-. Pairs are split again always, or where that is better. Play that knows the pair card or the other hands (CDP,
/// CDPN, the best play) is worth more: 0.0026 bets for 4,4 against 9 in one deck.
struct ExactAnalysis: Sendable {
  let rules: Rules
  /// The later play, by upcard; `nil` for best play.
  let policies: [HandPolicy]?
  /// The chart's first action for every two-card hand, by upcard; `nil` for the best action.
  private let firstActions: [[Hand: Action]]?
  private var upcards: [FirstActions]
  private var shoe: ShoeContents

  /// Analyses best play, in under a tenth of a second for six decks. The shoe is full unless `shoe` gives the rest of
  /// one.
  init(rules: Rules, resplit: Resplit = .best, shoe: ShoeContents? = nil) {
    self.rules = rules
    self.shoe = shoe ?? ShoeContents(rules: rules)
    policies = nil
    firstActions = nil
    upcards = CardValue.allCases.map {
      FirstActions(of: UpcardGame(rules: rules, upcard: $0, policy: nil, resplit: resplit, shoe: shoe))
    }
  }

  /// Analyses play by a chart.
  ///
  /// - Throws: `BlackjackError.noCell` or `.noLegalAction` if the chart has no answer to a possible hand.
  init(rules: Rules, following chart: StrategyChart, shoe: ShoeContents? = nil) throws(BlackjackError) {
    self.rules = rules
    self.shoe = shoe ?? ShoeContents(rules: rules)
    var policies: [HandPolicy] = []
    var firstActions: [[Hand: Action]] = []
    for upcard in CardValue.allCases {
      policies.append(try HandPolicy(following: chart, against: upcard, rules: rules, tree: HandTree.shared))
      firstActions.append(try Self.firstActions(of: chart, against: upcard, rules: rules))
    }
    self.policies = policies
    self.firstActions = firstActions
    upcards = CardValue.allCases.map {
      FirstActions(of: UpcardGame(rules: rules, upcard: $0, policy: policies[$0.index], shoe: shoe))
    }
  }

  /// The chart's first actions; a natural is left out, since it stands.
  private static func firstActions(
    of chart: StrategyChart, against upcard: CardValue, rules: Rules
  ) throws(BlackjackError) -> [Hand: Action] {
    var actions: [Hand: Action] = [:]
    for number in HandTree.shared.pairsOfCards {
      let hand = HandTree.shared.hands[number]
      if hand.isTwoCard21 { continue }
      var options: ActionSet = [.stand, .hit]
      if rules.mayDouble(hand) { options.insert(.double) }
      if hand.pair != nil { options.insert(.split) }
      if rules.surrender(against: upcard) != .none { options.insert(.surrender) }
      actions[hand] = try chart.action(for: hand, against: upcard, options: options)
    }
    return actions
  }

  /// A hand's values as `ActionValues` defines them: given no dealer natural with a peek, unconditional without one. A
  /// natural can only stand, with the value of its payoff.
  func values(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> ActionValues {
    unconditional(
      upcards[upcard.index].values[first.index * 10 + second.index],
      natural: naturalChance(first, second, against: upcard), isNatural: Hand(first, second).isTwoCard21)
  }

  /// The values of a hand of any number of cards, and its outlook in the measure of the game.
  func outlook(of cards: [CardValue], against upcard: CardValue) -> (values: ActionValues, UpcardGame.Outlook) {
    var game = UpcardGame(rules: rules, upcard: upcard, policy: policies?[upcard.index], shoe: shoe)
    let hand = HandTree.shared.number(of: cards)
    let outlook = game.outlook(of: hand)
    let values =
      cards.count == 2
      ? self.values(cards[0], cards[1], against: upcard)
      : unconditional(outlook.values, natural: game.naturalChance(hand), isNatural: false)
    return (values, outlook)
  }

  /// The unconditional values; under original-bets-only rules, with the loss to a dealer natural.
  private func unconditional(_ values: ActionValues, natural: Double, isNatural: Bool) -> ActionValues {
    guard rules.holeCard == .noneOriginalBetOnly else { return values }
    var values = values
    let lost = isNatural ? 0 : natural
    for action in Action.allCases {
      if let value = values[action] { values[action] = (1 - natural) * value - lost }
    }
    return values
  }

  func values(of key: ChartCellKey) -> ActionValues {
    handWeights(of: key.row, against: key.upcard).reduce(into: ActionValues()) { mean, hand in
      let values = values(hand.first, hand.second, against: key.upcard)
      for action in Action.allCases {
        if let value = values[action] { mean[action] = (mean[action] ?? 0) + hand.weight * value }
      }
    }
  }

  func firstAction(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Action {
    guard let firstActions else { return values(first, second, against: upcard).best?.action ?? .stand }
    return firstActions[upcard.index][Hand(first, second)] ?? .stand
  }

  /// The value of a whole round, in bets, naturals of both sides included.
  var gameValue: Double {
    var sum = 0.0
    for upcard in CardValue.allCases {
      for first in CardValue.allCases {
        for second in CardValue.allCases where second <= first {
          let chance = chance(first, second, against: upcard)
          guard chance > 0 else { continue }
          let value = values(first, second, against: upcard)[firstAction(first, second, against: upcard)] ?? 0
          let natural = peeks ? naturalChance(first, second, against: upcard) : 0
          let lost = Hand(first, second).isTwoCard21 ? 0 : natural
          sum += chance * ((1 - natural) * value - lost)
        }
      }
    }
    return sum
  }

  private var peeks: Bool { rules.holeCard == .peek }

  func naturalChance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    upcards[upcard.index].naturalChance[first.index * 10 + second.index]
  }

  func chance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    var shoe = shoe
    var chance = first == second ? 1.0 : 2.0
    for card in [first, second, upcard] {
      chance *= shoe.chance(of: card.index)
      shoe.remove(card.index)
    }
    return max(chance, 0)
  }

  /// The two-card hands of a row, the larger card first, with weights that sum to 1: the chance of each given the
  /// upcard and, with a peek, no dealer natural.
  func handWeights(
    of row: ChartRow, against upcard: CardValue
  ) -> [(first: CardValue, second: CardValue, weight: Double)] {
    let total = chance(of: row, against: upcard)
    return row.twoCardHands.map { ($0, $1, playedChance($0, $1, against: upcard) / total) }
  }

  /// The chance that a round begins with a hand of the row against the upcard and, with a peek, no dealer natural.
  func chance(of row: ChartRow, against upcard: CardValue) -> Double {
    row.twoCardHands.reduce(0) { $0 + playedChance($1.0, $1.1, against: upcard) }
  }

  /// The chance of a hand against the upcard and, with a peek, no dealer natural.
  func playedChance(_ first: CardValue, _ second: CardValue, against upcard: CardValue) -> Double {
    let chance = chance(first, second, against: upcard)
    return chance > 0 ? chance * (1 - (peeks ? naturalChance(first, second, against: upcard) : 0)) : 0
  }

  var chart: ChartResult {
    let cells = ChartCellKey.all.map { key in
      let values = values(of: key)
      return ChartCell(exact: values, of: key, decision: Self.decision(values))
    }
    return ChartResult(provenance: Provenance(rules: rules, simulation: nil), cells: cells, gameValue: gameValue)
  }

  /// The best action of a cell, and the fallback for when it is not allowed.
  static func decision(_ values: ActionValues) -> StrategyChart.Cell {
    let best = Self.best(of: values, among: Action.allCases)
    return switch best {
    // A pair that cannot be split again is played as its total.
    case .stand, .hit, .split: StrategyChart.Cell(best)
    case .double: StrategyChart.Cell(best, else: Self.best(of: values, among: [.stand, .hit]))
    // Surrender is not allowed with three cards or after a split, and doubling may not be either.
    case .surrender: StrategyChart.Cell(best, else: Self.best(of: values, among: [.stand, .hit, .split]))
    }
  }

  private static func best(of values: ActionValues, among actions: [Action]) -> Action {
    values.ranked.first { actions.contains($0.action) }?.action ?? .stand
  }
}

extension ChartCell {
  init(exact values: ActionValues, of key: ChartCellKey, decision: StrategyChart.Cell) {
    let ranked = values.ranked
    let margin = ranked.count > 1 ? ranked[0].value - ranked[1].value : 0
    self.init(
      key: key, decision: decision, runnerUp: ranked.dropFirst().first?.action, values: values,
      valuesLow: values, valuesHigh: values, margin: margin, marginLow: margin, marginHigh: margin, samples: 0,
      verdict: .exact)
  }
}
