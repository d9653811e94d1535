// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// Quantiles of the usual distributions: the value that a variable stays below with a given probability.
public enum Quantile {
  /// GSL aborts the program on a numerical error unless told not to; then it answers NaN.
  private static let quietGSL: Void = { _ = unsafe gsl_set_error_handler_off() }()

  private static func checked(_ what: String, _ compute: () -> Double) throws(StatisticsError) -> Double {
    _ = quietGSL
    let value = compute()
    guard value.isFinite else { throw .notComputable(what: what) }
    return value
  }

  /// The quantile of the standard normal distribution.
  ///
  /// - Parameter probability: Above 0 and below 1.
  /// - Returns: The number of standard deviations above the mean.
  /// - Throws: `invalidParameter` for any other probability.
  public static func normal(_ probability: Double) throws(StatisticsError) -> Double {
    try requireProbability(probability, "Normal quantile", "probability")
    return try checked("Normal quantile") { gsl_cdf_ugaussian_Pinv(probability) }
  }

  /// The quantile of Student's t distribution.
  ///
  /// - Parameters:
  ///   - probability: Above 0 and below 1.
  ///   - degreesOfFreedom: Positive.
  /// - Returns: The number of standard errors above the mean.
  /// - Throws: `invalidParameter`, `notComputable`.
  public static func studentT(_ probability: Double, degreesOfFreedom: Double) throws(StatisticsError) -> Double {
    let name = "Student's t quantile"
    try requireProbability(probability, name, "probability")
    try require(
      degreesOfFreedom > 0 && degreesOfFreedom.isFinite, name, "degreesOfFreedom", degreesOfFreedom, "above 0")
    return try checked(name) { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
  }

  /// The quantile of the chi-square distribution.
  ///
  /// - Parameters:
  ///   - probability: Above 0 and below 1.
  ///   - degreesOfFreedom: Positive.
  /// - Returns: A positive number.
  /// - Throws: `invalidParameter`, `notComputable`.
  public static func chiSquare(_ probability: Double, degreesOfFreedom: Double) throws(StatisticsError) -> Double {
    let name = "Chi-square quantile"
    try requireProbability(probability, name, "probability")
    try require(
      degreesOfFreedom > 0 && degreesOfFreedom.isFinite, name, "degreesOfFreedom", degreesOfFreedom, "above 0")
    return try checked(name) { gsl_cdf_chisq_Pinv(probability, degreesOfFreedom) }
  }

  /// The quantile of the beta distribution with density proportional to x^(a-1) (1-x)^(b-1).
  ///
  /// - Parameters:
  ///   - probability: Above 0 and below 1.
  ///   - a: Positive.
  ///   - b: Positive.
  /// - Returns: A number from 0 to 1.
  /// - Throws: `invalidParameter`, `notComputable`.
  public static func beta(_ probability: Double, a: Double, b: Double) throws(StatisticsError) -> Double {
    try requireProbability(probability, "Beta quantile", "probability")
    try require(a > 0 && a.isFinite, "Beta quantile", "a", a, "above 0")
    try require(b > 0 && b.isFinite, "Beta quantile", "b", b, "above 0")
    return try checked("Beta quantile") {
      // Beyond a million GSL's inverse may go on without an end; up to here it is tried and right.
      guard a + b <= 100_000 else { return IncompleteBeta.quantile(probability, a: a, b: b) }
      let quantile = gsl_cdf_beta_Pinv(probability, a, b)
      return quantile.isFinite ? quantile : IncompleteBeta.quantile(probability, a: a, b: b)
    }
  }
}
