// SPDX-License-Identifier: GPL-3.0-or-later
internal import Statistics

/// How far two measurements of the same thing are apart, with the statistics of a difference.
///
/// Two intervals that overlap may belong to figures that differ, and two figures that differ may be the same but for
/// sampling; only an interval of the difference itself tells. How it is made depends on what was measured:
///
/// - What is computed differs by exactly what it differs by, and a count by that and by what was left undecided.
/// - Shares of independent trials: `ProportionDifference`, which covers at least as often as it says.
/// - Means of independent observations: Welch's interval, with Satterthwaite's degrees of freedom. Source: Welch, "The
///   generalization of 'Student's' problem when several different population variances are involved", Biometrika 34
///   (1947).
/// - Intervals that the measurements brought along: from the lowest of one to the highest of the other. It holds
///   unless one of the two fails, so the chances that they do add up, and no other confidence can be asked for.
/// - Samples that may depend on each other, such as two runs with one seed: the last rule as well, for intervals that
///   each have half the error. It holds whatever they have in common.
package struct MeasurementDifference: Hashable, Sendable {
  /// What the two runs have in common.
  package enum Relation: Hashable, Sendable {
    /// One scenario, one seed, one version and one kind of machine: every figure must be the same.
    case repeated
    /// Random numbers that have nothing to do with each other.
    case independent
    /// The same random numbers, or nobody knows.
    case unknown
  }

  /// What the difference comes to.
  package enum Finding: Hashable, Sendable {
    /// The runs had to give the same figure, and did.
    case sameByConstruction
    /// The runs had to give the same figure, and did not.
    case notReproduced
    /// No difference lies outside the interval.
    case differs
    /// No difference lies inside the interval, so none was found; there may be one.
    case noDifferenceFound
    /// Nothing can be said, and why.
    case notComparable(String)
  }

  /// The earlier measurement.
  package let before: Measurement
  /// The later one.
  package let after: Measurement
  /// The later figure without the earlier one, in the measure's unit.
  package let estimate: Double
  /// What the true difference lies in.
  package let interval: ClosedRange<Double>
  /// The least chance, before sampling, that `interval` would cover the true difference; 1 for what has no sampling
  /// error.
  package let confidence: Double
  /// What it comes to.
  package let finding: Finding

  /// The difference of two measurements of one measure.
  ///
  /// - Parameters:
  ///   - before: the earlier one.
  ///   - after: the later one.
  ///   - relation: what their runs have in common.
  ///   - confidence: what the interval shall have, above 0 and below 1; what is exact has more, and intervals that the
  ///     measurements brought along have what they have.
  package init(from before: Measurement, to after: Measurement, relation: Relation, confidence: Double) {
    (self.before, self.after) = (before, after)
    let estimate = after.estimate - before.estimate
    self.estimate = estimate
    if let reason = Self.obstacle(before, after) {
      (interval, self.confidence, finding) = (Self.everything, confidence, .notComparable(reason))
      return
    }
    if relation == .repeated {
      // Nothing was sampled twice, so there is no sampling error between the two.
      (interval, self.confidence) = (Self.range(estimate, estimate), 1)
      finding = before.value == after.value ? .sameByConstruction : .notReproduced
      return
    }
    (interval, self.confidence) = Self.interval(
      before, after, areIndependent: relation == .independent, confidence: confidence)
    finding =
      if interval == Self.everything {
        .notComparable("too little is known of it")
      } else {
        interval.contains(0) ? .noDifferenceFound : .differs
      }
  }

  /// The chance, before sampling, that the interval misses the true difference.
  package var errorProbability: Double { 1 - confidence }

  /// Whether chance can play into the difference.
  package var isSampled: Bool { Self.isSampled(before) || Self.isSampled(after) }

  /// Whether the measurement has a sampling error.
  static func isSampled(_ measurement: Measurement) -> Bool {
    switch measurement.value {
    case .exact, .count: false
    case .proportion, .mean, .interval: true
    }
  }

  private static let everything = -Double.infinity...Double.infinity

  private static func range(_ low: Double, _ high: Double) -> ClosedRange<Double> {
    low <= high ? low...high : everything
  }

  /// Why the two cannot be compared; `nil` where they can.
  private static func obstacle(_ before: Measurement, _ after: Measurement) -> String? {
    switch (before.value, after.value) {
    case (.exact, .exact), (.count, .count), (.proportion, .proportion), (.mean, .mean), (.interval, .interval):
      before.measure.unit == after.measure.unit ? nil : "the units differ"
    default: "it was measured in different ways"
    }
  }

  private static func interval(
    _ before: Measurement, _ after: Measurement, areIndependent: Bool, confidence: Double
  ) -> (interval: ClosedRange<Double>, confidence: Double) {
    switch (before.value, after.value) {
    case (.exact(let first), .exact(let second)):
      (range(second - first, second - first), 1)
    case (.count(let first, let open), .count(let second, let alsoOpen)):
      (range(Double(second - first - open), Double(second - first + alsoOpen)), 1)
    case (.interval(_, let low, let high, let first, _), .interval(_, let otherLow, let otherHigh, let second, _)):
      (range(otherLow - high, otherHigh - low), max(0, first + second - 1))
    case (.proportion(let first, let trials), .proportion(let second, let otherTrials)) where areIndependent:
      (
        ProportionDifference(
          from: (first, trials), to: (second, otherTrials), confidence: confidence
        )?.interval ?? everything, confidence
      )
    case (.mean(let first, let deviation, let samples), .mean(let second, let other, let others)) where areIndependent:
      (welch((first, deviation, samples), (second, other, others), confidence: confidence), confidence)
    default:
      (apart(before.interval(at: (1 + confidence) / 2), after.interval(at: (1 + confidence) / 2)), confidence)
    }
  }

  /// From the lowest of one interval to the highest of the other.
  private static func apart(_ first: ClosedRange<Double>, _ second: ClosedRange<Double>) -> ClosedRange<Double> {
    range(second.lowerBound - first.upperBound, second.upperBound - first.lowerBound)
  }

  private typealias Mean = (mean: Double, deviation: Double, samples: Int)

  private static func welch(_ first: Mean, _ second: Mean, confidence: Double) -> ClosedRange<Double> {
    guard first.samples >= 2, second.samples >= 2, first.deviation >= 0, second.deviation >= 0 else {
      return everything
    }
    let difference = second.mean - first.mean
    let (one, other) = (variance(first), variance(second))
    let variance = one + other
    // Observations without any spread leave nothing to chance that the samples could show.
    if variance == 0 { return range(difference, difference) }
    // Shares of the variance, since squares of small variances would vanish.
    let (share, rest) = (one / variance, other / variance)
    let freedom = 1 / (share * share / Double(first.samples - 1) + rest * rest / Double(second.samples - 1))
    guard let quantile = try? Quantile.studentT((1 - confidence) / 2, degreesOfFreedom: freedom) else {
      return everything
    }
    let halfWidth = -quantile * variance.squareRoot()
    return range(difference - halfWidth, difference + halfWidth)
  }

  /// The square of the standard error.
  private static func variance(_ mean: Mean) -> Double { mean.deviation * mean.deviation / Double(mean.samples) }
}
