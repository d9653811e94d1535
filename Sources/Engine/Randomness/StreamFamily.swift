// SPDX-License-Identifier: GPL-3.0-or-later

/// The seeds of one run: a different one for every block of every experiment, by construction.
///
/// GSL's generators keep 32 bits of a seed, so hashed seeds collide after tens of thousands of blocks. Here the
/// experiment's ordinal (high bits) and the block (low bits) make one 32-bit number, and a permutation of the 32-bit
/// numbers, chosen by the root seed, turns it into the seed: different blocks cannot share one.
/// Seed 0 is never given out, because GSL reads it as the generator's default seed.
public struct StreamFamily: Sendable, Equatable {
  /// The experiments, in ordinal order.
  public let experiments: [String]
  /// How many blocks an experiment can have: 2^32 - 1 for one experiment, about 2^31 for two, 2^30 for three or four.
  public let blocksPerExperiment: Int

  private let blockBits: Int
  private let permutation: KeyedPermutation
  private let ordinals: [String: Int]

  /// Creates the seeds of a run.
  ///
  /// - Parameters:
  ///   - rootSeed: The run's seed, which chooses the permutation.
  ///   - experiments: The names of the run's experiments. Their order counts.
  /// - Throws: `noExperiments`, `duplicateExperiment`, and `invalidParameter` for more than 2^16 experiments.
  public init(rootSeed: UInt64, experiments: [String]) throws(RandomnessError) {
    guard !experiments.isEmpty else { throw .noExperiments }
    try require(experiments.count <= 1 << 16, "Stream family", "experiments", experiments.count, "at most 65536")
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in experiments.enumerated() {
      guard ordinals.updateValue(ordinal, forKey: name) == nil else { throw .duplicateExperiment(name: name) }
    }
    let ordinalBits = Int.bitWidth - (experiments.count - 1).leadingZeroBitCount
    blockBits = 32 - ordinalBits
    // The last block is kept back, so that the input 2^32 - 1 never occurs and its seed can stand in for seed 0.
    blocksPerExperiment = (1 << blockBits) - 1
    permutation = KeyedPermutation(key: rootSeed)
    self.experiments = experiments
    self.ordinals = ordinals
  }

  /// The seed of a block of the experiment of that name.
  ///
  /// - Parameters:
  ///   - experiment: One of `experiments`.
  ///   - block: The block's index, in `0..<blocksPerExperiment`.
  /// - Returns: A seed that no other block of the family has; never 0.
  /// - Throws: `unknownExperiment`, `blockOutOfRange`.
  public func seed(experiment: String, block: Int) throws(RandomnessError) -> UInt32 {
    try seed(ordinal: ordinal(of: experiment), block: block)
  }

  /// The seed of a block of the experiment with that ordinal.
  ///
  /// - Parameters:
  ///   - ordinal: The experiment's index in `experiments`.
  ///   - block: The block's index, in `0..<blocksPerExperiment`.
  /// - Returns: A seed that no other block of the family has; never 0.
  /// - Throws: `experimentOutOfRange`, `blockOutOfRange`.
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

  /// The ordinal of an experiment, for loops that ask for many seeds.
  ///
  /// - Parameter experiment: One of `experiments`.
  /// - Returns: Its index in `experiments`.
  /// - Throws: `unknownExperiment` listing the known ones.
  public func ordinal(of experiment: String) throws(RandomnessError) -> Int {
    guard let ordinal = ordinals[experiment] else { throw .unknownExperiment(name: experiment, known: experiments) }
    return ordinal
  }
}
