// SPDX-License-Identifier: GPL-3.0-or-later

/// Three draws below three bounds from one word, or nil for a word that must be refused.
///
/// As in `PackedDraws`, with a bound for each digit: the remainder is the word times the product of the bounds, modulo
/// 2^w, and words whose remainder is below 2^w mod product are refused. That threshold is below the product, so the
/// division is needed only for the few words whose remainder is.
///
/// Source: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Software: Practice and
/// Experience 55 (2025).
///
/// - Parameters:
///   - word: A uniform word.
///   - first: The first bound; the product of the three must be above 0 and fit a word.
///   - second: The second bound.
///   - third: The third bound.
/// - Returns: Exactly uniform, independent draws below each bound.
@inlinable @inline(__always)
func mixedDraws<Word: FixedWidthInteger & UnsignedInteger>(
  _ word: Word, below first: Word, _ second: Word, _ third: Word
) -> (Word, Word, Word)? {
  let a = word.multipliedFullWidth(by: first)
  let b = Word(truncatingIfNeeded: a.low).multipliedFullWidth(by: second)
  let c = Word(truncatingIfNeeded: b.low).multipliedFullWidth(by: third)
  let remainder = Word(truncatingIfNeeded: c.low)
  let product = first &* second &* third
  guard remainder >= product || remainder >= (0 &- product) % product else { return nil }
  return (a.high, b.high, c.high)
}

extension WordStream {
  /// Three exactly uniform, independent draws, each below its own bound: what dealing three cards takes.
  ///
  /// One word serves all three when the bounds' product fits 32 bits, as for three cards of up to 1625; otherwise each
  /// takes its own.
  ///
  /// - Parameters:
  ///   - first: How many values the first draw has; 0 and 1 both give 0, as for the others.
  ///   - second: How many values the second draw has.
  ///   - third: How many values the third draw has.
  /// - Returns: The draws, in the order of the bounds.
  @inlinable @inline(__always)
  public mutating func below(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> (UInt32, UInt32, UInt32) {
    // Bounds below 1024 always fit; a shoe's never need the exact test.
    let mayShare = (first | second | third) < 1024 || fits(first, second, third)
    guard mayShare && first != 0 && second != 0 && third != 0 else {
      return (below(first), below(second), below(third))
    }
    while true {
      if let draws = mixedDraws(next(), below: first, second, third) { return draws }
    }
  }

  @inlinable @inline(never)
  func fits(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> Bool {
    let pair = UInt64(first) &* UInt64(second)
    let product = pair.multipliedReportingOverflow(by: UInt64(third))
    return !product.overflow && product.partialValue <= UInt64(UInt32.max)
  }
}
