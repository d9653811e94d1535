// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Computes the effect of removing a card from the shoe, and how well each count follows it.
struct EffectsExperiment: Experiment {
  static let kind = "blackjack.effects"
  static let summary = "Computes the effect of removing each card on the edge and insurance, and how counts follow it."
  static let discussion = """
    Example: assay blackjack effects --rules 6d-s17-das-spl1

    The strategy is the chart of the full shoe, so the mean effect of a random card is 0, which checks the \
    computation; next to it are the effects with best play. The betting correlation is that of the \
    effects with a count's tags, the insurance correlation that of insurance's effects.
    """
  static let isDrawn = false
  static let defaultThresholds = ["effect.sum in -0.000000001..0.000000001"]

  var rules = NamedRules.default
  var counts = CountingSystem.all.map { NamedCount(text: $0.name, value: $0) }

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17"),
    Parameter(
      "counts", \.counts, ValueType<NamedCount>.count.list(), "The counts that are compared.", example: "zen ko"),
  ]

  func check() throws(ParameterError) {
    guard case .finite = rules.rules.decks, rules.hasFreshShoe else {
      throw ParameterError("rules", expected: "1 to 8 decks without a cut card: the analyser computes a fresh shoe")
    }
  }

  private static let cards: [MeasureRow<(RemovalEffects, CardValue)>] = [
    .exact("effect", "the gain of a round by the chart", unit: "bets") { $0.0.fixed[$0.1.index] },
    .exact("effect.best", title: "best play", "the gain of a round of best play", unit: "bets") {
      $0.0.best[$0.1.index]
    },
    .exact("effect.insurance", title: "insurance", "the gain of an insurance bet", unit: "bets") {
      $0.0.insurance[$0.1.index]
    },
  ]

  private static let systems: [MeasureRow<(RemovalEffects, CountingSystem, Int)>] = [
    .exact("correlation.betting", "the correlation of the effects with the tags") {
      RemovalEffects.correlation($0.0.fixed, $0.1)
    },
    .exact("correlation.insurance", "the correlation of insurance's effects with the tags") {
      RemovalEffects.correlation($0.0.insurance, $0.1)
    },
    .exact("slope", "the gain of a round by one point of the true count", unit: "bets") {
      RemovalEffects.slope($0.0.fixed, $0.1, decks: $0.2)
    },
  ]

  private static let sum = MeasureRow<RemovalEffects>.exact(
    "effect.sum", "the mean effect of a random card by the chart, which is 0", unit: "bets"
  ) {
    let sum = RemovalEffects.weightedSum($0.fixed)
    // The effects are differences of expected wins, whose rounding is larger than that.
    return abs(sum) < 1e-15 ? 0 : sum
  }

  var measures: [Measure] {
    Self.cards.measures(of: CardValue.allCases.map(\.description)) + Self.systems.measures(of: counts.map(\.text))
      + [Self.sum.measure()]
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised, case .finite(let decks) = rules.rules.decks else { return .interrupted }
    let effects = try RemovalEffects(rules: rules.rules)
    let cards = CardValue.allCases.flatMap { Self.cards.measurements(of: $0.description, in: (effects, $0)) }
    let systems = counts.flatMap { Self.systems.measurements(of: $0.text, in: (effects, $0.system, decks)) }
    let sum = [Self.sum].measurements(in: effects)
    let table = Table(
      ["card"], numbers: ["effect, %", "with best play, %", "insurance, %"],
      rows: CardValue.allCases.map { card in
        [card.description]
          + [effects.fixed, effects.best, effects.insurance].map {
            NumberFormat.signed($0[card.index] * 100, decimals: 4)
          }
      })
    return ScenarioResult(
      measurements: cards + systems + sum,
      document: Document(
        id: "effects", title: "Effects of removal under \(rules.label)",
        [
          .paragraph("A round by the chart earns \(NumberFormat.edge(effects.edge)) from the full shoe."),
          .table(table, caption: "The effects of one card less in the shoe."),
          .table(Table(systems, by: "count", at: 0.99), caption: "How counts follow these effects."),
        ]))
  }
}

/// Finds hands whose best action depends on their cards.
struct CompositionExperiment: Experiment {
  static let kind = "blackjack.composition"
  static let summary = "Finds the hands of two to four cards whose best action differs from that of their total."
  static let discussion = """
    Example: assay blackjack composition --rules 1d-s17
    Example: assay blackjack composition --rules 6d-h17-ls --cards 3

    Exact. The best action is by the cards of the hand, that of the total by the chart of the rules, or its fallback \
    for more than two cards. The gain counts each hand as often as it is dealt to a player who follows the chart.
    """
  static let isDrawn = false

