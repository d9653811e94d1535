// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
public import SeededWords

/// A generator whose words are fetched in batches of 1024, for hot loops.
///
/// The buffer is allocated once, so a draw is a load and an increment; the words are those of the generator, in order.
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
@frozen
@safe
public struct WordStream: WordSource, ~Copyable {
  @usableFromInline
  var generator: GSLGenerator
  @usableFromInline
  let buffer: UnsafeMutablePointer<UInt32>
  @usableFromInline
  var position: Int

  /// Words fetched by one foreign call.
  @inlinable
  public static var capacity: Int { 1024 }

  /// The words of the GSL generator with this name; throws an error for an unknown name.
  public init(named name: String = GSLGenerator.defaultName, seed: UInt32) throws(RandomnessError) {
    generator = try GSLGenerator(named: name, seed: seed)
    unsafe buffer = .allocate(capacity: Self.capacity)
    unsafe buffer.initialize(repeating: 0, count: Self.capacity)
    position = Self.capacity
  }

  deinit {
    unsafe buffer.deallocate()
  }

  /// Restarts the stream from a seed, keeping its memory.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    position = Self.capacity
    try generator.reseed(seed)
  }

  @usableFromInline @inline(never)
  mutating func refill() {
    unsafe assay_fill_words(generator.state, buffer, Self.capacity)
    position = 0
  }

  /// The next word, uniform over all 32-bit values.
  @inlinable @inline(__always)
  public mutating func next() -> UInt32 {
    if position == Self.capacity { refill() }
    let word = unsafe buffer[position]
    position &+= 1
    return word
  }
}

/// Several exactly uniform draws below one bound from one random word.
///
/// A word `x` of `w` bits represents the fraction x / 2^w. Multiplying it by the bound moves the first draw into the
/// upper half and leaves the next fraction below; k multiplications give the k digits of floor(x b^k / 2^w) in base b
/// and leave x b^k mod 2^w. Rejecting the words whose remainder is below `2^w mod b^k` leaves exactly floor(2^w / b^k)
/// words for each of the b^k outcomes (Lemire's argument for the bound b^k), so the draws are uniform and independent.
/// The remainder needs only one multiplication, so a word is checked before any draw is taken from it:
///
///     var word = cards.word(using: &generator)
///     for _ in 0..<cards.count { deal(cards.draw(&word)) }
///
/// Source: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Software: Practice and
/// Experience 55 (2025), with all bounds equal.
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
@frozen
public struct PackedDraws<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The number of values of a draw.
  public let bound: Word
  /// The number of draws from one word.
  public let count: Int
  /// Words whose remainder is below this are rejected: `2^w mod bound^count`.
  public let threshold: Word
  /// `bound^count mod 2^w`: the factor that gives a word's remainder.
  @usableFromInline
  let power: Word

  /// Plans the draws: as many as possible while fewer than one word in sixteen is rejected, at least one.
  ///
  /// With 32-bit words a bound of 13 gives 8 draws, 52 gives 5, 312 gives 3 and 416 gives 3.
  public init(bound: Word) throws(RandomnessError) {
    guard bound > 0 else {
      throw .invalidParameter(of: "Packed draws", name: "bound", value: "0", expected: "at least 1")
    }
    var best = (count: 1, power: bound, threshold: (0 &- bound) % bound)
    var power = bound
    var count = 1
    while count < Word.bitWidth {
      let (next, overflow) = power.multipliedReportingOverflow(by: bound)
      // b^k = 2^w is the only overflow that is allowed: each word is then one outcome, and none is rejected.
      guard !overflow || (next == 0 && power.multipliedFullWidth(by: bound).high == 1) else { break }
      count += 1
      power = next
      let threshold = next == 0 ? 0 : (0 &- next) % next
      if threshold <= Word.max >> 4 { best = (count, next, threshold) }
      if overflow { break }
    }
    (self.bound, self.count, self.power, self.threshold) = (bound, best.count, best.power, best.threshold)
  }

  /// Returns true if draws may be taken from a word; a rejected word must be discarded completely.
  @inlinable @inline(__always)
  public func accepts(_ word: Word) -> Bool {
    word &* power >= threshold
  }

  /// Takes the next draw, in `0..<bound`, from an accepted word; at most `count` times per word.
  @inlinable @inline(__always)
  public func draw(_ word: inout Word) -> Word {
    let product = word.multipliedFullWidth(by: bound)
    word = Word(truncatingIfNeeded: product.low)
    return product.high
  }
}

/// Packed draws from the 32-bit words of a generator. Public only for the hot loops of other modules.
@_documentation(visibility: internal)
public typealias PackedDraw = PackedDraws<UInt32>

extension PackedDraws where Word == UInt32 {
  /// The generator's next accepted word, from which `count` draws may be taken.
  @inlinable @inline(__always)
  public func word(using generator: inout GSLGenerator) -> UInt32 {
    var word = generator.next()
    while !accepts(word) { word = generator.next() }
    return word
  }
}

/// Puts the elements in an order drawn uniformly from all orders (Fisher and Yates, in Durstenfeld's form).
///
/// - Complexity: O(n), one bounded draw per element.
@inlinable
public func shuffle<Elements>(_ elements: inout Elements, using stream: inout WordStream)
where Elements: MutableCollection & RandomAccessCollection {
  var remaining = elements.count
  var place = elements.startIndex
  while remaining > 1 {
    let offset = stream.below(UInt32(truncatingIfNeeded: remaining))
    elements.swapAt(place, elements.index(place, offsetBy: Int(offset)))
    elements.formIndex(after: &place)
    remaining -= 1
  }
}
