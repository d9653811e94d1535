// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

struct HandExperiment: Simulated {
  static let isDrawn = false
  static let kind = "blackjack.hand"
  static let summary = "Values every action of one hand, exactly and by simulation."
  static let discussion = "Example: assay blackjack hand A,7 9 --rules 6d-s17-das"

  var cards: [CardValue] = []
  var upcard = CardValue.ace
  var rules = NamedRules.usual
  var rounds = 1_000_000
  var resplit = Resplit.best
  var simulation = Provenance.Simulation()

  static let parameters: [Parameter<Self>] =
    [
      Parameter(
        "cards", \.cards, .cards, "The player's cards, two or more, joined by commas.", example: "A,7",
        form: .positional, isRequired: true),
      Parameter(
        "upcard", \.upcard, .card, "The dealer's upcard.", example: "9", form: .positional, isRequired: true),
      Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
      Parameter(
        "rounds", \.rounds, .count(2...1_000_000_000_000), "How many times to play each action.", example: "1e7"),
      .resplit(\.resplit),
    ] + Parameter.random + [.confidence("The probability that all intervals hold together.")]

  /// The hand has to be one that the shoe can deal and that leaves something to decide.
  func check() throws(ParameterError) {
    for value in CardValue.allCases {
      let used = (cards + [upcard]).count { $0 == value }
      if let held = rules.rules.cards(of: value), used > held {
        throw ParameterError(
          "cards", "upcard", "rules",
          expected: "a hand that can be dealt: it needs \(used) of the card \(value), and \(rules.label) has \(held)")
      }
    }
    for count in cards.indices.dropFirst().map({ $0 + 1 }) {
      let hand = Hand(cards.prefix(count))
      let problem =
        hand.isTwoCard21
        ? "a natural is paid at once, nothing is decided"
        : hand.isBust
          ? "it is bust with \(hand.total)" : hand.total == 21 ? "21 stands by itself, nothing is decided" : nil
      if let problem { throw ParameterError("cards", expected: "a hand to play: \(problem)") }
    }
  }

  private var actions: [Action] {
    (try? HandStart(rules: rules.rules, cards: cards, upcard: upcard))?.options.actions ?? []
  }

  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("rounds", rounds) }

  var measures: [Measure] { rows.flatMap { row in actions.map { row.measure(of: $0.name) } } }

  private var rows: [MeasureRow<(HandReport, Action)>] {
    let confidence = simulation.confidence
    let simulated = MeasureRow<(HandReport, Action)>.interval(
      "value", title: "simulated", "what the action is worth, simulated", unit: "bets", confidence: confidence
    ) {
      let (estimate, action) = ($0.0.estimate, $0.1)
      return .interval(
        estimate.values[action] ?? .nan, low: estimate.low[action] ?? .nan, high: estimate.high[action] ?? .nan,
        confidence: confidence, samples: estimate.samples)
    }
    return cards.count == 2 ? [simulated] + Self.computed : [simulated]
  }

  private static let computed: [MeasureRow<(HandReport, Action)>] = [
    .exact(
      "value.exact", title: "by chart", "what the action is worth, computed, the later play being the chart's",
      unit: "bets"
    ) { $0.0.exactByChart?[$0.1] ?? .nan },
    .exact(
      "value.composition", title: "exact",
      "what the action is worth, computed, the later play being the best for the cards held", unit: "bets"
    ) { $0.0.exact?[$0.1] ?? .nan },
  ]

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let chart = ExactAnalysis(rules: rules.rules).chart.chart
    let simulator = try HandSimulator(
      rules: rules.rules, cards: cards, against: upcard, following: chart, simulation: simulation,
      workers: bench.workers)
    let meter = bench.meter(nil, "rounds")
    defer { meter?.finish() }
    let estimate = try simulator.play(samples: rounds, interrupt: bench.interrupt) { meter?.advance(by: $0) }
    var report = HandReport(experiment: self, estimate: estimate)
    if cards.count == 2 {
      report.exact = ExactAnalysis(rules: rules.rules, resplit: resplit).values(cards[0], cards[1], against: upcard)
      report.splitAlways =
        ExactAnalysis(rules: rules.rules, resplit: .always).values(cards[0], cards[1], against: upcard)[.split]
      report.exactByChart = try ExactAnalysis(rules: rules.rules, following: chart)
        .values(cards[0], cards[1], against: upcard)
    }
    let played = actions.filter { estimate.values[$0] != nil }
    func measurements(_ actions: [Action]) -> [Measurement] {
      rows.flatMap { row in actions.compactMap { row.measurement(of: $0.name, in: (report, $0)) } }
    }
    let table = Table(measurements(report.ranking.map(\.action)), by: "action", at: simulation.confidence)
    return ScenarioResult(
      measurements: measurements(played), data: ["best": report.best.map { .string($0.name) } ?? .null],
      document: report.document(table), confidence: simulation.confidence, isComplete: !bench.interrupt.isRaised)
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
  fileprivate static var cards: Self {
    let expected = "two cards or more, A, 2 to 10 (T, J, Q, K count ten), joined by commas"
    return Self(
      "cards", expected: expected, schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let parts = try field.string(expected: expected).split(separator: ",", omittingEmptySubsequences: false)
        let cards = parts.compactMap { CardValue($0) }
        if parts.count == 1, let total = Int(parts[0]), (11...21).contains(total) || (total > 4 && total < 10) {
          let most = min(10, total - 2)
          throw field.bad(expected: "the cards of the total, such as \(most),\(total - most)")
        }
        guard cards.count >= 2, cards.count == parts.count else { throw field.bad(expected: expected) }
        return cards
      }, write: { .string($0.map(\.description).joined(separator: ",")) })
  }
}

