// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Foundation
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Sampling
internal import Scenarios

/// Estimates the future of a bankroll: by formulas, by exact walks, and by simulated trips.
struct BankrollExperiment: BatchedExperiment {
  static let kind = "blackjack.bankroll"
  static let summary = "Risk of ruin on a trip, before a goal and for ever: formulas, exact walks and simulation."
  static let discussion = """
    Example: assay blackjack bankroll --rules 6d-s17-das-spl1 --bankroll 40 --rounds 200
    Example: assay blackjack bankroll --from runs/count/result.json --bankroll 1000 --rounds 10000
    Example: assay blackjack bankroll --win 0.0151 --deviation 1.97 --bankroll 300 --goal 600

    A round's wins come from a finished run of 'blackjack count', from the exact payoffs of a flat bet of one unit \
    (rules that split once, or an infinite shoe), or are those of a coin with a given mean and deviation. Rounds are \
    drawn independently. Ruin is checked after every round, and a bet can always be made.
    """
  static let samplesName = "trips"
  static let defaultSamples = 20_000
  static let defaultConfidence = 0.999

  var from: String?
  var rules = NamedRules(label: "6d-s17-das-spl1", rules: (try? Rules(name: "6d-s17-das-spl1")) ?? .common)
  var chart = ChartSource.trainer
  var win: Double?
  var deviation: Double?
  var bankroll = 100.0
  var rounds = 1000
  var goal: Double?
  var ruin = 0.05
  private var prepared: Prepared?

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter(
      "from", \.from, ValueType<String>.text("file", expected: "result.json of a run of blackjack count").optional,
      "A finished run of 'blackjack count': its result.json.", example: "count/result.json"),
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "inf-h17"),
    Parameter(
      "chart", \.chart, .chart(refusingComposition: "trainer, exact or a file"), "The chart of the flat bet.",
      example: "exact"),
    Parameter(
      "win", \.win, ValueType<Double>.number(-100...100).optional, "The mean win of a round, in units.",
      example: "0.0151"),
    Parameter(
      "deviation", \.deviation, ValueType<Double>.number(0...100_000, isOpen: true).optional,
      "The standard deviation of a round's win, in units.", example: "1.97"),
    Parameter(
      "bankroll", \.bankroll, .number(0...1e9, isOpen: true, named: "units"), "The bankroll, in units.",
      example: "400"),
    Parameter("rounds", \.rounds, .count(1...100_000_000), "The rounds of a trip.", example: "200"),
    Parameter(
      "goal", \.goal, ValueType<Double>.number(0...1e9, isOpen: true, named: "units").optional,
      "The bankroll at which a trip ends, in units.", example: "800"),
    Parameter("ruin", \.ruin, .probability, "The risk of ruin for which the bankroll is computed.", example: "1%"),
  ]

  func check() throws(ParameterError) {
    if let goal, goal <= bankroll {
      throw ParameterError("goal", "bankroll", expected: "more than the bankroll of \(NumberFormat.shortest(bankroll))")
    }
    if (win == nil) != (deviation == nil) {
      throw ParameterError(win == nil ? "win" : "deviation", expected: "both a win and a deviation, or neither")
    }
    if win != nil, from != nil { throw ParameterError("win", "from", expected: "one source of a round's wins") }
    if from == nil, win == nil, rules.rules.maximumHands > 2, rules.rules.decks != .infinite {
      throw ParameterError(
        "rules", expected: "rules with spl1, or inf: for others payoffs from 'blackjack count' by --from")
    }
    if from == nil, win == nil, !rules.hasFreshShoe {
      throw ParameterError("rules", expected: "rules without a cut card: payoffs are computed for a fresh shoe")
    }
  }

  /// The part of a count run's result file that is read.
  private struct CountRun: Decodable {
    struct Body: Decodable {
      let wins: [String: Int]
      let rounds: Int
    }
    let data: Body
  }

  func distribution() throws -> WinDistribution {
    if let win, let deviation {
      let size = (deviation * deviation + win * win).squareRoot()
      // A step up, down or none, in tenths of a unit and at least as long as `size`, with the given mean and variance.
      let tenths = max(1, Int((size * 10).rounded(.up)))
      let step = Double(tenths) / 10
      let drift = win / step
      let moves = max(size * size / (step * step), abs(drift))
      return WinDistribution([(-tenths, (moves - drift) / 2), (0, 1 - moves), (tenths, (moves + drift) / 2)])
    }
    guard let from else {
      let analysis = try ExactAnalysis(rules: rules.rules, following: chart.chart(for: rules.rules))
      return WinDistribution((ExactPayoffs(of: analysis).distribution ?? []).map { ($0.tenths, $0.probability) })
    }
    let text = try TextFile.read(from)
    guard let run = try? JSONDecoder().decode(CountRun.self, from: Data(text.utf8)) else {
      throw ReportingError.badValue(
        file: from, line: 1, field: "data.wins", found: "none", expected: "the result.json of a run of blackjack count")
    }
    let wins = run.data.wins.compactMap { key, times in Int(key).map { (tenths: $0, chance: Double(times)) } }
    guard wins.count == run.data.wins.count, wins.allSatisfy({ $0.chance >= 0 && abs($0.tenths) < 1 << 40 }),
      case let found = WinDistribution(wins.sorted { $0.tenths < $1.tenths }), found.variance > 0
    else {
      throw ReportingError.badValue(
        file: from, line: 1, field: "data.wins", found: "no wins",
        expected: "wins in tenths of a unit with their counts")
    }
    return found
  }

  private static let rows: [MeasureRow<TripTally>] = [
    .proportion("ruin.trip", "trips that are ruined before their end, or before the goal") { ($0.ruined, $0.trips) },
    .proportion("goal.trip", "trips that reach the goal") { ($0.reached, $0.trips) },
    .count("trips", "trips simulated", unit: "trips") { $0.trips },
  ]

  private static let computed: [MeasureRow<BankrollFinding>] = [
    .exact("win", "the mean win of a round", unit: "units") { $0.wins.mean },
    .exact("deviation", "the standard deviation of a round's win", unit: "units") { $0.wins.variance.squareRoot() },
    .exact("n0", title: "N0", "the rounds after which the expected win is one standard deviation", unit: "rounds") {
      // An even game never earns a standard deviation.
      $0.wins.mean == 0 ? nil : $0.wins.variance / ($0.wins.mean * $0.wins.mean)
    },
    .exact("ruin.trip.exact", "ruin of a trip, by the walk", isShare: true) { $0.trip?.ruin },
    .exact("ruin.trip.formula", "ruin within the rounds without a goal, by the formula of a barrier", isShare: true) {
      RuinFormula.trip($0.run.bankroll, rounds: $0.run.rounds, mean: $0.wins.mean, variance: $0.wins.variance)
    },
    .exact("goal.trip.exact", "the goal reached on a trip, by the walk", isShare: true) {
      $0.run.goal == nil ? nil : $0.trip?.goal
    },
    .exact("ruin.goal.exact", "ruin before the goal, however long it takes, by a linear system", isShare: true) {
      finding in
      finding.run.goal.flatMap { finding.wins.ruin(bankroll: finding.run.bankroll, before: $0) }
    },
    .exact("ruin.goal.formula", "ruin before the goal, by formula", isShare: true) { finding in
      finding.run.goal.map {
        RuinFormula.before(
          $0, from: finding.run.bankroll, mean: finding.wins.mean, variance: finding.wins.variance)
      }
    },
    .exact("ruin.ever.exact", "ruin for ever, by a linear system", isShare: true) {
      $0.wins.ruin(bankroll: $0.run.bankroll)
    },
    .exact("ruin.ever.lundberg", "ruin for ever, by exp(-tB) with E exp(-tX) = 1", isShare: true) { finding in
      finding.wins.exponent.map { exp(-$0 * finding.run.bankroll) }
    },
    .exact("ruin.ever.formula", "ruin for ever, by exp(-2mB/v)", isShare: true) {
      RuinFormula.ever($0.run.bankroll, mean: $0.wins.mean, variance: $0.wins.variance)
    },
    .exact("ruin.ever.coin", "ruin for ever, by a coin of equal mean and variance", isShare: true) {
      RuinFormula.coin($0.run.bankroll, mean: $0.wins.mean, variance: $0.wins.variance)
    },
    .exact("bankroll.wanted", "the bankroll with the wanted risk of ruin for ever, by exp(-tB)", unit: "units") {
      finding in finding.wins.exponent.map { -log(finding.run.ruin) / $0 }
    },
    .exact("kelly", "one unit as a share of the full Kelly bet of this bankroll: v/(mB)") {
      $0.wins.mean > 0 ? $0.wins.variance / ($0.wins.mean * $0.run.bankroll) : nil
    },
  ]

  /// Figures that are computed before the trips.
  private struct Prepared: Sendable {
    let walker: TripWalker
    let figures: [Scenarios.Measurement]
  }

  mutating func prepare(on context: RunContext) throws {
    let wins = try distribution()
    let finding = BankrollFinding(
      run: self, wins: wins, trip: wins.trip(bankroll: bankroll, goal: goal, rounds: rounds))
    prepared = Prepared(
      walker: TripWalker(wins, bankroll: bankroll, goal: goal, rounds: rounds),
      figures: Self.computed.measurements(in: finding))
  }

  func tally() -> TripTally { TripTally() }

  func scratch(generator: String) throws -> UncopiedScratch<WordStream> {
    UncopiedScratch(try WordStream(named: generator, seed: 1))
  }

  func draw(_ batch: SampleBatch, _ stream: inout UncopiedScratch<WordStream>, into tally: inout TripTally) throws {
    try stream.state.reseed(batch.seed())
    prepared?.walker.walk(trips: batch.count, drawing: &stream.state, into: &tally)
  }

  func tallied(at confidence: Double) -> [Measure] { Self.rows.measures() + Self.computed.measures() }

  func measurements(of run: SampledRun<TripTally>) -> [Scenarios.Measurement] {
    Self.rows.measurements(in: run.tally).filter { goal != nil || $0.measure.name != "goal.trip" }
      + (prepared?.figures ?? [])
  }

  private static let percents = [5.0, 25, 50, 75, 95]

  func sections(of run: SampledRun<TripTally>) -> [ReportBlock] {
    guard let walker = prepared?.walker else { return [] }
    let quantiles = walker.stages.indices.map { stage in
      Self.percents.map { run.tally.quantile($0 / 100, at: stage) / 10 }
    }
    let series = Self.percents.enumerated().map { index, percent in
      Figure.Series(
        "\(NumberFormat.shortest(percent))%", style: .line,
        points: [Figure.Point(0, bankroll)]
          + zip(walker.stages, quantiles).map { Figure.Point(Double($0), $1[index]) })
    }
    let source =
      from.map { "Wins of rounds from \($0)" } ?? win.map { _ in
        "Rounds are coin tosses with the given mean and deviation"
      }
      ?? "\(chart.inWords), a flat bet of one unit under \(rules.label)"
    let fan = Figure(
      id: "fan", title: "The bankroll over a trip",
      alternative: "The quantiles of the bankroll of \(NumberFormat.grouped(run.samples)) trips after each "
        + "twentieth of \(NumberFormat.grouped(rounds)) rounds.",
      x: Figure.Axis("rounds"), y: Figure.Axis("bankroll, units"), series: series + [.level("ruin", at: 0)])
    let table = Table(
      [], numbers: ["rounds"] + Self.percents.map { "\(NumberFormat.shortest($0))%" },
      rows: zip(walker.stages, quantiles).map { stage, row in
        [NumberFormat.grouped(stage)] + row.map { NumberFormat.fixed($0, decimals: 1) }
      })
    return [
      .paragraph(
        "\(source). A trip of \(NumberFormat.shortest(bankroll)) units lasts \(NumberFormat.grouped(rounds)) rounds"
          + (goal.map { ", or until \(NumberFormat.shortest($0)) units are reached" } ?? "")
          + ", and ruin is checked after each."),
      .figure(fan),
      .details(
        summary: "The quantiles", [.table(table, caption: "The bankroll; a ruined one stays where it ended.")]),
    ]
  }
}

