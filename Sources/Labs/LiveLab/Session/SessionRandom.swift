// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
public import LiveCore
public import Randomness

/// The random source of a session: words of a GSL generator, read a few at a time.
///
/// A session has its own seed and draws some hundred words per hour, so the cost of seeding matters: for `taus2` a
/// fraction of a microsecond, for `mt19937` several, half the cost of an hour of a session.
@safe
public struct SessionRandom: ~Copyable {
  var generator: GSLGenerator
  let buffer: UnsafeMutableBufferPointer<UInt32>
  var position: Int

  public static let defaultName = "taus2"

  static var capacity: Int { 32 }

  /// Throws the errors of `GSLGenerator.init(named:seed:)`; seed 0 means the generator's default seed.
  public init(seed: UInt32, generator: String = SessionRandom.defaultName) throws(RandomnessError) {
    self.generator = try GSLGenerator(named: generator, seed: seed)
    unsafe buffer = .allocate(capacity: Self.capacity)
    unsafe buffer.initialize(repeating: 0)
    position = Self.capacity
  }

  deinit { unsafe buffer.deallocate() }

  /// Starts again from a seed. After `degenerateSeed` it must be reseeded before its next use.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    position = Self.capacity
    try generator.reseed(seed)
  }

  @inline(never)
  mutating func refill() {
    position = 0
    unsafe generator.fill(buffer)
  }

  @inline(__always)
  public mutating func word() -> UInt64 {
    if position &+ 1 >= Self.capacity { refill() }
    let word = unsafe UInt64(buffer[position]) &<< 32 | UInt64(buffer[position &+ 1])
    position &+= 2
    return word
  }

  /// A multiple of 2^-53, uniform in `[0, 1)`.
  @inline(__always)
  public mutating func unit() -> Double { Double(word() &>> 11) * 0x1p-53 }

  /// A draw uniform over `0..<bound`, by Lemire's multiply-shift with rejection.
  ///
  /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019). A bound of 0 or 1 gives 0.
  public mutating func below(_ bound: UInt64) -> UInt64 {
    var product = word().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = word().multipliedFullWidth(by: bound) }
    }
    return product.high
  }

  /// Returns true if an event of that probability happens; at 0 and 1 no word is used.
  public mutating func happens(_ probability: Double) -> Bool {
    probability > 0 && (probability >= 1 || unit() < probability)
  }

  /// The failures before the first success of trials that each succeed once in a number of times, on average.
  public mutating func failures(untilOneIn odds: UInt64) -> Int64 {
    odds > 1 ? Int64(log(1 - unit()) / log1p(-1 / Double(odds))) : 0
  }

  /// A random interval with that mean, whose density halves with every step of two thirds of the mean.
  ///
  /// It is an exponential distribution without a logarithm: the leading zeros of a word count the steps, and the
  /// following bits give the place within the step, where a chord replaces the exponential curve. Its standard
  /// deviation is 0.96 of the mean instead of 1, and its range is 0 to 27 times the mean.
  public mutating func waiting(_ mean: Interval) -> Interval {
    let word = word()
    let steps = min(word.leadingZeroBitCount, 40)
    let fraction = Int64(truncatingIfNeeded: (word &<< UInt64(steps &+ 1)) &>> 44)
    let units = Int64(steps) &<< 20 &+ fraction
    return Interval(nanoseconds: Int64(Double(mean.nanoseconds) * (Double(units) * (0x1p-20 * 2 / 3))))
  }

  /// The same distribution from 32 bits, in nanoseconds, for draws with every frame: 0 to eight times the mean. A step
  /// is two thirds of the mean, at most 2^38.
  @inline(__always)
  public mutating func halfWaiting(step: Int64) -> Int64 {
    if position == Self.capacity { refill() }
    let word = unsafe buffer[position]
    position &+= 1
    let steps = min(word.leadingZeroBitCount, 11)
    let fraction = Int64((word &<< UInt32(steps &+ 1)) &>> 12)
    return (Int64(steps) &<< 20 &+ fraction) &* step &>> 20
  }
}
