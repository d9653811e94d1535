// SPDX-License-Identifier: GPL-3.0-or-later

/// The seeds of one run: a different one for every block of every experiment, by construction.
///
/// GSL's generators keep 32 bits of a seed, so hashed seeds collide after tens of thousands of blocks. Here the
/// experiment's ordinal (high bits) and the block (low bits) make one 32-bit number, and a permutation of the 32-bit
/// numbers, chosen by the root seed, turns it into the seed: different blocks cannot share one.
/// Seed 0 is never given out, because GSL reads it as the generator's default seed.
public struct StreamFamily: Sendable {
  /// The experiments, in ordinal order.
  private let experiments: [String]
  /// How many blocks an experiment can have: 2^32 - 1 for one experiment, about 2^31 for two, 2^30 for three or four.
  public let blocksPerExperiment: Int

  private let blockBits: Int
  private let permutation: KeyedPermutation

  /// The seeds of experiments, each of which has its name once; up to 65,536.
  public init(rootSeed: UInt64, experiments: [String]) throws(RandomnessError) {
    guard !experiments.isEmpty else { throw .noExperiments }
    try require(experiments.count <= 1 << 16, "Stream family", "experiments", experiments.count, "at most 65536")
    var names: Set<String> = []
    if let twice = experiments.first(where: { !names.insert($0).inserted }) { throw .duplicateExperiment(name: twice) }
    let ordinalBits = Int.bitWidth - (experiments.count - 1).leadingZeroBitCount
    blockBits = 32 - ordinalBits
    // The last block is kept back, so that the input 2^32 - 1 never occurs and its seed can stand in for seed 0.
    blocksPerExperiment = (1 << blockBits) - 1
    permutation = KeyedPermutation(key: rootSeed)
    self.experiments = experiments
  }

  /// The seed of a block, from 0, of the experiment of that name.
  public func seed(experiment: String, block: Int) throws(RandomnessError) -> UInt32 {
    guard let ordinal = experiments.firstIndex(of: experiment) else {
      throw .unknownExperiment(name: experiment, known: experiments)
    }
    return try seed(ordinal: ordinal, block: block)
  }

  /// The seed of a block, from 0, of the experiment at that place, from 0.
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
/// Each round adds a function of one half to the other, which can be undone whatever the function is, so the whole is a
/// bijection. Four rounds with random functions are a strong pseudorandom permutation (Luby and Rackoff, 1988); six
/// leave a margin for functions that are merely well mixed.
struct KeyedPermutation: Sendable {
  private let roundKeys: SIMD8<UInt64>
  private static let rounds = 6

  /// Derives the round keys from the key with SplitMix64.
  init(key: UInt64) {
    var roundKeys = SIMD8<UInt64>()
    for round in 0..<Self.rounds {
      roundKeys[round] = mixed(key &+ UInt64(round + 1) &* 0x9e37_79b9_7f4a_7c15)
    }
    self.roundKeys = roundKeys
  }

  func image(of number: UInt32) -> UInt32 {
    var left = UInt16(truncatingIfNeeded: number >> 16)
    var right = UInt16(truncatingIfNeeded: number)
    for round in 0..<Self.rounds {
      (left, right) = (right, left ^ UInt16(truncatingIfNeeded: mixed(roundKeys[round] ^ UInt64(right)) >> 48))
    }
    return UInt32(left) << 16 | UInt32(right)
  }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014; Stafford's mix 13): every input bit reaches every
/// output bit. Public only for the hot loops of other modules.
@_documentation(visibility: internal)
public func mixed(_ value: UInt64) -> UInt64 {
  var mixed = value
  mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  return mixed ^ (mixed >> 31)
}