private struct BankrollFinding: Sendable {
  let run: BankrollExperiment
  let wins: WinDistribution
  let trip: (ruin: Double, goal: Double)?
}

/// Trips of independent rounds, drawn by Walker's alias method in integers.
struct TripWalker: Sendable {
  private let tenths: [Int]
  private let alias: [Int]
  /// A place is kept for 32-bit words below this value, else replaced by its alias.
  private let keeps: [UInt32]
  private let bankroll: Int
  private let goal: Int
  /// The rounds after which the bankroll is recorded.
  let stages: [Int]

  init(_ wins: WinDistribution, bankroll: Double, goal: Double?, rounds: Int) {
    tenths = wins.wins.map(\.tenths)
    self.bankroll = Int((bankroll * 10).rounded())
    self.goal = goal.map { Int(($0 * 10).rounded()) } ?? .max
    stages = Set((1...20).map { max(1, rounds * $0 / 20) }).sorted()
    // Walker, "An efficient method for generating discrete random variables with general distributions" (1977).
    let count = tenths.count
    var (alias, shares) = (Array(0..<count), wins.wins.map { $0.chance * Double(count) })
    var small = (0..<count).filter { shares[$0] < 1 }
    var large = (0..<count).filter { shares[$0] >= 1 }
    while let poor = small.popLast(), let rich = large.last {
      alias[poor] = rich
      shares[rich] -= 1 - shares[poor]
      if shares[rich] < 1 {
        large.removeLast()
        small.append(rich)
      }
    }
    self.alias = alias
    keeps = (0..<count).map { alias[$0] == $0 ? .max : UInt32(max(0, min(1, shares[$0])) * 4_294_967_295) }
  }

