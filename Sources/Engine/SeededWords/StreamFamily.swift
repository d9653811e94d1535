// SPDX-License-Identifier: Apache-2.0

/// The seeds of one run, distinct for all blocks of all experiments by construction.
///
/// GSL's generators keep 32 bits of a seed, so hashed seeds collide after tens of thousands of blocks. Here the
/// experiment's ordinal (high bits) and the block (low bits) form a 32-bit number, and a permutation of the 32-bit
/// numbers, chosen by the root seed, maps it to the seed: different blocks have different seeds. Seed 0 is never used,
/// because GSL reads it as the generator's default seed.
public struct StreamFamily: Sendable {
  /// The experiments, in ordinal order.
  private let experiments: [String]
  /// The most blocks of an experiment: 2^32 - 1 for one experiment, about 2^31 for two, 2^30 for three or four.
  public let blocksPerExperiment: Int

  private let blockBits: Int
  private let permutation: KeyedPermutation

  /// The seeds of experiments with distinct names; up to 65,536.
  public init(rootSeed: UInt64, experiments: [String]) throws(RandomnessError) {
    guard !experiments.isEmpty else { throw .noExperiments }
    try require(experiments.count <= 1 << 16, "Stream family", "experiments", experiments.count, "at most 65536")
    var names: Set<String> = []
    if let twice = experiments.first(where: { !names.insert($0).inserted }) { throw .duplicateExperiment(name: twice) }
    let ordinalBits = Int.bitWidth - (experiments.count - 1).leadingZeroBitCount
    blockBits = 32 - ordinalBits
    // The last block is reserved, so that the input 2^32 - 1 never occurs and its seed can replace seed 0.
    blocksPerExperiment = (1 << blockBits) - 1
    permutation = KeyedPermutation(key: rootSeed)
    self.experiments = experiments
  }

  /// The seed of a block, from 0, of the experiment with this name.
  public func seed(experiment: String, block: Int) throws(RandomnessError) -> UInt32 {
    guard let ordinal = experiments.firstIndex(of: experiment) else {
      throw .unknownExperiment(name: experiment, known: experiments)
    }
    return try seed(ordinal: ordinal, block: block)
  }

  /// The seed of a block, from 0, of the experiment with this ordinal, from 0.
  public func seed(ordinal: Int, block: Int) throws(RandomnessError) -> UInt32 {
    guard experiments.indices.contains(ordinal) else {
      throw .experimentOutOfRange(ordinal: ordinal, count: experiments.count)
    }
    guard (0..<blocksPerExperiment).contains(block) else {
      throw .blockOutOfRange(block: block, blocksPerExperiment: blocksPerExperiment)
    }
    let seed = permutation.image(of: UInt32(ordinal << blockBits | block))
    return seed == 0 ? permutation.image(of: .max) : seed
  }
}

/// A permutation of the 32-bit numbers chosen by a key: a Feistel network of six rounds on 16-bit halves.
///
/// Each round adds a function of one half to the other, which is invertible for any function, so the whole is a
/// bijection. Four rounds with random functions are a strong pseudorandom permutation (Luby and Rackoff, 1988); six
/// leave a margin for functions that are only well mixed.
package struct KeyedPermutation: Sendable {
  private let roundKeys: SIMD8<UInt64>
  private static let rounds = 6

  /// Derives the round keys from the key with SplitMix64.
  package init(key: UInt64) {
    var roundKeys = SIMD8<UInt64>()
    for round in 0..<Self.rounds {
      roundKeys[round] = mixed(key &+ UInt64(round + 1) &* 0x9e37_79b9_7f4a_7c15)
    }
    self.roundKeys = roundKeys
  }

  package func image(of number: UInt32) -> UInt32 {
    var left = UInt16(truncatingIfNeeded: number >> 16)
    var right = UInt16(truncatingIfNeeded: number)
    for round in 0..<Self.rounds {
      (left, right) = (right, left ^ UInt16(truncatingIfNeeded: mixed(roundKeys[round] ^ UInt64(right)) >> 48))
    }
    return UInt32(left) << 16 | UInt32(right)
  }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014; Stafford's mix 13): every input bit affects every
/// output bit. Public only for the hot loops of other modules.
@_documentation(visibility: internal)
public func mixed(_ value: UInt64) -> UInt64 {
  var mixed = value
  mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  return mixed ^ (mixed >> 31)
}
