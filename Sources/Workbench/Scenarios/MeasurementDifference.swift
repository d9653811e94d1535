// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Statistics

/// The difference of two measurements of one quantity, with its interval.
///
/// Overlapping intervals may belong to different true figures, and different estimates to the same true figure; only an
/// interval of the difference itself decides. Its construction depends on the measurements:
///
/// - Computed figures differ exactly, and counts by an interval that includes the undecided samples.
/// - Shares of independent trials: `ProportionDifference`, whose coverage is at least the confidence.
/// - Means of independent observations in known ranges: `BoundedSample`, with the same coverage.
/// - Measurements that are intervals: from the lowest of one to the highest of the other. It holds unless one of the
///   two is wrong, so their errors add up, and the confidence is fixed.
/// - Everything else, such as dependent samples of two runs with one seed, or runs that might have ended earlier: the
///   last rule, for intervals that each have half the error. It is valid for any dependence.
package struct MeasurementDifference: Hashable, Sendable {
  /// The relation of the two runs' random numbers.
  package enum Relation: Hashable, Sendable {
    /// One scenario, one seed, one version and one kind of machine: every figure must be the same.
    case repeated
    /// Independent random numbers.
    case independent
    /// The same random numbers, or an unknown relation.
    case unknown
  }

  package enum Finding: Hashable, Sendable {
    case sameByConstruction
    /// The runs had to give the same figure but did not.
    case notReproduced
    /// No difference lies outside the interval.
    case differs
    /// No difference lies inside the interval, so none was found; there may be one.
    case noDifferenceFound
    /// The two cannot be compared, with the reason.
    case notComparable(String)
  }

  package let before: Measurement
  package let after: Measurement
  /// The later figure minus the earlier one, in the measure's unit.
  package let estimate: Double
  /// The interval of the true difference.
  package let interval: ClosedRange<Double>
  /// The least probability, before sampling, that `interval` covers the true difference; 1 without sampling error.
  package let confidence: Double
  package let finding: Finding

  /// The difference of two measurements of one measure.
  ///
  /// - Parameters:
  ///   - before: the earlier one.
  ///   - after: the later one.
  ///   - relation: the relation of the runs' random numbers.
  ///   - confidence: that of the interval, above 0 and below 1; exact differences have 1, and measurements that are
  ///     intervals keep their own.
  package init(from before: Measurement, to after: Measurement, relation: Relation, confidence: Double) {
    (self.before, self.after) = (before, after)
    let estimate = Self.gap(before.estimate, after.estimate)
    self.estimate = estimate
    if let reason = Self.obstacle(before, after) {
      (interval, self.confidence, finding) = (.everything, confidence, .notComparable(reason))
      return
    }
    if relation == .repeated {
      // Nothing was sampled twice, so there is no sampling error between the two.
      (interval, self.confidence) = (.spanning(estimate, estimate), 1)
      finding = before.value == after.value ? .sameByConstruction : .notReproduced
      return
    }
    (interval, self.confidence) = Self.interval(
      before, after,
      areIndependent: relation == .independent && before.bonferroniDivisor == 1 && after.bonferroniDivisor == 1,
      confidence: confidence)
    finding =
      if interval == .everything {
        .notComparable("too little is known of it")
      } else {
        interval.contains(0) ? .noDifferenceFound : .differs
      }
  }

  /// The larger distance from the estimate to an end of the interval.
  var halfWidth: Double { max(interval.upperBound - estimate, estimate - interval.lowerBound) }

  /// The probability, before sampling, that the interval misses the true difference.
  package var errorProbability: Double { 1 - confidence }

  /// True if the difference has a sampling error.
  package var isSampled: Bool { before.samples != nil || after.samples != nil }

  /// The difference of two figures: 0 where they are equal, also where both are the same infinity.
  private static func gap(_ first: Double, _ second: Double) -> Double { first == second ? 0 : second - first }

  /// The reason why the two cannot be compared; `nil` if they can.
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
      (.spanning(gap(first, second), gap(first, second)), 1)
    case (.count(let first, let open), .count(let second, let alsoOpen)):
      (.spanning(Double(second) - Double(first) - Double(open), Double(second) - Double(first) + Double(alsoOpen)), 1)
    case (.interval(_, let low, let high, let first, _), .interval(_, let otherLow, let otherHigh, let second, _)):
      (.spanning(otherLow - high, otherHigh - low), max(0, first + second - 1))
    case (.proportion(let first, let trials), .proportion(let second, let otherTrials)) where areIndependent:
      (
        ProportionDifference(
          from: (first, trials), to: (second, otherTrials), confidence: confidence
        )?.interval ?? .everything, confidence
      )
    default:
      if areIndependent, let first = before.boundedSample, let second = after.boundedSample {
        (first.difference(to: second, tail: (1 - confidence) / 2), confidence)
      } else {
        (apart(before.interval(at: (1 + confidence) / 2), after.interval(at: (1 + confidence) / 2)), confidence)
      }
    }
  }

  /// The differences from the lowest of one interval to the highest of the other.
  private static func apart(_ first: ClosedRange<Double>, _ second: ClosedRange<Double>) -> ClosedRange<Double> {
    .spanning(second.lowerBound - first.upperBound, second.upperBound - first.lowerBound)
  }
}