  /// Returns true if a trip ends after a round. Every round is checked, since a ruined player cannot win the bankroll
  /// back.
  static func isOver(_ money: Int, goal: Int) -> Bool { money <= 0 || money >= goal }

  /// A round's win, in tenths of a unit.
  func win(drawing random: inout RandomStream) -> Int {
    let index = random.integer(in: 0..<tenths.count)
    return tenths[random.word() <= keeps[index] ? index : alias[index]]
  }

  func walk(trips: Int, drawing stream: inout WordStream, into tally: inout TripTally) {
    for _ in 0..<trips {
      var (money, played, isOver) = (bankroll, 0, false)
      for (stage, end) in stages.enumerated() {
        while played < end, !isOver {
          played += 1
          let index = Int(stream.below(UInt32(tenths.count)))
          money += tenths[stream.next() <= keeps[index] ? index : alias[index]]
          isOver = Self.isOver(money, goal: goal)
        }
        tally.add(money, at: stage)
      }
      tally.end(isRuined: money <= 0, isReached: money >= goal)
    }
  }
}

struct TripTally: MergeableTally, Hashable {
  private(set) var trips = 0
  private(set) var ruined = 0
  private(set) var reached = 0
  /// For each stage, how often the bankroll had each value, in tenths of a unit.
  private var stages: [[Int: Int]] = []

  mutating func add(_ money: Int, at stage: Int) {
    while stages.count <= stage { stages.append([:]) }
    stages[stage][money, default: 0] += 1
  }

  mutating func end(isRuined: Bool, isReached: Bool) {
    trips += 1
    ruined += isRuined ? 1 : 0
    reached += isReached ? 1 : 0
  }

  mutating func merge(_ other: TripTally) {
    (trips, ruined, reached) = (trips + other.trips, ruined + other.ruined, reached + other.reached)
    for (stage, counts) in other.stages.enumerated() {
      if stage == stages.count { stages.append([:]) }
      stages[stage].merge(counts, uniquingKeysWith: +)
    }
  }

  /// A quantile of the bankroll at a stage, in tenths of a unit.
  func quantile(_ share: Double, at stage: Int) -> Double {
    guard stages.indices.contains(stage) else { return .nan }
    var left = Int((share * Double(trips)).rounded(.up))
    for (money, times) in stages[stage].sorted(by: { $0.key < $1.key }) {
      left -= times
      if left <= 0 { return Double(money) }
    }
    return .nan
  }
}
