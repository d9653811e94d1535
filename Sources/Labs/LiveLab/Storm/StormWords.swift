// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Where the clients of a storm get their random words.
protocol StormWords: ~Copyable {
  /// The next word.
  ///
  /// - Parameter client: Who needs it.
  /// - Returns: 64 random bits.
  mutating func next(for client: Int) -> UInt64
}

/// Words of one stream, for whoever comes next.
struct DrawnWords: ~Copyable, StormWords {
  private var stream: WordStream

  init(generator: String, seed: UInt32) throws(RandomnessError) {
    stream = try WordStream(named: generator, seed: seed)
  }

  mutating func reseed(_ seed: UInt32) throws(RandomnessError) { try stream.reseed(seed) }

  @inline(__always)
  mutating func next(for client: Int) -> UInt64 { UInt64(stream.next()) << 32 | UInt64(stream.next()) }
}
