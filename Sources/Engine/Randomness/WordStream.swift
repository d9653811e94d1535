// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// A generator read 1024 words at a time: what hot loops draw from.
///
/// The buffer is allocated once, so a draw is a load and an increment; the words are those of the generator, in order.
@frozen
@safe
public struct WordStream: ~Copyable {
  @usableFromInline
  var generator: GSLGenerator
  @usableFromInline
  let buffer: UnsafeMutablePointer<UInt32>
  @usableFromInline
  var position: Int

  /// Words fetched by one foreign call.
  @inlinable
  public static var capacity: Int { 1024 }

  /// Creates a stream over a generator of its own.
  ///
  /// - Parameters:
  ///   - name: One of `GSLGenerator.names`.
  ///   - seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: What `GSLGenerator.init(named:seed:)` throws.
  public init(named name: String = GSLGenerator.defaultName, seed: UInt32) throws(RandomnessError) {
    self.init(try GSLGenerator(named: name, seed: seed))
  }

  /// Creates a stream of the words that `generator` would give next.
  public init(_ generator: consuming GSLGenerator) {
    self.generator = generator
    unsafe buffer = .allocate(capacity: Self.capacity)
    unsafe buffer.initialize(repeating: 0, count: Self.capacity)
    position = Self.capacity
  }

  deinit {
    unsafe buffer.deallocate()
  }

  /// Starts the stream anew from a seed, keeping its memory.
  ///
  /// - Parameter seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: `degenerateSeed`, after which the stream must be reseeded before its next use.
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

  /// A draw exactly uniform over `0..<bound`, by Lemire's multiply-shift with rejection.
  ///
  /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
  ///
  /// - Parameter bound: How many values there are; 0 and 1 both give 0.
  /// - Returns: A number below `bound`.
  /// - Complexity: One word on average, at most 2; a division only when rejection is possible at all.
  @inlinable @inline(__always)
  public mutating func below(_ bound: UInt32) -> UInt32 {
    var product = UInt64(next()) &* UInt64(bound)
    if UInt32(truncatingIfNeeded: product) < bound {
      let threshold = (0 &- bound) % bound
      while UInt32(truncatingIfNeeded: product) < threshold {
        product = UInt64(next()) &* UInt64(bound)
      }
    }
    return UInt32(truncatingIfNeeded: product &>> 32)
  }

  /// A multiple of 2^-53, uniform in `[0, 1)`, from two words.
  @inlinable
  public mutating func unitInterval() -> Double {
    let high = UInt64(next()) &<< 21
    let low = UInt64(next()) &>> 11
    return Double(high | low) * 0x1p-53
  }
}
