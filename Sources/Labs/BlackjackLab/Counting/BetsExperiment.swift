// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Foundation
internal import MonteCarlo
internal import Reporting
internal import Sampling
internal import Scenarios

/// Finds the bets by count that win most for a risk of ruin, and plays them in other shoes.
struct BetsExperiment: Simulated {
  static let kind = "blackjack.bets"
  static let summary = "Finds the ramp that wins most for a risk of ruin or a Kelly fraction, and plays it again."
  static let discussion = """
    Example: assay blackjack bets --rules 6d-s17-das-ls-cut75 --indices classic --bankroll 10000 --unit 25
    Example: assay blackjack bets --count ko --bankroll 20000 --kelly 0.5 --spread 16 --ramp -4:2 0:6 4:12

    Flat bets in the first shoes give the share, the edge and the variance of every count. The ramp of whole units \
    that wins most by them is found, and played in as many other shoes, so that its win, risk and SCORE do not owe \
    anything to the choice. The risk is that of ever losing the bankroll with these bets: exp(-2 win bankroll / \
    variance). A Kelly fraction k is the risk exp(-2/k). Edges do not fall as the count rises (isotonic regression).
    """

  /// The counter's game; its ramp is not read.
  var table = CountExperiment()
  var bankroll = 10_000.0
  var unit: Int?
  var spread = 12
  var ruin: Double?
  var kelly: Double?
  /// The ramp that is compared.
  var ramp: BetRamp?

  var shoes = 1_000_000
  var simulation = Provenance.SimulationSettings()

  static let parameters: [Parameter<Self>] =
    [
      Parameter(
        "bankroll", \.bankroll, .number(0...1e9, isOpen: true, named: "money"), "The bankroll, in money.",
        example: "20000"),
      Parameter(
        "unit", \.unit, ValueType<Int>.count(1...1_000_000).optional,
        "The smallest bet, in money; by default the whole amount that wins most.", example: "25"),
      Parameter("spread", \.spread, .count(1...1_000), "The largest bet, in units.", example: "8"),
      Parameter(
        "ruin", \.ruin, ValueType<Double>.probability.optional,
        "The most risk of ever losing the bankroll; 5% without --kelly.", example: "1%"),
      Parameter(
        "kelly", \.kelly, ValueType<Double>.number(0.01...2).optional,
        "The Kelly fraction instead of a risk: 1 is a risk of 13.5%, 0.5 one of 1.8%.", example: "0.5"),
      Parameter(
        "ramp", \.ramp, ValueType<BetRamp>.ramp.optional, "A ramp that is played in the same shoes, in units.",
        example: "1:2 2:4 3:8"),
    ]
    + CountExperiment.parameters.filter { !["ramp", "enter", "leave"].contains($0.key) }.map { $0.within(\.table) }
    + [Parameter("shoes", \.shoes, .count(2...10_000_000_000), "The number of shoes.", example: "1e7")]
    + Parameter.random + [.confidence("The interval's confidence.")]

  // MARK: Checks

  func check() throws(ParameterError) {
    try flat.check()
    if let ramp {
      var given = table
      given.ramp = ramp
      try given.check()
    }
    if ruin != nil, kelly != nil {
      throw ParameterError("kelly", "ruin", expected: "one of the two: a Kelly fraction k is a risk of exp(-2/k)")
    }
    if let unit, Double(unit) > bankroll {
      throw ParameterError("unit", "bankroll", expected: "at most the bankroll, \(NumberFormat.shortest(bankroll))")
    }
  }

  private var limit: Double { ruin ?? kelly.map { exp(-2 / $0) } ?? 0.05 }

  /// The counts with a bet each, at most as many as a ramp has steps.
  private var counts: ClosedRange<Int> {
    let counts = table.labels
    let middle = (counts.lowerBound + counts.upperBound) / 2
    return max(counts.lowerBound, middle - 49)...min(counts.upperBound, middle + 49)
  }

  private func playing(_ bet: (Int) -> Int) -> CountExperiment {
    var run = table
    run.ramp = (try? BetRamp(counts.map { (Double($0), bet($0)) })) ?? .default
    return run
  }

