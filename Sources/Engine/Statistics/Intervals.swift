// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// A sample of independent observations in a known range, with an interval for their true mean. The interval has its
/// confidence for any sample size that was fixed beforehand.
///
/// Stopping when the interval looks good during sampling voids its confidence; use `ConfidenceSequence` for that.
///
/// Two bounds share the error of each end. Chernoff's, in Hoeffding's form, needs only the mean, and equals Clopper and
/// Pearson's where all observations are at one end of the range. Bernstein's uses the deviation, which is itself
/// bounded from above. The shares depend only on the number of observations: with few, nearly all of the error goes to
/// the first, with many to the second, whose reach is then `sqrt(2 log(1 / error))` standard errors: at an error of
/// 0.0005, 1.19 times that of the normal approximation, which is not valid for any number of observations.
///
/// Sources: Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58 (1963), theorem 1 and
/// section 5 for Bernstein's; Maurer and Pontil, "Empirical Bernstein bounds and sample-variance penalization", COLT
/// (2009), theorem 10 for the deviation.
public struct BoundedSample: Hashable, Sendable {
  /// The mean of the observations.
  public let mean: Double
  /// The standard deviation of a single observation: the root of the unbiased variance.
  package let standardDeviation: Double
  package let count: Int
  /// The range of every observation.
  package let range: ClosedRange<Double>
  /// The earliest observations, which centre bets on the others; `nil` if they are not known.
  package let first: FirstObservations?

  /// The number of observations with which the two bounds share the error evenly.
  private static let evenCount = 256.0
  /// The part of Bernstein's error that the bound of the deviation uses.
  private static let deviationPart = 1.0 / 16

  /// `nil` for invalid values: no observations, a mean outside the range, a deviation below 0.
  public init?(
    mean: Double, standardDeviation: Double, count: Int, range: ClosedRange<Double>, first: FirstObservations? = nil
  ) {
    let width = range.upperBound - range.lowerBound
    // Rounding may move a mean slightly outside the range.
    guard count >= 1, standardDeviation >= 0, width > 0, width.isFinite, mean.isFinite,
      mean >= range.lowerBound - width * 1e-9, mean <= range.upperBound + width * 1e-9
    else { return nil }
    self.mean = min(max(mean, range.lowerBound), range.upperBound)
    (self.standardDeviation, self.count, self.range, self.first) = (standardDeviation, count, range, first)
  }

  /// A sample of tallied values; `unit` is the value of the tally's unit in the units of the range.
  public init?(_ tally: MomentTally, unit: Double, range: ClosedRange<Double>) {
    self.init(
      mean: tally.mean * unit, standardDeviation: tally.standardDeviation * unit, count: tally.count, range: range)
  }

  /// An interval for the true mean.
  ///
  /// With the first observations, a quarter of the error goes to bets on the others, which are narrower where the
  /// deviation is small in the range. Bets are valid for any stopping rule, so that looks do not share their error.
  ///
  /// - Parameters:
  ///   - tail: the error at each end, above 0 and below 1: the probability, before sampling, that the true mean is
  ///     below the lower end, and the same for the upper end.
  ///   - looks: the divisor of the error of this look, where the number of observations is one of several.
  /// - Returns: the interval, within the range of the observations.
  public func interval(tail: Double, looks: Int = 1) -> ClosedRange<Double> {
    let fixed = fixed(tail: tail * (first == nil ? 1 : 1 - Self.betPart) / Double(looks))
    guard let bets = bets(tail: tail * Self.betPart) else { return fixed }
    let (low, high) = (max(fixed.lowerBound, bets.lowerBound), min(fixed.upperBound, bets.upperBound))
    // The two are disjoint only if one of them is wrong; the wider statement is then the honest one.
    return low <= high ? low...high : fixed
  }

  /// The part of the error that bets use.
  private static let betPart = 0.25

  /// The interval for a number of observations that was fixed beforehand.
  private func fixed(tail: Double) -> ClosedRange<Double> {
    let chernoff = chernoff(tail: tail * Self.chernoffPart(of: count))
    let reach = Self.bernstein([self], tail: tail * (1 - Self.chernoffPart(of: count)))
    return max(chernoff.lowerBound, mean - reach)...min(chernoff.upperBound, mean + reach)
  }

