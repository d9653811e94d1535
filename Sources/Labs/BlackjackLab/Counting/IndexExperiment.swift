// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Estimates indices as real numbers with intervals, their gains, and the errors of published lists.
struct IndexExperiment: Simulated {
  static let kind = "blackjack.indices"
  static let summary = "Finds the count at which a play changes, with an interval, and what published lists lose."
  static let discussion = """
    Example: assay blackjack indices --rules 6d-s17-das-ls-cut75
    Example: assay blackjack indices --plays insurance hard-16-v-10-HS soft-19-v-6-SD --half-width 0.05
    Example: assay blackjack indices --count ko --plays insurance hard-16-v-10-HS

    The true count has every card seen, the hand and the upcard included, and divides by the cards not seen, exactly; \
    an unbalanced count is read as it runs, at all depths together. The index is where the straight line through the \
    second action's gain, over the counts within 1 of it as they \
    occur before the cut card, crosses 0. Given the rest of the shoe the gain is computed, so that only rests with \
    one count differ. All intervals hold together at the confidence, by Fieller's theorem with errors that suppose no \
    equal variances; they are those of large samples. The hands have two cards; later play follows the chart.
    """

  var rules = NamedRules(label: "6d-s17-das-ls-cut75", rules: (try? Rules(name: "6d-s17-das-ls-cut75")) ?? .common)
  var count = NamedCount.default
  /// The plays; `nil` for the common ones that the rules allow.
  var plays: [NamedPlay]?
  /// The largest half-width; `nil` for the default of the count, since a point of a running count changes less.
  var givenHalfWidth: Double?
  var halfWidth: Double {
    get { givenHalfWidth ?? (isRunning ? 0.3 : 0.1) }
    set { givenHalfWidth = newValue }
  }
  private var isRunning: Bool { !count.system.isBalanced }
  var ramp = BetRamp.default
  var against: [String] = []
  var simulation = Provenance.SimulationSettings()

  init() { simulation.confidence = 0.99 }

  /// A play by its name: `hard-16-v-10-HS`, with the action below the index first, or `insurance`.
  struct NamedPlay: Hashable, Sendable {
    let play: PlayIndex

    init(_ play: PlayIndex) { self.play = play }

    init?(_ text: String) {
      guard text != "insurance" else {
        play = PlayIndex(nil, at: 0)
        return
      }
      let words = text.split(separator: "-").map(String.init)
      guard words.count == 5, words[2] == "v", let row = PublishedIndices.row(words[0], words[1]),
        let upcard = CardValue(words[3]), words[4].count == 2, let below = Action(letter: words[4].prefix(1)),
        let above = Action(letter: words[4].suffix(1)), below != above
      else { return nil }
      play = PlayIndex(ChartCellKey(row, against: upcard), below: below, above: above, at: 0)
    }

    var text: String {
      play.key.map {
        "\($0.row.kind.rawValue)-\($0.row.label)-v-\($0.upcard)-\(play.below.letter)\(play.above.letter)"
      } ?? "insurance"
    }
  }

