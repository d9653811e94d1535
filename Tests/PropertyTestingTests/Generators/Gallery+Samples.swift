// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Randomness

@testable import PropertyTesting

extension Gallery {
  @Specimens static var samples: [Specimen] {
    distributions
    Specimen(
      "withGSLGenerator",
      Gen({ draws in
        try unsafe draws.withGSLGenerator { rng in
          unsafe [gsl_ran_weibull(rng, 10, 1.5), gsl_ran_beta(rng, 0.3, 7), gsl_ran_gaussian_ziggurat(rng, 1)]
        }
      })
    ) { $0.allSatisfy(\.isFinite) && $0[0] >= 0 && (0...1).contains($0[1]) }
  }

  /// The distributions of the engine, all eleven.
  static let distributions: [Specimen] = (try? checkedDistributions()) ?? []

  @Specimens
  private static func checkedDistributions() throws -> [Specimen] {
    let weights = [0.0, 3, 1, 0, 6]
    Specimen("uniform", .distribution(try UniformDistribution(from: 3, to: 5))) { (3.0..<5).contains($0) }
    Specimen("gaussian", .distribution(try GaussianDistribution(mean: 5, standardDeviation: 2))) { abs($0 - 5) < 20 }
    Specimen("lognormal", .distribution(try LognormalDistribution(logMean: 0, logStandardDeviation: 1))) { $0 > 0 }
    Specimen("gamma", .distribution(try GammaDistribution(shape: 2.5, scale: 3))) { $0 > 0 }
    Specimen("gamma below 1", .distribution(try GammaDistribution(shape: 0.2, scale: 3))) { $0 >= 0 }
    Specimen("exponential", .distribution(try ExponentialDistribution(mean: 4))) { $0 >= 0 }
    Specimen("bernoulli", .distribution(try BernoulliDistribution(probability: 0.3))) { _ in true }
    Specimen("binomial", .distribution(try BinomialDistribution(trials: 20, probability: 0.3))) {
      (0...20).contains($0)
    }
    Specimen("binomial, many", .distribution(try BinomialDistribution(trials: 100_000, probability: 0.5))) {
      (0...100_000).contains($0)
    }
    Specimen("poisson", .distribution(try PoissonDistribution(mean: 3))) { $0 >= 0 }
    Specimen("poisson, many", .distribution(try PoissonDistribution(mean: 5_000))) { $0 >= 0 }
    Specimen("negative binomial", .distribution(try NegativeBinomialDistribution(successes: 2.5, probability: 0.2))) {
      $0 >= 0
    }
    Specimen("multinomial", .distribution(try MultinomialDistribution(trials: 50, weights: weights))) {
      $0.reduce(0, +) == 50 && $0[0] == 0
    }
    Specimen("discrete", Gen({ draws in try draws.sample(DiscreteDistribution(weights: weights)) })) {
      weights.indices.contains($0) && weights[$0] > 0
    }
  }
}
