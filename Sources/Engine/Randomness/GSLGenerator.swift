// SPDX-License-Identifier: GPL-3.0-or-later
public import CGSL

/// One of GSL's random number generators, owned: copying is impossible, and its memory goes when it goes.
///
/// Two generators of one name and seed give the same numbers on every machine.
///
/// - Note: GSL keeps at most 32 bits of a seed, some generators fewer (`minstd`, `ran0` and `rand` keep 31), and reads
///   seed 0 as the generator's default seed (4357 for `mt19937`): those two seeds give the same numbers.
///   `StreamFamily` therefore never hands out seed 0.
@frozen
@safe
public struct GSLGenerator: ~Copyable {
  @usableFromInline
  let state: UnsafeMutablePointer<gsl_rng>

  /// The generator used when nothing else is asked for.
  public static let defaultName = "mt19937"

  /// The names of all generators, sorted.
  public static var names: [String] { GeneratorCatalogue.names }

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - name: One of `names`, such as `mt19937`, `taus2` or `gfsr4`.
  ///   - seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: `unknownGenerator` listing the known ones, `degenerateSeed` when the seed would make the generator
  ///   repeat itself at once, `outOfMemory`.
  public init(named name: String, seed: UInt32) throws(RandomnessError) {
    unsafe state = try GeneratorCatalogue.allocate(named: name, seed: seed)
  }

  /// Takes over a generator made elsewhere, such as one that reads words recorded earlier.
  ///
  /// - Parameter state: Allocated as `gsl_rng_alloc` does it, and used by nobody else; freed when this value goes.
  @unsafe
  public init(adopting state: UnsafeMutablePointer<gsl_rng>) {
    unsafe self.state = state
  }

  deinit {
    unsafe gsl_rng_free(state)
  }

  /// The generator's name.
  public var name: String { unsafe String(cString: state.pointee.type.pointee.name) }

  /// Starts the generator anew, without allocating its state again.
  ///
  /// - Parameter seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: `degenerateSeed`, after which the generator must be reseeded before its next use; `outOfMemory`.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    unsafe try GeneratorCatalogue.seed(state, with: seed)
  }

  /// The next word, uniform over all 32-bit values whatever the range of the generator itself.
  @inlinable
  public mutating func next() -> UInt32 {
    var word: UInt32 = 0
    unsafe assay_fill_words(state, &word, 1)
    return word
  }

  /// Fills a buffer with words, each uniform over all 32-bit values.
  ///
  /// A generator of 2^32 values is read straight through GSL's function pointer; others are cut into chunks and
  /// rejected where they would be biased, never reduced with `%`.
  ///
  /// - Parameter words: The buffer to fill.
  /// - Complexity: O(n); one foreign call in all.
  @inlinable
  public mutating func fill(_ words: UnsafeMutableBufferPointer<UInt32>) {
    guard let base = words.baseAddress else { return }
    unsafe assay_fill_words(state, base, words.count)
  }
}
