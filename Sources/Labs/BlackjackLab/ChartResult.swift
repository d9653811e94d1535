// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

enum CellVerdict: String, CaseIterable, Hashable, Sendable {
  /// The action is the best, at the chart's confidence over all its cells together.
  case certified
  /// The two best actions differ by less than the indifference, at the same confidence.
  case indifferent
  /// The run ended before the cell was decided.
  case undecided
  /// The values are computed, not estimated.
  case exact
}

struct ChartCell: Hashable, Sendable {
  /// The margin of the cell's action after a wave.
  struct Stage: Hashable, Sendable {
    let samples: Int
    /// The action's value minus that of the best other, in bets; below 0 while another action leads.
    let margin: Double
    /// Bounds on the margin that hold after every wave, together with all other bounds of the chart.
    let low: Double
    let high: Double
  }

  let key: ChartCellKey
  /// The action, and the fallback where it is not allowed.
  let decision: StrategyChart.Cell
  let runnerUp: Action?
  let values: ActionValues
  /// Bounds on every action's value that hold at the chart's confidence; equal to the values where they are exact.
  let valuesLow: ActionValues
  let valuesHigh: ActionValues
  let margin: Double
  /// Bounds on the margin that hold over all cells together at the chart's confidence.
  let marginLow: Double
  let marginHigh: Double
  /// The number of samples of the cell, each with every action still open; 0 for exact values.
  let samples: Int
  /// The number of times each action was played: fewer than `samples` if it fell behind early.
  var plays: [Action: Int] = [:]
  let verdict: CellVerdict
  /// The margin wave by wave, without waves after which the action was not among the best two; empty for exact values.
  var course: [Stage] = []
}

/// The settings that determine a chart.
struct Provenance: Hashable, Sendable {
  let rules: Rules
  /// The name of the rules as the user typed it.
  var label: String
  /// `nil` if the chart is computed exactly.
  let simulation: SimulationSettings?

  init(rules: Rules, simulation: SimulationSettings?) {
    (self.rules, self.simulation) = (rules, simulation)
    label = rules.name
  }

  struct SimulationSettings: Hashable, Sendable {
    var seed: UInt64 = 1
    var generator = "mt19937"
    /// The probability that all stated bounds hold together.
    var confidence = 0.999
    /// The margin, in bets, below which two actions count as equal.
    var indifference = 0.0005
  }
}

struct ChartResult: Hashable, Sendable {
  var provenance: Provenance
  let cells: [ChartCell]
  /// The expected payoff of a round played by composition, in bets; `nil` if only the chart was made.
  var gameValue: Double?
  /// The computed expected payoff of a round played by the chart, in bets; `nil` while cells are open.
  var chartValue: Double?

  var chart: StrategyChart { cells.reduce(into: StrategyChart()) { $0[$1.key] = $1.decision } }

  func count(of verdict: CellVerdict) -> Int { cells.count { $0.verdict == verdict } }

  var isDecided: Bool { count(of: .undecided) == 0 }
}

/// The value of each action of a hand, in bets; `nil` for actions that the rules forbid.
///
/// With a peek the values are conditional on no dealer natural, without one they are unconditional. An early surrender
/// is decided before the peek; its conditional value is the equivalent of half a bet, (P - 1/2) / (1 - P) with P the
/// chance of a natural, so that the largest of the five values decides.
struct ActionValues: Hashable, Sendable {
  private var values = [Double?](repeating: nil, count: Action.allCases.count)

  subscript(action: Action) -> Double? {
    get { values[Int(action.rawValue)] }
    set { values[Int(action.rawValue)] = newValue }
  }

  /// The allowed actions from best to worst; equal values in the order stand, hit, double, split, surrender.
  var ranked: [(action: Action, value: Double)] {
    Action.allCases.compactMap { action in self[action].map { (action, $0) } }
      .sorted { ($0.value, $1.action.rawValue) > ($1.value, $0.action.rawValue) }
  }

  var best: (action: Action, value: Double)? { ranked.first }
}
