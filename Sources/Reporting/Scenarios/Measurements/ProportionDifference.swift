// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Statistics

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
struct ProportionDifference {
  /// What the second probability without the first lies in.
  let interval: ClosedRange<Double>

  /// Successes among trials whose number was fixed beforehand.
  typealias Sample = (successes: Int, trials: Int)

  /// The interval; `nil` where a sample is none, or at the edge of what doubles can hold.
  ///
  /// - Parameters:
  ///   - first: the first sample.
  ///   - second: the second, independent of the first.
  ///   - confidence: above 0 and below 1.
  init?(from first: Sample, to second: Sample, confidence: Double) {
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
