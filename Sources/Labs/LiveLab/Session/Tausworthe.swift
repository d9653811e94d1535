// SPDX-License-Identifier: GPL-3.0-or-later

/// The generator that GSL calls `taus2`, word for word, without a foreign call for each word.
///
/// Three shift registers, added bit by bit: a period of 2^88. Begun from a seed by a congruential generator, as GSL
/// does it, which leaves none of the registers in a state that repeats itself at once.
///
/// Sources: L'Ecuyer, "Maximally equidistributed combined Tausworthe generators", Mathematics of Computation 65 (1996),
/// and "Tables of maximally equidistributed combined LFSR generators", Mathematics of Computation 68 (1999).
@usableFromInline
struct Tausworthe: Sendable {
  private var first: UInt32
  private var second: UInt32
  private var third: UInt32

  /// Begins from a seed; 0 means 1.
  init(seed: UInt32) {
    func scrambled(_ value: UInt32, atLeast least: UInt32) -> UInt32 {
      let next = 69_069 &* value
      return next < least ? next &+ least : next
    }
    first = scrambled(max(seed, 1), atLeast: 2)
    second = scrambled(first, atLeast: 8)
    third = scrambled(second, atLeast: 16)
    for _ in 0..<6 { _ = next() }
  }

  /// The next word, uniform over all 32-bit values.
  @inline(__always)
  mutating func next() -> UInt32 {
    first = (first & ~1) &<< 12 ^ ((first &<< 13) ^ first) &>> 19
    second = (second & ~7) &<< 4 ^ ((second &<< 2) ^ second) &>> 25
    third = (third & ~15) &<< 17 ^ ((third &<< 3) ^ third) &>> 11
    return first ^ second ^ third
  }
}
