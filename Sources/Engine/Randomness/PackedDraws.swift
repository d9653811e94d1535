// SPDX-License-Identifier: GPL-3.0-or-later

/// Several exactly uniform draws below one bound, from one random word.
///
/// A word `x` of `w` bits stands for the fraction x / 2^w. Multiplying it by the bound carries the first draw into the
/// upper half and leaves the next fraction below; k multiplications give the k digits of floor(x b^k / 2^w) in base b
/// and leave x b^k mod 2^w. Refusing the words whose remainder is below `2^w mod b^k` leaves exactly floor(2^w / b^k)
/// words for each of the b^k outcomes (Lemire's argument for the bound b^k), so the draws are uniform and independent.
/// The remainder needs only one multiplication, so a word is judged before any draw is taken from it:
///
///     var word = cards.word(using: &stream)
///     for _ in 0..<cards.count { deal(cards.draw(&word)) }
///
/// Source: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Software: Practice and
/// Experience 55 (2025), with all bounds equal.
@frozen
public struct PackedDraws<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable, Equatable {
  /// How many values a draw can take.
  public let bound: Word
  /// How many draws one word gives.
  public let count: Int
  /// Words whose remainder is below this are refused: `2^w mod bound^count`.
  public let threshold: Word
  /// `bound^count mod 2^w`: the factor that takes a word to its remainder.
  @usableFromInline
  let power: Word

  /// Plans the draws: as many as fit while fewer than one word in sixteen is refused, at least one.
  ///
  /// With 32-bit words a bound of 13 gives 8 draws, 52 gives 5, 312 gives 3 and 416 gives 3.
  ///
  /// - Parameter bound: How many values a draw can take, at least 1.
  /// - Throws: `invalidParameter` for a bound of 0.
  public init(bound: Word) throws(RandomnessError) {
    guard bound > 0 else {
      throw .invalidParameter(of: "Packed draws", name: "bound", value: "0", expected: "at least 1")
    }
    var best = (count: 1, power: bound, threshold: (0 &- bound) % bound)
    var power = bound
    var count = 1
    while count < Word.bitWidth {
      let (next, overflow) = power.multipliedReportingOverflow(by: bound)
      // b^k = 2^w is the one overflow that still fits: each word is then one outcome, and none is refused.
      guard !overflow || (next == 0 && power.multipliedFullWidth(by: bound).high == 1) else { break }
      count += 1
      power = next
      let threshold = next == 0 ? 0 : (0 &- next) % next
      if threshold <= Word.max >> 4 { best = (count, next, threshold) }
      if overflow { break }
    }
    (self.bound, self.count, self.power, self.threshold) = (bound, best.count, best.power, best.threshold)
  }

  /// Whether draws may be taken from a word; a refused word must be thrown away whole.
  @inlinable @inline(__always)
  public func accepts(_ word: Word) -> Bool {
    word &* power >= threshold
  }

  /// Takes the next draw, in `0..<bound`, from an accepted word; at most `count` times per word.
  ///
  /// - Parameter word: The accepted word, which keeps what later draws need.
  /// - Returns: A number below `bound`.
  @inlinable @inline(__always)
  public func draw(_ word: inout Word) -> Word {
    let product = word.multipliedFullWidth(by: bound)
    word = Word(truncatingIfNeeded: product.low)
    return product.high
  }
}

/// Packed draws from the 32-bit words of a `WordStream`.
public typealias PackedDraw = PackedDraws<UInt32>

extension PackedDraws where Word == UInt32 {
  /// The stream's next accepted word, from which `count` draws may be taken.
  @inlinable @inline(__always)
  public func word(using stream: inout WordStream) -> UInt32 {
    var word = stream.next()
    while !accepts(word) { word = stream.next() }
    return word
  }
}
