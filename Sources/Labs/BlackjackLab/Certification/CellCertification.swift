// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Statistics

/// The certification of one cell: its start, the comparison of its actions, and its decision.
struct CellCertification: Sendable {
  struct Decision: Sendable {
    let cell: StrategyChart.Cell
    let verdict: CellVerdict
  }

  let key: ChartCellKey
  let start: CellStart
  let actions: [Action]
  private(set) var comparison: ActionComparison
  private(set) var blocks = 0
  private(set) var decision: Decision?
  /// The margin between the two best actions after every wave.
  private var course: [(action: Action, stage: ChartCell.Stage)] = []

  /// For a pair: the decision assumed for the same pair when it comes again after a split.
  private(set) var assumption: StrategyChart.Cell?
  private let freshComparison: ActionComparison
  private var isRevised = false

  init(_ key: ChartCellKey, rules: Rules, error: Double, indifference: Double) throws {
    self.key = key
    start = try CellStart(key, rules: rules)
    actions = try Self.actions(from: start, rules: rules)
    // A pair may be played under two assumptions, which share the error of one cell.
    let share = key.row.kind == .pair ? error / 2 : error
    freshComparison = try ActionComparison(actions: actions, rules: rules, error: share, indifference: indifference)
    comparison = freshComparison
    if actions.contains(.split) { assumption = StrategyChart.Cell(.split) }
  }

  private static func actions(from start: CellStart, rules: Rules) throws -> [Action] {
    guard var round = start.deals.first?.round else { return [] }
    // Any hole card that gives no natural; the allowed actions do not depend on it.
    if round.need == .dealerCard { try round.receive(.five) }
    return round.options.actions
  }

  /// The experiment's ordinal among those of `ChartMaker.experiments`.
  var experiment: Int { key.index + (isRevised ? ChartCellKey.all.count : 0) }

  /// The actions not yet decided; all of them before the first wave.
  var open: [Action] {
    guard comparison.samples > 0 else { return actions }
    let rivals = Set(openRivals.joined())
    return actions.filter(rivals.contains)
  }

  /// The open candidates for the best action and those for the best fallback; empty for what is decided.
  private var openRivals: [[Action]] {
    [actions, fallbackCandidates].compactMap { candidates in
      if case .open(let rivals) = comparison.standing(of: candidates) { rivals } else { nil }
    }
  }

  /// The candidates for the fallback if the leading action is not allowed; empty where the total's own row decides.
  private var fallbackCandidates: [Action] {
    switch comparison.ranking(of: actions).first {
    case .double: [.stand, .hit]
    case .surrender: [.stand, .hit] + (actions.contains(.split) ? [.split] : [])
    default: []
    }
  }

  /// The size of the next wave: the estimated number of samples to decide, bounded so that a misleading first estimate
  /// costs little.
  var nextWave: Int {
    guard comparison.samples > 0 else { return ChartMaker.samplesPerBlock }
    let need = openRivals.map(comparison.samplesToDecide).max() ?? 0
    return min(max(need / 2, comparison.samples / 8), 2 * comparison.samples)
  }

  /// Absorbs a wave, and decides the cell if the comparison is complete.
  mutating func absorb(_ wave: CellTally, blocks played: Int) {
    comparison.absorb(wave)
    blocks += played
    for action in comparison.ranking(of: actions).prefix(2) {
      guard let margin = comparison.margin(of: action) else { continue }
      let stage = ChartCell.Stage(
        samples: comparison.samples, margin: margin.estimate, low: margin.low, high: margin.high)
      course.append((action, stage))
    }
    if open.isEmpty { conclude(comparison.standing(of: actions) == .certified ? .certified : .indifferent) }
  }

  mutating func giveUp() { decision = Decision(cell: leading, verdict: .undecided) }

  private var leading: StrategyChart.Cell {
    let best = comparison.ranking(of: actions).first ?? .stand
    return StrategyChart.Cell(best, else: comparison.ranking(of: fallbackCandidates).first)
  }

  private mutating func conclude(_ verdict: CellVerdict) {
    let cell = leading
    guard let assumed = assumption, Self.splitsAgain(cell) != Self.splitsAgain(assumed) else {
      decision = Decision(cell: cell, verdict: verdict)
      return
    }
    if isRevised {
      // Splitting is best if resplits are not split, and worse if they are: no chart can express that. If keeping the
      // pair together certainly loses no more than the indifference, it stays together.
      let isClose = verdict == .indifferent && comparison.isIndifferent(to: assumed.action)
      decision = Decision(cell: isClose ? assumed : cell, verdict: isClose ? .indifferent : .undecided)
      return
    }
    // The pair is not split, so it is not resplit either, which changes the value of a split.
    assumption = cell
    isRevised = true
    comparison = freshComparison
    blocks = 0
    course = []
  }

