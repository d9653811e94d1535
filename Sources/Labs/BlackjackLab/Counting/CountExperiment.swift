// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Statistics

/// Simulates a counter who plays shoes dealt to a cut card.
struct CountExperiment: PairedBatches {
  typealias Scratch = UncopiedScratch<CountKernel>

  static let kind = "blackjack.count"
  static let summary = "Plays shoes to the cut card by a count, a ramp and indices: win rate, SCORE, N0, edge by count."
  static let discussion = """
    Example: assay blackjack count --rules 6d-s17-das-ls-cut75 --indices classic --ramp 0:1 1:2 2:4 3:8 4:12
    Example: assay blackjack count --versus hands=2 ramp=0:1,1:2,2:4,3:6,4:8

    The samples are shoes, which are independent since each is shuffled again; the rounds of a shoe are not. Every \
    interval is of a ratio of means over shoes, linearised (the delta method), with Student's quantiles. The count \
    before a round decides the bet, the count at a decision the play: it has every card that the counter sees, not \
    the hole card, and not a burnt one. --versus plays both settings from the same shuffled shoes.
    """
  static let samplesName = "shoes"
  static let defaultSamples = 1_000_000
  static let defaultConfidence = 0.999
  static let streams = ["shoes", "late cards"]
  static let samplesPerBatch = 4096

