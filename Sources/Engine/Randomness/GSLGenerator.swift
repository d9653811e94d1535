// SPDX-License-Identifier: GPL-3.0-or-later
public import CGSL
public import SeededWords

/// One of GSL's random number generators, which cannot be copied and frees its memory at its end.
///
/// Generators of the same name and seed give the same numbers on every machine.
///
/// - Note: GSL keeps at most 32 bits of a seed, some generators fewer (`minstd`, `ran0` and `rand` keep 31), and reads
///   seed 0 as the generator's default seed (4357 for `mt19937`): those two seeds give the same numbers.
///   `StreamFamily` therefore never hands out seed 0.
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
@frozen
@safe
public struct GSLGenerator: ~Copyable {
  @usableFromInline
  let state: UnsafeMutablePointer<gsl_rng>

  /// The name of the default generator.
  public static let defaultName = "mt19937"

  /// The generator of GSL with this name; throws an error for an unknown name.
  public init(named name: String, seed: UInt32) throws(RandomnessError) {
    guard let type = unsafe assay_rng_type_named(Self.types, name) else {
      throw .unknownGenerator(name: name, known: Self.names)
    }
    guard let generator = unsafe gsl_rng_alloc(type) else { throw .outOfMemory(what: "generator '\(name)'") }
    do throws(RandomnessError) {
      unsafe try Self.seed(generator, with: seed)
    } catch {
      unsafe gsl_rng_free(generator)
      throw error
    }
    unsafe state = generator
  }

  private init(adopting state: UnsafeMutablePointer<gsl_rng>) { unsafe self.state = state }

  deinit {
    unsafe gsl_rng_free(state)
  }

  /// Another generator in the same state.
  borrowing func copy() -> GSLGenerator { unsafe GSLGenerator(adopting: assay_rng_copy(state)) }

  /// Another generator in the same state, whose outputs are the complements within the range of this one's.
  borrowing func complemented() -> GSLGenerator {
    // Without memory it ends the process, as every allocation of Swift does.
    guard let copy = unsafe ComplementedGenerator.copy(of: state) else { abort() }
    return unsafe GSLGenerator(adopting: copy)
  }

  /// Restarts the generator from a seed, without allocating its state again.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    unsafe try Self.seed(state, with: seed)
  }

  /// The next word, uniform over all 32-bit values for every range of the underlying generator.
  @inlinable
  public mutating func next() -> UInt32 {
    var word: UInt32 = 0
    unsafe assay_fill_words(state, &word, 1)
    return word
  }

  /// Fills a buffer with words, each uniform over all 32-bit values.
  ///
  /// A generator of 2^32 values is read directly through GSL's function pointer; the words of others are built from
  /// chunks, with rejection against bias, never reduced with `%`.
  ///
  /// - Complexity: O(n); a single foreign call.
  @inlinable
  public mutating func fill(_ words: UnsafeMutableBufferPointer<UInt32>) {
    guard let base = words.baseAddress else { return }
    unsafe assay_fill_words(state, base, words.count)
  }
}

extension GSLGenerator {
  /// The NULL-terminated table of generator types. `gsl_rng_types_setup` writes globals, and a static `let` runs it
  /// exactly once.
  nonisolated(unsafe) static let types = unsafe assay_rng_types()

  /// The names of all generators, sorted.
  public static let names: [String] = {
    var names: [String] = []
    while let type = unsafe assay_rng_type_at(types, names.count) {
      unsafe names.append(String(cString: type.pointee.name))
    }
    return names.sorted()
  }()

  /// The number of distinct values among 64 outputs that a valid seed has at least.
  private static let enough = 32

