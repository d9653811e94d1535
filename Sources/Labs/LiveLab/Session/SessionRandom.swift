// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import Randomness

/// What a session draws from: the words of one of GSL's generators, read a few at a time.
///
/// A session has a seed of its own and draws some hundred words an hour, so what counts is how fast a generator begins
/// anew. `taus2`, whose words are drawn here, does so in some nanoseconds; `mt19937` needs several microseconds, half
/// as much as an hour of a session.
@safe
package struct SessionRandom: ~Copyable {
  @usableFromInline var generator: GSLGenerator
  /// What draws the words of `taus2`, in the place of GSL; nil for all other generators.
  @usableFromInline var tausworthe: Tausworthe?
  @usableFromInline let buffer: UnsafeMutableBufferPointer<UInt32>
  @usableFromInline var position: Int

  /// The generator used when nothing else is asked for.
  package static let defaultName = "taus2"

  @usableFromInline static var capacity: Int { 32 }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - seed: Any 32 bits; 0 means the generator's default seed.
  ///   - generator: One of `GSLGenerator.names`.
  /// - Throws: What `GSLGenerator.init(named:seed:)` throws.
  package init(seed: UInt32, generator: String = SessionRandom.defaultName) throws(RandomnessError) {
    self.generator = try GSLGenerator(named: generator, seed: seed)
    tausworthe = generator == "taus2" ? Tausworthe(seed: seed) : nil
    unsafe buffer = .allocate(capacity: Self.capacity)
    unsafe buffer.initialize(repeating: 0)
    position = Self.capacity
  }

  deinit {
    unsafe buffer.deallocate()
  }

  /// Begins anew from a seed, keeping its memory.
  ///
  /// - Parameter seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: `degenerateSeed`, after which the source must be reseeded before its next use.
  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    position = Self.capacity
    if tausworthe != nil { tausworthe = Tausworthe(seed: seed) } else { try generator.reseed(seed) }
  }

  @usableFromInline @inline(never)
  mutating func refill() {
    position = 0
    guard var own = tausworthe else { return unsafe generator.fill(buffer) }
    for place in stride(from: 0, to: Self.capacity, by: 2) {
      unsafe (buffer[place], buffer[place &+ 1]) = own.nextTwo()
    }
    tausworthe = own
  }

  /// The next 64 random bits.
  @inlinable @inline(__always)
  package mutating func word() -> UInt64 {
    if position &+ 1 >= Self.capacity { refill() }
    let word = unsafe UInt64(buffer[position]) &<< 32 | UInt64(buffer[position &+ 1])
    position &+= 2
    return word
  }

  /// A multiple of 2^-53, uniform in `[0, 1)`.
  @inlinable @inline(__always)
  package mutating func unit() -> Double { Double(word() &>> 11) * 0x1p-53 }

  /// A draw uniform over `0..<bound`, by Lemire's multiply-shift with rejection.
  ///
  /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
  ///
  /// - Parameter bound: How many values there are; 0 and 1 both give 0.
  /// - Returns: A number below `bound`.
  @inlinable
  package mutating func below(_ bound: UInt64) -> UInt64 {
    var product = word().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = word().multipliedFullWidth(by: bound) }
    }
    return product.high
  }

  /// Whether something of that probability happens.
  ///
  /// - Parameter probability: From 0 to 1; at 0 and at 1 no word is used.
  /// - Returns: Whether it happens.
  @inlinable
  package mutating func happens(_ probability: Double) -> Bool {
    probability > 0 && (probability >= 1 || unit() < probability)
  }

  /// A whole number of nanoseconds uniform from `range`'s lower bound to its upper bound, both included.
  @inlinable
  package mutating func interval(in range: ClosedRange<Interval>) -> Interval {
    let (lower, upper) = (range.lowerBound.nanoseconds, range.upperBound.nanoseconds)
    let width = UInt64(bitPattern: upper &- lower)
    let drawn = width == .max ? word() : below(width &+ 1)
    return Interval(nanoseconds: lower &+ Int64(bitPattern: drawn))
  }

  /// An interval of that mean, whose density halves with every further step of two thirds of the mean.
  ///
  /// An exponential law drawn without a logarithm: the leading zeros of a word count the steps, the bits behind them
  /// are the place within the step, where the exponential curve is replaced by a chord. Its deviation is 0.96 of the
  /// mean instead of 1.
  ///
  /// - Parameter mean: Not below no time.
  /// - Returns: From no time to 27 times the mean.
  @inlinable
  package mutating func waiting(_ mean: Interval) -> Interval {
    let word = word()
    let steps = min(word.leadingZeroBitCount, 40)
    let place = Int64(truncatingIfNeeded: (word &<< UInt64(steps &+ 1)) &>> 44)
    return Interval(nanoseconds: Self.waiting(mean, steps, place))
  }

  /// The same from 32 bits, in nanoseconds: for what is drawn with every frame.
  ///
  /// - Parameter step: Two thirds of the mean, in nanoseconds; at most 2^38.
  /// - Returns: Nanoseconds, from none to eight times the mean.
  @inline(__always)
  mutating func halfWaiting(step: Int64) -> Int64 {
    if position == Self.capacity { refill() }
    let word = unsafe buffer[position]
    position &+= 1
    let steps = min(word.leadingZeroBitCount, 11)
    let place = Int64((word &<< UInt32(steps &+ 1)) &>> 12)
    return (Int64(steps) &<< 20 &+ place) &* step &>> 20
  }

  /// In units of 2^-20 steps: a step holds the values from `steps` to `steps + 1`.
  @inlinable @inline(__always)
  static func waiting(_ mean: Interval, _ steps: Int, _ place: Int64) -> Int64 {
    let units = Int64(steps) &<< 20 &+ place
    return Int64(Double(mean.nanoseconds) * (Double(units) * (0x1p-20 * 2 / 3)))
  }
}
