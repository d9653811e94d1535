// SPDX-License-Identifier: GPL-3.0-or-later

/// A measure and what was found.
package struct Measurement: Hashable, Sendable {
  /// A figure with all that is needed to state its interval at any confidence.
  package enum Value: Hashable, Sendable {
    /// A computed figure.
    case exact(Double)
    /// A count; it may be as much as `undecided` more once everything is decided.
    case count(Int, undecided: Int)
    /// Successes among independent trials whose number was fixed beforehand.
    case proportion(successes: Int, trials: Int)
    /// The mean of independent observations whose number was fixed beforehand.
    case mean(Double, standardDeviation: Double, samples: Int)
    /// An estimate with an interval that holds at one confidence, for example across all cells or at any stopping time.
    case interval(Double, low: Double, high: Double, confidence: Double, samples: Int)
  }

  /// What was measured.
  package let measure: Measure
  /// What was found.
  package let value: Value

  /// A measure and what was found.
  package init(_ measure: Measure, _ value: Value) {
    (self.measure, self.value) = (measure, value)
  }

  /// The single figure to show: the value, the count, the share or the mean.
  package var estimate: Double {
    switch value {
    case .exact(let value), .mean(let value, _, _), .interval(let value, _, _, _, _): value
    case .count(let count, _): Double(count)
    case .proportion(let successes, let trials): trials == 0 ? 0 : Double(successes) / Double(trials)
    }
  }

  /// How many trials or observations it rests on; `nil` for what is computed or counted.
  package var samples: Int? {
    switch value {
    case .exact, .count: nil
    case .proportion(_, let trials): trials
    case .mean(_, _, let samples), .interval(_, _, _, _, let samples): samples
    }
  }
}