  /// Seeds a generator; throws an error if its first outputs show that the seed is degenerate.
  private static func seed(_ generator: UnsafeMutablePointer<gsl_rng>, with seed: UInt32) throws(RandomnessError) {
    unsafe gsl_rng_set(generator, UInt(seed))
    // Tested in place and restored: seeding a small generator is faster than allocating a copy.
    let size = unsafe generator.pointee.type.pointee.size
    let distinct = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { kept in
      let state = unsafe UnsafeMutableRawBufferPointer(start: generator.pointee.state, count: size)
      unsafe kept.copyMemory(from: UnsafeRawBufferPointer(state))
      let distinct = unsafe assay_distinct_outputs(generator, enough)
      unsafe state.copyMemory(from: UnsafeRawBufferPointer(kept))
      return distinct
    }
    guard distinct >= enough else {
      throw .degenerateSeed(generator: unsafe String(cString: generator.pointee.type.pointee.name), seed: seed)
    }
  }
}

/// The linked GNU Scientific Library, and the check of its generators.
package enum GSLLibrary {
  /// Its version, for example `2.7.1`.
  package static var version: String { unsafe String(cString: assay_gsl_version()) }

  package enum Trial: Equatable, Sendable {
    /// It draws the known word.
    case asKnown
    /// It draws another word than the known one.
    case differs(found: UInt32, known: UInt32)
    /// It starts and draws, but its first word is unknown, because it is new in this version.
    case unknown
    case refused(RandomnessError)
  }

  /// Starts every generator and draws a word from each.
  package static func trials() -> [(name: String, trial: Trial)] {
    Set(GSLGenerator.names).union(firstWords.keys).sorted().map { ($0, trial(of: $0)) }
  }

  private static func trial(of name: String) -> Trial {
    do throws(RandomnessError) {
      var generator = try GSLGenerator(named: name, seed: 4357)
      let word = generator.next()
      guard let known = firstWords[name] else { return .unknown }
      return word == known ? .asKnown : .differs(found: word, known: known)
    } catch {
      return .refused(error)
    }
  }

  /// The first word of every generator with seed 4357.
  private static let firstWords: [String: UInt32] = [
    "borosh13": 2621870512, "cmrg": 112781194, "coveyou": 18940834, "fishman18": 4180683359, "fishman20": 420641924,
    "fishman2x": 66058803, "gfsr4": 2901276280, "knuthran": 678506943, "knuthran2": 494141433,
    "knuthran2002": 1112999212, "lecuyer21": 354583122, "minstd": 146414642, "mrg": 2958205343, "mt19937": 4293858116,
    "mt19937_1998": 3510405877, "mt19937_1999": 2867219139, "r250": 2968675620, "ran0": 895494809, "ran1": 3881638109,
    "ran2": 3677899264, "ran3": 2595471222, "rand": 3895057044, "rand48": 1101602813, "random-bsd": 2263916795,
    "random-glibc2": 4046504002, "random-libc5": 4019506394, "random128-bsd": 2263916795,
    "random128-glibc2": 4046504002, "random128-libc5": 4019506394, "random256-bsd": 1521248736,
    "random256-glibc2": 103216001, "random256-libc5": 660670825, "random32-bsd": 2694565878,
    "random32-glibc2": 1467119543, "random32-libc5": 1906474832, "random64-bsd": 1407790704,
    "random64-glibc2": 1242001140, "random64-libc5": 3625289235, "random8-bsd": 3895057044,
    "random8-glibc2": 3895057044, "random8-libc5": 3895057044, "randu": 571132990, "ranf": 0, "ranlux": 1138554641,
    "ranlux389": 1138554641, "ranlxd1": 1384669406, "ranlxd2": 1988443684, "ranlxs0": 2941553482,
    "ranlxs1": 1021357431, "ranlxs2": 3146945612, "ranmar": 2293466129, "slatec": 538660050, "taus": 1777360508,
    "taus113": 1904126984, "taus2": 1777360508, "transputer": 2957390401, "tt800": 143268239, "uni": 3591196649,
    "uni32": 1605058366, "vax": 300933634, "waterman14": 3019724005, "zuf": 263558295,
  ]
}
