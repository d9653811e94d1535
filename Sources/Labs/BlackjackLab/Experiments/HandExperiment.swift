// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Statistics

struct HandExperiment: BatchedExperiment {
  static let kind = "blackjack.hand"
  static let summary = "Values every action of one hand, exactly and by simulation."
  static let discussion = """
    Example: assay blackjack hand A,7 9 --rules 6d-s17-das
    Example: assay blackjack hand 10,6 10 --why
    Example: assay blackjack hand 10,6 10 --seen 10,10,5,K,9

    A round plays every action once, each with separate cards.
    """
  static let samplesName = "rounds"
  static let defaultSamples = 1_000_000
  static let defaultConfidence = 0.999
  static let streams = Action.allCases.map(\.name)
  static let samplesPerBatch = 1 << 16

  var cards: [CardValue] = []
  var upcard = CardValue.ace
  var rules = NamedRules.default
  var seen: [CardValue] = []
  var resplit = Resplit.best
  var why = false
  private var values: HandValues?

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter(
      "cards", \.cards, .cards(2), "The player's cards, two or more, joined by commas.", example: "A,7",
      form: .positional, isRequired: true),
    Parameter(
      "upcard", \.upcard, .card, "The dealer's upcard.", example: "9", form: .positional, isRequired: true),
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
    Parameter(
      "seen", \.seen, .cards(1), "Cards seen before, which the shoe lacks, joined by commas.", example: "10,10,5",
      when: { !$0.seen.isEmpty }),
    .resplit(\.resplit),
    Parameter(
      "why", \.why, .flag,
      "Explain the best action: the chance to bust, the dealer's outcomes, and the payoffs of the best two actions.",
      when: \.why),
  ]

  /// The shoe must be able to deal the hand, and the hand must leave a decision.
  func check() throws(ParameterError) {
    guard rules.hasFreshShoe else {
      throw ParameterError(
        "rules",
        expected: "rules without a cut card: a hand is valued from a fresh shoe; 'blackjack chart' takes \(rules.label)"
      )
    }
    for value in CardValue.allCases {
      let needed = [cards + [upcard], cards + [upcard] + seen].map { $0.count { $0 == value } }
      guard let held = rules.rules.cards(of: value) else { continue }
      guard needed[0] <= held else {
        throw ParameterError(
          "cards", "upcard", "rules",
          expected:
            "a hand that can be dealt: it needs \(needed[0]) of the card \(value), and \(rules.label) has \(held)"
        )
      }
      guard needed[1] <= held else {
        throw ParameterError(
          "seen", "rules",
          expected: "cards that the shoe has: with the hand they are \(needed[1]) of the card \(value), and "
            + "\(rules.label) has \(held)")
      }
    }
    if !seen.isEmpty { try checkRest() }
    for count in cards.indices.dropFirst().map({ $0 + 1 }) {
      let hand = Hand(cards.prefix(count))
      let problem =
        hand.isTwoCard21
        ? "a natural is paid at once, without a decision"
        : hand.isBust
          ? "it is bust with \(hand.total)" : hand.total == 21 ? "21 stands, without a decision" : nil
      if let problem { throw ParameterError("cards", expected: "a hand to play: \(problem)") }
    }
  }

  /// The rest of the shoe must last for any play of the hand.
  private func checkRest() throws(ParameterError) {
    guard rules.rules.decks != .infinite else {
      throw ParameterError("seen", "rules", expected: "1 to 8 decks: an infinite shoe is the same after any card")
    }
    let gone = cards + [upcard] + seen
    let left = CardValue.allCases.map { card in (rules.rules.cards(of: card) ?? 0) - gone.count { $0 == card } }
    // A hand draws up to 20, so it and the dealer's hand have at most 30 points each, aces counting 1.
    let (points, maximum) = (left.indices.reduce(0) { $0 + left[$1] * ($1 + 1) }, 30 * (rules.rules.maximumHands + 1))
    guard points >= maximum else {
      throw ParameterError(
        "seen", "rules",
        expected: "fewer cards: those left have \(points) points together, and a round may need \(maximum)")
    }
    guard rules.rules.holeCard == .peek, let natural = upcard.naturalPartner else { return }
    guard left.reduce(0, +) - left[natural.index] >= 8 else {
      throw ParameterError(
        "seen", "upcard", expected: "at least 8 cards left that make the dealer no natural with \(upcard)")
    }
  }

  private var actions: [Action] {
    (try? HandStart(rules: rules.rules, cards: cards, upcard: upcard, seen: seen))?.options.actions ?? []
  }

  func tallied(at confidence: Double) -> [Measure] {
    rows(at: confidence).flatMap { row in actions.map { row.measure(of: $0.name) } }
  }

  private func rows(at confidence: Double) -> [MeasureRow<(HandReport, Action)>] {
    [
      .interval(
        "value", title: "simulated", "the value of the action, simulated", unit: "bets", confidence: confidence
      ) { $0.0.simulated($0.1) }
    ] + Self.computed
  }

  private static let computed: [MeasureRow<(HandReport, Action)>] = [
    .exact(
      "value.exact", title: "by chart", "the value of the action, computed, with later play by the chart",
      unit: "bets"
    ) { $0.0.values.exactByChart[$0.1] },
    .exact(
      "value.composition", title: "exact",
      "the value of the action, computed, with the best later play by composition", unit: "bets"
    ) { $0.0.values.exact[$0.1] },
  ]

  mutating func prepare(on context: RunContext) throws {
    let chart = ExactAnalysis(rules: rules.rules).chart.chart
    var shoe = ShoeContents(rules: rules.rules)
    for card in seen { shoe.remove(card.index) }
    let rest = seen.isEmpty ? nil : shoe
    let (exact, outlook) = ExactAnalysis(rules: rules.rules, resplit: resplit, shoe: rest).outlook(
      of: cards, against: upcard)
    values = HandValues(
      start: try HandStart(rules: rules.rules, cards: cards, upcard: upcard, seen: seen), chart: chart, exact: exact,
      exactByChart: try ExactAnalysis(rules: rules.rules, following: chart, shoe: rest).outlook(
        of: cards, against: upcard
      ).values,
      outlook: outlook,
      splitAlways: exact[.split] == nil
        ? nil
        : ExactAnalysis(rules: rules.rules, resplit: .always, shoe: rest).values(cards[0], cards[1], against: upcard)[
          .split])
  }

  func tally() -> [PayoffTally] { actions.map { _ in PayoffTally() } }

  func scratch(generator: String) throws -> UncopiedScratch<StampedShoe> {
    UncopiedScratch(try StampedShoe(rules: rules.rules, generator: generator, seed: 1))
  }

  func draw(
    _ batch: SampleBatch, _ shoe: inout UncopiedScratch<StampedShoe>, into tallies: inout [PayoffTally]
  ) throws {
    guard let values else { return }
    for (index, action) in values.start.options.actions.enumerated() {
      try shoe.state.reseed(batch.seed(Int(action.rawValue)))
      tallies[index].merge(
        try values.start.play(action, times: batch.count, following: values.chart, from: &shoe.state))
    }
  }

  private func report(of run: SampledRun<[PayoffTally]>) -> HandReport? {
    values.map { HandReport(experiment: self, values: $0, run: run) }
  }

  private func measurements(of run: SampledRun<[PayoffTally]>, for actions: [Action]) -> [Scenarios.Measurement] {
    guard let report = report(of: run) else { return [] }
    return rows(at: run.confidence).flatMap { row in
      actions.compactMap { row.measurement(of: $0.name, in: (report, $0)) }
    }
  }

  func measurements(of run: SampledRun<[PayoffTally]>) -> [Scenarios.Measurement] {
    measurements(of: run, for: actions)
  }

  func data(of run: SampledRun<[PayoffTally]>) -> [JSONMember] {
    guard let report = report(of: run) else { return [] }
    let best = JSONMember("best", report.ranking.first.map { .string($0.action.name) } ?? .null)
    return [best] + (why ? [JSONMember("why", report.why)] : [])
  }

  func sections(of run: SampledRun<[PayoffTally]>) -> [ReportBlock] {
    guard let report = report(of: run) else { return [] }
    return report.blocks(
      Table(measurements(of: run, for: report.ranking.map(\.action)), by: "action", at: run.confidence))
  }
}