  /// Returns true if a pair that comes again after a split is split again; a surrender is no longer allowed then.
  private static func splitsAgain(_ cell: StrategyChart.Cell) -> Bool {
    cell.action == .split || (cell.action == .surrender && cell.fallback == .split)
  }

  /// The cells whose decisions this cell's later play may need, which must be decided before it.
  static func prerequisites(of key: ChartCellKey) -> [ChartCellKey] {
    ChartRow.all.filter { row in
      switch (key.row.kind, row.kind) {
      case (.pair, .hard), (.pair, .soft): true
      case (.hard, .hard): row.player > key.row.player
      case (.hard, .soft): key.row.player <= 9 && row.player >= key.row.player + 11
      case (.soft, .soft): row.player > key.row.player
      case (.soft, .hard): row.player >= 12
      case (_, .pair): false
      }
    }.map { ChartCellKey($0, against: key.upcard) }
  }

  func report() -> ChartCell {
    var (values, lows, highs) = (ActionValues(), ActionValues(), ActionValues())
    // A cell without samples has no values.
    for action in comparison.samples > 0 ? actions : [] {
      guard let value = comparison.value(of: action) else { continue }
      (values[action], lows[action], highs[action]) = (value.estimate, value.low, value.high)
    }
    let cell = decision?.cell ?? leading
    let margin = comparison.samples > 0 ? comparison.margin(of: cell.action) : nil
    return ChartCell(
      key: key, decision: cell, runnerUp: margin?.runnerUp, values: values,
      valuesLow: lows, valuesHigh: highs, margin: margin?.estimate ?? 0, marginLow: margin?.low ?? 0,
      marginHigh: margin?.high ?? 0, samples: comparison.samples, plays: comparison.plays,
      verdict: decision?.verdict ?? .undecided,
      course: course.filter { $0.action == cell.action }.map(\.stage))
  }
}

/// Compares a cell's actions by racing: which differences between them are certain after the waves so far (Maron and
/// Moore, "Hoeffding races", NIPS 1993).
///
/// Every ordered pair of actions has a time-uniform bound on its difference; the errors of all bounds of all cells add
/// up to the chart's. So a decision read off the bounds at any time is wrong only if a bound is.
struct ActionComparison: Sendable {
  enum Standing: Equatable {
    case certified, indifferent
    case open([Action])
  }

  let actions: [Action]
  private let pairError: Double
  private let valueError: Double
  private let indifference: Double
  private var values: [ConfidenceSequence]
  private var differences: [ConfidenceSequence]

  init(actions: [Action], rules: Rules, error: Double, indifference: Double) throws(StatisticsError) {
    self.actions = actions
    self.indifference = indifference
    let pairs = max(actions.count * (actions.count - 1), 1)
    // The values decide nothing, so they get only a small part of the error.
    pairError = error * (15 / 16) / Double(pairs)
    valueError = error / 16 / Double(actions.count)
    values = []
    differences = []
    for (index, first) in actions.enumerated() {
      let range = Self.range(of: first, rules: rules)
      values.append(try ConfidenceSequence(range: range, unit: CellTally.unit))
      for second in actions[(index + 1)...] {
        let other = Self.range(of: second, rules: rules)
        let width = (range.lowerBound - other.upperBound)...(range.upperBound - other.lowerBound)
        differences.append(try ConfidenceSequence(range: width, unit: CellTally.unit))
      }
    }
  }

  private static func range(of action: Action, rules: Rules) -> ClosedRange<Double> {
    switch action {
    case .stand, .hit: return -1...1
    case .double: return -2...2
    case .split:
      let maximum = Double(rules.maximumHands * (rules.doubleAfterSplit ? 2 : 1))
      return -maximum...maximum
    case .surrender: return -1...0
    }
  }

  mutating func absorb(_ wave: CellTally) {
    let indices = wave.actions.compactMap(actions.firstIndex)
    var difference = 0
    for (first, position) in indices.enumerated() {
      values[position].absorb(wave: wave.values[first])
      for other in indices[(first + 1)...] {
        // Open actions are in the order of all, but an edited checkpoint may have another order.
        if position < other { differences[pair(position, other)].absorb(wave: wave.differences[difference]) }
        difference += 1
      }
    }
  }

