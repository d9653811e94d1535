// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// Any real number of an interval, each stretch as likely as any other of its length.
public struct UniformDistribution: Distribution, Sendable {
  private let lower: Double
  private let upper: Double

  /// Creates the uniform distribution on `[lower, upper)`.
  ///
  /// - Parameters:
  ///   - lower: The smallest value, in the caller's units.
  ///   - upper: The value that is just not reached, greater than `lower`.
  /// - Throws: `invalidParameter` unless both are finite, in order, and less than the largest double apart.
  public init(from lower: Double, to upper: Double) throws(RandomnessError) {
    try require(lower.isFinite, "Uniform distribution", "lower", lower, "a finite number")
    try require(upper > lower && (upper - lower).isFinite, "Uniform distribution", "upper", upper, "above \(lower)")
    (self.lower, self.upper) = (lower, upper)
  }

  /// Draws one value of `[lower, upper)`.
  public func sample(using generator: inout GSLGenerator) -> Double {
    // Rounding can carry lower + u (upper - lower) up to `upper` itself.
    min(unsafe gsl_ran_flat(generator.state, lower, upper), upper.nextDown)
  }
}

/// The normal distribution: measurement errors and sums of many small influences.
public struct GaussianDistribution: Distribution, Sendable {
  private let mean: Double
  private let standardDeviation: Double

  /// Creates a normal distribution.
  ///
  /// - Parameters:
  ///   - mean: Its centre, in the caller's units.
  ///   - standardDeviation: Its spread, in the same units, at least 0.
  /// - Throws: `invalidParameter` unless both are finite and the spread is not negative.
  public init(mean: Double = 0, standardDeviation: Double = 1) throws(RandomnessError) {
    try require(mean.isFinite, "Gaussian distribution", "mean", mean, "a finite number")
    try require(
      standardDeviation >= 0 && standardDeviation.isFinite, "Gaussian distribution", "standardDeviation",
      standardDeviation, "a finite number, at least 0")
    (self.mean, self.standardDeviation) = (mean, standardDeviation)
  }

  /// Draws one value by the polar Box-Muller method.
  public func sample(using generator: inout GSLGenerator) -> Double {
    mean + (unsafe gsl_ran_gaussian(generator.state, standardDeviation))
  }
}

/// A positive quantity whose logarithm is normal: durations, prices, sizes.
public struct LognormalDistribution: Distribution, Sendable {
  private let logMean: Double
  private let logStandardDeviation: Double

  /// Creates a lognormal distribution; its median is `exp(logMean)`.
  ///
  /// - Parameters:
  ///   - logMean: The mean of the natural logarithm.
  ///   - logStandardDeviation: The standard deviation of the natural logarithm, at least 0.
  /// - Throws: `invalidParameter` unless both are finite and the spread is not negative.
  public init(logMean: Double, logStandardDeviation: Double) throws(RandomnessError) {
    try require(logMean.isFinite, "Lognormal distribution", "logMean", logMean, "a finite number")
    try require(
      logStandardDeviation >= 0 && logStandardDeviation.isFinite, "Lognormal distribution", "logStandardDeviation",
      logStandardDeviation, "a finite number, at least 0")
    (self.logMean, self.logStandardDeviation) = (logMean, logStandardDeviation)
  }

  /// Draws one positive value.
  public func sample(using generator: inout GSLGenerator) -> Double {
    unsafe gsl_ran_lognormal(generator.state, logMean, logStandardDeviation)
  }
}

/// The waiting time for the `shape`-th event of a Poisson process, for any positive shape.
public struct GammaDistribution: Distribution, Sendable {
  private let shape: Double
  private let scale: Double

  /// Creates a gamma distribution with mean `shape * scale` and variance `shape * scale * scale`.
  ///
  /// - Parameters:
  ///   - shape: A positive number without units.
  ///   - scale: The mean time between events, positive, in the caller's units.
  /// - Throws: `invalidParameter` unless both are positive and finite.
  public init(shape: Double, scale: Double) throws(RandomnessError) {
    try require(shape > 0 && shape.isFinite, "Gamma distribution", "shape", shape, "a positive number")
    try require(scale > 0 && scale.isFinite, "Gamma distribution", "scale", scale, "a positive number")
    (self.shape, self.scale) = (shape, scale)
  }

  /// Draws one value by Marsaglia and Tsang's method.
  public func sample(using generator: inout GSLGenerator) -> Double {
    unsafe gsl_ran_gamma(generator.state, shape, scale)
  }
}

/// The waiting time for the next event of a process without memory.
public struct ExponentialDistribution: Distribution, Sendable {
  private let mean: Double

  /// Creates an exponential distribution.
  ///
  /// - Parameter mean: The mean waiting time (not the rate), positive, in the caller's units.
  /// - Throws: `invalidParameter` unless the mean is positive and finite.
  public init(mean: Double) throws(RandomnessError) {
    try require(mean > 0 && mean.isFinite, "Exponential distribution", "mean", mean, "a positive number")
    self.mean = mean
  }

  /// Draws one waiting time, at least 0.
  public func sample(using generator: inout GSLGenerator) -> Double {
    unsafe gsl_ran_exponential(generator.state, mean)
  }
}
