// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore

/// How sure a chart is of a cell.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
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
public struct ChartCell: Hashable, Sendable {
  /// The margin of the cell's action as it was known after a wave.
  public struct Stage: Hashable, Sendable {
    /// How often the cell had been played.
    public let samples: Int
    /// The action's value minus that of the best other, in bets; below 0 while another seemed better.
    public let margin: Double
    /// Bounds on it that hold after every wave together with all else the chart states.
    public let low: Double
    /// See `low`.
    public let high: Double
  }

  /// Which cell.
  public let key: ChartCellKey
  /// The action and what to do where it is not allowed.
  public let decision: StrategyChart.Cell
  /// The second best action; `nil` where only one is allowed.
  public let runnerUp: Action?
  /// Every action's value, in bets.
  public let values: ActionValues
  /// Bounds on every action's value that hold at the chart's confidence; equal to the values where they are exact.
  public let valuesLow: ActionValues
  /// See `valuesLow`.
  public let valuesHigh: ActionValues
  /// Best minus second best, in bets.
  public let margin: Double
  /// Bounds on the margin that hold over all cells together at the chart's confidence.
  public let marginLow: Double
  /// See `marginLow`.
  public let marginHigh: Double
  /// How many times the cell was played, each time once with every action under trial; 0 where the values are exact.
  public let samples: Int
  /// How often each action was played: fewer times than the cell where it fell behind early.
  public let plays: [Action: Int]
  /// How sure the chart is.
  public let verdict: Verdict
  /// How the margin became known, wave by wave; empty where it is exact, waves after which the action was not among
  /// the best two left out.
  public let course: [Stage]

  /// A cell with all that is known about it.
  public init(
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
public struct Provenance: Hashable, Sendable {
  /// The rules.
  public let rules: Rules
  /// The simulation behind it; `nil` where the chart is computed exactly.
  public let simulation: Simulation?

  /// What determines a simulated chart besides the rules.
  public struct Simulation: Hashable, Sendable {
    /// The root seed.
    public let seed: UInt64
    /// The name of the GSL generator.
    public let generator: String
    /// The estimator's name: `plain`, `paired` or `conditional`.
    public let estimator: String
    /// The probability with which everything the chart states holds together.
    public let confidence: Double
    /// The margin, in bets, under which two actions count as equal.
    public let indifference: Double

    /// What determines a simulated chart.
    public init(seed: UInt64, generator: String, estimator: String, confidence: Double, indifference: Double) {
      self.seed = seed
      self.generator = generator
      self.estimator = estimator
      self.confidence = confidence
      self.indifference = indifference
    }
  }

  /// Where a chart comes from.
  public init(rules: Rules, simulation: Simulation?) {
    self.rules = rules
    self.simulation = simulation
  }
}

/// A strategy chart with the evidence for each of its 330 cells.
public struct ChartResult: Hashable, Sendable {
  /// Where it comes from.
  public let provenance: Provenance
  /// The cells in the order of `ChartCellKey.all`.
  public let cells: [ChartCell]
  /// What a game played by the cards themselves is worth, in bets; `nil` where only the chart was made.
  public let gameValue: Double?

  /// A chart with its evidence; the cells in the order of `ChartCellKey.all`.
  public init(provenance: Provenance, cells: [ChartCell], gameValue: Double? = nil) {
    self.provenance = provenance
    self.cells = cells
    self.gameValue = gameValue
  }

  /// The chart alone.
  public var chart: StrategyChart {
    cells.reduce(into: StrategyChart()) { $0[$1.key] = $1.decision }
  }

  /// How many cells have that verdict.
  public func count(of verdict: Verdict) -> Int { cells.count { $0.verdict == verdict } }

  /// Whether every cell is decided.
  public var isDecided: Bool { count(of: .undecided) == 0 }
}
