// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
public import SeededWords

// Sendable, because a state that two values share is copied before one of them advances.
/// 64-bit words of one of GSL's generators, for code that takes Swift's `RandomNumberGenerator`.
///
/// Words of equal seeds are equal on every machine, and a copy continues where the original was copied.
public struct RandomWords: RandomNumberGenerator, @unchecked Sendable {
  private final class State {
    var generator: GSLGenerator

    init(_ generator: consuming GSLGenerator) { self.generator = generator }
  }

  private var state: State

  /// The words of a seed, by `taus2`, which is seeded in a fraction of a microsecond.
  ///
  /// - Throws: `RandomnessError.outOfMemory`.
  public init(seed: UInt32) throws(RandomnessError) {
    state = State(try GSLGenerator(named: "taus2", seed: seed))
  }

  /// The next 64 uniform random bits: two words of the generator, the first one high.
  public mutating func next() -> UInt64 {
    if !isKnownUniquelyReferenced(&state) { state = State(state.generator.copy()) }
    let high = UInt64(state.generator.next())
    return high << 32 | UInt64(state.generator.next())
  }
}
