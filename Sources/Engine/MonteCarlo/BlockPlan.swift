// SPDX-License-Identifier: Apache-2.0

/// The unit of work: a fixed slice of an experiment, whose index determines its random stream.
public struct Block: Hashable, Sendable {
  /// The block's index in the experiment, from 0.
  public let index: Int
  /// The number of rounds: the plan's rounds per block, or fewer in the last block.
  public let rounds: Int
}

/// The division of an experiment into blocks, and the blocks after which a rule may see the results.
///
/// The plan does not depend on the number of workers, so neither do the results.
public struct BlockPlan: Hashable, Sendable {
  package let rule: StoppingRule
  package let roundsPerBlock: Int
  /// The number of blocks in the first wave of a rule that sees results.
  package let firstWave: Int

  /// Creates a plan. Each later wave has a quarter of the blocks before it, so a run exceeds its target by at most a
  /// quarter.
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
    }
    (self.rule, self.roundsPerBlock, self.firstWave) = (rule, roundsPerBlock, firstWave)
  }

  /// The largest number of rounds of the run; `nil` when only time limits it.
  package var maxRounds: Int? {
    switch rule {
    case .rounds(let rounds): rounds
    case .halfWidth(_, _, let atMost): atMost
    case .deadline: nil
    }
  }

  /// The largest number of blocks of the run.
  package var maxBlocks: Int {
    guard let maxRounds else { return Int.max / roundsPerBlock }
    return (maxRounds - 1) / roundsPerBlock + 1
  }

  package func block(_ index: Int) -> Block {
    let left = (maxRounds ?? .max) - index * roundsPerBlock
    return Block(index: index, rounds: min(roundsPerBlock, left))
  }

  /// The blocks to play before the next look at the results.
  package func wave(after done: Int) -> Range<Int> {
    guard done < maxBlocks else { return maxBlocks..<maxBlocks }
    switch rule {
    case .rounds, .deadline: return done..<maxBlocks
    case .halfWidth: return done..<(done + min(max(firstWave, done / 4), maxBlocks - done))
    }
  }
}

/// The end of a run, as a value for command lines and scenarios.
///
/// `rounds` and `halfWidth` stop after the same block at any number of workers. A rule that sees results does so only
/// at the ends of waves, which the plan fixes in advance. It must use a bound that holds at any number of looks: an
/// ordinary interval loses its confidence if the run stops once it looks narrow.
public enum StoppingRule: Hashable, Sendable {
  case rounds(Int)
  /// Stops when the interval's half-width, in the unit of the quantity, is at most the target at this confidence, or
  /// after `atMost` rounds. The run's stopping rule decides; see `HalfWidthStop`.
  case halfWidth(Double, confidence: Double, atMost: Int)
  /// Stops at the end of the block during which this time has passed, after at least one block. The number of blocks is
  /// not reproducible, but they are always the first ones, so `rounds` with the same number gives the same bits.
  case deadline(Duration)
}

/// The reason why a run in waves ended.
public enum StopReason: String, Hashable, Sendable, Codable {
  case completed
  case settled
  /// The time was up; the blocks played are the first ones of the plan.
  case deadline
  /// The run was interrupted; the blocks played are the first ones of the plan.
  case interrupted
}

/// An invalid value of a run, with the expected one.
public enum MonteCarloError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number out of range; carries its name, the value given, and the expected value.
  case badValue(name: String, value: String, expected: String)

  /// One sentence: the name, the value found, and the value expected.
  public var description: String {
    switch self {
    case .badValue(let name, let value, let expected): "\(name) is \(value); expected \(expected)"
    }
  }
}

func require(
  _ condition: Bool, _ name: String, _ value: some CustomStringConvertible, _ expected: String
) throws(MonteCarloError) {
  guard condition else { throw .badValue(name: name, value: "\(value)", expected: expected) }
}
