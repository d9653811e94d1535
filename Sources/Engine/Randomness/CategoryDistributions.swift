// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// One of a finite number of outcomes with given weights, in constant time by Walker's alias table.
@safe
public struct DiscreteDistribution: Distribution, ~Copyable {
  private let table: UnsafeMutablePointer<gsl_ran_discrete_t>

  /// How many outcomes there are.
  public let count: Int

  /// Builds the alias table.
  ///
  /// - Parameter weights: One weight per outcome, not negative, in any unit; outcome `i` has probability
  ///   `weights[i]` over their sum.
  /// - Throws: `invalidParameter` unless there is a weight, all are finite and not negative, and their sum is positive
  ///   and finite; `outOfMemory`.
  /// - Complexity: O(n), once.
  public init(weights: [Double]) throws(RandomnessError) {
    try requireWeights(weights, of: "Discrete distribution")
    guard let table = unsafe gsl_ran_discrete_preproc(weights.count, weights) else {
      throw .outOfMemory(what: "an alias table of \(weights.count) outcomes")
    }
    unsafe self.table = table
    count = weights.count
  }

  deinit {
    unsafe gsl_ran_discrete_free(table)
  }

  /// Draws the index of an outcome, in `0..<count`.
  public borrowing func sample(using generator: inout GSLGenerator) -> Int {
    unsafe gsl_ran_discrete(generator.state, table)
  }
}

/// How a fixed number of independent draws falls over a finite number of outcomes.
public struct MultinomialDistribution: Distribution, Sendable {
  private let trials: UInt32
  private let weights: [Double]

  /// Creates a multinomial distribution.
  ///
  /// - Parameters:
  ///   - trials: How many draws, from 0 to 2^31 - 1.
  ///   - weights: One weight per outcome, not negative, in any unit.
  /// - Throws: `invalidParameter` for another number of trials, and unless there is a weight, all are finite and not
  ///   negative, and their sum is positive and finite.
  public init(trials: Int, weights: [Double]) throws(RandomnessError) {
    try require((0...Int(Int32.max)).contains(trials), "Multinomial distribution", "trials", trials, "0 to 2147483647")
    try requireWeights(weights, of: "Multinomial distribution")
    (self.trials, self.weights) = (UInt32(trials), weights)
  }

  /// Draws how often each outcome came: as many counts as weights, adding up to `trials`.
  public func sample(using generator: inout GSLGenerator) -> [Int] {
    var counts = [UInt32](repeating: 0, count: weights.count)
    unsafe gsl_ran_multinomial(generator.state, weights.count, trials, weights, &counts)
    return counts.map(Int.init)
  }
}

private func requireWeights(_ weights: [Double], of distribution: String) throws(RandomnessError) {
  try require(!weights.isEmpty, distribution, "weights", weights, "at least one weight")
  for (index, weight) in weights.enumerated() {
    try require(
      weight >= 0 && weight.isFinite, distribution, "weights[\(index)]", weight, "a finite number, at least 0")
  }
  let sum = weights.reduce(0, +)
  try require(sum > 0 && sum.isFinite, distribution, "sum of weights", sum, "a positive, finite number")
}
