// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// One trial that succeeds with a given probability.
public struct BernoulliDistribution: Distribution, Sendable {
  private let probability: Double

  /// Creates a Bernoulli distribution.
  ///
  /// - Parameter probability: The chance of `true`, from 0 to 1.
  /// - Throws: `invalidParameter` for anything else.
  public init(probability: Double) throws(RandomnessError) {
    try require((0...1).contains(probability), "Bernoulli distribution", "probability", probability, "0 to 1")
    self.probability = probability
  }

  /// Draws whether the trial succeeds.
  public func sample(using generator: inout GSLGenerator) -> Bool {
    unsafe gsl_ran_bernoulli(generator.state, probability) == 1
  }
}

/// How many of a fixed number of independent trials succeed.
public struct BinomialDistribution: Distribution, Sendable {
  private let trials: UInt32
  private let probability: Double

  /// Creates a binomial distribution with mean `trials * probability`.
  ///
  /// - Parameters:
  ///   - trials: How many trials, from 0 to 2^31 - 1.
  ///   - probability: The chance of success of each, from 0 to 1.
  /// - Throws: `invalidParameter` for anything else.
  public init(trials: Int, probability: Double) throws(RandomnessError) {
    try require((0...Int(Int32.max)).contains(trials), "Binomial distribution", "trials", trials, "0 to 2147483647")
    try require((0...1).contains(probability), "Binomial distribution", "probability", probability, "0 to 1")
    (self.trials, self.probability) = (UInt32(trials), probability)
  }

  /// Draws the number of successes.
  public func sample(using generator: inout GSLGenerator) -> Int {
    Int(unsafe gsl_ran_binomial(generator.state, probability, trials))
  }
}

/// The largest mean of an unbounded count: GSL counts in 32 bits, and 2^30 leaves 2^15 standard deviations to spare.
private let largestMean = 0x1p30

/// How many independent events happen in a stretch of time or space.
public struct PoissonDistribution: Distribution, Sendable {
  private let mean: Double

  /// Creates a Poisson distribution.
  ///
  /// - Parameter mean: The expected number of events, from 0 to 2^30.
  /// - Throws: `invalidParameter` for anything else.
  public init(mean: Double) throws(RandomnessError) {
    try require((0...largestMean).contains(mean), "Poisson distribution", "mean", mean, "0 to 2^30")
    self.mean = mean
  }

  /// Draws the number of events.
  public func sample(using generator: inout GSLGenerator) -> Int {
    Int(unsafe gsl_ran_poisson(generator.state, mean))
  }
}

/// How many failures come before a given number of successes; also a Poisson count whose mean varies as a gamma.
public struct NegativeBinomialDistribution: Distribution, Sendable {
  private let successes: Double
  private let probability: Double

  /// Creates a negative binomial distribution with mean `successes * (1 - probability) / probability`.
  ///
  /// - Parameters:
  ///   - successes: The successes waited for, positive; need not be whole (smaller means more dispersed).
  ///   - probability: The chance of success of each trial, above 0, up to 1.
  /// - Throws: `invalidParameter` for anything else, and when the mean, or one standard deviation of the underlying
  ///   gamma, would exceed 2^24: GSL counts in 32 bits.
  public init(successes: Double, probability: Double) throws(RandomnessError) {
    let name = "Negative binomial distribution"
    try require(successes > 0 && successes.isFinite, name, "successes", successes, "a positive number")
    try require(probability > 0 && probability <= 1, name, "probability", probability, "above 0, at most 1")
    let scale = (1 - probability) / probability
    let largest = max(successes, 1) * scale
    try require(largest <= 0x1p24, name, "successes * (1 - probability) / probability", largest, "at most 2^24")
    (self.successes, self.probability) = (successes, probability)
  }

  /// Draws the number of failures.
  public func sample(using generator: inout GSLGenerator) -> Int {
    Int(unsafe gsl_ran_negative_binomial(generator.state, probability, successes))
  }
}
