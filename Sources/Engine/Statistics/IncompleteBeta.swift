// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The beta distribution where GSL's own inverse gives up: far tails from parameters of about 10^4 on.
enum IncompleteBeta {
  /// The quantile, by bisection of the distribution function; NaN when the continued fraction does not converge.
  ///
  /// - Complexity: O(sqrt(a + b)) per halving of the interval.
  static func quantile(_ probability: Double, a: Double, b: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = low + (high - low) / 2
      guard middle > low && middle < high else { return middle }
      let reached = distribution(middle, a: a, b: b)
      guard !reached.isNaN else { return .nan }
      if reached < probability { low = middle } else { high = middle }
    }
  }

  /// The distribution function, from whichever tail converges fast.
  static func distribution(_ x: Double, a: Double, b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let logFactor = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    if x < (a + 1) / (a + b + 2) { return exp(logFactor) * continuedFraction(x, a: a, b: b) / a }
    return 1 - exp(logFactor) * continuedFraction(1 - x, a: b, b: a) / b
  }

  /// Lentz's evaluation of the continued fraction, DLMF 8.17.22.
  private static func continuedFraction(_ x: Double, a: Double, b: Double) -> Double {
    let tiny = Double.leastNormalMagnitude
    func awayFromZero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / awayFromZero(1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1...10_000_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / awayFromZero(1 + even * d)
      c = awayFromZero(1 + even / c)
      fraction *= c * d
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / awayFromZero(1 + odd * d)
      c = awayFromZero(1 + odd / c)
      fraction *= c * d
      if abs(c * d - 1) < 1e-15 { return fraction }
    }
    return .nan
  }
}
