// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation

/// The level of every goodness-of-fit test here. Seeds are fixed, so a test passes always or never; the level says how
/// likely a correct sampler was to fail on the day its seed was chosen.
let level = 1e-4

/// The p-value of Pearson's chi-square test, after pooling neighbouring cells until each expects at least 5.
func chiSquarePValue(observed: [Int], probabilities: [Double]) -> Double {
  let total = Double(observed.reduce(0, +))
  var statistic = 0.0
  var cells = 0
  var pending = (observed: 0.0, expected: 0.0)
  var remaining = 1.0
  for (count, probability) in zip(observed, probabilities) {
    pending.observed += Double(count)
    pending.expected += probability * total
    remaining -= probability
    guard pending.expected >= 5, remaining * total >= 5 || remaining < 1e-9 else { continue }
    statistic += (pending.observed - pending.expected) * (pending.observed - pending.expected) / pending.expected
    cells += 1
    pending = (0, 0)
  }
  if pending.expected > 1e-9 {
    statistic += (pending.observed - pending.expected) * (pending.observed - pending.expected) / pending.expected
    cells += 1
  }
  return gsl_cdf_chisq_Q(statistic, Double(cells - 1))
}

/// The p-value of the one-sample Kolmogorov-Smirnov test, by Kolmogorov's series with Stephens' correction.
func kolmogorovSmirnovPValue(_ sample: [Double], _ distribution: (Double) -> Double) -> Double {
  let count = Double(sample.count)
  var distance = 0.0
  for (index, value) in sample.sorted().enumerated() {
    let expected = distribution(value)
    distance = max(distance, expected - Double(index) / count, Double(index + 1) / count - expected)
  }
  let scaled = (count.squareRoot() + 0.12 + 0.11 / count.squareRoot()) * distance
  return 2
    * (1...100).reduce(0.0) { sum, k in
      sum + (k.isMultiple(of: 2) ? -1 : 1) * exp(-2 * Double(k * k) * scaled * scaled)
    }
}

/// How often each value of `0..<cells` occurs; values beyond fall into the last cell.
func histogram(of values: some Sequence<Int>, cells: Int) -> [Int] {
  values.reduce(into: [Int](repeating: 0, count: cells)) { $0[min($1, cells - 1)] += 1 }
}