  /// The interval by bets on all but the first observations, centred at the mean of these: see `ConfidenceSequence`.
  private func bets(tail: Double) -> ClosedRange<Double>? {
    guard let first, first.count >= 1, first.count < count, range.contains(first.mean) else { return nil }
    let (others, all) = (Double(count - first.count), Double(count))
    let rest = mean + (mean - first.mean) * Double(first.count) / others
    let squares = standardDeviation * standardDeviation * (all - 1) + all * (mean - first.mean) * (mean - first.mean)
    return BettingGrid.bounds(
      ofMean: rest, squares: max(0, squares - first.squares), count: others, around: first.mean, in: range, tail: tail)
  }

  /// An interval for the difference from the mean of an independent sample; each end has the error `tail`.
  package func difference(to other: BoundedSample, tail: Double) -> ClosedRange<Double> {
    let part = Self.chernoffPart(of: min(count, other.count))
    let (mine, its) = (chernoff(tail: tail * part / 2), other.chernoff(tail: tail * part / 2))
    let reach = Self.bernstein([self, other], tail: tail * (1 - part))
    let difference = other.mean - mean
    let low = max(its.lowerBound - mine.upperBound, difference - reach)
    return low...min(its.upperBound - mine.lowerBound, difference + reach)
  }

  private var width: Double { range.upperBound - range.lowerBound }

  private static func chernoffPart(of count: Int) -> Double { evenCount / (evenCount + Double(count)) }

  /// The true means that are not excluded by the observed one.
  private func chernoff(tail: Double) -> ClosedRange<Double> {
    let share = (mean - range.lowerBound) / width
    let chances = Self.chances(of: share, divergence: -log(tail) / Double(count))
    let low = min(mean, range.lowerBound + chances.lowerBound * width)
    return low...max(mean, range.lowerBound + chances.upperBound * width)
  }

  /// The probabilities of success from which a share diverges by at most this Kullback-Leibler divergence.
  package static func chances(of share: Double, divergence maximum: Double) -> ClosedRange<Double> {
    farthest(from: share, to: 0, divergence: maximum)...farthest(from: share, to: 1, divergence: maximum)
  }

  /// The probability towards 0 or 1 at which the divergence of a share reaches a value; rounded towards the end.
  private static func farthest(from share: Double, to end: Double, divergence maximum: Double) -> Double {
    var (inside, outside) = (share, end)
    for _ in 0..<60 {
      let middle = inside + (outside - inside) / 2
      if divergence(of: share, from: middle) <= maximum { inside = middle } else { outside = middle }
    }
    return outside
  }

  /// The Kullback-Leibler divergence between two Bernoulli distributions.
  package static func divergence(of share: Double, from chance: Double) -> Double {
    let hits = share > 0 ? share * log(share / chance) : 0
    return hits + (share < 1 ? (1 - share) * log((1 - share) / (1 - chance)) : 0)
  }

  /// The largest one-sided distance of the sum, or the difference, of independent means from the true value.
  private static func bernstein(_ samples: [BoundedSample], tail: Double) -> Double {
    let wanted = -log(tail * (1 - deviationPart))
    var (variance, largest) = (0.0, 0.0)
    for sample in samples {
      let deviation = sample.largestDeviation(tail: tail * deviationPart / Double(samples.count))
      variance += deviation * deviation / Double(sample.count)
      largest = max(largest, sample.width / Double(sample.count))
    }
    return (2 * variance * wanted).squareRoot() + largest * wanted / 3
  }

  /// An upper bound of the true standard deviation; never more than half the range.
  private func largestDeviation(tail: Double) -> Double {
    guard count >= 2 else { return width / 2 }
    return min(width / 2, standardDeviation + width * (-2 * log(tail) / Double(count - 1)).squareRoot())
  }
}

/// The observations that were made first, on which later bets are centred.
public struct FirstObservations: Hashable, Sendable {
  /// The number of observations.
  public let count: Int
  /// Their mean.
  public let mean: Double
  /// The sum of their squared distances from their mean.
  public let squares: Double

