// SPDX-License-Identifier: Apache-2.0

/// Eight bytes of a feed looked at together, the first of them lowest.
struct EightBytes {
  let word: UInt64

  init(_ word: UInt64) {
    self.word = word
  }

  /// The bytes at a place, which has eight.
  @inline(__always)
  init(_ bytes: RawSpan, at position: Int) {
    // Any bits are an integer, and the bounds are checked: nothing here can go wrong but a trap outside of the bytes.
    word = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// How many bytes stand before the first that is not plain text: a quote, a backslash, a control character, anything
  /// beyond ASCII; 8 where there is none.
  ///
  /// Each of the subtractions may mark too much behind its first hit, never before it. Source: Sean Eron Anderson, "Bit
  /// Twiddling Hacks", "Determine if a word has a byte less than n".
  @inline(__always)
  var plainCount: Int {
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let marks =
      ((quotes &- Self.ones) & ~quotes) | ((backslashes &- Self.ones) & ~backslashes)
      | ((word &- 0x2020_2020_2020_2020) & ~word) | word
    return (marks & Self.highs).trailingZeroBitCount >> 3
  }

  /// The first bytes, 0 to 7 of them, the others zero.
  @inline(__always)
  func prefix(_ count: Int) -> UInt64 { word & ((1 &<< UInt64(truncatingIfNeeded: count &<< 3)) &- 1) }

  /// The digits that the bytes begin with: how many, 8 at most, and what number they are, where there are 1 to 7.
  @inline(__always)
  var digits: (count: Int, number: Int) {
    let values = word ^ 0x3030_3030_3030_3030
    // A byte of ten or more carries into its highest bit, and maybe into the next byte, which is behind it.
    let others = ((values &+ 0x7676_7676_7676_7676) | values) & Self.highs
    let count = others.trailingZeroBitCount >> 3
    // The digits moved to the end, zeros before them; then pairs, fours and all eight are joined.
    var number = values &<< UInt64(truncatingIfNeeded: 64 &- count &<< 3)
    number = (number &* 10 &+ number >> 8) & 0x00FF_00FF_00FF_00FF
    number = (number &* 100 &+ number >> 16) & 0x0000_FFFF_0000_FFFF
    number = (number &* 10_000 &+ number >> 32) & 0xFFFF_FFFF
    return (count, Int(truncatingIfNeeded: number))
  }
}
