// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Statistics

/// A cell under trial: from where it is played, how its race stands, and what was decided.
struct CellCase: Sendable {
  /// What a cell came to.
  struct Decision: Sendable {
    let cell: StrategyChart.Cell
    let verdict: Verdict
  }

  let key: ChartCellKey
  let start: CellStart
  /// The allowed actions, by raw value.
  let actions: [Action]
  private(set) var race: CellRace
  private(set) var blocks = 0
  private(set) var decision: Decision?
  /// After every wave, the margins of the two actions that seemed best.
  private var course: [(action: Action, stage: ChartCell.Stage)] = []

  /// For a pair: what its own cell is taken to say when the pair comes again after a split.
  private(set) var assumption: StrategyChart.Cell?
  private let freshRace: CellRace
  private var isRevised = false

  init(_ key: ChartCellKey, rules: Rules, error: Double, indifference: Double) throws {
    self.key = key
    start = try CellStart(key, rules: rules)
    actions = try Self.actions(from: start, rules: rules)
    // A pair may be tried under two assumptions, and is entitled to one cell's error for both.
    let share = key.row.kind == .pair ? error / 2 : error
    freshRace = try CellRace(actions: actions, rules: rules, error: share, indifference: indifference)
    race = freshRace
    if actions.contains(.split) { assumption = StrategyChart.Cell(.split) }
  }

  private static func actions(from start: CellStart, rules: Rules) throws -> [Action] {
    guard var round = start.deals.first?.round else { return [] }
    // Any hole card that is no natural: what is allowed does not depend on it.
    if round.need == .dealerCard { try round.receive(.five) }
    return round.options.actions
  }

  /// The experiment's ordinal among those of `ChartMaker.experiments`.
  var experiment: Int { key.index + (isRevised ? ChartCellKey.all.count : 0) }

  /// The actions between which something is still to be decided; all of them before the first wave.
  var open: [Action] {
    guard race.samples > 0 else { return actions }
    var open: Set<Action> = []
    if case .open(let rivals) = race.standing(of: actions) { open.formUnion(rivals) }
    if case .open(let rivals) = race.standing(of: fallbackCandidates) { open.formUnion(rivals) }
    return actions.filter(open.contains)
  }

  /// What could stand in for the leading action where it is not allowed; nothing where the total's own row tells.
  private var fallbackCandidates: [Action] {
    switch race.ranking(of: actions).first {
    case .double: [.stand, .hit]
    case .surrender: [.stand, .hit] + (actions.contains(.split) ? [.split] : [])
    default: []
    }
  }

  /// How many samples the next wave should have: enough to decide, as far as can be told, and never so many that a
  /// first impression could be dearly mistaken.
  var nextWave: Int {
    guard race.samples > 0 else { return ChartMaker.samplesPerBlock }
    var need = 0
    for candidates in [actions, fallbackCandidates] {
      if case .open(let rivals) = race.standing(of: candidates) {
        need = max(need, race.samplesToDecide(between: rivals))
      }
    }
    return min(max(need / 2, race.samples / 8), 2 * race.samples)
  }

  /// Takes in a wave, and decides where the race is over.
  mutating func absorb(_ wave: CellTally, blocks played: Int) throws {
    race.absorb(wave)
    blocks += played
    for action in race.ranking(of: actions).prefix(2) {
      guard let margin = race.margin(of: action) else { continue }
      let stage = ChartCell.Stage(
        samples: race.samples, margin: margin.estimate, low: margin.low, high: margin.high)
      course.append((action, stage))
    }
    guard open.isEmpty else { return }
    let verdict: Verdict = race.standing(of: actions) == .certified ? .certified : .indifferent
    conclude(verdict)
  }

  /// Takes the leading action as it is, undecided.
  mutating func giveUp() { decision = Decision(cell: leading, verdict: .undecided) }

  private var leading: StrategyChart.Cell {
    let best = race.ranking(of: actions).first ?? .stand
    return StrategyChart.Cell(best, else: race.ranking(of: fallbackCandidates).first)
  }

  private mutating func conclude(_ verdict: Verdict) {
    let cell = leading
    guard let assumed = assumption, Self.splitsAgain(cell) != Self.splitsAgain(assumed) else {
      decision = Decision(cell: cell, verdict: verdict)
      return
    }
    if isRevised {
      // Splitting is right if it is not done again, and wrong if it is: no chart can say that. Where keeping the pair
      // together is certainly no worse than the indifference, it may stay together.
      let isClose = verdict == .indifferent && race.isIndifferent(to: assumed.action)
      decision = Decision(cell: isClose ? assumed : cell, verdict: isClose ? .indifferent : .undecided)
      return
    }
    // The pair is not split after all, so it is not split again either, and a split is worth something else.
    assumption = cell
    isRevised = true
    race = freshRace
    blocks = 0
    course = []
  }

  /// Whether a pair that comes again after a split is split again: a surrender is then no longer allowed.
  private static func splitsAgain(_ cell: StrategyChart.Cell) -> Bool {
    cell.action == .split || (cell.action == .surrender && cell.fallback == .split)
  }

  /// The cells whose decisions can matter after this one's first action: those that must be known before.
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

  /// Everything known about the cell.
  ///
  /// - Returns: the cell with its evidence.
  func report() -> ChartCell {
    var (values, lows, highs) = (ActionValues(), ActionValues(), ActionValues())
    // A cell that was never played has nothing to say of its values.
    for action in race.samples > 0 ? actions : [] {
      guard let value = race.value(of: action) else { continue }
      (values[action], lows[action], highs[action]) = (value.estimate, value.low, value.high)
    }
    let cell = decision?.cell ?? leading
    let margin = race.samples > 0 ? race.margin(of: cell.action) : nil
    return ChartCell(
      key: key, decision: cell, runnerUp: margin?.runnerUp, values: values,
      valuesLow: lows, valuesHigh: highs, margin: margin?.estimate ?? 0, marginLow: margin?.low ?? 0,
      marginHigh: margin?.high ?? 0, samples: race.samples, plays: race.plays, verdict: decision?.verdict ?? .undecided,
      course: course.filter { $0.action == cell.action }.map(\.stage))
  }
}
