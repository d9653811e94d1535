// SPDX-License-Identifier: GPL-3.0-or-later
internal import Statistics

/// The figures of the batches of one long run, whose mean has an interval as if they were independent.
///
///     let waiting = try bank.run(until: 101_000, warmUp: 1_000, batches: 30) { counter.waiting.mean }
///     print(waiting.mean, waiting.interval(at: 0.99), waiting.warning ?? "")
///
/// Batches that are long beside the time in which the model forgets its state are nearly independent. `warning` says
/// where they are not.
///
/// Sources: Law and Kelton, "Simulation modeling and analysis", 3rd edition (2000), section 9.5.3; Schmeiser, "Batch
/// size effects in the analysis of simulation output", Operations Research 30 (1982).
public struct BatchMeans: Hashable, Sendable {
  /// The figure of each batch, in order.
  public let values: [Double]

  /// The figures of batches, in order; at least two for an interval.
  public init(_ values: [Double]) { self.values = values }

  private var count: Double { Double(values.count) }

  /// The mean of all batches; NaN without one.
  public var mean: Double { values.reduce(0, +) / count }

  /// The sum of the squared distances from the mean.
  private var squares: Double {
    let mean = mean
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// The standard deviation of a batch; NaN for fewer than two.
  public var standardDeviation: Double { values.count > 1 ? (squares / (count - 1)).squareRoot() : .nan }

  /// Student's interval of the mean.
  ///
  /// - Parameter confidence: above 0 and below 1.
  /// - Returns: the interval; everything for fewer than two batches and for another confidence.
  public func interval(at confidence: Double) -> ClosedRange<Double> {
    guard values.count > 1,
      let quantile = try? Quantile.studentT((1 + confidence) / 2, degreesOfFreedom: count - 1),
      quantile >= 0, mean.isFinite
    else { return -.infinity ... .infinity }
    let reach = quantile * standardDeviation / count.squareRoot()
    return mean - reach...mean + reach
  }

  /// The correlation of neighbouring batches, by their differences: near 0 if they are independent, towards 1 if each
  /// is like the one before. 0 for batches that are all equal.
  ///
  /// It is 1 - r / 2, where r is the ratio of the mean square successive difference to the variance: von Neumann,
  /// "Distribution of the ratio of the mean square successive difference to the variance", Annals of Mathematical
  /// Statistics 12 (1941).
  public var correlation: Double {
    let squares = squares
    guard squares > 0 else { return 0 }
    let successive = zip(values.dropFirst(), values).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return 1 - successive / (2 * squares)
  }

  /// A sentence if the batches are correlated, so that the interval is too narrow, or too few to tell; otherwise `nil`.
  ///
  /// Independent batches are warned of in 5% of all runs: `correlation` has then the variance (n - 2) / (n^2 - 1) for n
  /// batches (Fishman, "Grouping observations in digital simulation", Management Science 24 (1978)).
  public var warning: String? {
    guard values.count >= 8 else {
      return "\(values.count) batches are too few to see whether they are correlated; expected 8 or more"
    }
    let bound = 1.645 * ((count - 2) / (count * count - 1)).squareRoot()
    guard correlation > bound else { return nil }
    func short(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
    return "neighbouring batches are correlated: \(short(correlation)), expected at most \(short(bound)); the interval "
      + "is too narrow. Make the run longer, with as many batches, or the warm-up if the figures drift"
  }
}
