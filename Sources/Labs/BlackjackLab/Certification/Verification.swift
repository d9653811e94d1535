// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// A chart judged cell by cell by two witnesses that share nothing but the core's rules: the simulated chart and the
/// exact analyser.
package struct Verification {
  /// What the witnesses say.
  package struct Witnesses {
    /// The first witness: the chart made by simulation.
    package let simulated: ChartResult
    /// The second: the exact values of every cell, in the order of `ChartCellKey.all`, where what follows the first
    /// action
    /// follows the simulated chart, as it did in the simulation.
    package let exact: [ActionValues]
    /// The exact values where what follows depends on the cards of the hand and not on its total alone.
    package let compositionDependent: ChartResult
    /// The exact EV of a game played by the chart on trial, in bets.
    package let trialValue: Double
    /// The exact EV of a game played by the simulated chart, in bets.
    package let simulatedValue: Double
    /// The exact EV of a game played by composition, in bets.
    package let compositionDependentValue: Double

    /// What the witnesses say.
    package init(
      simulated: ChartResult, exact: [ActionValues], compositionDependent: ChartResult, trialValue: Double,
      simulatedValue: Double, compositionDependentValue: Double
    ) {
      self.simulated = simulated
      self.exact = exact
      self.compositionDependent = compositionDependent
      self.trialValue = trialValue
      self.simulatedValue = simulatedValue
      self.compositionDependentValue = compositionDependentValue
    }
  }

  /// One cell with everything said about it.
  package struct Cell: Hashable {
    /// What the simulation says.
    package let simulated: ChartCell
    /// What the analyser says, in bets.
    package let exact: ActionValues
    /// What the analyser says where later play depends on the cards.
    package let compositionDependent: ActionValues
    /// What the chart on trial does, its fallback where the rules forbid its action; `nil` where they forbid both.
    package let trial: Action?
  }

  /// The name of the chart on trial.
  package let chartName: String
  /// What the witnesses say.
  package let witnesses: Witnesses
  /// The cells in the order of `ChartCellKey.all`.
  package let cells: [Cell]
  /// What the trial takes for nothing, in bets.
  package let indifference: Double
  /// The share of simulated intervals that promise to hold the true value.
  package let confidence: Double

  /// The trial of a chart.
  ///
  /// - Parameters:
  ///   - chart: all 330 cells.
  ///   - name: what reports call it.
  ///   - witnesses: what is known, the simulated chart with its provenance.
  package init(of chart: StrategyChart, named name: String, by witnesses: Witnesses) {
    chartName = name
    self.witnesses = witnesses
    cells = zip(witnesses.simulated.cells, zip(witnesses.exact, witnesses.compositionDependent.cells)).map {
      Cell(
        simulated: $0, exact: $1.0, compositionDependent: $1.1.values,
        trial: Self.playable(chart, at: $0.key, among: $1.0))
    }
    let simulation = witnesses.simulated.provenance.simulation
    indifference = simulation?.indifference ?? 0
    confidence = simulation?.confidence ?? 1
  }

  /// The first of a chart's answers that has a value: action, fallback, then those of a pair's total.
  private static func playable(_ chart: StrategyChart, at key: ChartCellKey, among values: ActionValues) -> Action? {
    let ofTotal = key.row.twoCardHands.first.flatMap { ChartRow(of: Hand($0.0, $0.1), asPair: false) }
      .flatMap { chart[ChartCellKey($0, against: key.upcard)] }
    return [chart[key]?.action, chart[key]?.fallback, ofTotal?.action, ofTotal?.fallback, .stand]
      .compactMap(\.self).first { values[$0] != nil }
  }
}

extension Verification.Cell {
  /// Which cell.
  package var key: ChartCellKey { simulated.key }

  /// What the chart on trial loses here against the best action, in bets by the exact values; 0 where it plays the
  /// best.
  package var cost: Double {
    guard let best = exact.best, let trial, let value = exact[trial] else { return 0 }
    return best.value - value
  }

  /// The actions whose exact value lies outside the simulated bounds.
  package var outside: [Action] {
    Action.allCases.filter { action in
      guard let value = exact[action], let low = simulated.valuesLow[action], let high = simulated.valuesHigh[action]
      else { return false }
      // A bound may be the value itself where no card decides it; rounding must not turn that into a difference.
      return value < low - 1e-12 || value > high + 1e-12
    }
  }

  /// How much the simulated action loses against the exact best, in bets.
  package var witnessGap: Double {
    guard let best = exact.best, let value = exact[simulated.decision.action] else { return 0 }
    return best.value - value
  }
}

extension Verification {
  /// The cells that the chart on trial certainly plays wrong: they cost more than the indifference, by the exact
  /// values.
  package var wrong: [Cell] { cells.filter { $0.cost > indifference } }

  /// The cells where the witnesses name different actions: a certified one must be the best, one that is called
  /// indifferent may be worse by the indifference.
  package var disagreements: [Cell] {
    cells.filter { $0.witnessGap > ($0.simulated.verdict == .certified ? 1e-12 : indifference) }
  }

  /// The cells of which some exact value lies outside its simulated interval.
  package var surprises: [Cell] { cells.filter { !$0.outside.isEmpty } }

  /// Whether the two witnesses say the same.
  package var witnessesAgree: Bool { disagreements.isEmpty && surprises.isEmpty }

  /// Whether the chart stands: no cell certainly wrong, and both witnesses to be believed.
  package var holds: Bool { wrong.isEmpty && witnessesAgree }

  /// What the chart on trial costs over a game against the simulated one, in bets.
  package var totalCost: Double { witnesses.simulatedValue - witnesses.trialValue }

  /// What later play by composition adds to each cell's best action, in bets; the other actions are not what is
  /// played, and
  /// a split that nobody makes is worth what its resplits make of it.
  private var laterPlayDifferences: [(cell: Cell, action: Action, difference: Double)] {
    cells.compactMap { cell in
      guard let best = cell.exact.best, let byComposition = cell.compositionDependent[best.action] else { return nil }
      return (cell, best.action, byComposition - best.value)
    }
  }

  /// The cell whose best action gains or loses most by later play by composition.
  package var largestLaterPlayDifference: (cell: Cell, action: Action, difference: Double)? {
    laterPlayDifferences.max { abs($0.difference) < abs($1.difference) }
  }

  /// The mean absolute difference that later play by composition makes to a cell's best action, in bets.
  package var meanLaterPlayDifference: Double {
    let differences = laterPlayDifferences.map { abs($0.difference) }
    return differences.isEmpty ? 0 : differences.reduce(0, +) / Double(differences.count)
  }
}
