// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Pearson's chi-square test that counts come from given probabilities.
///
/// Neighbouring cells are pooled until each expects 5 counts, below which the chi-square approximation is poor.
package struct ChiSquareTest: Sendable {
  /// The sum over cells of (observed - expected)^2 / expected.
  package let statistic: Double
  /// One less than the number of cells after pooling, of which there must be two.
  package let degreesOfFreedom: Int
  /// The chance of a statistic at least as large when the probabilities are right.
  package let pValue: Double

  package init(observed: [Int], probabilities: [Double]) {
    precondition(observed.count == probabilities.count && abs(probabilities.reduce(0, +) - 1) <= 1e-9)
    let total = Double(observed.reduce(0, +))
    var cells: [(observed: Double, expected: Double)] = []
    var pending = (observed: 0.0, expected: 0.0)
    for (count, probability) in zip(observed, probabilities) {
      pending = (pending.observed + Double(count), pending.expected + probability * total)
      guard pending.expected >= 5 else { continue }
      cells.append(pending)
      pending = (0, 0)
    }
    if let last = cells.popLast() {
      cells.append((last.observed + pending.observed, last.expected + pending.expected))
    }
    precondition(cells.count >= 2, "\(total) observations are too few")
    statistic = cells.reduce(0) { sum, cell in
      sum + (cell.observed - cell.expected) * (cell.observed - cell.expected) / cell.expected
    }
    degreesOfFreedom = cells.count - 1
    pValue = Self.tail(statistic, degreesOfFreedom)
  }

  /// The chance that a chi-square variable exceeds a value: the recurrence of the incomplete gamma function, DLMF
  /// 8.8.2, from 1 or 2 degrees of freedom up.
  private static func tail(_ value: Double, _ degreesOfFreedom: Int) -> Double {
    let half = value / 2
    var (tail, shape) = degreesOfFreedom.isMultiple(of: 2) ? (exp(-half), 1.0) : (erfc(half.squareRoot()), 0.5)
    while shape < Double(degreesOfFreedom) / 2 {
      tail += exp(shape * log(half) - half - lgamma(shape + 1))
      shape += 1
    }
    return tail
  }
}

/// The Kolmogorov-Smirnov test that a sample has a given continuous distribution.
///
/// The p-value is Kolmogorov's limit with Stephens' correction for finite samples, good to a few percent of itself from
/// about 8 observations on. Source: Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and related statistics
/// without extensive tables", JRSS B 32 (1970).
package struct KolmogorovSmirnovTest: Sendable {
  /// The largest distance between the two distribution functions, from 0 to 1.
  package let distance: Double
  /// The chance of a distance at least as large when the distributions are the same.
  package let pValue: Double

  package init(sample: [Double], distribution: (Double) -> Double) {
    let count = Double(sample.count)
    var distance = 0.0
    for (index, value) in sample.sorted().enumerated() {
      let probability = distribution(value)
      distance = max(distance, probability - Double(index) / count, Double(index + 1) / count - probability)
    }
    self.distance = distance
    let root = count.squareRoot()
    pValue = Self.tail((root + 0.12 + 0.11 / root) * distance)
  }

  /// The chance that the limiting statistic exceeds `x`: 2 times the sum over k of (-1)^(k-1) exp(-2 k^2 x^2).
  private static func tail(_ x: Double) -> Double {
    // Below 0.2 the tail is 1 to 12 digits, and the alternating series converges too slowly to say so.
    guard x > 0.2 else { return 1 }
    let sum = (1...40).reduce(0.0) { sum, k in
      sum + (k.isMultiple(of: 2) ? -1 : 1) * exp(-2 * Double(k * k) * x * x)
    }
    return min(1, max(0, 2 * sum))
  }
}
