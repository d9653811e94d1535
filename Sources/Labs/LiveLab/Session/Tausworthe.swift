// SPDX-License-Identifier: GPL-3.0-or-later

/// The generator that GSL calls `taus2`, word for word, without a foreign call for each word.
///
/// Three shift registers, added bit by bit: a period of 2^88. Each is an endless row of bits,
/// z[i + k] = z[i] ^ z[i + q], of which a word shows 32, some bits further on than the word before it. The next 64 bits
/// of each row are kept here, enough for two words at a time. As a polynomial over two elements is squared term by
/// term, z[i + 2k] = z[i] ^ z[i + 2q] holds as well: by that each row goes on in one step.
///
/// Sources: L'Ecuyer, "Maximally equidistributed combined Tausworthe generators", Mathematics of Computation 65 (1996),
/// and "Tables of maximally equidistributed combined LFSR generators", Mathematics of Computation 68 (1999).
@usableFromInline
struct Tausworthe: Sendable {
  /// k = 31, q = 13, 12 bits a word.
  private var first: UInt64
  /// k = 29, q = 2, 4 bits a word.
  private var second: UInt64
  /// k = 28, q = 3, 17 bits a word.
  private var third: UInt64

  /// Begins from a seed as GSL does, which leaves no row all zeros; 0 means 1.
  init(seed: UInt32) {
    func scrambled(_ value: UInt32, atLeast least: UInt32) -> UInt32 {
      let next = 69_069 &* value
      return next < least ? next &+ least : next
    }
    let one = scrambled(max(seed, 1), atLeast: 2)
    let two = scrambled(one, atLeast: 8)
    let three = scrambled(two, atLeast: 16)
    first = Self.row(one, k: 31, q: 13)
    second = Self.row(two, k: 29, q: 2)
    third = Self.row(three, k: 28, q: 3)
    for _ in 0..<3 { _ = nextTwo() }
  }

  /// The row that begins with the first `k` bits of a word: each round gives more than twenty bits.
  private static func row(_ word: UInt32, k: UInt64, q: UInt64) -> UInt64 {
    var row = UInt64(word) &<< 32
    for _ in 0..<2 { row = row & ~(.max &>> k) | (row ^ row &<< q) &>> k }
    return row
  }

  /// The next two words, uniform over all 32-bit values.
  @inline(__always)
  mutating func nextTwo() -> (UInt32, UInt32) {
    let one = first &>> 20 ^ second &>> 28 ^ third &>> 15
    first = first &<< 24 | (first &<< 2 ^ first &<< 28) &>> 40
    second = second &<< 8 | (second &<< 6 ^ second &<< 10) &>> 56
    third = third &<< 34 | (third &<< 8 ^ third &<< 14) &>> 30
    let two = (first ^ second ^ third) &>> 32
    return (UInt32(truncatingIfNeeded: one), UInt32(truncatingIfNeeded: two))
  }
}