  /// The first observations of a sample, a number of them that was fixed beforehand.
  public init(count: Int, mean: Double, squares: Double) {
    (self.count, self.mean, self.squares) = (count, mean, squares)
  }
}

/// The shape of a sample without known bounds, which shows whether its mean is nearly normal.
public struct SampleShape: Hashable, Sendable {
  /// The third central moment, divided by the cube of the deviation.
  public let skewness: Double
  /// The share of the squared distances from the mean that the ten farthest observations carry.
  public let farthestShare: Double
  /// The range of the observations so far.
  public let seen: ClosedRange<Double>
  /// The coefficients that were estimated from the same observations: each costs a degree of freedom.
  public let coefficients: Int

  /// The number of observations whose share of the squares counts.
  public static let farthest = 10

  /// The shape of a sample; a skewness that is beyond doubles is infinite.
  public init(skewness: Double, farthestShare: Double, seen: ClosedRange<Double>, coefficients: Int = 0) {
    self.coefficients = coefficients
    self.skewness = skewness.isNaN ? .infinity : skewness
    self.farthestShare = farthestShare.isNaN ? 1 : farthestShare
    self.seen = seen
  }

  /// The shape of values; `nil` unless two of them differ.
  public init?(of values: [Double]) {
    guard let minimum = values.min(), let maximum = values.max(), minimum < maximum else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    let (sum, cubes) = (squares.reduce(0, +), values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) })
    let deviation = (sum / Double(values.count)).squareRoot()
    self.init(
      skewness: cubes / Double(values.count) / deviation / deviation / deviation,
      farthestShare: squares.sorted(by: >).prefix(Self.farthest).reduce(0, +) / sum, seen: minimum...maximum)
  }

  /// The fewest observations with which the mean of a sample is nearly normal, if more do not change its skewness; this
  /// shape is that of `count`.
  package func fewest(of count: Int) -> Double { max(25 * skewness * skewness, 2 * farthestShare * Double(count)) }
}

/// A sample of independent observations without known bounds, with an interval for their mean that is right if the mean
/// is nearly normal and values rarer than about 5 in `count` do not move it.
///
/// No interval is valid for every unbounded law: a value of probability 1 in 10^9 can carry any mean. So the sample
/// decides whether to state anything, and how carefully:
///
/// - Cochran's rule, `count >= 25 skewness^2`, and no ten observations carry more than half of the squared distances.
///   Samples of rare large values fail one of the two until the values have been seen about twenty times.
/// - Student's interval, joined with Hall's, whose transformation corrects for the skewness that Student's ignores.
/// - A reserve for what has not been seen: values of probability below 5 in `count` are missing from one sample in 150,
///   so each end moves by as much as five more observations at the extreme would move the mean. The reserve falls
///   faster than the standard error and vanishes where the mean is normal.
///
/// Without a shape it is Student's interval. `assay calibrate` counts how often it is wrong (`skewed-mean`).
///
/// Sources: Cochran, "Sampling Techniques", 3rd edition (1977), section 2.15; Boos and Hughes-Oliver, "How large does n
/// have to be for Z and t intervals?", The American Statistician 54 (2000); Johnson, "Modified t tests and confidence
/// intervals for asymmetrical populations", JASA 73 (1978); Hall, "On the removal of skewness by transformation", JRSS
/// B 54 (1992).
package struct UnboundedSample: Hashable, Sendable {
  package let mean: Double
  package let standardDeviation: Double
  package let count: Int
  /// `nil` if only the moments are known.
  package let shape: SampleShape?

  /// The fewest observations with an interval.
  package static let fewest = 30
  /// The observations at each extreme that may be missing.
  private static let unseen = 5.0

  package init(mean: Double, standardDeviation: Double, count: Int, shape: SampleShape?) {
    (self.mean, self.standardDeviation, self.count, self.shape) = (mean, standardDeviation, count, shape)
  }

  /// True if the sample shows that its mean is nearly normal; assumed if its shape is not known.
  package var isNearlyNormal: Bool { shape.map { Double(count) >= $0.fewest(of: count) } ?? true }

  /// An interval for the true mean with an error of `tail` at each end; `nil` for fewer than 30 observations, for those
  /// that are all alike, and where the mean is not nearly normal.
  package func interval(tail: Double) -> ClosedRange<Double>? {
    guard count >= Self.fewest, standardDeviation > 0, mean.isFinite, isNearlyNormal,
      let quantile = try? Quantile.studentT(
        tail, degreesOfFreedom: Double(count - 1 - (shape?.coefficients ?? 0)))
    else { return nil }
    let error = standardDeviation / Double(count).squareRoot()
    let student = -quantile * error
    var (low, high) = (mean - student, mean + student)
    if let shape {
      low =
        min(low, mean - error * hall(-quantile, shape)) - Self.unseen * (mean - shape.seen.lowerBound) / Double(count)
      high =
        max(high, mean - error * hall(quantile, shape)) + Self.unseen * (shape.seen.upperBound - mean) / Double(count)
    }
    return low <= high ? low...high : nil
  }

  /// The studentised mean that Hall's transformation takes to a quantile.
  private func hall(_ quantile: Double, _ shape: SampleShape) -> Double {
    let skewness = shape.skewness / Double(count).squareRoot()
    // The series of the cubic root starts with the quantile.
    guard abs(skewness) > 1e-9 else { return quantile }
    return 3 / skewness * (cbrt(1 + skewness * (quantile - skewness / 6)) - 1)
  }
}