extension ValueType where Value == CardValue {
  fileprivate static var card: Self {
    let expected = "a card: A, 2 to 10, or T, J, Q, K, which count ten"
    return Self(
      "card", expected: expected,
      read: { field throws(ReportingError) in
        guard let card = CardValue(try field.string(expected: expected)) else { throw field.bad(expected: expected) }
        return card
      }, write: { .string($0.description) })
  }
}

extension ValueType where Value == [CardValue] {
  /// At least one card, or two of a hand, whose total is no hand.
  fileprivate static func cards(_ minimum: Int) -> Self {
    let expected =
      "\(minimum == 1 ? "one card" : "two cards") or more, A, 2 to 10 (T, J, Q, K count ten), joined by commas"
    return Self(
      "cards", expected: expected, schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let parts = try field.string(expected: expected).split(separator: ",", omittingEmptySubsequences: false)
        let cards = parts.compactMap { CardValue($0) }
        if minimum > 1, parts.count == 1, let total = Int(parts[0]),
          (11...21).contains(total) || (total > 4 && total < 10)
        {
          let maximum = min(10, total - 2)
          throw field.bad(expected: "the cards of the total, such as \(maximum),\(total - maximum)")
        }
        guard cards.count >= minimum, cards.count == parts.count else { throw field.bad(expected: expected) }
        return cards
      }, write: { .string($0.map(\.description).joined(separator: ",")) })
  }
}

