// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo
public import Scenarios

/// The samples of a run so far, for the measures and the sections that an experiment reads from its own tally.
public struct SampledRun<Tally: MergeableTally>: Sendable {
  /// The sum of the samples' counts.
  public let tally: Tally
  /// The number of samples.
  public let samples: Int
  /// The confidence of the intervals that tables show.
  public let confidence: Double
  /// All measurements of the run; empty while they are made.
  public internal(set) var measurements: [Measurement] = []
  /// The divisor of the error at this look; `nil` if the run ended between looks.
  let bonferroniDivisor: Int?

  /// The confidence at which an experiment computes its own interval, so that it holds at `confidence` although
  /// the run may have ended at another look.
  public var confidenceOfLook: Double {
    guard let bonferroniDivisor, bonferroniDivisor > 1 else { return confidence }
    return 1 - (1 - confidence) / Double(bonferroniDivisor)
  }
}

/// The tally of an experiment that declares none.
public struct NoTally: MergeableTally, Hashable {
  /// The tally.
  public init() {}

  /// Adds nothing.
  public mutating func merge(_ other: NoTally) {}
}

/// A scratch that cannot be copied, such as a generator with its own memory.
///
///     func scratch(generator: String) throws -> UncopiedScratch<WordStream> {
///       UncopiedScratch(try WordStream(named: generator, seed: 1))
///     }
public final class UncopiedScratch<State: ~Copyable> {
  /// The state, which is changed in place.
  public var state: State

  /// Keeps a state.
  public init(_ state: consuming State) { self.state = state }
}

/// The sum of blocks of samples: the columns of measures, and the experiment's own tally.
struct DrawnSamples<Tally: MergeableTally>: MergeableTally {
  var rows: SampleTallies
  var own: Tally

  /// The number of samples.
  var samples: Int { rows.samples }

  mutating func merge(_ other: Self) {
    rows.merge(other.rows)
    own.merge(other.own)
  }
}
