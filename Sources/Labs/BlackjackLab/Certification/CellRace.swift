// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Statistics

/// The race of a cell's actions: what is certain about every pair of them after the waves so far.
///
/// Every ordered pair of actions has a bound on its difference that holds at all times; the errors of all bounds of all
/// cells together are the chart's. Any decision read off the bounds, at any time, is wrong only where a bound is.
struct CellRace: Sendable {
  /// How a decision between several actions stands.
  enum Standing: Equatable {
    case certified, indifferent
    /// Between these actions.
    case open([Action])
  }

  let actions: [Action]
  private let pairError: Double
  private let valueError: Double
  private let indifference: Double
  private var values: [ConfidenceSequence]
  private var differences: [ConfidenceSequence]

  /// A race before its first wave.
  ///
  /// - Parameters:
  ///   - actions: who races.
  ///   - rules: say how much can be won and lost.
  ///   - error: the probability that any of this cell's bounds, on a difference or on a value, is ever wrong.
  ///   - indifference: the margin, in bets, under which two actions count as equal.
  /// - Throws: `StatisticsError` for a range that no confidence sequence can have.
  init(actions: [Action], rules: Rules, error: Double, indifference: Double) throws(StatisticsError) {
    self.actions = actions
    self.indifference = indifference
    let pairs = max(actions.count * (actions.count - 1), 1)
    // Nothing is decided by the values, so little of the error is spent on them.
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

  /// The least and the most that an action can be worth, in bets.
  private static func range(of action: Action, rules: Rules) -> ClosedRange<Double> {
    switch action {
    case .stand, .hit: return -1...1
    case .double: return -2...2
    case .split:
      let most = Double(rules.maximumHands * (rules.doubleAfterSplit ? 2 : 1))
      return -most...most
    case .surrender: return -1...0
    }
  }

  /// Takes in a wave of samples, of all actions or of some.
  mutating func absorb(_ wave: CellTally) {
    let places = wave.actions.compactMap(actions.firstIndex)
    var difference = 0
    for (first, place) in places.enumerated() {
      values[place].absorb(wave: wave.values[first])
      for other in places[(first + 1)...] {
        differences[pair(place, other)].absorb(wave: wave.differences[difference])
        difference += 1
      }
    }
  }

  /// How often the cell was played.
  var samples: Int { values.map(\.count).max() ?? 0 }

  /// How often each action was played.
  var plays: [Action: Int] {
    Dictionary(zip(actions, values.map(\.count))) { first, _ in first }
  }

  /// The estimated value of an action, in bets, and bounds that hold at all times.
  func value(of action: Action) -> (estimate: Double, low: Double, high: Double)? {
    guard let index = actions.firstIndex(of: action) else { return nil }
    let sequence = values[index]
    let interval = sequence.interval(alpha: valueError)
    return (sequence.mean, interval.lowerBound - CellTally.unit, interval.upperBound + CellTally.unit)
  }

  /// The estimated difference of two actions' values, in bets, and bounds that hold at all times.
  func difference(_ first: Action, minus second: Action) -> (estimate: Double, low: Double, high: Double) {
    guard let i = actions.firstIndex(of: first), let j = actions.firstIndex(of: second), i != j else {
      return (0, 0, 0)
    }
    let sequence = differences[pair(min(i, j), max(i, j))]
    // Rounding to units may shift a mean by as much as one of them.
    let low = sequence.lowerBound(alpha: pairError) - CellTally.unit
    let high = sequence.upperBound(alpha: pairError) + CellTally.unit
    return i < j ? (sequence.mean, low, high) : (-sequence.mean, -high, -low)
  }

  /// How much better an action is than the best of the others, in bets, and bounds that hold at all times; `nil` where
  /// there is no other.
  ///
  /// The margin is the least of the differences to the others, so the least of their bounds bounds it, whichever of the
  /// others is the best.
  func margin(of action: Action) -> (runnerUp: Action, estimate: Double, low: Double, high: Double)? {
    let others = actions.filter { $0 != action }.map { (action: $0, margin: difference(action, minus: $0)) }
    guard let nearest = others.min(by: { $0.margin.estimate < $1.margin.estimate }) else { return nil }
    let low = others.map(\.margin.low).reduce(nearest.margin.low, min)
    let high = others.map(\.margin.high).reduce(nearest.margin.high, min)
    return (nearest.action, nearest.margin.estimate, low, high)
  }

  /// Whether an action and the best of the others certainly differ by less than the indifference.
  func isIndifferent(to action: Action) -> Bool {
    guard let margin = margin(of: action) else { return false }
    return margin.low >= -indifference && margin.high <= indifference
  }

  private func pair(_ first: Int, _ second: Int) -> Int {
    first * actions.count - first * (first + 1) / 2 + second - first - 1
  }

  /// The actions among the candidates, best estimate first.
  func ranking(of candidates: [Action]) -> [Action] {
    candidates.compactMap { action in actions.firstIndex(of: action).map { (action, values[$0].mean) } }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }.map(\.0)
  }

  /// Whether the best of the candidates is known.
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

  /// How many more samples the decision between these actions should take, as far as can be told now.
  func samplesToDecide(between open: [Action]) -> Int {
    guard let leader = open.first else { return 0 }
    let needs = open.dropFirst().map { rival -> Int in
      guard let i = actions.firstIndex(of: leader), let j = actions.firstIndex(of: rival), i != j else { return 0 }
      let sequence = differences[pair(min(i, j), max(i, j))]
      // Apart, the bounds must leave zero; together, they must both come within the indifference.
      let distance = max(abs(sequence.mean), indifference - abs(sequence.mean), indifference / 4)
      return sequence.samplesToResolve(distance: distance, alpha: pairError)
    }
    return max((needs.max() ?? 0) - samples, 0)
  }
}
