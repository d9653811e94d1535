// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that a scenario measures: a name for thresholds, and what the figure means.
package struct Measure: Hashable, Sendable {
  /// What kind of figure it is, which decides what a threshold may ask of it.
  package enum Nature: Hashable, Sendable {
    /// Computed, without sampling error; a threshold takes no confidence.
    case exact
    /// Counted; what is not decided yet leaves it open. A threshold takes no confidence.
    case count
    /// A share of independent trials; a threshold states its confidence.
    case proportion
    /// The mean of independent observations; a threshold states its confidence.
    case mean
    /// Known to lie in an interval of this confidence; a threshold can ask for no more than that.
    case interval(confidence: Double)
  }

  /// The name that thresholds use: words joined by points, for example `chart.mismatches`.
  package let name: String
  /// What it is measured of, where a scenario measures several: for example the rules `6d`.
  package let label: String?
  /// One line for people: what the figure means.
  package let meaning: String
  /// The unit, for example `bets`; empty for a mere number.
  package let unit: String
  /// What kind of figure it is.
  package let nature: Nature
  /// Whether it is a share or a chance, which lies from 0 to 1.
  package let isShare: Bool

  /// A measure; a proportion is always a share.
  package init(
    _ name: String, of label: String? = nil, meaning: String, unit: String = "", nature: Nature, isShare: Bool = false
  ) {
    (self.name, self.label, self.meaning, self.unit, self.nature) = (name, label, meaning, unit, nature)
    self.isShare = isShare || nature == .proportion
  }

  /// The name with its label, as thresholds write it: `ev[6d]`.
  package var fullName: String { label.map { "\(name)[\($0)]" } ?? name }
}

/// One row of a lab's table of measures: what is measured of a finding, and how it is read from it.
package struct MeasureRow<Finding>: Sendable {
  package let name: String
  package let meaning: String
  package let unit: String
  package let nature: Measure.Nature
  package let isShare: Bool
  private let value: @Sendable (Finding) -> Measurement.Value

  private init(
    _ name: String, _ meaning: String, _ unit: String, _ nature: Measure.Nature, isShare: Bool = false,
    _ value: @escaping @Sendable (Finding) -> Measurement.Value
  ) {
    (self.name, self.meaning, self.unit, self.nature) = (name, meaning, unit, nature)
    (self.isShare, self.value) = (isShare, value)
  }

  /// Computed, without sampling error.
  package static func exact(
    _ name: String, _ meaning: String, unit: String = "", isShare: Bool = false,
    _ value: @escaping @Sendable (Finding) -> Double
  ) -> Self {
    Self(name, meaning, unit, .exact, isShare: isShare) { .exact(value($0)) }
  }

  /// Counted; what is still undecided leaves it open.
  package static func count(
    _ name: String, _ meaning: String, unit: String = "", undecided: @escaping @Sendable (Finding) -> Int = { _ in 0 },
    _ value: @escaping @Sendable (Finding) -> Int
  ) -> Self {
    Self(name, meaning, unit, .count) { .count(value($0), undecided: undecided($0)) }
  }

  /// A share of independent trials.
  package static func proportion(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Finding) -> (successes: Int, trials: Int)
  ) -> Self {
    Self(name, meaning, "", .proportion) {
      let (successes, trials) = value($0)
      return .proportion(successes: successes, trials: trials)
    }
  }

  /// The mean of independent observations.
  package static func mean(
    _ name: String, _ meaning: String, unit: String = "", isShare: Bool = false,
    _ value: @escaping @Sendable (Finding) -> (mean: Double, standardDeviation: Double, samples: Int)
  ) -> Self {
    Self(name, meaning, unit, .mean, isShare: isShare) {
      let (mean, deviation, samples) = value($0)
      return .mean(mean, standardDeviation: deviation, samples: samples)
    }
  }

  /// Known to lie in an interval of a confidence; `value` returns `Measurement.Value.interval`.
  package static func interval(
    _ name: String, _ meaning: String, unit: String = "", confidence: Double, isShare: Bool = false,
    _ value: @escaping @Sendable (Finding) -> Measurement.Value
  ) -> Self {
    Self(name, meaning, unit, .interval(confidence: confidence), isShare: isShare, value)
  }

  package func measure(of label: String? = nil) -> Measure {
    Measure(name, of: label, meaning: meaning, unit: unit, nature: nature, isShare: isShare)
  }

  package func measurement(of label: String? = nil, in finding: Finding) -> Measurement {
    Measurement(measure(of: label), value(finding))
  }
}

extension Array {
  /// Every measure of every label, label by label.
  package func measures<Finding>(of labels: [String?] = [nil]) -> [Measure] where Element == MeasureRow<Finding> {
    labels.flatMap { label in map { $0.measure(of: label) } }
  }

  /// What was found of every measure.
  package func measurements<Finding>(of label: String? = nil, in finding: Finding) -> [Measurement]
  where Element == MeasureRow<Finding> {
    map { $0.measurement(of: label, in: finding) }
  }
}
