// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The Kolmogorov-Smirnov test that a sample has a given continuous distribution, or two samples the same one.
///
/// The p-value is Kolmogorov's limit with Stephens' correction for finite samples, good to a few percent of itself from
/// an effective sample size of about 8. Source: Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and related
/// statistics without extensive tables", JRSS B 32 (1970).
public struct KolmogorovSmirnovTest: Sendable, Equatable {
  /// The largest distance between the two distribution functions, from 0 to 1.
  public let distance: Double
  /// The chance of a distance at least as large when the distributions are the same.
  public let pValue: Double

  /// Tests a sample against a distribution.
  ///
  /// - Parameters:
  ///   - sample: At least one number, none of them NaN.
  ///   - distribution: The distribution function, rising continuously from 0 to 1.
  /// - Throws: `tooFewObservations`, `invalidParameter`.
  /// - Complexity: O(n log n)
  public init(sample: [Double], distribution: (Double) -> Double) throws(StatisticsError) {
    try Self.requireSample(sample)
    let count = Double(sample.count)
    var distance = 0.0
    for (index, value) in sample.sorted().enumerated() {
      let probability = distribution(value)
      distance = max(distance, probability - Double(index) / count, Double(index + 1) / count - probability)
    }
    self.init(distance: distance, effectiveCount: count)
  }

  /// Tests whether two independent samples come from one distribution.
  ///
  /// - Parameters:
  ///   - first: At least one number, none of them NaN.
  ///   - second: The same.
  /// - Throws: `tooFewObservations`, `invalidParameter`.
  /// - Complexity: O(n log n)
  public init(first: [Double], second: [Double]) throws(StatisticsError) {
    try Self.requireSample(first)
    try Self.requireSample(second)
    let (first, second) = (first.sorted(), second.sorted())
    var (i, j) = (0, 0)
    var distance = 0.0
    while i < first.count && j < second.count {
      let value = min(first[i], second[j])
      // Equal values are passed together: between them neither distribution function exists.
      while i < first.count && first[i] == value { i += 1 }
      while j < second.count && second[j] == value { j += 1 }
      distance = max(distance, abs(Double(i) / Double(first.count) - Double(j) / Double(second.count)))
    }
    let product = Double(first.count) * Double(second.count)
    self.init(distance: distance, effectiveCount: product / Double(first.count + second.count))
  }

  private init(distance: Double, effectiveCount: Double) {
    let root = effectiveCount.squareRoot()
    self.distance = distance
    pValue = Self.kolmogorovTail((root + 0.12 + 0.11 / root) * distance)
  }

  private static func requireSample(_ sample: [Double]) throws(StatisticsError) {
    guard !sample.isEmpty else {
      throw .tooFewObservations(of: "Kolmogorov-Smirnov test", count: 0, required: 1)
    }
    try require(!sample.contains { $0.isNaN }, "Kolmogorov-Smirnov test", "sample", "NaN", "numbers only")
  }

  /// The chance that the limiting statistic exceeds `x`: 2 times the sum over k of (-1)^(k-1) exp(-2 k^2 x^2).
  private static func kolmogorovTail(_ x: Double) -> Double {
    // Below 0.2 the tail is 1 to 12 digits, and the alternating series converges too slowly to say so.
    guard x > 0.2 else { return 1 }
    let sum = (1...40).reduce(0.0) { sum, k in
      sum + (k.isMultiple(of: 2) ? -1 : 1) * exp(-2 * Double(k * k) * x * x)
    }
    return min(1, max(0, 2 * sum))
  }
}