/// The values of one hand's actions that are computed before the rounds.
private struct HandValues: Sendable {
  let start: HandStart
  /// The chart of later play in the simulation.
  let chart: StrategyChart
  /// The values, in bets, with later play by composition.
  let exact: ActionValues
  /// The values, in bets, with later play by the chart of the simulation.
  let exactByChart: ActionValues
  let outlook: UpcardGame.Outlook
  /// The value of a split if pairs are always split again where the rules allow it.
  let splitAlways: Double?
}

/// The values of one hand's actions, by both methods.
private struct HandReport {
  let experiment: HandExperiment
  let values: HandValues
  let run: SampledRun<[PayoffTally]>

  private func result(of action: Action) -> PayoffTally? {
    zip(values.start.options.actions, run.tally).first { $0.0 == action }?.1
  }

  /// The mean of an action. By Bonferroni each interval has a share of the error, so that they hold together.
  func simulated(_ action: Action) -> Measurement.Value? {
    func value(_ mean: Double, _ range: ClosedRange<Double>) -> Measurement.Value {
      .interval(
        mean, low: range.lowerBound, high: range.upperBound, confidence: run.confidence, samples: run.samples)
    }
    if let known = values.start.knownValue(of: action) { return value(known, known...known) }
    guard
      let sample = result(of: action).flatMap({
        BoundedSample($0.moments, unit: 0.1, range: PayoffTally.range)
      })
    else { return nil }
    return value(sample.mean, sample.interval(tail: (1 - run.confidenceOfLook) / Double(2 * run.tally.count)))
  }

  func blocks(_ table: Table) -> [ReportBlock] {
    let (hand, rules) = (Hand(experiment.cards), experiment.rules.rules)
    let seen = experiment.seen.map(\.description).joined(separator: ",")
    let lacks = seen.isEmpty ? "" : " The shoe lacks \(NumberFormat.counted(experiment.seen.count, "card")): \(seen)."
    let kind = hand.pair == nil ? " (\(hand))" : ""
    let cards = experiment.cards.map(\.description).joined(separator: ",")
    let isPeek = rules.holeCard == .peek
    let advice = ranking.first.map { best, value in
      let lead = ranking.dropFirst().first.map {
        ", \(NumberFormat.bets(value - $0.value)) bets better than \($0.action.name)"
      }
      return "Best: \(best.name)\(lead ?? "")."
    }
    let afterSplit = hand.pair == nil ? "" : ", after a split as before it (CDZ-)"
    var notes = [
      isPeek ? "Values in bets, given that the dealer has no natural." : "Values in bets.",
      "exact: the rest of the hand is played best by composition\(afterSplit); by chart: it follows the chart, as in "
        + "the simulation.",
    ]
    if hand.pair != nil && rules.decks != .infinite {
      notes.append("Play after the split that knows the pair card or the other hands is worth a little more than CDZ-.")
    }
    if let split = values.exact[.split], let splitAlways = values.splitAlways, split - splitAlways > 1e-9 {
      notes.append(
        "A pair that the split makes is not split again, because that is worse. Split again wherever the rules allow "
          + "it (--resplit always), the split is worth \(NumberFormat.bets(splitAlways)).")
    }
    notes.append("The simulated intervals hold together with \(NumberFormat.percent(run.confidence)) confidence.")
    let title = "\(cards)\(kind) against \(experiment.upcard) under \(experiment.rules.label)"
    return [.paragraph("\(title): \(rules.inWords).\(lacks)")] + (advice.map { [.paragraph($0)] } ?? [])
      + (experiment.why ? reasons : []) + [.figure(figure), .table(table)] + notes.map { .paragraph($0) }
  }

