// SPDX-License-Identifier: GPL-3.0-or-later
public import Statistics

/// The unit of work: a fixed slice of an experiment, whose random stream belongs to its index.
public struct Block: Hashable, Sendable {
  /// The block's place in the experiment, from 0.
  public let index: Int
  /// How many rounds it plays: the plan's rounds per block, or fewer in the last block.
  public let rounds: Int
}

/// How an experiment is cut into blocks, and after which of them a rule may look at the results.
///
/// It does not depend on the number of workers, so neither do the results.
public struct BlockPlan: Hashable, Sendable {
  package let rule: StoppingRule
  package let roundsPerBlock: Int
  /// Blocks in the first wave of a rule that looks at results.
  package let firstWave: Int

  /// Creates a plan. Waves after the first are a quarter of what was played before them, so a target is overshot by at
  /// most a quarter.
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

  /// The most rounds the run can play; nil when only time limits it.
  package var mostRounds: Int? {
    switch rule {
    case .rounds(let rounds): rounds
    case .halfWidth(_, _, let atMost): atMost
    case .deadline: nil
    }
  }

  /// The most blocks the run can play.
  package var mostBlocks: Int {
    guard let mostRounds else { return Int.max / roundsPerBlock }
    return (mostRounds - 1) / roundsPerBlock + 1
  }

  package func block(_ index: Int) -> Block {
    let left = (mostRounds ?? .max) - index * roundsPerBlock
    return Block(index: index, rounds: min(roundsPerBlock, left))
  }

  /// The blocks to play before the results are looked at next.
  package func wave(after done: Int) -> Range<Int> {
    guard done < mostBlocks else { return mostBlocks..<mostBlocks }
    switch rule {
    case .rounds, .deadline: return done..<mostBlocks
    case .halfWidth: return done..<(done + min(max(firstWave, done / 4), mostBlocks - done))
    }
  }
}

/// When a run ends, as a value that a command line or a scenario can hold.
///
/// `rounds` and `halfWidth` stop after the same block at any number of workers. A rule that looks at results does so
/// only at the ends of waves, which the plan fixes in advance, and must evaluate by a bound that may be looked at any
/// number of times: stopping on an ordinary interval once it looks narrow would void its confidence.
public enum StoppingRule: Hashable, Sendable {
  case rounds(Int)
  /// When the interval's half-width, in the unit of the quantity, is at most the target at that confidence, or after
  /// `atMost` rounds. The run's stopping rule decides; see `HalfWidthStop`.
  case halfWidth(Double, confidence: Double, atMost: Int)
  /// At the end of the block during which that much time has passed; at least one block is played. How many blocks that
  /// is cannot be reproduced, but they are always the first ones, so `rounds` with the same number gives the same bits.
  case deadline(Duration)
}

/// Why a run in waves ended.
public enum StopReason: String, Hashable, Sendable, Codable {
  case completed
  case settled
  /// The time was up; the blocks played are the first ones of the plan.
  case deadline
  /// Somebody interrupted; the blocks played are the first ones of the plan.
  case interrupted
}

/// Ends a run when the mean of a bounded quantity is known closely enough.
///
/// It evaluates by a confidence sequence, which may be looked at after every wave: the interval at the end covers the
/// mean with the stated confidence although the end was chosen by looking.
public struct HalfWidthStop: Sendable {
  /// The half-width to reach, in the units of the sequence's range.
  package let target: Double
  /// The probability with which the interval covers the mean, at all times at once.
  package let confidence: Double
  package private(set) var sequence: ConfidenceSequence

  /// A stop for a confidence sequence without observations, which has the range and the unit of the
  /// quantity.
  public init(target: Double, confidence: Double, sequence: ConfidenceSequence) throws(MonteCarloError) {
    try require(target > 0 && target.isFinite, "half-width", target, "a number above 0")
    try require(confidence > 0 && confidence < 1, "confidence", confidence, "a number between 0 and 1")
    (self.target, self.confidence, self.sequence) = (target, confidence, sequence)
  }

  /// The interval so far, in the units of the range.
  public var interval: ClosedRange<Double> { sequence.interval(alpha: 1 - confidence) }

  /// Takes in one wave; true when the target is reached.
  public mutating func isMet(after wave: MomentTally) -> Bool {
    sequence.absorb(wave: wave)
    let interval = interval
    return interval.upperBound - interval.lowerBound <= 2 * target
  }
}

/// A value that no run can have, with what was expected.
public enum MonteCarloError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number is outside what makes sense; carries its name, the value as given, and what was expected.
  case badValue(name: String, value: String, expected: String)

  /// One sentence: what has the value, what was found and what was expected.
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
