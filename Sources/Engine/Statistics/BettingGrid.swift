// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The bets a confidence sequence makes side by side, and the share of the capital behind each.
///
/// Bets are relative to the inverse of the range's width: from 0.9 down in steps of the square root of 2. Twenty-four
/// reach 0.0003, the best bet after 10^9 observations at a relative standard deviation of a half; the shares fall as
/// 1/(j+2). Over ranges of 2 to 16 bets, standard deviations of 0.4 to 1.5, distances of 0.003 to 0.3 and an error of
/// 5e-8 this needed 1.97 times the observations of a fixed-sample z-test in the geometric mean (1.47 for distances up
/// to 0.01); ratios of 1.7, 2 and 3, equal shares and shares falling faster needed up to 2.2 (1.66).
enum BettingGrid {
  static let count = 24

  typealias Values = InlineArray<24, Double>

  /// The bets, in units of one over the width of the range.
  static let bets = Values { pow(2, -Double($0) / 2) * 0.9 }

  /// The natural logarithms of the shares, which sum to 1.
  static let logShares: Values = {
    let total = (0..<count).reduce(0.0) { $0 + 1 / Double($1 + 2) }
    return Values { -log(Double($0 + 2) * total) }
  }()

  /// (-log(1 - u) - u) / u^2 for u in [0, 1), the growth penalty per squared deviation; 1/2 at 0.
  static func penaltyRatio(_ u: Double) -> Double {
    // Below 1/64 the difference would lose digits; the series' next term is under 2^-39.
    guard u >= 0x1p-6 else { return 1 / 2 + u * (1 / 3 + u * (1 / 4 + u * (1 / 5 + u * (1 / 6 + u / 7)))) }
    return (-log1p(-u) - u) / (u * u)
  }

  /// The logarithm of the capital, a mixture over the bets, when deviations sum to `deviation`.
  ///
  /// - Returns: The logarithm and its derivative by the deviation, which is the capital's mean bet.
  static func logCapital(deviation: Double, penalties: borrowing Values) -> (value: Double, slope: Double) {
    var largest = -Double.infinity
    for j in 0..<count { largest = max(largest, logShares[j] + bets[j] * deviation - penalties[j]) }
    var sum = 0.0
    var slope = 0.0
    for j in 0..<count {
      let exponent = logShares[j] + bets[j] * deviation - penalties[j] - largest
      // Leaving out terms below e^-24 of the largest saves most of the time and understates the capital by under 10^-9.
      guard exponent > -24 else { continue }
      let term = exp(exponent)
      sum += term
      slope += term * bets[j]
    }
    return (largest + log(sum), slope / sum)
  }

  /// The deviation at which the capital reaches `exp(logTarget)`.
  ///
  /// The logarithm is convex and rises with the deviation, and each single bet alone bounds it from below, so Newton's
  /// method from the least deviation at which one bet alone suffices comes down to the root from above: every iterate
  /// is already a valid, slightly wide, answer.
  static func deviation(reaching logTarget: Double, penalties: borrowing Values) -> Double {
    var deviation = Double.infinity
    for j in 0..<count { deviation = min(deviation, (logTarget - logShares[j] + penalties[j]) / bets[j]) }
    for _ in 0..<32 {
      let capital = logCapital(deviation: deviation, penalties: penalties)
      let step = (capital.value - logTarget) / capital.slope
      guard step > abs(deviation) * 1e-9 else { break }
      deviation -= step
    }
    return deviation
  }
}
