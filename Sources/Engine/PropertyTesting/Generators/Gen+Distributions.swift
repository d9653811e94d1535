// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
public import Randomness

extension Gen {
  /// Samples of a distribution, exactly as likely as it says: no value is favoured for being extreme.
  ///
  /// Counterexamples shrink as far as the words go from which the sample is made: to the smallest value where the
  /// distribution function is inverted, to the middle for gaussian and lognormal samples.
  ///
  /// - Parameter distribution: What to sample. Those that cannot be copied are sampled by `draws.sample(_:)`.
  /// - Returns: A generator of samples.
  public static func distribution<Sampled: Distribution & Sendable>(_ distribution: Sampled) -> Gen<Value>
  where Sampled.Value == Value {
    // The two polar methods accept the points of a disc without its centre. They give 0 where the coordinate that
    // they return is 0 and the other is not, and GSL returns the second of the one and the first of the other.
    let simplest: GSLWordFeed.Simplest
    switch Sampled.self {
    case is GaussianDistribution.Type: simplest = .init(words: [1 << 30, 1 << 31])
    case is LognormalDistribution.Type: simplest = .init(words: [1 << 31, 1 << 30])
    default: simplest = .lowest
    }
    return Gen(node: { draws in try draws.sample(distribution, towards: simplest) })
  }
}

extension Gen where Value == Double {
  /// Numbers scattered around a mean as measurement errors are, exactly as likely as the normal distribution says.
  ///
  /// Each is one choice, turned into a number by the quantile function; counterexamples shrink towards the mean itself.
  ///
  /// - Parameters:
  ///   - mean: The centre.
  ///   - deviation: The standard deviation, in the same units, at least 0.
  /// - Returns: A generator of numbers, none further than 8.3 deviations from the mean; every case is discarded unless
  ///   both parameters are finite and the deviation is not negative.
  public static func gaussians(mean: Double = 0, deviation: Double = 1) -> Gen<Double> {
    guard mean.isFinite && deviation.isFinite && deviation >= 0 else {
      return .impossible(
        "gaussians(mean: \(mean), deviation: \(deviation)) needs finite numbers, the second at least 0")
    }
    let (centre, reach) = (UInt64(1) << 63, UInt64(1) << 52 - 1)
    let domain = TapeEntry(tag: .integer, value: 0, lower: centre - reach, upper: centre + reach, target: centre)
    return Gen(node: { draws in
      let choice = try draws.uniform(domain)
      // Measured from the nearer end, so that the far tail keeps its digits.
      let tail = 0.5 - Double(choice.magnitude >= centre ? choice - centre : centre - choice) * 0x1p-53
      let score = gsl_cdf_ugaussian_Qinv(tail)
      return mean + deviation * (choice >= centre ? score : -score)
    })
  }
}