  private var figure: Figure {
    let names = ranking.map(\.action.name)
    return Figure(
      id: "values", title: "The value of each action",
      alternative: "A bar an action, the best first: \(names.joined(separator: ", ")).",
      x: Figure.Axis("action", scale: .names(names)), y: Figure.Axis("value, bets"),
      series: [
        Figure.Series("", style: .bars, points: ranking.enumerated().map { Figure.Point(Double($0), $1.value) })
      ]
    ).showing([Figure.Subject("value.composition")])
  }

  /// The actions from best to worst, by the exact values.
  var ranking: [(action: Action, value: Double)] { values.exact.ranked }
}

/// The explanation of the best action.
extension HandReport {
  private static let confidence = 0.99

  /// The best action and the second best, if they were played, with their payoffs.
  private var rivals: [(action: Action, result: PayoffTally)] {
    ranking.prefix(2).compactMap { one in result(of: one.action).map { (one.action, $0) } }
  }

  /// The payoffs of either, in tenths of a bet.
  private var payoffs: [Int] { Set(rivals.flatMap { $0.result.payoffs.map(\.tenths) }).sorted() }

  private static func share(of tenths: Int, in result: PayoffTally) -> Measurement {
    let count = result.payoffs.first { $0.tenths == tenths }?.count ?? 0
    return Measurement(
      Measure("share", meaning: "", kind: .proportion), .proportion(successes: count, trials: result.rounds))
  }

  private static func name(_ ending: DealerFinal) -> String {
    ending == .bust || ending == .natural ? "\(ending)" : "\(ending.total)"
  }

  fileprivate var reasons: [ReportBlock] {
    func percent(_ share: Double) -> String { NumberFormat.percent(share, decimals: 2) }
    let endings = values.outlook.dealer.filter { $0.chance > 0 }
    let given = experiment.rules.rules.naturalTakesMoreBets ? "" : ", given no natural"
    let dealer = Table([], numbers: endings.map { Self.name($0.ending) }, rows: [endings.map { percent($0.chance) }])
    let paid = Table(
      [], numbers: ["paid, bets"] + rivals.map(\.action.name),
      rows: payoffs.map { tenths in
        [NumberFormat.bets(tenths: tenths)]
          + rivals.map { rival in
            let share = Self.share(of: tenths, in: rival.result)
            return share.estimate == 0 ? "" : share.text(at: Self.confidence)
          }
      })
    return [
      .paragraph("One more card busts the hand in \(percent(values.outlook.bust)) of cases."),
      .table(dealer, caption: "The dealer's endings, computed\(given)."),
      .table(
        paid,
        caption: "The payoffs, simulated, with later play by the chart; each interval at "
          + "\(NumberFormat.percent(Self.confidence)) by itself."),
      .figure(paidFigure),
    ]
  }

  private var paidFigure: Figure {
    Figure(
      id: "paid", title: "The payoffs of the two best actions",
      alternative: "For each payoff a bar an action: the share of rounds that paid it.",
      x: Figure.Axis("paid, bets", scale: .names(payoffs.map { NumberFormat.bets(tenths: $0) })),
      y: Figure.Axis("share of rounds, %"),
      series: rivals.map { action, result in
        Figure.Series(
          action.name, style: .bars,
          points: payoffs.enumerated().map { position, tenths in
            Figure.Point(Double(position), Self.share(of: tenths, in: result), at: Self.confidence, scale: 100)
          })
      })
  }

  /// The explanation for programs: chances, and the number of times that each payoff occurred.
  var why: JSONValue {
    let dealer = values.outlook.dealer.map { JSONMember(Self.name($0.ending), .number($0.chance)) }
    let paid = rivals.map { action, result in
      JSONMember(
        action.name,
        .object(result.payoffs.map { JSONMember(NumberFormat.bets(tenths: $0.tenths), .integer($0.count)) }))
    }
    return ["bust": .number(values.outlook.bust), "dealer": .object(dealer), "paid": .object(paid)]
  }
}
