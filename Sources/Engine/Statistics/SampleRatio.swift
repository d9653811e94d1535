// SPDX-License-Identifier: GPL-3.0-or-later

/// The ratio of two sums over independent samples, such as wins over bets of shoes, linearised at the sums found (the
/// delta method): a sample moves the ratio R by (x - R y) / mean(y).
///
///     let edge = SampleRatio(sums: (won, bet), squares: (wonSquares, products, betSquares), count: shoes)
///     let standardError = (edge?.deviation ?? .nan) / Double(shoes).squareRoot()
///
/// Source: Cochran, "Sampling Techniques", 3rd edition (1977), section 6.3.
public struct SampleRatio: Hashable, Sendable {
  /// The sum of the numerators over that of the denominators.
  public let value: Double
  /// The standard deviation of what a single sample moves; divided by the root of their number it is the standard
  /// error.
  public let deviation: Double

  /// The ratio; `nil` for fewer than two samples, and if the denominators add up to 0.
  ///
  /// - Parameters:
  ///   - sums: the sum of the numerators and that of the denominators.
  ///   - squares: the sums of squared numerators, of numerators times denominators and of squared denominators; or of
  ///     the distances from their means, which give the same deviation.
  ///   - count: the number of samples.
  public init?(
    sums: (above: Double, below: Double), squares: (above: Double, product: Double, below: Double), count: Int
  ) {
    guard count > 1, sums.below != 0 else { return nil }
    value = sums.above / sums.below
    // The variance of x - R y, whose mean is 0.
    let squares = squares.above - 2 * value * squares.product + value * value * squares.below
    deviation = (max(squares, 0) / Double(count - 1)).squareRoot() / abs(sums.below / Double(count))
  }
}
