// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// How sure a chart is of a cell.
package enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// The action is the best, with the chart's confidence over all its cells together.
  case certified
  /// The two best actions differ by less than the indifference, with the same confidence.
  case indifferent
  /// The run ended before either could be said.
  case undecided
  /// The values are computed, not estimated.
  case exact
}

/// One cell of a chart with everything known about it.
package struct ChartCell: Hashable, Sendable {
  /// The margin of the cell's action as it was known after a wave.
  package struct Stage: Hashable, Sendable {
    package let samples: Int
    /// The action's value minus that of the best other, in bets; below 0 while another seemed better.
    package let margin: Double
    /// Bounds on it that hold after every wave together with all else the chart states.
    package let low: Double
    package let high: Double
  }

  package let key: ChartCellKey
  /// The action and what to do where it is not allowed.
  package let decision: StrategyChart.Cell
  package let runnerUp: Action?
  package let values: ActionValues
  /// Bounds on every action's value that hold at the chart's confidence; equal to the values where they are exact.
  package let valuesLow: ActionValues
  package let valuesHigh: ActionValues
  package let margin: Double
  /// Bounds on the margin that hold over all cells together at the chart's confidence.
  package let marginLow: Double
  package let marginHigh: Double
  /// How many times the cell was played, each time once with every action still in question; 0 where the values are exact.
  package let samples: Int
  /// How often each action was played: fewer times than the cell where it fell behind early.
  package let plays: [Action: Int]
  package let verdict: Verdict
  /// How the margin became known, wave by wave; empty where it is exact, waves after which the action was not among
  /// the best two left out.
  package let course: [Stage]

  package init(
    key: ChartCellKey, decision: StrategyChart.Cell, runnerUp: Action?, values: ActionValues,
    valuesLow: ActionValues, valuesHigh: ActionValues, margin: Double, marginLow: Double, marginHigh: Double,
    samples: Int, plays: [Action: Int] = [:], verdict: Verdict, course: [Stage] = []
  ) {
    self.key = key
    self.decision = decision
    self.runnerUp = runnerUp
    self.values = values
    self.valuesLow = valuesLow
    self.valuesHigh = valuesHigh
    self.margin = margin
    self.marginLow = marginLow
    self.marginHigh = marginHigh
    self.samples = samples
    self.plays = plays
    self.verdict = verdict
    self.course = course
  }
}

package struct Provenance: Hashable, Sendable {
  package let rules: Rules
  /// The simulation behind it; `nil` where the chart is computed exactly.
  package let simulation: Simulation?

  package struct Simulation: Hashable, Sendable {
    package let seed: UInt64
    package let generator: String
    /// The estimator's name: `plain`, `paired` or `conditional`.
    package let estimator: String
    /// The probability with which everything the chart states holds together.
    package let confidence: Double
    /// The margin, in bets, under which two actions count as equal.
    package let indifference: Double

    package init(seed: UInt64, generator: String, estimator: String, confidence: Double, indifference: Double) {
      self.seed = seed
      self.generator = generator
      self.estimator = estimator
      self.confidence = confidence
      self.indifference = indifference
    }
  }

  package init(rules: Rules, simulation: Simulation?) {
    self.rules = rules
    self.simulation = simulation
  }
}

package struct ChartResult: Hashable, Sendable {
  package let provenance: Provenance
  /// The cells in the order of `ChartCellKey.all`.
  package let cells: [ChartCell]
  /// What a game played by the cards themselves is worth, in bets; `nil` where only the chart was made.
  package let gameValue: Double?

  package init(provenance: Provenance, cells: [ChartCell], gameValue: Double? = nil) {
    self.provenance = provenance
    self.cells = cells
    self.gameValue = gameValue
  }

  package var chart: StrategyChart {
    cells.reduce(into: StrategyChart()) { $0[$1.key] = $1.decision }
  }

  package func count(of verdict: Verdict) -> Int { cells.count { $0.verdict == verdict } }

  package var isDecided: Bool { count(of: .undecided) == 0 }
}

/// The value of each action of a hand, in bets; `nil` where the rules do not allow the action.
///
/// With a peek the values are conditional on the dealer holding no natural, without one they are not. An early
/// surrender is decided before the peek; its conditional value is what half a bet is worth next to the other actions,
/// (P - 1/2) / (1 - P) with P the chance of a natural, so that comparing the five columns decides it.
package struct ActionValues: Hashable, Sendable {
  private var stand: Double?
  private var hit: Double?
  private var double: Double?
  private var split: Double?
  private var surrender: Double?

  package init() {}

  package subscript(action: Action) -> Double? {
    get {
      switch action {
      case .stand: stand
      case .hit: hit
      case .double: double
      case .split: split
      case .surrender: surrender
      }
    }
    set {
      switch action {
      case .stand: stand = newValue
      case .hit: hit = newValue
      case .double: double = newValue
      case .split: split = newValue
      case .surrender: surrender = newValue
      }
    }
  }

  /// The allowed actions from best to worst; equal values in the order stand, hit, double, split, surrender.
  package var ranked: [(action: Action, value: Double)] {
    Action.allCases.compactMap { action in self[action].map { (action, $0) } }
      .sorted { ($0.value, $1.action.rawValue) > ($1.value, $0.action.rawValue) }
  }

  package var best: (action: Action, value: Double)? { ranked.first }
}
