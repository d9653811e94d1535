// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo
public import Scenarios
internal import Synchronization

/// The samples of a run so far, for the measures and the sections that an experiment reads from its own tally.
public struct SampledRun<Tally: MergeableTally>: Sendable {
  /// The sum of the samples' counts.
  public let tally: Tally
  /// The number of samples.
  public let samples: Int
  /// The number of samples of a run that does not end earlier.
  public let maxSamples: Int
  /// The name of the generator.
  public let generator: String
  /// The root seed.
  public let seed: UInt64
  /// The confidence of the intervals that tables show.
  public let confidence: Double
  /// All measurements of the run; empty while they are made.
  public internal(set) var measurements: [Measurement] = []
  /// The divisor of the error at this look; `nil` if the run ended between looks.
  let bonferroniDivisor: Int?
  private let kept = KeptValue()

  /// True unless an interruption or a deadline ended the run between looks.
  public var isWhole: Bool { bonferroniDivisor != nil }

  /// The confidence at which an experiment computes its own interval, so that it holds at `confidence` although
  /// the run may have ended at another look.
  public var confidenceOfLook: Double {
    guard let bonferroniDivisor, bonferroniDivisor > 1 else { return confidence }
    return 1 - (1 - confidence) / Double(bonferroniDivisor)
  }

  /// Computes a value of which both the measures and the sections of a run are made, once. A run keeps one value.
  ///
  ///     func sections(of run: SampledRun<Counts>) throws -> [ReportBlock] {
  ///       try run.once { try fit(run.tally) }.blocks
  ///     }
  public func once<Value: Sendable>(_ compute: () throws -> Value) rethrows -> Value {
    if let value = kept.value.withLock({ $0 }) as? Value { return value }
    let value = try compute()
    kept.value.withLock { $0 = value }
    return value
  }
}

private final class KeptValue: Sendable {
  let value = Mutex<(any Sendable)?>(nil)
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
