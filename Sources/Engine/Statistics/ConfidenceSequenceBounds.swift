// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

extension ConfidenceSequence {
  /// A number that the mean exceeds, with probability at least 1 - alpha for all waves at once.
  ///
  /// - Parameter alpha: The chance of the bound ever being wrong, above 0, up to 1; 0 and NaN ask for certainty, which
  ///   only the range's lower end has.
  /// - Returns: The bound, in the units of the range and inside it.
  /// - Complexity: O(1), without allocation: about half a dozen evaluations of 24 exponentials.
  public func lowerBound(alpha: Double) -> Double {
    guard count > 0, let logTarget = Self.logTarget(alpha) else { return range.lowerBound }
    let deviation = BettingGrid.deviation(reaching: logTarget, penalties: lowerPenalties) * width
    return clamped(mean - deviation / Double(count))
  }

  /// A number that the mean stays below, with probability at least 1 - alpha for all waves at once.
  ///
  /// - Parameter alpha: The chance of the bound ever being wrong, above 0, up to 1; 0 and NaN ask for certainty, which
  ///   only the range's upper end has.
  /// - Returns: The bound, in the units of the range and inside it.
  /// - Complexity: As for `lowerBound(alpha:)`.
  public func upperBound(alpha: Double) -> Double {
    guard count > 0, let logTarget = Self.logTarget(alpha) else { return range.upperBound }
    let deviation = BettingGrid.deviation(reaching: logTarget, penalties: upperPenalties) * width
    return clamped(mean + deviation / Double(count))
  }

  /// An interval that covers the mean, with probability at least 1 - alpha for all waves at once.
  ///
  /// - Parameter alpha: The chance of the interval ever being wrong; each side gets half.
  /// - Returns: The interval, in the units of the range and inside it.
  public func interval(alpha: Double) -> ClosedRange<Double> {
    let lower = lowerBound(alpha: alpha / 2)
    // At an alpha near 1 both bounds can lie beyond the mean, on the wrong sides of each other.
    return lower...max(lower, upperBound(alpha: alpha / 2))
  }

  /// The logarithm of the evidence that the mean is above a value.
  ///
  /// If the mean is at most `value`, this ever reaches log(1/alpha) with probability at most alpha. The test
  /// `logEvidence(meanAbove: m) >= log(1 / alpha)` says the same as `lowerBound(alpha: alpha) >= m` and is cheaper.
  ///
  /// - Parameter value: In the units of the range.
  /// - Returns: A natural logarithm; 0 before the first observation.
  /// - Complexity: O(1), without allocation: one evaluation of 24 exponentials.
  public func logEvidence(meanAbove value: Double) -> Double {
    let deviation = (mean - value) / width * Double(count)
    return BettingGrid.logCapital(deviation: deviation, penalties: lowerPenalties).value
  }

  /// The logarithm of the evidence that the mean is below a value; see `logEvidence(meanAbove:)`.
  ///
  /// - Parameter value: In the units of the range.
  /// - Returns: A natural logarithm; 0 before the first observation.
  public func logEvidence(meanBelow value: Double) -> Double {
    let deviation = (value - mean) / width * Double(count)
    return BettingGrid.logCapital(deviation: deviation, penalties: upperPenalties).value
  }

  /// How many observations, from none, would probably tell the mean from a value that far away.
  ///
  /// A plan, not a promise: it takes the variance seen so far for the true one. For distances that are small against
  /// the range it is close to 2 log(1/alpha) variance / distance^2, plus what it costs not to know the best bet.
  ///
  /// - Parameters:
  ///   - distance: In the units of the range.
  ///   - alpha: The chance of a wrong conclusion, above 0, below 1.
  /// - Returns: A number of observations; `Int.max` when no number would do, as for a distance of 0.
  public func samplesToResolve(distance: Double, alpha: Double) -> Int {
    guard distance > 0, let logTarget = Self.logTarget(alpha) else { return .max }
    let relativeDistance = distance / width
    let relativeVariance = varianceEstimate / (width * width)
    let reach = max(mean - range.lowerBound, range.upperBound - mean) / width
    let bets = BettingGrid.bets
    let logShares = BettingGrid.logShares
    var fewest = Double.infinity
    for j in 0..<BettingGrid.count {
      let penalty = bets[j] * bets[j] * BettingGrid.penaltyRatio(bets[j] * reach) * relativeVariance
      let growth = bets[j] * relativeDistance - penalty
      if growth > 0 { fewest = min(fewest, (logTarget - logShares[j]) / growth) }
    }
    return fewest < 0x1p62 ? Int(fewest.rounded(.up)) : .max
  }

  private static func logTarget(_ alpha: Double) -> Double? {
    alpha > 0 ? max(0, -log(alpha)) : nil
  }

  private func clamped(_ bound: Double) -> Double {
    min(max(bound, range.lowerBound), range.upperBound)
  }
}