/// Every action's value for one hand, by both methods.
struct HandReport {
  let experiment: HandExperiment
  let estimate: HandSimulator.Estimate
  /// The computed values, in bets, later play by the cards themselves; `nil` for more than two cards.
  var exact: ActionValues?
  /// The computed values, in bets, later play by the chart that the simulation followed.
  var exactByChart: ActionValues?
  /// What a split is worth, computed, where pairs are split again wherever the rules allow it.
  var splitAlways: Double?

  func document(_ table: Table) -> Document {
    let (hand, rules, simulation) = (Hand(experiment.cards), experiment.rules.rules, experiment.simulation)
    let kind = hand.pair == nil ? " (\(hand))" : ""
    let cards = experiment.cards.map(\.description).joined(separator: ",")
    let isPeek = rules.holeCard == .peek
    let advice = ranking.first.map { best, value in
      guard isCertain else { return "Not certain yet: so far \(best.name) is the best." }
      let lead = ranking.dropFirst().first.map {
        ", \(NumberFormat.bets(value - $0.value)) bets better than \($0.action.name)"
      }
      return "Best: \(best.name)\(lead ?? "")."
    }
    var notes = [isPeek ? "Values in bets, given that the dealer has no natural." : "Values in bets."]
    if let exact {
      notes.append(
        "exact: what follows is the best for the cards held; by chart: it follows the chart, as in the simulation.")
      if let split = exact[.split], let splitAlways, split - splitAlways > 1e-9 {
        notes.append(
          "A pair that the split makes is not split again, which would be worse: split again wherever the rules allow "
            + "it (--resplit always), the split is worth \(NumberFormat.bets(splitAlways)).")
      }
    }
    notes.append(
      "Played \(NumberFormat.grouped(estimate.samples)) times an action with \(simulation.generator), "
        + "seed \(simulation.seed); the intervals hold together with "
        + "\(NumberFormat.percent(simulation.confidence)) confidence."
    )
    return Document(
      id: "values", title: "\(cards)\(kind) against \(experiment.upcard) under \(experiment.rules.label)",
      [.paragraph(rules.inWords + ".")] + (advice.map { [.paragraph($0)] } ?? [])
        + [.table(table)] + notes.map { .paragraph($0) })
  }

  /// The actions from best to worst: by the exact values where there are any.
  var ranking: [(action: Action, value: Double)] { (exact ?? estimate.values).ranked }

  /// Whether the best action is: computed, or simulated with an interval above all others.
  private var isCertain: Bool {
    guard exact == nil, let best = ranking.first?.action, let low = estimate.low[best] else { return true }
    return ranking.dropFirst().allSatisfy { (estimate.high[$0.action] ?? low) < low }
  }

  /// The best action, where it is certain.
  var best: Action? { isCertain ? ranking.first?.action : nil }
}
