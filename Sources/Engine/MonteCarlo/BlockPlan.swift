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
  /// The number of blocks in the first wave of a rule that looks at any time.
  package let firstWave: Int

  /// Creates a plan. Each later wave has a quarter of the blocks before it, so a run exceeds its target by at most a
  /// quarter.
  public init(_ rule: StoppingRule, roundsPerBlock: Int, firstWave: Int = 16) throws(MonteCarloError) {
    try require(roundsPerBlock > 0, "rounds per block", roundsPerBlock, "a number above 0")
    try require(firstWave > 0, "first wave", firstWave, "a number of blocks above 0")
    switch rule {
    case .rounds(let rounds), .interim(let rounds), .anytime(let rounds):
      try require(rounds > 0, "rounds", rounds, "a number above 0")
    case .deadline(let duration):
      try require(duration > .zero, "deadline", duration, "a duration above 0")
    }
    (self.rule, self.roundsPerBlock, self.firstWave) = (rule, roundsPerBlock, firstWave)
  }

  /// The largest number of rounds of the run; `nil` when only time limits it.
  package var maxRounds: Int? {
    switch rule {
    case .rounds(let rounds), .interim(let rounds), .anytime(let rounds): rounds
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
    case .interim: return done..<(Self.looks(of: maxBlocks).first { $0.blocks > done }?.blocks ?? maxBlocks)
    case .anytime: return done..<(done + min(max(firstWave, done / 4), maxBlocks - done))
    }
  }

  /// True if the rule looks at results.
  var looks: Bool {
    switch rule {
    case .rounds, .deadline: false
    case .interim, .anytime: true
    }
  }

  /// The part of the error of a look after some blocks, as its divisor. A bound that holds at any time needs none.
  package func bonferroniDivisor(after done: Int) -> Int {
    guard case .interim = rule else { return 1 }
    return Self.looks(of: maxBlocks).first { $0.blocks == done }?.bonferroniDivisor ?? 1
  }

  /// The interim analyses of a run of blocks, in order: looks at the whole, a half, a quarter of the blocks and so on.
  ///
  /// Intervals of a look get part of the error by a linear spending function: half for the last, a quarter for the one
  /// before, and the rest for the first. The intervals hold at their confidence at whichever look the run ends, since
  /// the errors of all looks add up to at most the error; any dependence between looks is allowed.
  ///
  /// Source: Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983), with
  /// Bonferroni's bound in place of the joint distribution.
  package static func looks(of blocks: Int) -> [(blocks: Int, bonferroniDivisor: Int)] {
    var looks = [(blocks: blocks, bonferroniDivisor: blocks > 1 ? 2 : 1)]
    while let next = looks.last, next.blocks > 1 {
      let count = (next.blocks + 1) / 2
      looks.append((count, count > 1 ? next.bonferroniDivisor * 2 : next.bonferroniDivisor))
    }
    return looks.reversed()
  }
}

/// The end of a run, and the looks at its results before it: the one place that says when a run may end by what it
/// found, and what an interval may claim then.
///
/// A rule looks only at the ends of waves, which the plan fixes in advance, so that a run ends after the same block at
/// any number of workers. An ordinary interval loses its confidence if the run ends once it looks narrow: looks share
/// the error, or use a bound that holds at any number of looks.
public enum StoppingRule: Hashable, Sendable {
  /// All rounds, without a look before the end.
  case rounds(Int)
  /// At most this many rounds, with looks after a half, a quarter of the blocks and so on, which share the error.
  case interim(atMost: Int)
  /// At most this many rounds, with a look after every wave, each a quarter of what was played before: for bounds that
  /// hold at any number of looks, such as `ConfidenceSequence`.
  case anytime(atMost: Int)
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
