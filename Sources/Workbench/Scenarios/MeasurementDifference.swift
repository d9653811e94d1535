// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Statistics

/// How far two measurements of the same thing are apart, with the statistics of a difference.
///
/// Two intervals that overlap may belong to figures that differ, and two figures that differ may be the same but for
/// sampling; only an interval of the difference itself tells. How it is made depends on what was measured:
///
/// - What is computed differs by exactly what it differs by, and a count by that and by what was left undecided.
/// - Shares of independent trials: `ProportionDifference`, which covers at least as often as it says.
/// - Means of independent observations that lie in known ranges: `BoundedSample`, which does so too.
/// - Intervals that the measurements brought along: from the lowest of one to the highest of the other. It holds
///   unless one of the two fails, so the chances that they do add up, and no other confidence can be asked for.
/// - Everything else, such as samples that may depend on each other since two runs have one seed, or of runs that might
///   have ended earlier: the last rule as well, for intervals that each have half the error. It holds whatever they
///   have in common.
package struct MeasurementDifference: Hashable, Sendable {
  /// The relation of the two runs' random numbers.
  package enum Relation: Hashable, Sendable {
    /// One scenario, one seed, one version and one kind of machine: every figure must be the same.
    case repeated
    /// Random numbers that have nothing to do with each other.
    case independent
    /// The same random numbers, or nobody knows.
    case unknown
  }

  package enum Finding: Hashable, Sendable {
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

  package let before: Measurement
  package let after: Measurement
  /// The later figure without the earlier one, in the measure's unit.
  package let estimate: Double
  /// The interval of the true difference.
  package let interval: ClosedRange<Double>
  /// The least chance, before sampling, that `interval` would cover the true difference; 1 for what has no sampling
  /// error.
  package let confidence: Double
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
      before, after, areIndependent: relation == .independent && before.sharing == 1 && after.sharing == 1,
      confidence: confidence)
    finding =
      if interval == .everything {
        .notComparable("too little is known of it")
      } else {
        interval.contains(0) ? .noDifferenceFound : .differs
      }
  }

  /// How far the interval reaches from the estimate, to the side where that is farther.
  var halfWidth: Double { max(interval.upperBound - estimate, estimate - interval.lowerBound) }

  /// The chance, before sampling, that the interval misses the true difference.
  package var errorProbability: Double { 1 - confidence }

  /// Whether chance can play into the difference.
  package var isSampled: Bool { before.samples != nil || after.samples != nil }

  /// From one figure to another: nothing where they are equal, also where both are the same infinity.
  private static func gap(_ first: Double, _ second: Double) -> Double { first == second ? 0 : second - first }

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

  /// From the lowest of one interval to the highest of the other.
  private static func apart(_ first: ClosedRange<Double>, _ second: ClosedRange<Double>) -> ClosedRange<Double> {
    .spanning(second.lowerBound - first.upperBound, second.upperBound - first.lowerBound)
  }
}

extension Measurement {
  /// Of a mean in a known range; `nil` of anything else, and where nothing was observed.
  fileprivate var boundedSample: BoundedSample? {
    guard case .mean(let mean, let deviation, let samples) = value, let range = measure.range else { return nil }
    return BoundedSample(mean: mean, standardDeviation: deviation, count: samples, range: range)
  }
}

/// An interval for the difference of two probabilities from independent samples: it covers at least as often as it
/// says, for every pair of probabilities.
///
/// The upper end is the largest difference that Fisher's method does not reject: each probability has its one-sided
/// binomial tail, as in Clopper and Pearson's interval, and a pair is rejected where the product of the two tails is so
/// small as happens with half the error's probability. The tails are independent and at least as spread as uniform
/// numbers, so the true pair is seldom rejected, and with it the true difference is covered. The lower end mirrors it.
///
/// Newcombe's hybrid of two Clopper-Pearson intervals would be a tenth to a third narrower, but where one probability
/// is near 0 and the other near 1 it misses ten times as often as it says at a confidence of 0.99, and hundreds of
/// times at 0.9999.
///
/// Sources: Fisher, "Statistical Methods for Research Workers" (4th edition, 1932), section 21.1; Clopper and Pearson,
/// "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).
package struct ProportionDifference {
  /// The interval of the second probability without the first.
  package let interval: ClosedRange<Double>

  /// Successes among trials whose number was fixed beforehand.
  package typealias Sample = (successes: Int, trials: Int)

  /// The interval; `nil` where a sample is none, or at the edge of what doubles can hold.
  ///
  /// - Parameters:
  ///   - first: the first sample.
  ///   - second: the second, independent of the first.
  ///   - confidence: above 0 and below 1.
  package init?(from first: Sample, to second: Sample, confidence: Double) {
    guard [first, second].allSatisfy({ $0.trials >= 1 && (0...$0.trials).contains($0.successes) }),
      confidence > 0, confidence < 1
    else { return nil }
    let product = Self.leastProduct((1 - confidence) / 2)
    guard let high = Self.largest(second, without: first, product: product),
      let negative = Self.largest(first, without: second, product: product), -negative <= high
    else { return nil }
    interval = -negative...high
  }

  /// The logarithm of the product of two independent uniform numbers that falls short of with a probability.
  ///
  /// The product is below c with the probability c (1 - ln c), which grows with c.
  static func leastProduct(_ probability: Double) -> Double {
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
    // A sample without successes says nothing of how small its probability may be, and leaves the other all the error.
    if minus.successes == 0 { return upper(plus, tail: exp(product)) }
    if plus.successes == plus.trials { return lower(minus, tail: exp(product)).map { 1 - $0 } }
    func difference(_ share: Double) -> Double? {
      guard let high = upper(plus, tail: exp(product * share)), let low = lower(minus, tail: exp(product * (1 - share)))
      else { return nil }
      return high - low
    }
    let golden = (5.0.squareRoot() - 1) / 2
    // At the very ends one tail would be all of its distribution, where quantiles are not defined.
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

  /// The probability at which so few successes or fewer have the tail's probability.
  private static func upper(_ sample: Sample, tail: Double) -> Double? {
    if sample.successes == sample.trials { return 1 }
    let (successes, failures) = (Double(sample.successes), Double(sample.trials - sample.successes))
    return (try? Quantile.beta(tail, a: failures, b: successes + 1)).map { 1 - $0 }
  }

  /// The probability at which so many successes or more have the tail's probability.
  private static func lower(_ sample: Sample, tail: Double) -> Double? {
    if sample.successes == 0 { return 0 }
    let (successes, failures) = (Double(sample.successes), Double(sample.trials - sample.successes))
    return try? Quantile.beta(tail, a: successes, b: failures + 1)
  }
}
