// SPDX-License-Identifier: GPL-3.0-or-later
public import CGSL
public import Randomness

extension Draws {
  /// Runs code of the GNU Scientific Library on random words that are recorded, shrunk and replayed like all choices.
  ///
  /// ```swift
  /// let lifetime = try draws.withGSLGenerator { rng in gsl_ran_weibull(rng, 10, 1.5) }
  /// ```
  ///
  /// The generator gives 2^32 values. Counterexamples shrink towards fewer words and, word by word, towards 0 for the
  /// first and fixed ones for the others.
  ///
  /// - Parameter body: Uses the generator, which must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `Discard.tooLarge` when it asks for more words than a tape holds.
  public mutating func withGSLGenerator<Result>(
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

  /// Draws a sample of a distribution, from words that are recorded, shrunk and replayed like all choices.
  ///
  /// - Parameter distribution: What to sample.
  /// - Returns: A sample, distributed as the distribution says.
  /// - Throws: `Discard.tooLarge` when it takes more words than a tape holds; `RandomnessError.outOfMemory`.
  public mutating func sample<Sampled: Distribution & ~Copyable>(
    _ distribution: borrowing Sampled
  ) throws -> Sampled.Value {
    try sample(distribution, towards: .lowest)
  }

  /// Draws a sample that shrinks towards what certain words give.
  mutating func sample<Sampled: Distribution & ~Copyable>(
    _ distribution: borrowing Sampled, towards simplest: GSLWordFeed.Simplest
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
