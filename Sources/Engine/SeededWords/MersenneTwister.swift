// SPDX-License-Identifier: Apache-2.0

/// The words of MT19937, as `mt19937` of the GNU Scientific Library and `std::mt19937` of C++ give them.
///
/// All words are computed 624 at a time, so a draw is a load and an increment. They are equidistributed in 623
/// dimensions, with a period of 2^19937 - 1.
///
/// Source: Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudorandom number
/// generator", ACM TOMACS 8 (1998), with the seeding of 2002 (`init_genrand`).
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
@frozen
@safe
public struct MersenneTwister: WordSource, ~Copyable {
  /// The state, and behind it its words.
  @usableFromInline
  let memory: UnsafeMutablePointer<UInt32>
  /// The index of the next word.
  @usableFromInline
  var position: Int

  /// The number of words of the state.
  @inlinable
  static var size: Int { 624 }

  /// The name under which reports state it.
  public static var name: String { "mt19937" }

  /// The words of a seed.
  public init(seed: UInt32) {
    unsafe memory = .allocate(capacity: 2 * Self.size)
    unsafe memory.initialize(repeating: 0, count: 2 * Self.size)
    position = Self.size
    reseed(seed)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Restarts the words from a seed, keeping the memory.
  public mutating func reseed(_ seed: UInt32) {
    var word = seed
    unsafe memory[0] = word
    // In debug builds, a loop over a range takes many times as long, and so does a shift that checks its amount.
    var index = 1
    while index < Self.size {
      word = 1_812_433_253 &* (word ^ (word &>> 30)) &+ UInt32(truncatingIfNeeded: index)
      unsafe memory[index] = word
      index &+= 1
    }
    position = Self.size
  }

  /// The next word, uniform over all 32-bit values.
  @inlinable @inline(__always)
  public mutating func next() -> UInt32 {
    if position == Self.size { refill() }
    let word = unsafe memory[Self.size &+ position]
    position &+= 1
    return word
  }

  @usableFromInline @inline(never)
  mutating func refill() {
    let (size, middle) = (Self.size, 397)
    var index = 0
    while index < size &- middle {
      unsafe twist(index, index &+ 1, index &+ middle)
      index &+= 1
    }
    while index < size &- 1 {
      unsafe twist(index, index &+ 1, index &+ middle &- size)
      index &+= 1
    }
    unsafe twist(index, 0, middle &- 1)
    index = 0
    while index < size {
      var word = unsafe memory[index]
      word ^= word &>> 11
      word ^= (word &<< 7) & 0x9d2c_5680
      word ^= (word &<< 15) & 0xefc6_0000
      unsafe memory[size &+ index] = word ^ (word &>> 18)
      index &+= 1
    }
    position = 0
  }

  /// One step of the recurrence: the word at an index from itself, the next and a distant one.
  @unsafe @inline(__always)
  private func twist(_ index: Int, _ next: Int, _ distant: Int) {
    let joined = unsafe (memory[index] & 0x8000_0000) | (memory[next] & 0x7fff_ffff)
    unsafe memory[index] = memory[distant] ^ (joined &>> 1) ^ ((0 &- (joined & 1)) & 0x9908_b0df)
  }
}
