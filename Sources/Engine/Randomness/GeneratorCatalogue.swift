// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// GSL's table of generator types, set up once.
enum GeneratorCatalogue {
  /// The NULL-terminated table. `gsl_rng_types_setup` writes globals, and a static `let` runs it exactly once.
  nonisolated(unsafe) private static let types = unsafe assay_rng_types()

  /// Every generator's name, sorted.
  static let names: [String] = {
    var names: [String] = []
    while let type = unsafe assay_rng_type_at(types, names.count) {
      unsafe names.append(String(cString: type.pointee.name))
    }
    return names.sorted()
  }()

  /// A new generator of that name, seeded and shown not to be stuck.
  static func allocate(named name: String, seed: UInt32) throws(RandomnessError) -> UnsafeMutablePointer<gsl_rng> {
    guard let type = unsafe assay_rng_type_named(types, name) else {
      throw .unknownGenerator(name: name, known: names)
    }
    guard let generator = unsafe gsl_rng_alloc(type) else { throw .outOfMemory(what: "generator '\(name)'") }
    do throws(RandomnessError) {
      unsafe try self.seed(generator, with: seed)
    } catch {
      unsafe gsl_rng_free(generator)
      throw error
    }
    return unsafe generator
  }

  /// How many of 64 outputs differ from each other where a seed is sound.
  private static let enough = 32

  /// Seeds a generator; throws when its first outputs show that the seed is degenerate.
  static func seed(_ generator: UnsafeMutablePointer<gsl_rng>, with seed: UInt32) throws(RandomnessError) {
    unsafe gsl_rng_set(generator, UInt(seed))
    // Looked at in place and put back: a small generator is seeded faster than a copy of it is allocated.
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
