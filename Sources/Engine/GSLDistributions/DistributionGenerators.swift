// SPDX-License-Identifier: GPL-3.0-or-later
package import CGSL
public import PropertyTesting
internal import SeededWords

extension Gen where Value == Double {
  /// Numbers with an exact normal distribution, as for measurement errors.
  ///
  ///     Gen.gaussians(mean: 100, deviation: 15)
  ///
  /// Each number is one choice, converted by the quantile function; counterexamples shrink towards the mean.
  ///
  /// - Parameters:
  ///   - mean: The centre.
  ///   - deviation: The standard deviation, in the same units, at least 0.
  /// - Returns: A generator of numbers, at most 8.3 deviations from the mean; every case is discarded unless both
  ///   parameters are finite and the deviation is not negative.
  public static func gaussians(mean: Double = 0, deviation: Double = 1) -> Gen<Double> {
    guard mean.isFinite && deviation.isFinite && deviation >= 0 else {
      return .impossible(
        "gaussians(mean: \(mean), deviation: \(deviation)) needs finite numbers, the second at least 0")
    }
    let (centre, reach) = (UInt64(1) << 63, UInt64(1) << 52 - 1)
    return Gen<UInt64>.uniform(in: centre - reach...centre + reach, towards: centre).map { choice in
      // Measured from the nearer end, so that the far tail keeps its precision.
      let tail = 0.5 - Double(choice.magnitude >= centre ? choice - centre : centre - choice) * 0x1p-53
      let score = gsl_cdf_ugaussian_Qinv(tail)
      return mean + deviation * (choice >= centre ? score : -score)
    }
  }
}

extension ChoiceSource {
  /// Runs code of the GNU Scientific Library on random words that are recorded, shrunk and replayed like other choices.
  ///
  /// ```swift
  /// let lifetime = try draws.withGSLGenerator { rng in gsl_ran_weibull(rng, 10, 1.5) }
  /// ```
  ///
  /// The generator has 2^32 values. Counterexamples shrink towards fewer words, and each word towards 0 for the first
  /// and towards fixed values for the others.
  package mutating func withGSLGenerator<Result>(
    _ body: (UnsafeMutablePointer<gsl_rng>) throws -> Result
  ) throws -> Result {
    try drawingWords { draws in
      try unsafe withUnsafeMutablePointer(to: &draws) { draws throws -> Result in
        var feed = unsafe GSLWordFeed(draws)
        var type = unsafe GSLWordFeed.type
        let result = try unsafe withUnsafeMutablePointer(to: &feed) { feed throws -> Result in
          try unsafe withUnsafePointer(to: &type) { type throws -> Result in
            var generator = unsafe gsl_rng(type: type, state: feed)
            return try unsafe body(&generator)
          }
        }
        if let failure = feed.failure { throw failure }
        return result
      }
    }
  }
}

/// The source of a GSL generator's words inside a property: the tape.
@safe
private struct GSLWordFeed {
  private let draws: UnsafeMutablePointer<ChoiceSource>
  private var index = 0
  /// The reason why the tape has no more words. GSL has no error path, so it receives words that let it end.
  private(set) var failure: (any Error)?

  init(_ draws: UnsafeMutablePointer<ChoiceSource>) {
    unsafe self.draws = draws
  }

  /// The generator type whose state is a feed.
  static var type: gsl_rng_type {
    unsafe gsl_rng_type(
      name: nil, max: UInt(UInt32.max), min: 0, size: MemoryLayout<GSLWordFeed>.size, set: { _, _ in },
      get: { state in unsafe UInt(GSLWordFeed.next(of: state)) },
      get_double: { state in unsafe Double(GSLWordFeed.next(of: state)) * 0x1p-32 })
  }

  private static func next(of state: UnsafeMutableRawPointer?) -> UInt32 {
    unsafe state?.assumingMemoryBound(to: GSLWordFeed.self).pointee.next() ?? 0
  }

  private mutating func next() -> UInt32 {
    let target = Self.simplest(at: index)
    index += 1
    guard failure == nil else { return target }
    do {
      return unsafe try draws.pointee.word(towards: target)
    } catch {
      failure = error
      return target
    }
  }

  /// The word that a sample shrinks towards at a position in its span.
  ///
  /// The first ones suit samplers that invert a distribution function: the smallest value. A constant word would not be
  /// enough, because a rejection sampler that rejects it would never end. The other words are therefore those of a
  /// fixed pseudorandom sequence, so that every sampler that ends with probability 1 ends.
  private static func simplest(at index: Int) -> UInt32 {
    let first: InlineArray<3, UInt32> = [0, 1 << 30, 1 << 31]
    if index < first.count { return first[index] }
    return UInt32(truncatingIfNeeded: mixed(UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15) >> 32)
  }
}
