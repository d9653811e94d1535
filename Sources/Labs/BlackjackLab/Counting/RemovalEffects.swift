// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The exact effects of removing one card from the shoe, by card.
struct RemovalEffects: Sendable {
  /// The gain of a round by the chart of the full shoe, in bets; `best` is that of a round by best play.
  let fixed: [Double]
  let best: [Double]
  /// The gain of an insurance bet, as a share of it.
  let insurance: [Double]
  /// The mean win of a round by the chart from the full shoe, in bets.
  let edge: Double

  /// Takes some seconds, for eleven analyses, each done twice.
  init(rules: Rules) throws(BlackjackError) {
    let full = ShoeContents(rules: rules)
    let analysis = ExactAnalysis(rules: rules)
    let chart = analysis.chart.chart
    let edge = try ExactAnalysis(rules: rules, following: chart).gameValue
    var (fixed, best): ([Double], [Double]) = ([], [])
    var insurance: [Double] = []
    for card in CardValue.allCases {
      var shoe = full
      shoe.remove(card.index)
      fixed.append(try ExactAnalysis(rules: rules, following: chart, shoe: shoe).gameValue - edge)
      best.append(ExactAnalysis(rules: rules, shoe: shoe).gameValue - analysis.gameValue)
      insurance.append(3 * (shoe.chance(of: 9) - full.chance(of: 9)))
    }
    (self.fixed, self.best, self.insurance, self.edge) = (fixed, best, insurance, edge)
  }

  /// The mean effect of a random card: 0 for a fixed strategy.
  static func weightedSum(_ effects: [Double]) -> Double {
    CardValue.allCases.reduce(0) { $0 + Double($1.ranksPerSuit) * effects[$1.index] } / 13
  }

  /// The correlation of effects with the tags of a count, with cards weighted as in a deck.
  static func correlation(_ effects: [Double], _ system: CountingSystem) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    func moment(_ one: [Double], _ other: [Double]) -> Double {
      let product = weightedSum(zip(one, other).map { $0 * $1 })
      return product - weightedSum(one) * weightedSum(other)
    }
    return moment(effects, tags) / (moment(effects, effects) * moment(tags, tags)).squareRoot()
  }

  /// The gain of a bet by one point of the true count: the slope of the effects on the tags, with 52 cards a deck.
  static func slope(_ effects: [Double], _ system: CountingSystem, decks: Int) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    let mean = weightedSum(tags)
    let products = weightedSum(zip(effects, tags).map { $0 * ($1 - mean) })
    // The effects are of one card of `decks` decks; one point per deck is that many cards.
    return products / weightedSum(tags.map { ($0 - mean) * ($0 - mean) }) * Double(52 * decks - 1) / 52
  }
}
