// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
internal import Foundation

/// Pearson's chi-square test that counts come from given probabilities.
package struct ChiSquareTest: Sendable, Equatable {
  /// The sum over cells of (observed - expected)^2 / expected.
  package let statistic: Double
  /// One less than the number of cells after pooling.
  package let degreesOfFreedom: Int
  /// The chance of a statistic at least as large when the probabilities are right.
  package let pValue: Double

  /// Tests counts against probabilities.
  ///
  /// Neighbouring cells are pooled until each expects `minimumExpected` counts, below which the chi-square
  /// approximation is poor.
  package init(observed: [Int], probabilities: [Double], minimumExpected: Double = 5) throws(StatisticsError) {
    let name = "Chi-square test"
    try require(
      observed.count == probabilities.count, name, "probabilities", "\(probabilities.count) numbers",
      "\(observed.count), one per count")
    try require(observed.allSatisfy { $0 >= 0 }, name, "observed", observed, "counts of at least 0")
    try require(probabilities.allSatisfy { $0 >= 0 }, name, "probabilities", probabilities, "numbers of at least 0")
    let sum = probabilities.reduce(0, +)
    try require(abs(sum - 1) <= 1e-9, name, "sum of probabilities", sum, "1")
    try require(minimumExpected > 0, name, "minimumExpected", minimumExpected, "a positive number")
    let total = observed.reduce(0, +)
    let cells = Self.pooled(observed, probabilities.map { $0 * Double(total) }, minimumExpected)
    guard cells.count >= 2 else { throw .tooFewObservations(of: name, count: total, required: total + 1) }
    statistic = cells.reduce(0) { sum, cell in
      let deviation = cell.observed - cell.expected
      return sum + deviation * deviation / cell.expected
    }
    degreesOfFreedom = cells.count - 1
    pValue = gsl_cdf_chisq_Q(statistic, Double(degreesOfFreedom))
  }

  private typealias Cell = (observed: Double, expected: Double)

  private static func pooled(_ observed: [Int], _ expected: [Double], _ minimum: Double) -> [Cell] {
    var cells: [Cell] = []
    var pending: Cell = (0, 0)
    for (count, expectation) in zip(observed, expected) {
      pending = (pending.observed + Double(count), pending.expected + expectation)
      guard pending.expected >= minimum else { continue }
      cells.append(pending)
      pending = (0, 0)
    }
    if let last = cells.popLast() {
      cells.append((last.observed + pending.observed, last.expected + pending.expected))
    }
    return cells
  }
}

/// The Kolmogorov-Smirnov test that a sample has a given continuous distribution.
///
/// The p-value is Kolmogorov's limit with Stephens' correction for finite samples, good to a few percent of itself from
/// an effective sample size of about 8. Source: Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and related
/// statistics without extensive tables", JRSS B 32 (1970).
package struct KolmogorovSmirnovTest: Sendable, Equatable {
  /// The largest distance between the two distribution functions, from 0 to 1.
  package let distance: Double
  /// The chance of a distance at least as large when the distributions are the same.
  package let pValue: Double

  /// Tests a sample against a distribution.
  ///
  /// - Complexity: O(n log n)
  package init(sample: [Double], distribution: (Double) -> Double) throws(StatisticsError) {
    try Self.requireSample(sample)
    let count = Double(sample.count)
    var distance = 0.0
    for (index, value) in sample.sorted().enumerated() {
      let probability = distribution(value)
      distance = max(distance, probability - Double(index) / count, Double(index + 1) / count - probability)
    }
    self.init(distance: distance, effectiveCount: count)
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
