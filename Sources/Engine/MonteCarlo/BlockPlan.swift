// SPDX-License-Identifier: GPL-3.0-or-later

/// The unit of work: a fixed slice of an experiment, whose random stream belongs to its index.
public struct Block: Hashable, Sendable {
  /// The block's place in the experiment, from 0.
  public let index: Int
  /// How many rounds it plays: the plan's rounds per block, or fewer in the last block.
  public let rounds: Int

  /// Creates a block.
  public init(index: Int, rounds: Int) {
    (self.index, self.rounds) = (index, rounds)
  }
}

/// How an experiment is cut into blocks, and after which of them a rule may look at the results.
///
/// Nothing here knows how many workers there are, so neither can the results.
public struct BlockPlan: Hashable, Sendable {
  /// When the run ends.
  public let rule: StoppingRule
  /// Rounds in every block but the last.
  public let roundsPerBlock: Int
  /// Blocks in the first wave of a rule that looks at results.
  public let firstWave: Int

  /// Creates a plan, refusing numbers that make no sense.
  ///
  /// - Parameters:
  ///   - rule: When the run ends.
  ///   - roundsPerBlock: Rounds in every block but the last, above 0.
  ///   - firstWave: Blocks in the first wave, above 0. Later waves are a quarter of what was played before them, so
  ///     a target is overshot by at most a quarter.
  /// - Throws: `badValue` naming the number that is not usable.
  public init(_ rule: StoppingRule, roundsPerBlock: Int, firstWave: Int = 16) throws(MonteCarloError) {
    try require(roundsPerBlock > 0, "rounds per block", roundsPerBlock, "a number above 0")
    try require(firstWave > 0, "first wave", firstWave, "a number of blocks above 0")
    switch rule {
    case .rounds(let rounds):
      try require(rounds > 0, "rounds", rounds, "a number above 0")
    case .halfWidth(let target, let confidence, let atMost):
      try require(target > 0 && target.isFinite, "half-width", target, "a number above 0")
      try require(confidence > 0 && confidence < 1, "confidence", confidence, "a number between 0 and 1")
      try require(atMost > 0, "most rounds", atMost, "a number above 0")
    case .deadline(let duration):
      try require(duration > .zero, "deadline", duration, "a duration above 0")
    case .certification(let atMost):
      try require(atMost > 0, "most rounds", atMost, "a number above 0")
    }
    (self.rule, self.roundsPerBlock, self.firstWave) = (rule, roundsPerBlock, firstWave)
  }

  /// The most rounds the run can play; nil when only time limits it.
  public var mostRounds: Int? {
    switch rule {
    case .rounds(let rounds): rounds
    case .halfWidth(_, _, let atMost), .certification(let atMost): atMost
    case .deadline: nil
    }
  }

  /// The most blocks the run can play.
  public var mostBlocks: Int {
    guard let mostRounds else { return Int.max / roundsPerBlock }
    return (mostRounds - 1) / roundsPerBlock + 1
  }

  /// The block at an index.
  ///
  /// - Parameter index: In `0..<mostBlocks`.
  /// - Returns: A block of `roundsPerBlock` rounds; the last one holds what is left over.
  public func block(_ index: Int) -> Block {
    let left = (mostRounds ?? .max) - index * roundsPerBlock
    return Block(index: index, rounds: min(roundsPerBlock, left))
  }

  /// Rounds in the first blocks together.
  ///
  /// - Parameter blocks: How many blocks from the first one, at most `mostBlocks`.
  /// - Returns: A number of rounds.
  public func rounds(inFirst blocks: Int) -> Int {
    min(blocks * roundsPerBlock, mostRounds ?? .max)
  }

  /// The blocks to play before the judge looks next.
  ///
  /// - Parameter done: How many blocks have been played.
  /// - Returns: The next wave; all that is left for a rule that does not look at results; empty at the end.
  public func wave(after done: Int) -> Range<Int> {
    guard done < mostBlocks else { return mostBlocks..<mostBlocks }
    switch rule {
    case .rounds, .deadline: return done..<mostBlocks
    case .halfWidth, .certification: return done..<(done + min(max(firstWave, done / 4), mostBlocks - done))
    }
  }
}
