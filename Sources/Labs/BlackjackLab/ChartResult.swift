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
    /// How often the cell had been played.
    package let samples: Int
    /// The action's value minus that of the best other, in bets; below 0 while another seemed better.
    package let margin: Double
    /// Bounds on it that hold after every wave together with all else the chart states.
    package let low: Double
    /// See `low`.
    package let high: Double
  }

  /// Which cell.
  package let key: ChartCellKey
  /// The action and what to do where it is not allowed.
  package let decision: StrategyChart.Cell
  /// The second best action; `nil` where only one is allowed.
  package let runnerUp: Action?
  /// Every action's value, in bets.
  package let values: ActionValues
  /// Bounds on every action's value that hold at the chart's confidence; equal to the values where they are exact.
  package let valuesLow: ActionValues
  /// See `valuesLow`.
  package let valuesHigh: ActionValues
  /// Best minus second best, in bets.
  package let margin: Double
  /// Bounds on the margin that hold over all cells together at the chart's confidence.
  package let marginLow: Double
  /// See `marginLow`.
  package let marginHigh: Double
  /// How many times the cell was played, each time once with every action under trial; 0 where the values are exact.
  package let samples: Int
  /// How often each action was played: fewer times than the cell where it fell behind early.
  package let plays: [Action: Int]
  /// How sure the chart is.
  package let verdict: Verdict
  /// How the margin became known, wave by wave; empty where it is exact, waves after which the action was not among
  /// the best two left out.
  package let course: [Stage]

  /// A cell with all that is known about it.
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

/// Where a chart comes from: everything that determines it.
package struct Provenance: Hashable, Sendable {
  /// The rules.
  package let rules: Rules
  /// The simulation behind it; `nil` where the chart is computed exactly.
  package let simulation: Simulation?

  /// What determines a simulated chart besides the rules.
  package struct Simulation: Hashable, Sendable {
    /// The root seed.
    package let seed: UInt64
    /// The name of the GSL generator.
    package let generator: String
    /// The estimator's name: `plain`, `paired` or `conditional`.
    package let estimator: String
    /// The probability with which everything the chart states holds together.
    package let confidence: Double
    /// The margin, in bets, under which two actions count as equal.
    package let indifference: Double

    /// What determines a simulated chart.
    package init(seed: UInt64, generator: String, estimator: String, confidence: Double, indifference: Double) {
      self.seed = seed
      self.generator = generator
      self.estimator = estimator
      self.confidence = confidence
      self.indifference = indifference
    }
  }

  /// Where a chart comes from.
  package init(rules: Rules, simulation: Simulation?) {
    self.rules = rules
    self.simulation = simulation
  }
}

/// A strategy chart with the evidence for each of its 330 cells.
package struct ChartResult: Hashable, Sendable {
  /// Where it comes from.
  package let provenance: Provenance
  /// The cells in the order of `ChartCellKey.all`.
  package let cells: [ChartCell]
  /// What a game played by the cards themselves is worth, in bets; `nil` where only the chart was made.
  package let gameValue: Double?

  /// A chart with its evidence; the cells in the order of `ChartCellKey.all`.
  package init(provenance: Provenance, cells: [ChartCell], gameValue: Double? = nil) {
    self.provenance = provenance
    self.cells = cells
    self.gameValue = gameValue
  }

  /// The chart alone.
  package var chart: StrategyChart {
    cells.reduce(into: StrategyChart()) { $0[$1.key] = $1.decision }
  }

  /// How many cells have that verdict.
  package func count(of verdict: Verdict) -> Int { cells.count { $0.verdict == verdict } }

  /// Whether every cell is decided.
  package var isDecided: Bool { count(of: .undecided) == 0 }
}