  var rules = NamedRules.default
  var cards = 4

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17"),
    Parameter("cards", \.cards, .count(2...6), "The most cards of a hand.", example: "3"),
  ]

  func check() throws(ParameterError) {
    guard rules.hasFreshShoe else {
      throw ParameterError("rules", expected: "rules without a cut card: the analyser computes a fresh shoe")
    }
  }

  private static let rows: [MeasureRow<[CompositionException]>] = [
    .count("exceptions", "hands whose best action differs from that of the total", unit: "hands") { $0.count },
    .exact("gain", "the gain of a round by them", unit: "bets") { $0.reduce(0) { $0 + $1.gain * $1.chance } },
  ]

  var measures: [Measure] { Self.rows.measures() }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
    let found = try CompositionException.all(under: rules.rules, cards: cards)
    let table = Table(
      ["hand", "dealer", "chart", "best"], numbers: ["gain", "timesPerMillion", "gainPerMillion"],
      rows: found.sorted { $0.gain * $0.chance > $1.gain * $1.chance }.map { one in
        [
          one.cards.map(\.description).joined(separator: ","), one.upcard.description, one.default.name, one.best.name,
          NumberFormat.bets(one.gain), NumberFormat.fixed(one.chance * 1e6, decimals: 1),
          NumberFormat.fixed(one.gain * one.chance * 1e6, decimals: 2),
        ]
      })
    return ScenarioResult(
      measurements: Self.rows.measurements(in: found),
      document: Document(
        id: "composition", title: "Hands whose cards matter under \(rules.label)",
        [
          .table(Table(Self.rows.measurements(in: found), at: 0.99)),
          .table(
            table,
            caption:
              "The gain in bets each time the hand comes up, the times that it comes up in a million rounds, and their "
              + "product: the gain in a million rounds, largest first."),
        ], data: table))
  }
}

/// A hand whose best action differs from that of its total.
struct CompositionException: Hashable, Sendable {
  let cards: [CardValue]
  let upcard: CardValue
  let `default`: Action
  let best: Action
  /// The gain of its best action, in bets, each time the hand comes up.
  let gain: Double
  /// The chance that a round by the chart reaches the hand without a dealer natural.
  let chance: Double

  static func all(under rules: Rules, cards maximum: Int) throws(BlackjackError) -> [CompositionException] {
    let analysis = ExactAnalysis(rules: rules)
    let (chart, tree) = (analysis.chart.chart, HandTree.shared)
    var found: [CompositionException] = []
    for upcard in CardValue.chartOrder {
      var game = UpcardGame(rules: rules, upcard: upcard, policy: nil)
      let policy = try HandPolicy(following: chart, against: upcard, rules: rules, tree: tree)
      var arrivals = Array(repeating: 0.0, count: tree.count)
      var draws = Array(repeating: 0.0, count: 10)
      for number in HandTree.empty..<tree.count where (2...maximum).contains(tree.sizes[number]) {
        let (hand, size) = (tree.hands[number], tree.sizes[number])
        if game.totals[number] >= 21 { continue }
        let cards = CardValue.allCases.flatMap { Array(repeating: $0, count: tree.count($0.index, in: number)) }
        let values: ActionValues
        var options: ActionSet = [.stand, .hit]
        if size == 2 {
          values = analysis.values(cards[0], cards[1], against: upcard)
          for action in Action.allCases where values[action] != nil { options.insert(ActionSet(action)) }
          let natural = rules.holeCard == .peek ? game.naturalChance(number) : 0
          arrivals[number] = analysis.chance(cards[0], cards[1], against: upcard) * (1 - natural)
        } else {
          guard arrivals[number] > 0 else { continue }
          values = game.outlook(of: number).values
        }
        guard arrivals[number] > 0 else { continue }
        let `default` = try chart.action(for: hand, against: upcard, options: options)
        if let best = values.best, let value = values[`default`], best.action != `default`, best.value > value + 1e-12 {
          found.append(
            CompositionException(
              cards: cards, upcard: upcard, default: `default`, best: best.action, gain: best.value - value,
              chance: arrivals[number]))
        }
        guard size == 2 ? `default` == .hit : policy.later[number] == .hit else { continue }
        var left = game.shoe
        left.remove(hand: number, of: tree)
        left.drawChances(hidden: game.dealer.hidden, into: &draws)
        for value in 0..<10 where tree.child(number, value) != HandTree.bust {
          arrivals[tree.child(number, value)] += arrivals[number] * draws[value]
        }
      }
    }
    return found
  }
}
