// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// A number, in bets, with bounds that hold together with all others of its chart.
struct Bounded: Hashable, Sendable {
  let value: Double
  let low: Double
  let high: Double
}

/// What is known of a cell's actions: their values, and by how much each is better than another.
///
/// Any decision read off the bounds is wrong only where a bound is.
protocol ActionBounds {
  var actions: [Action] { get }
  /// How many times the cell was sampled.
  var samples: Int { get }
  /// The margin, in bets, under which two actions count as equal.
  var indifference: Double { get }
  /// The estimated value of one of the actions, in bets.
  func estimate(of action: Action) -> Double
  /// The same with bounds.
  func value(of action: Action) -> Bounded
  func difference(_ first: Action, minus second: Action) -> Bounded
}

enum ActionStanding: Equatable {
  case certified, indifferent
  case open([Action])
}

extension ActionBounds {
  /// The best first; equal values in the order of `Action`.
  func ranking(of candidates: [Action]) -> [Action] {
    candidates.filter(actions.contains).map { ($0, estimate(of: $0)) }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }.map(\.0)
  }

  func standing(of candidates: [Action]) -> ActionStanding {
    let ranking = ranking(of: candidates)
    guard ranking.count > 1 else { return .certified }
    guard samples > 0 else { return .open(ranking) }
    let rivals = rivals(of: ranking)
    if rivals.isEmpty { return .certified }
    let isClose = rivals.allSatisfy { $0.lead.high <= indifference && $0.lead.low >= -indifference }
    return isClose ? .indifferent : .open([ranking[0]] + rivals.map(\.action))
  }

  /// The actions of a ranking that may be as good as its first, and the lead of that over each.
  func rivals(of ranking: [Action]) -> [(action: Action, lead: Bounded)] {
    ranking.dropFirst().map { ($0, difference(ranking[0], minus: $0)) }.filter { $0.1.low <= 0 }
  }

  /// How much better an action is than the best of the others; `nil` where there is no other.
  ///
  /// The margin is the least of the differences to the others, so the least of their bounds bounds it, whichever of the
  /// others is the best.
  func margin(of action: Action) -> (runnerUp: Action, margin: Bounded)? {
    let others = actions.filter { $0 != action }.map { ($0, difference(action, minus: $0)) }
    guard let nearest = others.min(by: { $0.1.value < $1.1.value }) else { return nil }
    let low = others.map(\.1.low).reduce(nearest.1.low, min)
    let high = others.map(\.1.high).reduce(nearest.1.high, min)
    return (nearest.0, Bounded(value: nearest.1.value, low: low, high: high))
  }

  /// A cell with what is known of its actions; nothing of one that was never sampled.
  func cell(
    _ key: ChartCellKey, _ decision: StrategyChart.Cell, _ verdict: CellVerdict, plays: [Action: Int] = [:],
    course: [ChartCell.Stage] = []
  ) -> ChartCell {
    var (values, lows, highs) = (ActionValues(), ActionValues(), ActionValues())
    for action in samples > 0 ? actions : [] {
      let value = value(of: action)
      (values[action], lows[action], highs[action]) = (value.value, value.low, value.high)
    }
    let best = samples > 0 ? margin(of: decision.action) : nil
    return ChartCell(
      key: key, decision: decision, runnerUp: best?.runnerUp, values: values, valuesLow: lows, valuesHigh: highs,
      margin: best?.margin.value ?? 0, marginLow: best?.margin.low ?? 0, marginHigh: best?.margin.high ?? 0,
      samples: samples, plays: plays, verdict: verdict, course: course)
  }
}

extension Action {
  /// The actions one of which a chart names where this one is not allowed; none where the total's own row decides.
  var standIns: [Action] {
    switch self {
    case .stand, .hit, .split: []
    case .double: [.stand, .hit]
    // A surrender is refused to a third card and after a split, where a double may be too.
    case .surrender: [.stand, .hit, .split]
    }
  }
}