/// An interval for the difference of two probabilities from independent samples, whose coverage is at least the
/// confidence for every pair of probabilities.
///
/// The upper end is the largest difference that Fisher's method does not reject: each probability has its one-sided
/// binomial tail, as in Clopper and Pearson's interval, and a pair is rejected if a product of tails as small as theirs
/// has at most half the error's probability. The tails are independent and at least as spread as uniform numbers, so
/// the true pair is rejected at most that often, and its difference is covered otherwise. The lower end mirrors this.
///
/// Newcombe's hybrid of two Clopper-Pearson intervals would be a tenth to a third narrower, but where one probability
/// is near 0 and the other near 1 it misses ten times as often as stated at a confidence of 0.99, and hundreds of times
/// at 0.9999.
///
/// Sources: Fisher, "Statistical Methods for Research Workers" (4th edition, 1932), section 21.1; Clopper and Pearson,
/// "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).
package struct ProportionDifference {
  /// The interval of the second probability minus the first.
  package let interval: ClosedRange<Double>

  /// Successes among trials whose number was fixed beforehand.
  package typealias Sample = (successes: Int, trials: Int)

  /// The interval; `nil` for an invalid sample, or where doubles are not precise enough.
  ///
  /// - Parameters:
  ///   - first: the first sample.
  ///   - second: the second, independent of the first.
  ///   - confidence: above 0 and below 1.
  package init?(from first: Sample, to second: Sample, confidence: Double) {
    guard [first, second].allSatisfy({ $0.trials >= 1 && (0...$0.trials).contains($0.successes) }),
      confidence > 0, confidence < 1
    else { return nil }
    let product = Self.minProduct((1 - confidence) / 2)
    guard let high = Self.largest(second, without: first, product: product),
      let negative = Self.largest(first, without: second, product: product), -negative <= high
    else { return nil }
    interval = -negative...high
  }

  /// The logarithm of the c that the product of two independent uniform numbers stays below with a probability.
  ///
  /// The product is below c with the probability c (1 - ln c), which grows with c.
  static func minProduct(_ probability: Double) -> Double {
    var (low, high) = (2 * log(probability) - 2, 0.0)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if exp(middle) * (1 - middle) < probability { low = middle } else { high = middle }
    }
    return low
  }

  /// The largest difference of two probabilities whose tails have at least the product.
  ///
  /// Both tails are log-concave, so the pairs with that product bound a convex set, and along its edge the difference
  /// has one maximum.
  private static func largest(_ plus: Sample, without minus: Sample, product: Double) -> Double? {
    // A sample without successes gives no lower bound of its probability, so the other gets all the error.
    if minus.successes == 0 { return upper(plus, tail: exp(product)) }
    if plus.successes == plus.trials { return lower(minus, tail: exp(product)).map { 1 - $0 } }
    func difference(_ share: Double) -> Double? {
      guard let high = upper(plus, tail: exp(product * share)), let low = lower(minus, tail: exp(product * (1 - share)))
      else { return nil }
      return high - low
    }
    let golden = (5.0.squareRoot() - 1) / 2
    // At the ends one tail would be 1, where quantiles are not defined.
    var (left, right) = (1e-9, 1 - 1e-9)
    var (inner, outer) = (right - golden * (right - left), left + golden * (right - left))
    guard var atInner = difference(inner), var atOuter = difference(outer) else { return nil }
    for _ in 0..<60 {
      if atInner < atOuter {
        (left, inner, atInner) = (inner, outer, atOuter)
        outer = left + golden * (right - left)
        guard let value = difference(outer) else { return nil }
        atOuter = value
      } else {
        (right, outer, atOuter) = (outer, inner, atInner)
        inner = right - golden * (right - left)
        guard let value = difference(inner) else { return nil }
        atInner = value
      }
    }
    return max(atInner, atOuter)
  }

  /// The probability at which as few successes or fewer have the tail's probability.
  private static func upper(_ sample: Sample, tail: Double) -> Double? {
    if sample.successes == sample.trials { return 1 }
    let (successes, failures) = (Double(sample.successes), Double(sample.trials - sample.successes))
    return (try? Quantile.beta(tail, a: failures, b: successes + 1)).map { 1 - $0 }
  }

  /// The probability at which as many successes or more have the tail's probability.
  private static func lower(_ sample: Sample, tail: Double) -> Double? {
    if sample.successes == 0 { return 0 }
    let (successes, failures) = (Double(sample.successes), Double(sample.trials - sample.successes))
    return try? Quantile.beta(tail, a: successes, b: failures + 1)
  }
}
