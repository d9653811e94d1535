// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
public import SeededWords

/// A probability distribution that can be sampled.
///
/// Conforming types check their parameters on creation, so sampling never fails.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public protocol Distribution<Value>: ~Copyable {
  associatedtype Value

  /// Draws one value; equal generators in equal states give equal values.
  borrowing func sample(using generator: inout GSLGenerator) -> Value
}

/// The uniform distribution on an interval.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct UniformDistribution: Distribution, Sendable {
  private let lower: Double
  private let upper: Double

  /// Creates the uniform distribution on `[lower, upper)`.
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

/// The normal distribution.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct GaussianDistribution: Distribution, Sendable {
  private let mean: Double
  private let standardDeviation: Double

  /// A normal distribution; throws an error unless both are finite and the deviation is not negative.
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

/// The waiting time for the `shape`-th event of a Poisson process, for any positive shape.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct GammaDistribution: Distribution, Sendable {
  private let shape: Double
  private let scale: Double

  /// Creates a gamma distribution with mean `shape * scale` and variance `shape * scale * scale`.
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

/// The number of independent events in an interval of time or space.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct PoissonDistribution: Distribution, Sendable {
  private let mean: Double

  /// A Poisson distribution; throws an error unless the mean is from 0 to 2^30.
  public init(mean: Double) throws(RandomnessError) {
    // GSL counts in 32 bits, and 2^30 leaves a margin of 2^15 standard deviations and more.
    try require((0...0x1p30).contains(mean), "Poisson distribution", "mean", mean, "0 to 2^30")
    self.mean = mean
  }

  /// Draws one count.
  public func sample(using generator: inout GSLGenerator) -> Int {
    Int(unsafe gsl_ran_poisson(generator.state, mean))
  }
}

/// The number of failures before a given number of successes; also a Poisson count with a gamma-distributed mean.
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct NegativeBinomialDistribution: Distribution, Sendable {
  private let successes: Double
  private let probability: Double

  /// Creates a negative binomial distribution with mean `successes * (1 - probability) / probability`.
  ///
  /// The number of successes may be fractional; smaller numbers mean more dispersion. The mean, and one standard
  /// deviation of the underlying gamma, may be at most 2^24: GSL counts in 32 bits.
  public init(successes: Double, probability: Double) throws(RandomnessError) {
    let name = "Negative binomial distribution"
    try require(successes > 0 && successes.isFinite, name, "successes", successes, "a positive number")
    try require(probability > 0 && probability <= 1, name, "probability", probability, "above 0, at most 1")
    let scale = (1 - probability) / probability
    let largest = max(successes, 1) * scale
    try require(largest <= 0x1p24, name, "successes * (1 - probability) / probability", largest, "at most 2^24")
    (self.successes, self.probability) = (successes, probability)
  }

  /// Draws one count.
  public func sample(using generator: inout GSLGenerator) -> Int {
    Int(unsafe gsl_ran_negative_binomial(generator.state, probability, successes))
  }
}

/// One of a finite number of outcomes with given weights, in constant time by Walker's alias table.
@safe
/// Public only for the hot loops of other modules, which draw from a `GSLGenerator`.
@_documentation(visibility: internal)
public struct DiscreteDistribution: Distribution, ~Copyable {
  private let table: UnsafeMutablePointer<gsl_ran_discrete_t>

  /// Builds the alias table.
  ///
  /// - Complexity: O(n), once.
  public init(weights: [Double]) throws(RandomnessError) {
    let name = "Discrete distribution"
    try require(!weights.isEmpty, name, "weights", weights, "at least one weight")
    for (index, weight) in weights.enumerated() {
      try require(weight >= 0 && weight.isFinite, name, "weights[\(index)]", weight, "a finite number, at least 0")
    }
    let sum = weights.reduce(0, +)
    try require(sum > 0 && sum.isFinite, name, "sum of weights", sum, "a positive, finite number")
    guard let table = unsafe gsl_ran_discrete_preproc(weights.count, weights) else {
      throw .outOfMemory(what: "an alias table of \(weights.count) outcomes")
    }
    unsafe self.table = table
  }

  deinit {
    unsafe gsl_ran_discrete_free(table)
  }

  /// Draws the index of a weight.
  public borrowing func sample(using generator: inout GSLGenerator) -> Int {
    unsafe gsl_ran_discrete(generator.state, table)
  }
}
