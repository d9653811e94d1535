// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Scenarios

/// A chart made under some rules, with what the analyser and other charts say of it.
struct ChartFindings {
  /// Another chart beside the one made.
  struct Comparison {
    /// Which chart.
    let source: ChartSource
    /// The chart itself.
    let chart: StrategyChart
    /// The decided cells where it does something else.
    let mismatches: [ChartCell]
  }

  /// Under which rules.
  let named: NamedRules
  /// The simulated chart beside the exact values.
  let trial: Verification
  /// What it was compared with.
  let comparisons: [Comparison]
  /// Whether an interruption left cells open.
  let isInterrupted: Bool

  /// The chart made.
  var result: ChartResult { trial.simulated }

  /// What was found, by the names of the measures.
  var values: [String: Measurement.Value] {
    var values = trial.simulatedValues(isInterrupted: isInterrupted)
    let open = result.count(of: .undecided)
    values["chart.certified"] = .count(result.count(of: .certified), undecided: open)
    values["chart.indifferent"] = .count(result.count(of: .indifferent), undecided: open)
    values["margin.least"] = result.leastMargin
    for comparison in comparisons {
      values["\(comparison.source.name).mismatches"] = .count(comparison.mismatches.count, undecided: open)
    }
    return values
  }
}

extension ChartCell {
  /// Whether a decided cell says what a chart says, or finds it as good as what it says itself.
  func matches(_ chart: StrategyChart) -> Bool {
    let other = chart[key]?.action
    return decision.action == other || (verdict == .indifferent && runnerUp == other)
  }
}

extension ChartResult {
  /// The margin of the closest cell, bounded by the bounds of all; `nil` where some cell was never played.
  ///
  /// The cells' bounds hold together, so the least of them bound the least margin, whichever cell's it is.
  var leastMargin: Measurement.Value? {
    let cells = cells.filter { $0.runnerUp != nil }
    guard cells.count == self.cells.count, let simulation = provenance.simulation,
      let closest = cells.min(by: { $0.margin < $1.margin })
    else { return nil }
    return .interval(
      closest.margin, low: cells.map(\.marginLow).reduce(closest.marginLow, min),
      high: cells.map(\.marginHigh).reduce(closest.marginHigh, min), confidence: simulation.confidence,
      samples: closest.samples)
  }
}

extension Verification {
  /// The cells that the simulation decided.
  var decided: [Cell] { cells.filter { $0.simulated.verdict != .undecided } }

  /// What a chart made by simulation and the analyser say of each other, by the names of the measures; what is not
  /// decided leaves open what it would have said.
  ///
  /// - Parameter isInterrupted: whether the cells without a decision could still have got one.
  /// - Returns: counts, none of which an undecided cell is part of.
  func simulatedValues(isInterrupted: Bool) -> [String: Measurement.Value] {
    let open = cells.filter { $0.simulated.verdict == .undecided }
    let outside = decided.reduce(0) { $0 + $1.outside.count }
    let openValues = open.reduce(0) { $0 + $1.exact.ranked.count }
    return [
      "chart.undecided": isInterrupted ? .count(0, undecided: open.count) : .count(open.count, undecided: 0),
      "exact.outside": .count(outside, undecided: openValues),
      "rounds": .count(cells.reduce(0) { $0 + $1.simulated.samples }, undecided: 0),
    ]
  }
}
