// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios
internal import Statistics

struct PlayExperiment: Simulated {
  static let kind = "blackjack.play"
  static let summary =
    "Plays whole rounds by a chart: EV with its interval, standard deviation, distribution of payoffs."
  static let discussion = """
    Example: assay blackjack play --rules 6d-s17-das --rounds 1e9

    Ends after --rounds, with --half-width as soon as the interval is that narrow, or after --deadline. A seed does \
    not reproduce a run with a deadline; --rounds with the number of rounds that were played does.
    """

  var rules = [NamedRules.default]
  var chart = ChartSource.exact
  var method = Method.simulate
  /// The number of rounds; `nil` for 1e8 or, with a half-width, as many as it takes.
  var rounds: Int?
  /// The interval's half-width at which the run ends, in bets.
  var halfWidth: Double?
  var deadline: Duration?
  var simulation = Provenance.SimulationSettings()

  static let parameters: [Parameter<Self>] =
    [
      Parameter("rules", \.rules, .rules(), NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
      Parameter(
        "chart", \.chart, .chart(),
        "How the player plays: exact (the chart computed for the rules), trainer (\(ChartSource.trainerRules)), "
          + "composition (the best play by composition, after a split as before it: CDZ-; computed only), or a CSV "
          + "file with columns kind,player,dealer,action and maybe fallback.", example: "my-chart.csv"),
      Parameter("method", \.method, .choice, "simulate, or exact for the analyser's answer.", example: "exact"),
      Parameter(
        "rounds", \.rounds, ValueType<Int>.count(2...1_000_000_000_000).optional,
        "How many rounds to play; 1e8 by default.", example: "1e9"),
      Parameter(
        "half-width", \.halfWidth, ValueType<Double>.number(0...8, isOpen: true, named: "bets").optional,
        "Play until the interval's half-width, in bets, is at most this.", example: "0.0001"),
      Parameter(
        "deadline", \.deadline,
        ValueType<Duration>.duration(.milliseconds(1)...(.seconds(1_000_000))).optional,
        "Play for this long; the number of rounds depends on the machine.", example: "10s"),
    ] + Parameter.random + [.confidence("The interval's confidence.")]

  var isTimed: Bool { deadline != nil }

  func check() throws(ParameterError) {
    if method == .exact {
      let given = rounds != nil ? "rounds" : halfWidth != nil ? "half-width" : deadline != nil ? "deadline" : nil
      if let given { throw ParameterError(given, "method", expected: "nothing: method exact plays no rounds") }
    }
    if deadline != nil, let other = halfWidth != nil ? "half-width" : rounds != nil ? "rounds" : nil {
      throw ParameterError("deadline", other, expected: "no \(other) with it: a game ends by one of them")
    }
    if chart == .composition && method == .simulate {
      throw ParameterError(
        "chart", "method", expected: "a chart: play by composition needs method exact")
    }
    if method == .exact, rules.contains(where: { !$0.hasFreshShoe }) {
      throw ParameterError(
        "rules", "method", expected: "rules without a cut card: the analyser computes a fresh shoe only")
    }
  }

  var thresholds: [String] { halfWidth.map { ["half-width <= \($0)"] } ?? [] }

  private var ending: StoppingRule {
    if let deadline { return .deadline(deadline) }
    return halfWidth == nil
      ? .rounds(rounds ?? 100_000_000) : .anytime(atMost: rounds ?? 1_000_000_000_000)
  }

  func sampleSize(of measure: Measure) -> SampleSize? {
    if case .rounds(let rounds) = ending {
      SampleSize("rounds", rounds)
    } else {
      rounds.map { SampleSize("rounds", $0) }
    }
  }

  var measures: [Measure] { rules.flatMap { named in rows(under: named).map { $0.measure(of: named.label) } } }

  private func rows(under named: NamedRules) -> [MeasureRow<GameFinding>] {
    guard method == .simulate else { return chart == .composition ? Array(Self.computed.prefix(2)) : Self.computed }
    let compared = named.hasFreshShoe ? Self.compared : []
    // The run ended by a look at the mean, so only the interval that allows for this is valid.
    guard halfWidth == nil else { return settled + compared.prefix(1) + [Self.count] }
    return Self.means + [deviation] + Self.shares + compared + [Self.count]
  }

  private static let computed: [MeasureRow<GameFinding>] = [
    .exact("ev", "the mean win of a round, computed", unit: "bets", \.ev),
    .exact("edge", "the house's edge, computed", unit: "bets") { -$0.ev },
    .exact("deviation", "the standard deviation of a round's win, computed", unit: "bets") {
      $0.computed?.standardDeviation
    },
  ]

  private static let means: [MeasureRow<GameFinding>] = [
    .mean("ev", "the mean win of a round", unit: "bets", range: PayoffTally.range) { $0.moments(mean: $0.ev) },
    .mean("edge", "the house's edge: the EV with its sign changed", unit: "bets", range: PayoffTally.range) {
      $0.moments(mean: -$0.ev)
    },
  ]

  private var deviation: MeasureRow<GameFinding> {
    let confidence = simulation.confidence
    return .interval(
      "deviation", "the standard deviation of a round's win", unit: "bets", confidence: confidence
    ) { finding in
      let played = finding.played?.result ?? PayoffTally()
      let interval = played.deviationInterval(at: confidence)
      return .interval(
        played.standardDeviation, low: interval.lowerBound, high: interval.upperBound, confidence: confidence,
        samples: played.rounds)
    }
  }

  private static let shares: [MeasureRow<GameFinding>] = [
    .proportion("rounds.won", "rounds won") { $0.share { $0 > 0 } },
    .proportion("rounds.pushed", "rounds without a win or loss") { $0.share { $0 == 0 } },
    .proportion("rounds.lost", "rounds lost") { $0.share { $0 < 0 } },
  ]

  private static let compared: [MeasureRow<GameFinding>] = [
    .exact("ev.exact", "the mean win of a round, computed", unit: "bets") { $0.computed?.ev },
    // The computed mean lies in the range of the payoffs as well.
    .mean(
      "ev.difference", "the mean minus the computed value", unit: "bets",
      range: 2 * PayoffTally.range.lowerBound...2 * PayoffTally.range.upperBound
    ) { finding in
      finding.computed.map { finding.moments(mean: finding.ev - $0.ev) }
    },
  ]

  private static let count = MeasureRow<GameFinding>.count("rounds", "rounds played", unit: "rounds") {
    $0.played?.result.rounds
  }

  private var settled: [MeasureRow<GameFinding>] {
    let confidence = simulation.confidence
    func row(_ name: String, _ meaning: String, sign: Double) -> MeasureRow<GameFinding> {
      .interval(name, meaning, unit: "bets", confidence: confidence) { finding in
        let interval = finding.interval ?? 0...0
        let ends = [sign * interval.lowerBound, sign * interval.upperBound]
        return .interval(
          sign * finding.ev, low: ends.min() ?? 0, high: ends.max() ?? 0, confidence: confidence,
          samples: finding.played?.result.rounds ?? 0)
      }
    }
    return [
      row("ev", "the mean win of a round", sign: 1),
      row("edge", "the house's edge: the EV with its sign changed", sign: -1),
      .exact("half-width", "the half-width of the EV's interval", unit: "bets") { finding in
        finding.interval.map { ($0.upperBound - $0.lowerBound) / 2 } ?? .infinity
      },
    ]
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    var findings: [GameFinding] = []
    for named in rules where !context.interrupt.isRaised { findings.append(try finding(named, on: context)) }
    let measurements = findings.filter { $0.played?.result.rounds != 0 }.flatMap { finding in
      rows(under: finding.named).measurements(of: finding.named.label, in: finding)
    }
    let summary = Table(measurements, by: "rules", at: simulation.confidence)
    return ScenarioResult(
      measurements: measurements, data: ["games": .array(findings.map(\.json))], document: findings.document(summary),
      confidence: simulation.confidence,
      isComplete: findings.count == rules.count && findings.allSatisfy { $0.played?.reason != .interrupted })
  }

  private func finding(_ named: NamedRules, on context: RunContext) throws -> GameFinding {
    guard chart != .composition else {
      return GameFinding(
        named: named, chart: chart, simulation: simulation, played: nil,
        computed: GameFinding.Computed(
          ev: ExactAnalysis(rules: named.rules).gameValue, standardDeviation: nil, chances: nil))
    }
    let player = chart.chart(for: named.rules)
    var played: GameSimulator.Run?
    if method == .simulate {
      let simulator = GameSimulator(
        rules: named.rules, chart: player, seed: simulation.seed, generator: simulation.generator)
      played = try simulator.play(
        until: ending, goal: halfWidth.map { ($0, simulation.confidence) }, on: context)
    }
    // An interruption skips the computation.
    let isWanted = method == .exact || (named.hasFreshShoe && !context.interrupt.isRaised)
    return GameFinding(
      named: named, chart: chart, simulation: simulation, played: played,
      computed: isWanted ? try GameFinding.Computed.of(named.rules, by: player, isPlayed: played != nil) : nil)
  }
}

/// The result of a chart under some rules: by rounds played, computed, or both.
struct GameFinding: RulesFinding {
  struct Computed {
    let ev: Double
    let standardDeviation: Double?
    /// `nil` if the chances of all payoffs cannot be computed.
    let chances: [ExactPayoffs.Payoff]?