  private var flat: CountExperiment { playing { _ in 1 } }

  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("shoes", shoes) }

  // MARK: Measures

  /// The found bets, and the shoes in which they were played again.
  private struct Finding: Sendable {
    let unit: Int
    /// The first shoes by count.
    let found: BetTable
    let bets: [Int]
    let tally: CountTally
    /// The second shoes by count.
    let again: BetTable
    /// The tally of the given ramp in the second shoes, and the found ramp's win of 100 rounds less the given one's.
    var given: (tally: CountTally, loss: Scenarios.Measurement.Value)?

    func bet(at count: Int) -> Int { bets[found.rows.lastIndex { $0.count <= count } ?? 0] }

    /// The ramp as `--ramp` reads it.
    var ramp: String {
      zip(found.rows, bets).enumerated().filter { $0.offset == 0 || $0.element.1 != bets[$0.offset - 1] }
        .map { "\($0.element.0.count):\($0.element.1)" }.joined(separator: " ")
    }
  }

  /// The measures of a tally of shoes that those of `blackjack count` have, too.
  private var counted: [MeasureRow<CountTally>] {
    table.rows(at: simulation.confidence, ofLook: simulation.confidence).filter {
      ["win", "win.hundred", "win.hour", "deviation", "score", "n0"].contains($0.name)
    }
  }

  /// The risk of ruin by a tally of shoes, with an interval.
  private func risk(_ tally: CountTally, unit: Int) -> (value: Double, low: Double, high: Double) {
    let rate = tally.estimate(CountExperiment.rate)
    let reach = CountExperiment.quantile(simulation.confidence) * rate.deviation / Double(tally.shoes).squareRoot()
    func risk(_ rate: Double) -> Double { min(1, exp(-rate * bankroll / Double(unit))) }
    return (risk(rate.value), risk(rate.value + reach), risk(rate.value - reach))
  }

  private func ruinRow(
    _ name: String, _ meaning: String, _ tally: @escaping @Sendable (Finding) -> CountTally?
  ) -> MeasureRow<Finding> {
    let confidence = simulation.confidence
    return .interval(name, title: "risk of ruin", meaning, confidence: confidence, range: 0...1) { finding in
      tally(finding).map { tally in
        let risk = risk(tally, unit: finding.unit)
        return .interval(risk.value, low: risk.low, high: risk.high, confidence: confidence, samples: tally.shoes)
      }
    }
  }

  /// The ramps with one unit more or less at one count, of 1 to `spread` units, that by the second shoes certainly win
  /// more and certainly are safe enough.
  private func better(_ finding: Finding) -> Int {
    let units = bankroll / Double(finding.unit)
    let quantile = CountExperiment.quantile(simulation.confidence)
    let own = risk(finding.tally, unit: finding.unit)
    let bets = finding.again.rows.map { finding.bet(at: $0.count) }
    let `default` = finding.again.ruin(bets, bankroll: units)
    return finding.again.neighbours(of: bets, spread: spread).count { index, other in
      let row = finding.again.rows[index]
      let isMore = Double(other[index] - bets[index]) * row.edge > quantile * row.edgeError
      return isMore && own.high + finding.again.ruin(other, bankroll: units) - `default` <= limit
    }
  }

  private var found: [MeasureRow<Finding>] {
    [
      .exact("unit", "the smallest bet, in money") { Double($0.unit) },
      ruinRow("ruin", "the risk of ever losing the bankroll with the found ramp") { $0.tally },
      .count(
        "neighbours.better", title: "better neighbours",
        "ramps with a unit more or less at one count that certainly win more and are safe enough", unit: "ramps"
      ) { better($0) },
    ]
  }

  private var compared: [MeasureRow<Finding>] {
    guard ramp != nil else { return [] }
    return [
      ruinRow("given.ruin", "the risk of ever losing the bankroll with --ramp") { $0.given?.tally },
      .mean(
        "given.loss", title: "loss", "what --ramp wins less in 100 rounds of the same shoes", unit: "units", range: nil
      ) {
        $0.given?.loss
      },
    ]
  }

  private static let byCount: [MeasureRow<(Finding, Int)>] = [
    .exact("bet", "the bet at the count", unit: "units") { finding, count in
      finding.found.rows.contains { $0.count == count } ? Double(finding.bet(at: count)) : nil
    },
    .mean("share.count", title: "share", "the share of rounds that begin at the count", range: nil, isShare: true) {
      finding, count in
      finding.found.rows.first { $0.count == count }.map { row in
        .mean(
          row.share, standardDeviation: (row.share * (1 - row.share)).squareRoot(),
          samples: finding.found.rows.reduce(0) { $0 + $1.rounds })
      }
    },
    .mean("edge.count", title: "edge", "the mean win of a first bet at the count", unit: "bets", range: nil) {
      finding, count in
      finding.found.rows.first { $0.count == count }.map { row in
        .mean(
          row.edge, standardDeviation: row.edgeError * Double(row.rounds).squareRoot(), samples: row.rounds)
      }
    },
  ]

  var measures: [Measure] {
    counted.measures() + found.measures() + compared.measures() + Self.byCount.measures(of: counts.map { "\($0)" })
  }

  // MARK: Running

  /// Draws the shoes of `blackjack count`, or as many others after them; `nil` after an interruption.
  private func drawn<Kernels>(
    isAgain: Bool, into empty: CountTally, on context: RunContext, _ kernels: @escaping @Sendable () throws -> Kernels,
    _ body: @escaping @Sendable (SampleBatch, inout Kernels, inout CountTally) throws -> Void
  ) throws -> CountTally? {
    let perBatch = CountExperiment.samplesPerBatch
    let tally = try context.draw(
      .rounds(shoes), from: isAgain ? (shoes + perBatch - 1) / perBatch * perBatch : 0, "shoes", perBatch: perBatch,
      seed: simulation.seed, streams: CountExperiment.streams, into: empty, scratch: kernels,
      body: { batch, kernels in
        var tally = empty
        try body(batch, &kernels, &tally)
        return tally
      }
    ).tally
    return tally.shoes == shoes ? tally : nil
  }

  private func tally(of run: CountExperiment, isAgain: Bool, on context: RunContext) throws -> CountTally? {
    let generator = simulation.generator
    return try drawn(isAgain: isAgain, into: run.tally(), on: context, { try run.scratch(generator: generator) }) {
      try run.draw($0, &$1, into: &$2)
    }
  }

  /// The tally of another ramp in the other shoes, and what the found one wins more there in 100 rounds.
  private func given(
    _ other: CountExperiment, beside run: CountExperiment, on context: RunContext
  ) throws -> (tally: CountTally, loss: Scenarios.Measurement.Value)? {
    let generator = simulation.generator
    let pairs = try drawn(
      isAgain: true, into: run.pairs(), on: context,
      { (one: try run.scratch(generator: generator), other: try other.scratch(generator: generator)) }
    ) { try run.draw($0, &$1.one, beside: &$1.other, into: &$2) }
    guard let tally = try tally(of: other, isAgain: true, on: context), let pairs,
      let loss = run.differences(in: pairs).first(where: { $0.measure.name == "win.hundred" })
    else { return nil }
    return (tally, loss.value)
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    func prepared(_ run: CountExperiment) throws -> (run: CountExperiment, game: CountedGame) {
      var run = run
      try run.prepare(on: context)
      return (run, try run.game())
    }
    let base = try prepared(flat)
    guard let first = try tally(of: base.run, isAgain: false, on: context) else { return .interrupted }
    let known = BetTable(first, game: base.game)
    let (unit, bets) = try best(by: known.pooled)
    func finding(_ tally: CountTally, _ game: CountedGame) -> Finding {
      Finding(unit: unit, found: known, bets: bets, tally: tally, again: BetTable(tally, game: game))
    }
    let played = try prepared(playing(finding(first, base.game).bet))
    guard let second = try tally(of: played.run, isAgain: true, on: context) else { return .interrupted }
    var finding = finding(second, played.game)
    if let ramp {
      var other = played.run
      other.ramp = ramp
      guard let given = try self.given(prepared(other).run, beside: played.run, on: context) else {
        return .interrupted
      }
      finding.given = given
    }
    let own = counted.measurements(in: second) + found.measurements(in: finding) + compared.measurements(in: finding)
    let counts = known.rows.flatMap { row in
      Self.byCount.measurements(of: "\(row.count)", in: (finding, row.count))
    }
    return ScenarioResult(
      measurements: own + counts, data: ["ramp": .string(finding.ramp), "unit": .integer(unit)],
      document: document(of: own, counts, finding), confidence: simulation.confidence)
  }

  /// The bets and their unit: the given one, or the whole amount that wins most.
  private func best(by table: BetTable) throws(BlackjackError) -> (unit: Int, bets: [Int]) {
    func bets(_ unit: Int) -> [Int]? { table.best(spread: spread, bankroll: bankroll / Double(unit), ruin: limit) }
    guard unit == nil, let maximum = table.bankroll(spread: spread, ruin: limit) else {
      if let bets = bets(unit ?? 1) { return (unit ?? 1, bets) }
      throw refusal(table)
    }
    // The largest unit that is safe; of many units a hundred are tried.
    let largest = Int(bankroll / maximum)
    var best: (unit: Int, bets: [Int], win: Double)?
    for unit in stride(from: largest, to: 0, by: -max(largest / 100, 1)) {
      guard let bets = bets(unit) else { continue }
      let win = Double(unit) * table.win(bets)
      if win > best?.win ?? -.infinity { best = (unit, bets, win) }
    }
    guard let best else { throw refusal(table) }
    return (best.unit, best.bets)
  }

  private func refusal(_ table: BetTable) -> BlackjackError {
    let (found, bets) = (NumberFormat.shortest(bankroll), "bets of 1 to \(spread) units of \(unit ?? 1)")
    guard let minimum = table.bankroll(spread: spread, ruin: limit) else {
      return .outOfRange(what: "rules", found: rules.label, expected: "a game that \(bets) win")
    }
    let money = NumberFormat.grouped(Int((minimum * Double(unit ?? 1)).rounded(.up)))
    return .outOfRange(
      what: "bankroll", found: found,
      expected:
        "at least \(money) for a risk of \(NumberFormat.percent(limit, decimals: 2)) with \(bets); or a smaller unit")
  }

  private var rules: NamedRules { table.rules }

  private func document(of own: [Scenarios.Measurement], _ counts: [Scenarios.Measurement], _ finding: Finding)
    -> Document
  {
    let confidence = simulation.confidence
    let units = NumberFormat.shortest((10 * bankroll / Double(finding.unit)).rounded() / 10)
    let compared =
      ramp == nil ? "" : " 'loss' is what --ramp wins less in 100 rounds of the same shoes; its risk is above it."
    let bets = Figure(
      id: "bets", title: "The bet at each count", alternative: "The bet at each count before a round, in units.",
      x: Figure.Axis("count before the round"), y: Figure.Axis("bet, units"),
      series: [
        Figure.Series(
          "", style: .points,
          points: zip(finding.found.rows, finding.bets).map { Figure.Point(Double($0.count), Double($1)) })
      ]
    ).showing([Figure.Subject("bet")])
    return Document(
      id: "bets", title: "Bets by \(table.count.text) under \(rules.label)",
      [
        .paragraph(
          "A bankroll of \(NumberFormat.shortest(bankroll)) is \(units) units of \(finding.unit). Bets of 1 to "
            + "\(spread) units, a risk of ruin of at most "
            + "\(NumberFormat.percent(limit, decimals: 2)): a Kelly fraction of "
            + "\(NumberFormat.fixed(-2 / log(limit), decimals: 2))."),
        .paragraph("The ramp that wins most: \(finding.ramp)"),
        .table(
          Table(own, at: confidence),
          caption: "The ramp in \(NumberFormat.grouped(shoes)) other shoes; each interval holds separately at "
            + "\(NumberFormat.percent(confidence))." + compared),
        .table(
          Table(counts, by: "count", at: confidence),
          caption: "The first shoes, with flat bets. The first and the last count have all counts beyond."),
        .figure(bets),
      ])
  }
}
