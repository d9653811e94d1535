// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Randomness
import TestSupport
import Testing

@Suite("Continuous distributions, by Kolmogorov and Smirnov")
struct ContinuousDistributionTests {
  private func pValue<Law: Distribution<Double>>(
    _ law: Law, seed: UInt32, _ distribution: (Double) -> Double
  ) throws -> Double {
    var generator = try GSLGenerator(named: "mt19937", seed: seed)
    let sample = (0..<10_000).map { _ in law.sample(using: &generator) }
    return KolmogorovSmirnovTest(sample: sample, distribution: distribution).pValue
  }

  @Test("uniform numbers from -2 to 5 fit their law")
  func uniform() throws {
    #expect(try pValue(UniformDistribution(from: -2, to: 5), seed: 1) { ($0 + 2) / 7 } > level)
  }

  @Test("uniform never reaches its upper end, even where doubles are coarse")
  func uniformUpperEnd() throws {
    let law = try UniformDistribution(from: 1, to: 1.0.nextUp)
    var generator = try GSLGenerator(named: "mt19937", seed: 1)
    #expect((0..<1000).allSatisfy { _ in law.sample(using: &generator) == 1 })
  }

  @Test("gaussian numbers of mean 3 and standard deviation 2 fit their law")
  func gaussian() throws {
    let law = try GaussianDistribution(mean: 3, standardDeviation: 2)
    #expect(try pValue(law, seed: 2) { gsl_cdf_ugaussian_P(($0 - 3) / 2) } > level)
  }

  @Test("gamma numbers fit their law, also with a shape below 1", arguments: [0.3, 1, 4.5])
  func gamma(shape: Double) throws {
    let law = try GammaDistribution(shape: shape, scale: 2)
    #expect(try pValue(law, seed: 4) { gsl_cdf_gamma_P($0, shape, 2) } > level)
  }
}

@Suite("Counting distributions, by chi-square")
struct CountDistributionTests {
  private func pValue<Law: Distribution<Int>>(
    _ law: borrowing Law, seed: UInt32, cells: Int, _ probability: (UInt32) -> Double
  ) throws -> Double where Law: ~Copyable {
    var generator = try GSLGenerator(named: "mt19937", seed: seed)
    var counts = [Int](repeating: 0, count: cells)
    for _ in 0..<20_000 { counts[min(law.sample(using: &generator), cells - 1)] += 1 }
    var probabilities = (0..<UInt32(cells)).map(probability)
    probabilities[cells - 1] += 1 - probabilities.reduce(0, +)
    return ChiSquareTest(observed: counts, probabilities: probabilities).pValue
  }

  @Test("Poisson counts fit their law, with a small and a large mean", arguments: [0.7, 25])
  func poisson(mean: Double) throws {
    let law = try PoissonDistribution(mean: mean)
    #expect(try pValue(law, seed: 8, cells: 80) { gsl_ran_poisson_pdf($0, mean) } > level)
  }

  @Test("negative binomial counts failures, also for a fraction of a success", arguments: [0.5, 3])
  func negativeBinomial(successes: Double) throws {
    let law = try NegativeBinomialDistribution(successes: successes, probability: 0.4)
    #expect(try pValue(law, seed: 9, cells: 60) { gsl_ran_negative_binomial_pdf($0, 0.4, successes) } > level)
  }

  @Test("an alias table draws by its weights, and never an impossible outcome")
  func discrete() throws {
    let weights = [1.0, 0, 3, 6, 10]
    let law = try DiscreteDistribution(weights: weights)
    var generator = try GSLGenerator(named: "mt19937", seed: 10)
    var counts = [Int](repeating: 0, count: 5)
    for _ in 0..<20_000 { counts[law.sample(using: &generator)] += 1 }
    #expect(counts[1] == 0)
    counts.remove(at: 1)
    #expect(ChiSquareTest(observed: counts, probabilities: [0.05, 0.15, 0.3, 0.5]).pValue > level)
  }
}

@Suite("Parameters outside a distribution's domain")
struct DistributionParameterTests {
  private func isRefused(_ make: () throws -> Void) -> Bool {
    do {
      try make()
      return false
    } catch RandomnessError.invalidParameter {
      return true
    } catch {
      return false
    }
  }

  @Test("every parameter that is not finite is refused", arguments: [Double.nan, .infinity])
  func notFinite(bad: Double) {
    #expect(isRefused { _ = try UniformDistribution(from: bad, to: 1) })
    #expect(isRefused { _ = try UniformDistribution(from: 0, to: bad) })
    #expect(isRefused { _ = try GaussianDistribution(mean: bad) })
    #expect(isRefused { _ = try GaussianDistribution(standardDeviation: bad) })
    #expect(isRefused { _ = try GammaDistribution(shape: bad, scale: 1) })
    #expect(isRefused { _ = try GammaDistribution(shape: 1, scale: bad) })
    #expect(isRefused { _ = try PoissonDistribution(mean: bad) })
    #expect(isRefused { _ = try NegativeBinomialDistribution(successes: bad, probability: 0.5) })
    #expect(isRefused { _ = try NegativeBinomialDistribution(successes: 1, probability: bad) })
    #expect(isRefused { _ = try DiscreteDistribution(weights: [1, bad]) })
  }

  @Test("numbers beyond the domain are refused")
  func outOfDomain() {
    #expect(isRefused { _ = try UniformDistribution(from: 1, to: 1) })
    #expect(isRefused { _ = try GaussianDistribution(standardDeviation: -1) })
    #expect(isRefused { _ = try GammaDistribution(shape: 0, scale: 1) })
    #expect(isRefused { _ = try PoissonDistribution(mean: 1e12) })
    #expect(isRefused { _ = try NegativeBinomialDistribution(successes: 1, probability: 1e-12) })
    #expect(isRefused { _ = try DiscreteDistribution(weights: []) })
    #expect(isRefused { _ = try DiscreteDistribution(weights: [0, 0]) })
    #expect(isRefused { _ = try DiscreteDistribution(weights: [1, -1]) })
  }

  @Test("the error names the distribution, the parameter, its value and what was expected")
  func description() {
    let error = #expect(throws: RandomnessError.self) { try PoissonDistribution(mean: -3) }
    #expect(error?.description == "Poisson distribution: mean is -3.0, expected 0 to 2^30.")
  }
}

/// The level of every goodness-of-fit test here. Seeds are fixed, so a test passes always or never; the level says how
/// likely a correct sampler was to fail on the day its seed was chosen.
let level = 1e-4

/// How often each value of `0..<cells` occurs; values beyond fall into the last cell.
func histogram(of values: some Sequence<Int>, cells: Int) -> [Int] {
  values.reduce(into: [Int](repeating: 0, count: cells)) { $0[min($1, cells - 1)] += 1 }
}
