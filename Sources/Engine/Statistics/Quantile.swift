// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
internal import Foundation

/// Quantiles of common distributions: the value below which a variable lies with a given probability.
public enum Quantile {
  /// Turns GSL's error handler off: it would abort the program on a numerical error, for which GSL then returns NaN.
  private static let quietGSL: Void = { _ = unsafe gsl_set_error_handler_off() }()

  private static func checked(_ what: String, _ compute: () -> Double) throws(StatisticsError) -> Double {
    _ = quietGSL
    let value = compute()
    guard value.isFinite else { throw .notComputable(what: what) }
    return value
  }

  /// The quantile of the standard normal distribution; throws an error unless the probability is above 0 and below 1.
  public static func normal(_ probability: Double) throws(StatisticsError) -> Double {
    try requireProbability(probability, "Normal quantile", "probability")
    return try checked("Normal quantile") { gsl_cdf_ugaussian_Pinv(probability) }
  }

  package static func studentT(_ probability: Double, degreesOfFreedom: Double) throws(StatisticsError) -> Double {
    let name = "Student's t quantile"
    try requireProbability(probability, name, "probability")
    try require(
      degreesOfFreedom > 0 && degreesOfFreedom.isFinite, name, "degreesOfFreedom", degreesOfFreedom, "above 0")
    return try checked(name) { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
  }

  /// The quantile of the beta distribution with density proportional to x^(a-1) (1-x)^(b-1).
  package static func beta(_ probability: Double, a: Double, b: Double) throws(StatisticsError) -> Double {
    try requireProbability(probability, "Beta quantile", "probability")
    try require(a > 0 && a.isFinite, "Beta quantile", "a", a, "above 0")
    try require(b > 0 && b.isFinite, "Beta quantile", "b", b, "above 0")
    return try checked("Beta quantile") {
      // Beyond a million, GSL's inverse may not terminate; up to this bound it is tested.
      guard a + b <= 100_000 else { return IncompleteBeta.quantile(probability, a: a, b: b) }
      let quantile = gsl_cdf_beta_Pinv(probability, a, b)
      return quantile.isFinite ? quantile : IncompleteBeta.quantile(probability, a: a, b: b)
    }
  }
}

/// The beta distribution for parameters at which GSL's inverse fails: far tails from about 10^4 on.
enum IncompleteBeta {
  /// The quantile, by bisection of the distribution function; NaN if the continued fraction does not converge, and for
  /// parameters beyond 10^12, which would take minutes.
  ///
  /// - Complexity: O(sqrt(a + b)) per halving of the interval.
  static func quantile(_ probability: Double, a: Double, b: Double) -> Double {
    guard a + b <= 1e12 else { return .nan }
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = low + (high - low) / 2
      guard middle > low && middle < high else { return middle }
      let reached = distribution(middle, a: a, b: b)
      guard !reached.isNaN else { return .nan }
      if reached < probability { low = middle } else { high = middle }
    }
  }

  /// The distribution function, from the tail that converges faster.
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

/// An invalid value of a statistic, with the expected one.
public enum StatisticsError: Error, Equatable, Sendable, CustomStringConvertible {
  case invalidParameter(of: String, name: String, value: String, expected: String)
  /// GSL could not compute the value; the parameters are at the limits of doubles.
  case notComputable(what: String)

  /// One sentence: the name, the value found, and the value expected.
  public var description: String {
    switch self {
    case .invalidParameter(let subject, let name, let value, let expected):
      return "\(subject): \(name) is \(value), expected \(expected)."
    case .notComputable(let what):
      return "\(what) cannot be computed in double precision."
    }
  }
}

/// Throws an error unless a condition on a parameter holds; for NaN no comparison holds.
func require<Parameter>(
  _ condition: Bool, _ subject: String, _ name: String, _ value: Parameter, _ expected: String
) throws(StatisticsError) {
  guard condition else {
    throw .invalidParameter(of: subject, name: name, value: "\(value)", expected: expected)
  }
}

func requireProbability(_ value: Double, _ subject: String, _ name: String) throws(StatisticsError) {
  try require(value > 0 && value < 1, subject, name, value, "above 0 and below 1")
}