  var rules = NamedRules(label: "6d-s17-das-cut75", rules: (try? Rules(name: "6d-s17-das-cut75")) ?? .common)
  var chart = ChartSource.exact
  var count = NamedCount.default
  /// The divisor of the running count; `nil` for exact, and for none if the count is unbalanced.
  var division: CountReading.Division?
  var rounding = CountReading.Rounding.floor
  var ramp = BetRamp.default
  var indices = NamedIndices.none
  var hands: HandsByCount = 1
  var others = 0
  var cards: Int?
  var burn = 0
  var enter: Double?
  var leave: Double?
  var roundsPerHour: Int?
  private var prepared: CountedGame?

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65-cut50"),
    Parameter(
      "chart", \.chart, .chart(refusingComposition: "trainer, exact or a file"),
      "The play of all hands unless an index differs: exact (the chart computed for the rules), trainer, or a "
        + "CSV file.", example: "my-chart.csv"),
    Parameter("count", \.count, .count, "The count.", example: "ko"),
    Parameter(
      "division", \.division, ValueType<CountReading.Division>.choice.optional,
      "The divisor of the running count: exact, half or whole decks left, or none; exact where the count is "
        + "balanced, else none.", example: "half"),
    Parameter("rounding", \.rounding, .choice, "How the quotient is rounded.", example: "truncate"),
    Parameter("ramp", \.ramp, .ramp, "The bet at each count, in units; 0 sits a round out.", example: "1:1 2:4"),
    Parameter(
      "indices", \.indices, .indices, "The indices that the counter plays: a published list of Hi-Lo, or a CSV file.",
      example: "classic"),
    Parameter(
      "hands", \.hands, .hands, "The counter's hands a round, by the count before it if wanted.", example: "1 2:2"),
    Parameter("others", \.others, .count(0...6), "The hands of others, who play the chart.", example: "3"),
    Parameter(
      "cards", \.cards, ValueType<Int>.count(1...415).optional,
      "The cards before the cut card, instead of the percentage in the rules.", example: "234"),
    Parameter("burn", \.burn, .count(0...20), "Cards burnt after each shuffle, unseen.", example: "1"),
    Parameter(
      "enter", \.enter, ValueType<Double>.number(-100...100).optional,
      "The count at which a watching counter sits down; by default after the shuffle.", example: "1"),
    Parameter(
      "leave", \.leave, ValueType<Double>.number(-100...100).optional,
      "The count below which the counter gets up, until the next shuffle or --enter.", example: "-1"),
    Parameter(
      "rounds-per-hour", \.roundsPerHour, ValueType<Int>.count(1...10_000).optional,
      "The rounds dealt in an hour, to state the win an hour.", example: "100"),
  ]

  // MARK: Checks

  func check() throws(ParameterError) {
    guard case .finite(let decks) = rules.rules.decks else {
      throw ParameterError("rules", expected: "1 to 8 decks: an infinite shoe has no count")
    }
    let seats = hands.maximum + others
    guard seats <= 7 else { throw ParameterError("others", "hands", expected: "at most 7 hands at the table") }
    let maximum = 52 * decks - 4 * (seats + 1)
    guard cut <= maximum else {
      throw ParameterError(
        cards == nil ? "rules" : "cards", "hands",
        expected: "a cut card behind at most \(maximum) of \(52 * decks) cards: a round of \(seats) needs the rest")
    }
    guard burn < 52 * decks / 4 else { throw ParameterError("burn", expected: "less than a quarter of the shoe") }
    guard count.system.isBalanced || division == nil || division == CountReading.Division.none else {
      throw ParameterError("division", "count", expected: "none: an unbalanced count is read as it runs")
    }
    let sitsOut = enter != nil || leave != nil || ramp.steps.contains { $0.bet == 0 }
    if sitsOut, others == 0 {
      throw ParameterError(
        "others", enter != nil ? "enter" : leave != nil ? "leave" : "ramp",
        expected: "1 to 6 others with it: while the counter sits out, others have to play")
    }
    if let enter, let leave, leave > enter {
      throw ParameterError("leave", "enter", expected: "at most \(NumberFormat.shortest(enter)), the count to sit down")
    }
    if PublishedIndices.names.contains(indices.text) {
      guard count.text == "hi-lo" else {
        throw ParameterError("indices", "count", expected: "a file: lists are of hi-lo")
      }
      guard !rules.rules.dealerHitsSoft17 else {
        throw ParameterError(
          "indices", "rules", expected: "a file: published lists are for S17; 'blackjack indices' makes one for H17")
      }
    }
    do throws(BlackjackError) {
      _ = try CountedChart(.trainer, indices: allowed, rules: rules.rules)
    } catch {
      throw ParameterError("indices", "rules", expected: "indices that the rules can play: \(error.description)")
    }
  }

  /// The indices; of a published list, those that the rules allow.
  private var allowed: [PlayIndex] {
    guard PublishedIndices.names.contains(indices.text) else { return indices.indices }
    return indices.indices.filter { one in
      guard let key = one.key else { return rules.rules.holeCard == .peek }
      return rules.rules.allows(one.above, in: key) && rules.rules.allows(one.below, in: key)
    }
  }

  private var cut: Int { cards ?? rules.rules.cardsToCut ?? 0 }

  var reading: CountReading { CountReading(division ?? (count.system.isBalanced ? .exact : .none), rounding) }

  func game() throws(BlackjackError) -> CountedGame {
    if let prepared { return prepared }
    let chart = try CountedChart(chart.chart(for: rules.rules), indices: allowed, rules: rules.rules)
    return CountedGame(
      rules: rules.rules, chart: chart, system: count.system, reading: reading, ramp: ramp, hands: hands,
      others: others, cut: cut, burnt: burn, enter: enter, leave: leave)
  }

  // MARK: Measures

  private typealias Column = CountTally.Column

  /// A figure that is a smooth function of the columns' means.
  private typealias Figured = (
    name: String, title: String, meaning: String, unit: String, value: @Sendable ([Double]) -> Double
  )

  private static func row(_ figure: Figured) -> MeasureRow<CountTally> {
    .mean(figure.name, title: figure.title, figure.meaning, unit: figure.unit, range: nil) { tally in
      let found = tally.estimate(figure.value)
      return .mean(found.value, standardDeviation: found.deviation, samples: tally.shoes)
    }
  }

  private static func column(_ column: Column, _ means: [Double]) -> Double { means[column.rawValue] }

  private static func variance(_ means: [Double]) -> Double {
    let win = column(.win, means) / column(.rounds, means)
    return column(.squares, means) / column(.rounds, means) - win * win
  }

  private var figures: [Figured] {
    guard let rounds = roundsPerHour.map(Double.init) else { return Self.figures }
    let hourly: Figured = (
      "win.hour", "win an hour", "the mean win of the rounds dealt in an hour", "units",
      { rounds * Self.column(.win, $0) / Self.column(.rounds, $0) / 10 }
    )
    return Self.figures + [hourly]
  }

  /// Twice the win over the variance, of a round in units: the rate at which the risk of ruin falls with a bankroll.
  static func rate(_ means: [Double]) -> Double {
    20 * column(.win, means) / column(.rounds, means) / max(variance(means), 1e-300)
  }

  private static let figures: [Figured] = [
    ("win", "win a round", "the mean win of a round dealt", "units", { column(.win, $0) / column(.rounds, $0) / 10 }),
    (
      "win.hundred", "win per 100", "the mean win of 100 rounds dealt", "units",
      { 10 * column(.win, $0) / column(.rounds, $0) }
    ),
    (
      "edge", "edge", "the total win per unit of first bets", "bets",
      {
        column(.win, $0) / column(.bet, $0) / 10
      }
    ),
    (
      "deviation", "deviation", "the standard deviation of the win of a round dealt", "units",
      {
        max(variance($0), 0).squareRoot() / 10
      }
    ),
    (
      "di", "DI", "1,000 times the win of a round over its standard deviation", "",
      {
        1000 * column(.win, $0) / column(.rounds, $0) / max(variance($0), 1e-300).squareRoot()
      }
    ),
    ("bet", "bet", "the mean first bets of a round played", "units", { column(.bet, $0) / column(.played, $0) }),
    (
      "action", "action", "the mean final stakes of a round played", "units",
      {
        column(.action, $0) / column(.played, $0) / 2
      }
    ),
    (
      "played", "played", "the share of the rounds dealt that the counter plays", "",
      {
        column(.played, $0) / column(.rounds, $0)
      }
    ),
    ("rounds.shoe", "rounds a shoe", "mean rounds of a shoe", "rounds", { column(.rounds, $0) }),
  ]

  private func derived(at confidence: Double, ofLook confidenceOfLook: Double) -> [MeasureRow<CountTally>] {
    func row(
      _ name: String, _ title: String, _ meaning: String, unit: String = "",
      _ value: @escaping @Sendable (Double) -> Double
    ) -> MeasureRow<CountTally> {
      .interval(name, title: title, meaning, unit: unit, confidence: confidence) { tally in
        guard let di = Self.figures.first(where: { $0.name == "di" }),
          let interval = Self.row(di).measurement(in: tally)?.interval(at: confidenceOfLook)
        else { return nil }
        let ends = [value(interval.lowerBound), value(interval.upperBound)]
        // If the interval of the win contains 0, its square may be 0.
        let minimum = interval.contains(0) ? value(0) : ends.min() ?? 0
        return .interval(
          value(tally.estimate(di.value).value), low: min(minimum, ends.min() ?? 0),
          high: max(minimum, ends.max() ?? 0),
          confidence: confidence, samples: tally.shoes)
      }
    }
    return [
      row("score", "SCORE", "DI squared: the win of 100 rounds with 10,000 at 13.5% risk of ruin", unit: "units") {
        $0 * $0
      },
      row("n0", "N0", "the rounds after which the expected win is one standard deviation", unit: "rounds") {
        1e6 / ($0 * $0)
      },
      .interval(
        "deviation.shoe", title: "deviation by shoes",
        "the standard deviation of a round by the sums of whole shoes, with the dependence of their rounds",
        unit: "units", confidence: confidence
      ) { tally in
        let win = tally.estimate { Self.column(.win, $0) / Self.column(.rounds, $0) / 10 }
        let value = win.deviation * tally.mean(.rounds).squareRoot()
        // The error for a normal sum; shoes are sums of some tens of rounds.
        let reach = Self.quantile(confidenceOfLook) / (2 * Double(max(tally.shoes - 1, 1))).squareRoot()
        return .interval(
          value, low: value * max(0, 1 - reach), high: value * (1 + reach), confidence: confidence,
          samples: tally.shoes)
      },
    ]
  }

  static func quantile(_ confidence: Double) -> Double { (try? Quantile.normal((1 + confidence) / 2)) ?? .infinity }

  /// The counts that have measures. They are needed to read any scenario, so they must not take the time of a chart.
  var labels: ClosedRange<Int> {
    guard case .finite(let decks) = rules.rules.decks else { return -15...15 }
    return reading.counts(of: count.system, decks: decks)
  }
  /// The counts that are always shown: true counts from -10 to 10.
  private var always: ClosedRange<Int>? { reading.division == .none ? nil : -10...10 }

  /// Measures by the count before a round.
  private var byCount: [MeasureRow<(CountTally, Int)>] {
    let hands = hands
    return [
      .mean("edge.count", title: "edge", "the mean win of a first bet at the count", unit: "bets", range: nil) {
        tally, count in
        tally.row(at: count, hands: hands.number(at: Double(count))).map {
          tally.mean($0.edge, deviation: $0.edgeDeviation, ofRounds: $0.rounds)
        }
      },
      .mean("share.count", title: "share", "the share of rounds that begin at the count", range: nil, isShare: true) {
        tally, count in
        tally.row(at: count, hands: hands.number(at: Double(count))).map {
          tally.mean($0.share, deviation: $0.shareDeviation, ofRounds: $0.rounds)
        }
      },
    ]
  }

  /// The shares of the counts below and above those that have a row.
  private var tails: [MeasureRow<(CountTally, ClosedRange<Int>, Bool)>] {
    [
      .mean("share.count", title: "share", "the share of rounds that begin at the count", range: nil, isShare: true) {
        tally, shown, isBelow in
        (isBelow ? tally.tail(..<shown.lowerBound) : tally.tail((shown.upperBound + 1)...)).map {
          .mean($0.share, standardDeviation: $0.shareDeviation, samples: tally.shoes)
        }
      }
    ]
  }

  private static let counted: [MeasureRow<CountTally>] = [
    .count("rounds", "rounds dealt", unit: "rounds") { Int(($0.mean(.rounds) * Double($0.shoes)).rounded()) },
    .count("shoes", "shoes played", unit: "shoes") { $0.shoes },
  ]

  /// The measures of all shoes, with intervals that are computed at the confidence of a look.
  func rows(at confidence: Double, ofLook confidenceOfLook: Double) -> [MeasureRow<CountTally>] {
    figures.map(Self.row) + derived(at: confidence, ofLook: confidenceOfLook) + Self.counted
  }

  func tallied(at confidence: Double) -> [Measure] {
    rows(at: confidence, ofLook: confidence).measures() + tails.measures(of: ["below"])
      + byCount.measures(of: labels.map { "\($0)" }) + tails.measures(of: ["above"])
  }

  func measurements(of run: SampledRun<CountTally>) -> [Scenarios.Measurement] {
    let tally = run.tally
    guard tally.shoes > 1 else { return [] }
    let own = rows(at: run.confidence, ofLook: run.confidenceOfLook).measurements(in: tally)
    guard let shown = tally.shown(always: always) else { return own }
    return own + tails.measurements(of: "below", in: (tally, shown, true))
      + shown.flatMap { count in byCount.measurements(of: "\(count)", in: (tally, count)) }
      + tails.measurements(of: "above", in: (tally, shown, false))
  }

  // MARK: Running

  mutating func prepare(on context: RunContext) throws {
    prepared = nil
    prepared = try game()
  }

  func tally() -> CountTally { prepared?.tally ?? CountTally() }

  func scratch(generator: String) throws -> UncopiedScratch<CountKernel> {
    UncopiedScratch(try CountKernel(game(), generator: generator))
  }

  func draw(_ batch: SampleBatch, _ kernel: inout UncopiedScratch<CountKernel>, into tally: inout CountTally) throws {
    try kernel.state.reseed(batch.seed(), late: batch.seed(1))
    tally.merge(try kernel.state.play(shoes: batch.count))
  }

  /// The wins of the rounds dealt, in tenths of a unit, ascending, with their frequencies, as `blackjack bankroll`
  /// reads them.
  func data(of run: SampledRun<CountTally>) -> [JSONMember] {
    guard let game = prepared else { return [] }
    let (tally, steps) = (run.tally, game.steps)
    var wins: [Int: Int] = [:]
    for (position, times) in tally.payoffs.enumerated() where times > 0 {
      let (step, column) = position.quotientAndRemainder(dividingBy: game.payoffWidth)
      wins[(column - game.payoffWidth / 2) * steps[step].bet, default: 0] += times
    }
    let rounds = Int((tally.mean(.rounds) * Double(tally.shoes)).rounded())
    let idle = rounds - tally.payoffs.reduce(0, +)
    if idle > 0 { wins[0, default: 0] += idle }
    return [
      JSONMember("rounds", .integer(rounds)),
      JSONMember("wins", .object(wins.sorted { $0.key < $1.key }.map { JSONMember("\($0.key)", .integer($0.value)) })),
    ]
  }

  func sections(of run: SampledRun<CountTally>) -> [ReportBlock] {
    guard let game = prepared else { return [] }
    let (measurements, confidence) = (run.measurements, run.confidence)
    let shown = run.tally.shown(always: always) ?? 0...0
    let beyond = [("below", "under \(shown.lowerBound)"), ("above", "over \(shown.upperBound)")].filter { label, _ in
      measurements.contains { $0.measure.label == label }
    }.map { " '\($0)' has the counts \($1)." }.joined()
    let labelled = measurements.filter { $0.measure.label != nil }
    func figure(_ name: String, _ title: String, _ unit: String, scale: Double) -> Figure {
      let points = labelled.filter { $0.measure.name == name }.compactMap { one in
        one.measure.label.flatMap(Double.init).map { count in
          let interval = one.interval(at: confidence)
          return Figure.Point(
            count, one.estimate * scale, interval: interval.lowerBound * scale...interval.upperBound * scale)
        }
      }
      return Figure(
        id: name.replacing(".", with: "-"), title: title,
        alternative: "\(title), from \(shown.lowerBound) to \(shown.upperBound), with intervals.",
        x: Figure.Axis("count before the round"), y: Figure.Axis(unit),
        series: [Figure.Series("", style: name == "edge.count" ? .line : .points, points: points)]
      ).showing([Figure.Subject(name, scale: scale)])
    }
    let doubts = ramp.doubts(ofRunningCount: reading.division == .none).map {
      ReportBlock.paragraph("The ramp: \($0).")
    }
    let blocks: [ReportBlock] = [
      .figure(figure("edge.count", "The win of a bet at each count", "edge, %", scale: 100)),
      .part(
        "By the count before the round",
        [
          .table(Table(labelled, by: "count", at: confidence), caption: "The edge is that of the first bet." + beyond),
          .figure(figure("share.count", "How often each count occurs", "rounds played, %", scale: 100)),
        ]),
    ]
    return [.paragraph(inWords(game))] + doubts + blocks
  }

  private func inWords(_ game: CountedGame) -> String {
    let read =
      reading.division == .none
      ? "the running count"
      : "the true count by \(reading.division.rawValue) decks, \(reading.rounding.rawValue)"
    let bets = ramp.steps.map { "\(NumberFormat.shortest($0.from)): \($0.bet)" }.joined(separator: ", ")
    let plays =
      allowed.isEmpty ? "no index" : NumberFormat.counted(allowed.count, "index").replacing("indexs", with: "indices")
    let cutWords = cut == 0 ? "A fresh shoe every round" : "\(cut) of \(game.size) cards to the cut card"
    let start = Double(count.system.start(decks: game.decks)) / 2
    let startWords = start == 0 ? "" : ", which starts at \(NumberFormat.shortest(start))"
    return
      "\(count.text) under \(rules.label): \(rules.rules.inWords). \(cutWords), \(burn) burnt; \(hands.inWords) and "
      + "\(others) of others. \(chart.inWords) with \(plays) (\(indices.text))."
      + " Bets by \(read)\(startWords): \(bets)."
  }
}