  static let parameters: [Parameter<Self>] =
    [
      Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "6d-h17-das-ls-cut75"),
      Parameter(
        "count", \.count, .count, "The count; of an unbalanced one, running counts are found.", example: "zen"),
      Parameter(
        "plays", \.plays,
        ValueType<String>.text("play", expected: "plays such as hard-16-v-10-HS, below first, or insurance").map {
          NamedPlay($0)
        } back: {
          $0.text
        }.list().optional,
        "The plays; by default the 26 common ones that the rules allow.", example: "hard-16-v-10-HS"),
      Parameter(
        "half-width", \.halfWidth, .number(0.005...5),
        "The largest half-width of an interval, in counts: 0.1, and 0.3 for a running count.",
        example: "0.05"),
      Parameter(
        "ramp", \.ramp, .ramp, "The bets that weight a gain, by the count before the round.", example: "1:1 2:4"),
      Parameter(
        "against", \.against, ValueType<String>.choice(PublishedIndices.names, named: "list").list(),
        "The published lists of Hi-Lo to compare with; by default all for S17.", example: "classic",
        when: { !$0.against.isEmpty }),
    ] + Parameter.random + [.confidence("The probability that all intervals hold together.")]

  func check() throws(ParameterError) {
    guard case .finite = rules.rules.decks else {
      throw ParameterError("rules", expected: "1 to 8 decks: an infinite shoe has no count")
    }
    for one in plays ?? [] where !isPossible(one.play) {
      let allowed = one.play.key.map { rules.rules.actions(in: $0).map(\.name).joined(separator: ", ") } ?? ""
      throw ParameterError(
        "plays", "rules",
        expected: one.play.key == nil
          ? "no insurance: there is no hole card" : "other plays than \(one.text): \(rules.label) allows \(allowed)")
    }
    if !against.isEmpty, count.text != "hi-lo" {
      throw ParameterError("against", "count", expected: "hi-lo, since the lists are for it")
    }
    if !against.isEmpty, rules.rules.dealerHitsSoft17 {
      throw ParameterError(
        "against", "rules",
        expected: "s17, as published lists are; without --against the indices of \(rules.label) are found alone")
    }
  }

  private func isPossible(_ play: PlayIndex) -> Bool {
    guard let key = play.key else { return rules.rules.holeCard == .peek }
    return rules.rules.allows(play.above, in: key) && rules.rules.allows(play.below, in: key)
  }

  private var studied: [PlayIndex] {
    plays?.map(\.play) ?? PublishedIndices.plays.map(\.play).filter(isPossible)
  }

  private var lists: [String] {
    guard count.text == "hi-lo", !rules.rules.dealerHitsSoft17 else { return [] }
    return against.isEmpty ? PublishedIndices.names : against
  }

  private func published(_ play: PlayIndex) -> [(list: String, index: Double)] {
    lists.compactMap { list in
      PublishedIndices.list(list)?.first { $0.play == play.play }.map { (list, $0.index) }
    }
  }

  private var rows: [MeasureRow<FoundIndex>] {
    let confidence = simulation.confidence
    return [
      .interval(
        "index", "the \(isRunning ? "running" : "true") count from which the second action is better", unit: "counts",
        confidence: confidence
      ) {
        .interval($0.root, low: $0.low, high: $0.high, confidence: confidence, samples: $0.samples)
      },
      .exact(
        "index.floored", title: "floored",
        isRunning
          ? "the first running count that reaches the index" : "the index for a counter who rounds counts down"
      ) {
        $0.floored
      },
      .mean(
        "gain", "the gain of the play on the chart in 100 rounds under the ramp", unit: "units", range: nil
      ) { .mean($0.gain.value, standardDeviation: $0.gain.deviation, samples: $0.gain.samples) },
      .exact("spread", "the standard deviation of the gain among rests of one count", unit: "bets") { $0.spread },
    ]
  }

  private var totals: [MeasureRow<[FoundIndex]>] {
    let widest = 2 * halfWidth
    return [
      .count("indices.wide", "plays whose interval is wider than asked", unit: "plays") { found in
        found.count { $0.high - $0.low > widest }
      },
      .count("published.outside", "published indices that the interval excludes", unit: "indices") { found in
        found.reduce(0) { sum, one in sum + one.losses.count { !one.allows($0.index) } }
      },
    ]
  }

  var measures: [Measure] {
    studied.flatMap { play in rows.map { $0.measure(of: NamedPlay(play).text) } } + totals.measures()
      + lists.map { Self.loss(of: $0) }
  }

  private static func loss(of list: String) -> Measure {
    Measure(
      "published.loss", of: list, meaning: "the loss of the list's indices in 100 rounds under the ramp, on these",
      unit: "units", kind: .mean)
  }

  private var cut: Int {
    guard case .finite(let decks) = rules.rules.decks else { return 1 }
    return rules.rules.cardsToCut ?? 52 * decks * 3 / 4
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let plays = studied
    let analysis = ExactAnalysis(rules: rules.rules)
    let chart = analysis.chart.chart
    let studies = try plays.map {
      try IndexStudy($0, rules: rules.rules, system: count.system, analysis: analysis, chart: chart)
    }
    let each = 1 - (1 - simulation.confidence) / Double(plays.count)
    let finder = IndexFinder(
      studies: studies, cut: cut, ramp: ramp, published: plays.map(published), halfWidth: halfWidth,
      quantile: CountExperiment.quantile(each), seed: simulation.seed, generator: simulation.generator)
    guard let found = try context.showing(nil, "samples", finder.find) else { return .interrupted }
    // The plays have separate samples, so the losses of a list are independent.
    let losses = lists.map { list in
      let own = found.flatMap(\.losses).filter { $0.list == list }
      let deviation = own.reduce(0) { $0 + $1.deviation * $1.deviation }.squareRoot()
      return Measurement(
        Self.loss(of: list),
        .mean(
          own.reduce(0) { $0 + $1.value }, standardDeviation: deviation, samples: found.map(\.gain.samples).min() ?? 0))
    }
    let measurements =
      found.flatMap { rows.measurements(of: NamedPlay($0.study.play).text, in: $0) }
      + totals.measurements(in: found) + losses
    let indices = found.map { one in
      (
        play: PlayIndex(one.study.play.key, below: one.study.play.below, above: one.study.play.above, at: one.floored),
        more: [one.root, one.low, one.high].map { NumberFormat.fixed($0, decimals: 3) }
      )
    }
    return ScenarioResult(
      measurements: measurements, document: document(of: found, measurements),
      files: [
        .init(name: "indices.csv", content: PublishedIndices.csv(indices, more: ["exact", "low", "high"]))
      ], confidence: simulation.confidence)
  }

  private static func inPrint(_ one: FoundIndex) -> String {
    let indices = one.losses.map(\.index)
    guard let minimum = indices.min(), let maximum = indices.max() else { return "" }
    let range = [minimum, maximum].map(NumberFormat.shortest)
    return (minimum == maximum ? range[0] : range.joined(separator: " to "))
      + (one.losses.allSatisfy { one.allows($0.index) } ? "" : "!")
  }

  private var start: String {
    guard case .finite(let decks) = rules.rules.decks else { return "0" }
    return NumberFormat.shortest(Double(count.system.start(decks: decks)) / 2)
  }

  private func document(of found: [FoundIndex], _ measurements: [Measurement]) -> Document {
    let confidence = simulation.confidence
    let table = Table(
      ["play"],
      numbers: ["index", "from", "to", isRunning ? "play from" : "floored", "gain", "±"]
        + (lists.isEmpty ? [] : ["in print"]),
      rows: found.sorted { $0.gain.value > $1.gain.value }.map { one in
        let reach = CountExperiment.quantile(confidence) * one.gain.deviation / Double(one.gain.samples).squareRoot()
        return [one.study.play.play]
          + [one.root, one.low, one.high].map { NumberFormat.fixed($0, decimals: 2) }
          + [NumberFormat.shortest(one.floored)]
          + [one.gain.value, reach].map { NumberFormat.fixed($0, decimals: 4) }
          + (lists.isEmpty ? [] : [Self.inPrint(one)])
      })
    let outside = found.flatMap { one in
      one.losses.filter { !one.allows($0.index) }.map { loss in
        let reach = CountExperiment.quantile(confidence) * loss.deviation / Double(one.gain.samples).squareRoot()
        return [
          one.study.play.play, loss.list, NumberFormat.shortest(loss.index),
          NumberFormat.signed(loss.index - one.floored, decimals: 0), NumberFormat.fixed(loss.value, decimals: 5),
          NumberFormat.fixed(reach, decimals: 5),
        ]
      }
    }
    let picture = Figure(
      id: "indices", title: "Indices with their intervals",
      alternative: "For each play the count from which the second action is better, with its interval.",
      x: Figure.Axis("play", scale: .names(found.map { NamedPlay($0.study.play).text })),
      y: Figure.Axis(isRunning ? "running count" : "true count"),
      series: [
        Figure.Series(
          "index", style: .points,
          points: found.enumerated().map { position, one in
            Figure.Point(
              Double(position), one.root, interval: one.low.isFinite && one.high.isFinite ? one.low...one.high : nil)
          })
      ]
    ).showing([Figure.Subject("index")])
    var blocks: [ReportBlock] = [
      .paragraph(
        "\(rules.rules.inWords); \(count.text), depths up to \(cut) cards. All intervals hold together at "
          + "\(NumberFormat.percent(confidence)). "
          + (isRunning
            ? "Indices are running counts, which start at \(start). 'Play from' is the first that reaches the index. "
              + "Gains are those of playing from it against the chart."
            : "'Floored' is the whole number nearest to the index, for players who round the count down; those who "
              + "round it to the nearest use the next number up. Gains are those of the floored index against the "
              + "chart.")
      ),
      .table(
        table,
        caption:
          "Worth learning, by gain in units in 100 rounds. ! marks published indices outside the interval."
      ),
      .figure(picture),
    ]
    if !outside.isEmpty {
      blocks.append(
        .table(
          Table(["play", "list"], numbers: ["in print", "off by", "loses in 100 rounds", "±"], rows: outside),
          caption: "Published indices outside the intervals."))
    }
    let totals = measurements.filter { $0.measure.name.hasPrefix("published") }
    if !lists.isEmpty { blocks.append(.table(Table(totals, at: confidence), caption: "The lists")) }
    return Document(id: "indices", title: "Indices of \(count.text) under \(rules.label)", blocks)
  }
}
