// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What one card less in the shoe does, exactly, by card.
struct RemovalEffects: Sendable {
  /// The gain of a round by the chart of the full shoe, in bets, and of a round by best play.
  let fixed: [Double]
  let best: [Double]
  /// The gain of an insurance bet, in such bets.
  let insurance: [Double]
  /// What a round by the chart earns from the full shoe, in bets.
  let edge: Double

  /// Eleven analyses twice: some seconds.
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

  /// The mean effect of a random card: 0 where the strategy is fixed.
  static func weightedSum(_ effects: [Double]) -> Double {
    CardValue.allCases.reduce(0) { $0 + Double($1.ranksPerSuit) * effects[$1.index] } / 13
  }

  /// The correlation of effects with the tags of a count, cards weighted as a deck has them.
  static func correlation(_ effects: [Double], _ system: CountingSystem) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    func moment(_ one: [Double], _ other: [Double]) -> Double {
      let product = weightedSum(zip(one, other).map { $0 * $1 })
      return product - weightedSum(one) * weightedSum(other)
    }
    return moment(effects, tags) / (moment(effects, effects) * moment(tags, tags)).squareRoot()
  }

  /// What a bet gains by one point of the true count: the slope of the effects on the tags, a deck having 52 cards.
  static func slope(_ effects: [Double], _ system: CountingSystem, decks: Int) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    let mean = weightedSum(tags)
    let products = weightedSum(zip(effects, tags).map { $0 * ($1 - mean) })
    // The effects are of one card of so many decks; one point a deck is that many cards.
    return products / weightedSum(tags.map { ($0 - mean) * ($0 - mean) }) * Double(52 * decks - 1) / 52
  }
}