/// Clopper and Pearson's interval for a probability: its coverage is at least the stated one for every probability.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26 (1934).
public struct BinomialInterval: Sendable {
  /// The share of successes.
  public let proportion: Double
  /// The lower end.
  public let lower: Double
  /// The upper end.
  public let upper: Double

  /// The interval after a number of trials that was fixed beforehand; the confidence is the least probability, before
  /// sampling, that it covers the true probability.
  public init(successes: Int, trials: Int, confidence: Double) throws(StatisticsError) {
    let name = "Binomial interval"
    try require(trials >= 1, name, "trials", trials, "at least 1")
    try require(successes >= 0 && successes <= trials, name, "successes", successes, "0 to \(trials)")
    try requireProbability(confidence, name, "confidence")
    let tail = (1 - confidence) / 2
    let failures = trials - successes
    lower = successes == 0 ? 0 : try Quantile.beta(tail, a: Double(successes), b: Double(failures) + 1)
    // 1 - tail would round to 1 for high confidences; the mirrored beta distribution keeps the tail.
    upper = failures == 0 ? 1 : 1 - (try Quantile.beta(tail, a: Double(failures), b: Double(successes) + 1))
    proportion = Double(successes) / Double(trials)
  }
}

/// The ranks between which a quantile lies, for any distribution.
///
/// The quantile of share `p` is at or above the value of rank `r` unless fewer than `r` of the samples lie below it;
/// their number is binomial. The same holds from above.
///
/// Source: David and Nagaraja, "Order Statistics", 3rd edition (2003), section 7.1.
package struct QuantileRanks: Hashable, Sendable {
  /// The rank, from 1, of the value at or above which the quantile lies; `nil` for too few samples.
  package let lower: Int?
  /// The rank of the value at or below which it lies; `nil` for too few samples.
  package let upper: Int?

  /// The ranks for a number of samples that was fixed beforehand, at a joint confidence of both ends.
  ///
  /// - Complexity: O(sqrt(samples) log(samples)).
  package init(share: Double, samples: Int, confidence: Double) {
    let tail = (1 - confidence) / 2
    /// The probability that at least `count` samples lie below the quantile.
    func atLeast(_ count: Int) -> Double {
      count <= 0
        ? 1 : count > samples ? 0 : IncompleteBeta.distribution(share, a: Double(count), b: Double(samples - count + 1))
    }
    // Both probabilities are monotonic in the rank, so they are bisected.
    var (known, open) = (0, samples + 1)
    while open - known > 1 {
      let middle = known + (open - known) / 2
      if 1 - atLeast(middle) <= tail { known = middle } else { open = middle }
    }
    lower = known == 0 ? nil : known
    (known, open) = (samples + 1, 0)
    while known - open > 1 {
      let middle = open + (known - open) / 2
      if atLeast(middle) <= tail { known = middle } else { open = middle }
    }
    upper = known > samples ? nil : known
  }
}