    /// Next to played rounds, the deviation is left out where it would take a second: for splits into more than two
    /// hands that share a shoe, where the payoffs' chances are unknown as well.
    static func of(
      _ rules: Rules, by chart: StrategyChart, isPlayed: Bool
    ) throws(BlackjackError) -> Computed {
      let analysis = try ExactAnalysis(rules: rules, following: chart)
      guard !isPlayed || rules.maximumHands == 2 || rules.decks == .infinite else {
        return Computed(ev: analysis.gameValue, standardDeviation: nil, chances: nil)
      }
      let payoffs = ExactPayoffs(of: analysis)
      return Computed(
        ev: analysis.gameValue, standardDeviation: payoffs.standardDeviation, chances: payoffs.distribution)
    }
  }

  let named: NamedRules
  let chart: ChartSource
  let simulation: Provenance.SimulationSettings
  let played: GameSimulator.Run?
  let computed: Computed?

  var ev: Double { played?.result.ev ?? computed?.ev ?? 0 }

  /// The interval of the EV, in bets, if rounds were played; for a run that ends by its half-width, it holds in spite
  /// of that.
  var interval: ClosedRange<Double>? {
    played.map { $0.interval ?? $0.result.evInterval(at: simulation.confidence) }
  }

  var deviation: Double? { played?.result.standardDeviation ?? computed?.standardDeviation }