  var samples: Int { values.map(\.count).max() ?? 0 }

  var plays: [Action: Int] { Dictionary(zip(actions, values.map(\.count))) { first, _ in first } }

  /// The estimated value of an action, in bets, and bounds that hold at all times.
  func value(of action: Action) -> (estimate: Double, low: Double, high: Double)? {
    guard let index = actions.firstIndex(of: action) else { return nil }
    let sequence = values[index]
    let interval = sequence.interval(alpha: valueError)
    return (sequence.mean, interval.lowerBound - CellTally.unit, interval.upperBound + CellTally.unit)
  }

  /// The estimated difference of two actions' values, in bets, and bounds that hold at all times.
  func difference(_ first: Action, minus second: Action) -> (estimate: Double, low: Double, high: Double) {
    guard let (sequence, isReversed) = sequence(first, second) else { return (0, 0, 0) }
    // Rounding to units may shift a mean by up to one unit.
    let low = sequence.lowerBound(alpha: pairError) - CellTally.unit
    let high = sequence.upperBound(alpha: pairError) + CellTally.unit
    return isReversed ? (-sequence.mean, -high, -low) : (sequence.mean, low, high)
  }

  /// The sequence of differences of two actions, and whether its sign is reversed.
  private func sequence(_ first: Action, _ second: Action) -> (sequence: ConfidenceSequence, isReversed: Bool)? {
    guard let i = actions.firstIndex(of: first), let j = actions.firstIndex(of: second), i != j else { return nil }
    return (differences[pair(min(i, j), max(i, j))], i > j)
  }

  /// The estimated advantage of an action over the best other one, in bets, with bounds that hold at all times; `nil`
  /// if it is the only action.
  ///
  /// The margin is the least of the differences to the other actions, so the least of their bounds is a bound on it,
  /// whichever of them is the best.
  func margin(of action: Action) -> (runnerUp: Action, estimate: Double, low: Double, high: Double)? {
    let others = actions.filter { $0 != action }.map { (action: $0, margin: difference(action, minus: $0)) }
    guard let nearest = others.min(by: { $0.margin.estimate < $1.margin.estimate }) else { return nil }
    let low = others.map(\.margin.low).reduce(nearest.margin.low, min)
    let high = others.map(\.margin.high).reduce(nearest.margin.high, min)
    return (nearest.action, nearest.margin.estimate, low, high)
  }

  /// Returns true if an action and the best other one certainly differ by less than the indifference.
  func isIndifferent(to action: Action) -> Bool {
    guard let margin = margin(of: action) else { return false }
    return margin.low >= -indifference && margin.high <= indifference
  }

  private func pair(_ first: Int, _ second: Int) -> Int {
    first * actions.count - first * (first + 1) / 2 + second - first - 1
  }

  func ranking(of candidates: [Action]) -> [Action] {
    candidates.compactMap { action in actions.firstIndex(of: action).map { (action, values[$0].mean) } }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }.map(\.0)
  }

  func standing(of candidates: [Action]) -> Standing {
    let ranking = ranking(of: candidates)
    guard let leader = ranking.first, ranking.count > 1 else { return .certified }
    guard samples > 0 else { return .open(ranking) }
    let margins = ranking.dropFirst().map { (action: $0, margin: difference(leader, minus: $0)) }
    let rivals = margins.filter { $0.margin.low <= 0 }
    if rivals.isEmpty { return .certified }
    let isClose = rivals.allSatisfy { $0.margin.high <= indifference && $0.margin.low >= -indifference }
    return isClose ? .indifferent : .open([leader] + rivals.map(\.action))
  }

  /// The estimated number of further samples to decide between these actions.
  func samplesToDecide(between open: [Action]) -> Int {
    guard let leader = open.first else { return 0 }
    let needs = open.dropFirst().compactMap { sequence(leader, $0)?.sequence }.map { sequence in
      // To separate the actions the bounds must exclude zero; to call them equal both must lie within the indifference.
      let distance = max(abs(sequence.mean), indifference - abs(sequence.mean), indifference / 4)
      return sequence.samplesToResolve(distance: distance, alpha: pairError)
    }
    return max((needs.max() ?? 0) - samples, 0)
  }
}