// MARK: - Common random numbers

extension CountExperiment {
  func pairs() -> CountTally { CountTally(settings: 2) }

  func draw(
    _ batch: SampleBatch, _ one: inout UncopiedScratch<CountKernel>, beside other: inout UncopiedScratch<CountKernel>,
    into tally: inout CountTally
  ) throws {
    one.state.shuffle(asFarAs: &other.state)
    try one.state.reseed(batch.seed(), late: batch.seed(1))
    try other.state.reseed(batch.seed(), late: batch.seed(1))
    for _ in batch.samples {
      try one.state.playShoe()
      try other.state.playShoe()
      let row = one.state.shoeTotals + other.state.shoeTotals
      unsafe row.withUnsafeBufferPointer { unsafe tally.add(shoe: $0) }
    }
  }

  func differences(of run: SampledRun<CountTally>) -> [Scenarios.Measurement] { differences(in: run.tally) }

  func differences(in pairs: CountTally) -> [Scenarios.Measurement] {
    figures.map { figure in
      let (value, deviation) = pairs.estimate { means in
        figure.value(means) - figure.value(Array(means[CountTally.columns...]))
      }
      return Measurement(Self.row(figure).measure(), .mean(value, standardDeviation: deviation, samples: pairs.shoes))
    }
  }
}