  fileprivate func moments(mean: Double) -> Measurement.Value {
    .mean(mean, standardDeviation: deviation ?? .nan, samples: played?.result.rounds ?? 0)
  }

  fileprivate func share(of isWanted: (Int) -> Bool) -> (successes: Int, trials: Int) {
    let payoffs = played?.result.payoffs ?? []
    return (payoffs.reduce(0) { $0 + (isWanted($1.tenths) ? $1.count : 0) }, played?.result.rounds ?? 0)
  }
}

extension PayoffTally {
  /// The interval of the EV, in bets, for a number of rounds fixed in advance.
  func evInterval(at confidence: Double) -> ClosedRange<Double> {
    moments(of: { Double($0) / 10 }, range: PayoffTally.range)?.interval(tail: (1 - confidence) / 2)
      ?? PayoffTally.range
  }

  /// The interval of the standard deviation, in bets, for a number of rounds fixed in advance: from the intervals of
  /// the mean square and of the mean, each with half the error.
  func deviationInterval(at confidence: Double) -> ClosedRange<Double> {
    let (tail, maximum) = ((1 - confidence) / 4, PayoffTally.range.upperBound)
    let squares = moments(of: { Double($0 * $0) / 100 }, range: 0...maximum * maximum)?.interval(tail: tail)
    guard let squares else { return 0...maximum }
    let mean = evInterval(at: (1 + confidence) / 2)
    let farthest = max(abs(mean.lowerBound), abs(mean.upperBound))
    let nearest = mean.contains(0) ? 0 : min(abs(mean.lowerBound), abs(mean.upperBound))
    let low = max(0, squares.lowerBound - farthest * farthest).squareRoot()
    return low...max(low, max(0, squares.upperBound - nearest * nearest).squareRoot())
  }

  /// The mean and deviation of a function of each round's payoff in tenths of a bet; `nil` without rounds.
  private func moments(of value: (Int) -> Double, range: ClosedRange<Double>) -> BoundedSample? {
    let (payoffs, total) = (payoffs.map { (value: value($0.tenths), count: Double($0.count)) }, Double(rounds))
    let mean = payoffs.reduce(0) { $0 + $1.count * $1.value } / total
    let squares = payoffs.reduce(0) { $0 + $1.count * ($1.value - mean) * ($1.value - mean) }
    return BoundedSample(
      mean: mean, standardDeviation: rounds < 2 ? 0 : (squares / (total - 1)).squareRoot(), count: rounds, range: range)
  }
}
