// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Checks a chart cell by cell against two methods that share only the core's rules: a simulated chart and the exact
/// analyser.
struct Verification {
  struct Cell: Hashable {
    let simulated: ChartCell
    /// The exact values if later play follows the simulated chart, as it did in the simulation.
    let exact: ActionValues
    /// The exact values if later play depends on the cards of the hand instead of its total.
    let compositionDependent: ActionValues
    /// The action of the chart under test, or its fallback if the rules forbid that; `nil` if they forbid both.
    let tested: Action?
  }

  let chartName: String
  let simulated: ChartResult
  let compositionDependent: ChartResult
  /// The exact EV of a game played by the chart under test, in bets.
  let testedValue: Double
  /// The exact EV of a game played by the simulated chart, in bets.
  let simulatedValue: Double
  let cells: [Cell]

  /// Checks all 330 cells of a chart against a simulated chart or the analyser's own.
  ///
  /// - Throws: `BlackjackError` if a chart has no answer.
  init(of chart: StrategyChart, named name: String, against simulated: ChartResult) throws(BlackjackError) {
    let rules = simulated.provenance.rules
    let following = try ExactAnalysis(rules: rules, following: simulated.chart)
    compositionDependent =
      simulated.provenance.simulation == nil ? simulated : ExactAnalysis(rules: rules).chart
    (chartName, self.simulated, simulatedValue) = (name, simulated, following.gameValue)
    testedValue = try ExactAnalysis(rules: rules, following: chart).gameValue
    cells = zip(simulated.cells, compositionDependent.cells).map {
      let exact = following.values(of: $0.key)
      return Cell(
        simulated: $0, exact: exact, compositionDependent: $1.values,
        tested: Self.playable(chart, at: $0.key, among: exact))
    }
  }

  /// The first of a chart's answers that has a value: action, fallback, then those of a pair's total.
  static func playable(_ chart: StrategyChart, at key: ChartCellKey, among values: ActionValues) -> Action? {
    let ofTotal = key.row.twoCardHands.first.flatMap { ChartRow(of: Hand($0.0, $0.1), asPair: false) }
      .flatMap { chart[ChartCellKey($0, against: key.upcard)] }
    return [chart[key]?.action, chart[key]?.fallback, ofTotal?.action, ofTotal?.fallback, .stand]
      .compactMap(\.self).first { values[$0] != nil }
  }

  /// The margin, in bets, under which two actions count as equal.
  var indifference: Double { simulated.provenance.simulation?.indifference ?? 0 }
  /// The probability with which all simulated intervals hold together.
  var confidence: Double { simulated.provenance.simulation?.confidence ?? 1 }

  /// The cells that the chart under test certainly plays wrong: they cost more than the indifference.
  var wrong: [Cell] { cells.filter { $0.cost > indifference } }

  /// The cells where simulation and analyser name different actions: a certified action must be the best; an
  /// indifferent one may be worse by up to the indifference.
  var disagreements: [Cell] {
    cells.filter { $0.simulatedCost > ($0.simulated.verdict == .certified ? 1e-12 : indifference) }
  }

  /// The cells with an exact value outside its simulated interval.
  var surprises: [Cell] { cells.filter { !$0.outside.isEmpty } }

  var methodsAgree: Bool { disagreements.isEmpty && surprises.isEmpty }

  /// The cost of the chart under test against the simulated one, in bets per round.
  var totalCost: Double { simulatedValue - testedValue }

  /// The gain of each cell's best action from later play by composition, in bets. Other actions are not played, and an
  /// unmade split has the value of its resplits.
  private var laterPlayDifferences: [(cell: Cell, action: Action, difference: Double)] {
    cells.compactMap { cell in
      guard let best = cell.exact.best, let byComposition = cell.compositionDependent[best.action] else { return nil }
      return (cell, best.action, byComposition - best.value)
    }
  }

  var largestLaterPlayDifference: (cell: Cell, action: Action, difference: Double)? {
    laterPlayDifferences.max { abs($0.difference) < abs($1.difference) }
  }

  var meanLaterPlayDifference: Double {
    let differences = laterPlayDifferences.map { abs($0.difference) }
    return differences.isEmpty ? 0 : differences.reduce(0, +) / Double(differences.count)
  }
}

extension Verification.Cell {
  var key: ChartCellKey { simulated.key }

  /// The loss of the chart under test against the best action, in bets by the exact values.
  var cost: Double { loss(of: tested) }

  /// The loss of the simulated chart against the best action, in bets by the exact values.
  var simulatedCost: Double { loss(of: simulated.decision.action) }

  private func loss(of action: Action?) -> Double {
    guard let best = exact.best, let action, let value = exact[action] else { return 0 }
    return best.value - value
  }

  var outside: [Action] {
    Action.allCases.filter { action in
      guard let value = exact[action], let low = simulated.valuesLow[action],
        let high = simulated.valuesHigh[action]
      else { return false }
      // A bound may equal the value if no card decides it; rounding must not count as a difference.
      return value < low - 1e-12 || value > high + 1e-12
    }
  }
}
