// SPDX-License-Identifier: GPL-3.0-or-later
package import CGSL
package import Randomness

extension Gen {
  /// Samples of a distribution, exactly as likely as it defines: no value is favoured for being extreme.
  ///
  /// Counterexamples shrink as far as the words go from which the sample is made: to the smallest value where the
  /// distribution function is inverted, to the middle for gaussian samples.
  package static func distribution<Sampled: Distribution & Sendable>(_ distribution: Sampled) -> Gen<Value>
  where Sampled.Value == Value {
    // The polar method accepts the points of a disc without its centre. It gives 0 where the coordinate that it returns
    // is 0 and the other is not, and GSL returns the second.
    let simplest: GSLWordFeed.Simplest =
      Sampled.self is GaussianDistribution.Type ? .init(words: [1 << 30, 1 << 31]) : .lowest
    return Gen(node: { draws in try draws.sample(distribution, towards: simplest) })
  }
}

extension Gen where Value == Double {
  /// Numbers scattered around a mean as measurement errors are, exactly normally distributed.
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
    let domain = TapeEntry(tag: .integer, lower: centre - reach, upper: centre + reach, target: centre)
    return Gen(node: { draws in
      let choice = try draws.uniform(domain)
      // Measured from the nearer end, so that the far tail keeps its digits.
      let tail = 0.5 - Double(choice.magnitude >= centre ? choice - centre : centre - choice) * 0x1p-53
      let score = gsl_cdf_ugaussian_Qinv(tail)
      return mean + deviation * (choice >= centre ? score : -score)
    })
  }
}

extension Draws {
  /// Runs code of the GNU Scientific Library on random words that are recorded, shrunk and replayed like all choices.
  ///
  /// ```swift
  /// let lifetime = try draws.withGSLGenerator { rng in gsl_ran_weibull(rng, 10, 1.5) }
  /// ```
  ///
  /// The generator gives 2^32 values. Counterexamples shrink towards fewer words and, word by word, towards 0 for the
  /// first and fixed ones for the others.
  package mutating func withGSLGenerator<Result>(
    _ body: (UnsafeMutablePointer<gsl_rng>) throws -> Result
  ) throws -> Result {
    try unsafe withWordSource(.lowest) { source in
      var source = unsafe source
      return try unsafe withUnsafeMutablePointer(to: &source) { source in
        var generator = unsafe gsl_rng(type: assay_source_type(), state: source)
        return try unsafe body(&generator)
      }
    }
  }

  mutating func sample<Sampled: Distribution & ~Copyable>(
    _ distribution: borrowing Sampled, towards simplest: GSLWordFeed.Simplest = .lowest
  ) throws -> Sampled.Value {
    try unsafe withWordSource(simplest) { source in
      guard let state = unsafe assay_source_alloc(source) else {
        throw RandomnessError.outOfMemory(what: "a generator that reads a tape")
      }
      var generator = unsafe GSLGenerator(adopting: state)
      return distribution.sample(using: &generator)
    }
  }
}

/// What a generator of the GNU Scientific Library reads its words from inside a property: the tape.
@safe
struct GSLWordFeed {
  /// The words that a sample shrinks towards, by their place in the span.
  ///
  /// One word for all places would not do: a sampler by rejection that refuses it would ask for ever. After the words
  /// given come those of a fixed sequence, which looks random, so that every sampler ends that ends by chance.
  struct Simplest: Sendable {
    /// Good for samplers that invert a distribution function: the smallest value.
    static let lowest = Simplest(words: [0, 1 << 30, 1 << 31])

    let words: [UInt32]

    func word(at place: Int) -> UInt32 {
      if place < words.count { return words[place] }
      return UInt32(truncatingIfNeeded: mixed(UInt64(truncatingIfNeeded: place) &* 0x9e37_79b9_7f4a_7c15) >> 32)
    }
  }

  private let draws: UnsafeMutablePointer<Draws>
  private let simplest: Simplest
  private var place = 0
  /// Why the tape gave no more words. GSL has no error path, so it gets words that let it end.
  private(set) var failure: (any Error)?

  init(_ draws: UnsafeMutablePointer<Draws>, _ simplest: Simplest) {
    unsafe self.draws = draws
    self.simplest = simplest
  }

  static let callback: @convention(c) (UnsafeMutableRawPointer?) -> UInt32 = { context in
    guard let feed = unsafe context?.assumingMemoryBound(to: GSLWordFeed.self) else { return 0 }
    return unsafe feed.pointee.next()
  }

  private mutating func next() -> UInt32 {
    let target = simplest.word(at: place)
    place += 1
    guard failure == nil else { return target }
    do {
      return unsafe try draws.pointee.word(towards: target)
    } catch {
      failure = error
      return target
    }
  }
}

extension Draws {
  /// Runs code on a source of words that reads the tape, in a span of its own.
  mutating func withWordSource<Result: ~Copyable>(
    _ simplest: GSLWordFeed.Simplest, _ body: (assay_word_source) throws -> Result
  ) throws -> Result {
    try open(SpanKind.words.rawValue)
    let result = try unsafe withUnsafeMutablePointer(to: &self) { draws throws -> Result in
      var feed = unsafe GSLWordFeed(draws, simplest)
      let result = try unsafe withUnsafeMutablePointer(to: &feed) { feed throws -> Result in
        try unsafe body(assay_word_source(next: GSLWordFeed.callback, context: feed))
      }
      if let failure = feed.failure { throw failure }
      return result
    }
    try close()
    return result
  }
}
