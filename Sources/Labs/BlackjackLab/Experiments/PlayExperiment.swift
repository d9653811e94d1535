// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Statistics

struct PlayExperiment: BatchedExperiment {
  static let kind = "blackjack.play"
  static let summary =
    "Plays whole rounds by a chart: EV with its interval, standard deviation, distribution of payoffs."
  static let discussion = "Example: assay blackjack play --rules 6d-s17-das --rounds 1e9"
  static let samplesName = "rounds"
  static let defaultSamples = 100_000_000
  static let defaultConfidence = 0.999
  static let streams = ["rounds"]
  // A game with a cut card starts each batch with a new shoe and does not finish the last one: one in some thousand.
  static let samplesPerBatch = 1 << 18

  var rules = [NamedRules.default]
  var chart = ChartSource.exact
  var method = Method.simulate
  private var games: [PreparedGame] = []

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .rules(), NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
    Parameter(
      "chart", \.chart, .chart(),
      "How the player plays: exact (the chart computed for the rules), trainer (\(ChartSource.trainerRules)), "
        + "composition (the best play by composition, after a split as before it: CDZ-; computed only), or a CSV "
        + "file with columns kind,player,dealer,action and maybe fallback.", example: "my-chart.csv"),
    Parameter("method", \.method, .choice, "simulate, or exact for the analyser's answer.", example: "exact"),
  ]

  var reasonForNone: String? { method == .exact ? "method exact plays no rounds" : nil }

  func check() throws(ParameterError) {
    if chart == .composition && method == .simulate {
      throw ParameterError(
        "chart", "method", expected: "a chart: play by composition needs method exact")
    }
    if method == .exact, rules.contains(where: { !$0.hasFreshShoe }) {
      throw ParameterError(
        "rules", "method", expected: "rules without a cut card: the analyser computes a fresh shoe only")
    }
  }

  // MARK: Measures

  func tallied(at confidence: Double) -> [Measure] {
    rules.flatMap { named in rows(under: named, at: confidence).map { $0.measure(of: named.label) } }
  }

  private func rows(under named: NamedRules, at confidence: Double) -> [MeasureRow<GameFinding>] {
    guard method == .simulate else { return chart == .composition ? Array(Self.computed.prefix(2)) : Self.computed }
    return Self.means + [Self.deviation(at: confidence)] + Self.shares + (named.hasFreshShoe ? Self.compared : [])
      + [Self.count]
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

  private static func deviation(at confidence: Double) -> MeasureRow<GameFinding> {
    .interval(
      "deviation", "the standard deviation of a round's win", unit: "bets", confidence: confidence
    ) { finding in
      let interval = finding.result.deviationInterval(at: finding.confidence)
      return .interval(
        finding.result.standardDeviation, low: interval.lowerBound, high: interval.upperBound, confidence: confidence,
        samples: finding.result.rounds)
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
    $0.result.rounds
  }

  // MARK: Running

  mutating func prepare(on context: RunContext) throws {
    games = try rules.map { try PreparedGame($0.rules, by: chart, isPlayed: method == .simulate) }
  }

  func tally() -> [GrowingTally] { rules.map { _ in GrowingTally() } }

  func scratch(generator: String) throws -> [PreparedGame.Player] {
    try games.map { try $0.player(generator: generator) }
  }

  func draw(
    _ batch: SampleBatch, _ players: inout [PreparedGame.Player], into tallies: inout [GrowingTally]
  ) throws {
    // All rules meet the same random numbers.
    for (index, play) in players.enumerated() {
      tallies[index].merge(GrowingTally(batch: batch.index, try play(batch.count, batch.seed())))
    }
  }

  private func findings(in run: SampledRun<[GrowingTally]>) -> [GameFinding] {
    zip(rules, zip(games, run.tally)).map { named, game in
      GameFinding(
        named: named, chart: chart, course: game.1.course, computed: game.0.computed, stated: run.confidence,
        confidence: run.confidenceOfLook)
    }
  }

  func measurements(of run: SampledRun<[GrowingTally]>) -> [Scenarios.Measurement] {
    findings(in: run).flatMap { rows(under: $0.named, at: run.confidence).measurements(of: $0.named.label, in: $0) }
  }

  func data(of run: SampledRun<[GrowingTally]>) -> [JSONMember] {
    [JSONMember("games", .array(findings(in: run).map(\.json)))]
  }

  func sections(of run: SampledRun<[GrowingTally]>) -> [ReportBlock] {
    findings(in: run).blocks(Table(run.measurements, by: "rules", at: run.confidence))
  }
}

/// The play of a chart under some rules, made ready once for all workers.
struct PreparedGame: Sendable {
  /// Plays a number of rounds from a seed.
  typealias Player = (_ rounds: Int, _ seed: UInt32) throws -> PayoffTally

  private let rules: Rules
  private let chart: StrategyChart
  /// The table of the core's positions for fresh shoes; with a cut card the core's round and shoe play.
  private let automaton: RoundAutomaton?
  /// `nil` for rules with a cut card.
  let computed: GameFinding.Computed?

  init(_ rules: Rules, by source: ChartSource, isPlayed: Bool) throws {
    (self.rules, chart) = (rules, source == .composition ? StrategyChart() : source.chart(for: rules))
    let isFresh = rules.dealing == .freshShoe
    automaton = isPlayed && isFresh ? try RoundAutomaton(rules: rules, chart: chart) : nil
    computed =
      source == .composition
      ? GameFinding.Computed(ev: ExactAnalysis(rules: rules).gameValue, standardDeviation: nil, chances: nil)
      : isFresh ? try .of(rules, by: chart, isPlayed: isPlayed) : nil
  }

  func player(generator: String) throws -> Player {
    guard let automaton else { return CutCardPlayer(rules: rules, chart: chart, generator: generator).play }
    let kernel = UncopiedScratch(
      try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: generator))
    return { try kernel.state.play(rounds: $0, seed: $1) }
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
  /// The payoffs after 1, 2, 4, 8 … batches, and after all of them, to show the convergence; none without rounds.
  let course: [PayoffTally]
  let computed: Computed?
  /// The confidence of its intervals, and the one at which they are computed since the run may end at any look.
  let stated: Double
  let confidence: Double

  /// The payoffs of all rounds.
  var result: PayoffTally { course.last ?? PayoffTally() }
  var isPlayed: Bool { !course.isEmpty }
  var ev: Double { isPlayed ? result.ev : computed?.ev ?? 0 }

  fileprivate func moments(mean: Double) -> Measurement.Value {
    .mean(mean, standardDeviation: result.standardDeviation, samples: result.rounds)
  }

  fileprivate func share(of isWanted: (Int) -> Bool) -> (successes: Int, trials: Int) {
    (result.payoffs.reduce(0) { $0 + (isWanted($1.tenths) ? $1.count : 0) }, result.rounds)
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
