// SPDX-License-Identifier: GPL-3.0-or-later
public import Randomness
public import Scenarios

/// An experiment whose samples are drawn in batches, for a kernel that draws millions of samples a second. It has no
/// single samples but a tally, which `draw(_:_:into:)` fills with a batch in one call, and from which
/// `measurements(of:)` reads the measures.
///
///     struct Throws: BatchedExperiment {
///       static let kind = "dice.throws", summary = "Throws of two dice."
///       static let parameters: [Parameter<Self>] = []
///       func tally() -> Counts { Counts() }
///       func scratch(generator: String) -> String { generator }
///       func draw(_ batch: SampleBatch, _ generator: inout String, into counts: inout Counts) throws {
///         var random = try RandomStream(named: generator, seed: batch.seed())
///         for _ in batch.samples { counts.add(random.integer(in: 1...6), random.integer(in: 1...6)) }
///       }
///       static let double = Measure("double", meaning: "Doubles", kind: .proportion)
///       func tallied(at confidence: Double) -> [Measure] { [Self.double] }
///       func measurements(of run: SampledRun<Counts>) -> [Measurement] {
///         [Measurement(Self.double, .proportion(successes: run.tally.doubles, trials: run.samples))]
///       }
///     }
public protocol BatchedExperiment: SampledExperiment where Sample == Never {
  /// The state that a worker keeps from batch to batch: the generator, at least.
  associatedtype Scratch
  /// The names of the random streams of a batch: the kind unless given.
  static var streams: [String] { get }
  /// The samples of a batch: 64 unless given. Their division determines the random streams and thus the result.
  static var samplesPerBatch: Int { get }
  /// The reason why nothing is drawn, such as `method exact plays no rounds`, and the measures are computed; `nil` to
  /// draw samples.
  var reasonForNone: String? { get }
  /// Makes the scratch of a worker for draws by a generator.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func scratch(generator: String) throws -> Scratch
  /// Draws a batch of samples into the tally in one call. What it adds must depend on the parameters and the batch
  /// alone.
  ///
  /// - Throws: An error of the parameters that only drawing can find, which ends the run.
  func draw(_ batch: SampleBatch, _ scratch: inout Scratch, into tally: inout Tally) throws
  /// The measures that are read from the tally, where tables show intervals at this confidence.
  func tallied(at confidence: Double) -> [Measure]
  /// The measurements of the tally. The workbench divides the error of shares and means among the looks; an interval of
  /// the experiment's own is computed at `confidenceOfLook`.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func measurements(of run: SampledRun<Tally>) throws -> [Measurement]
}

extension BatchedExperiment {
  /// The kind.
  public static var streams: [String] { [kind] }
  /// 64.
  public static var samplesPerBatch: Int { SampleBlocks.samplesPerStream }
  /// Draws samples.
  public var reasonForNone: String? { nil }
  /// None: they are read from the tally.
  public static var measures: [SampleMeasure<Never>] { [] }
  /// That of the default generator.
  public func scratch() throws -> Scratch { try scratch(generator: GSLGenerator.defaultName) }
  /// Throws an error: samples are drawn in batches.
  public func sample(_ random: inout RandomStream, _ scratch: inout Scratch) throws -> Never {
    throw UnusableSample(problem: "samples are drawn in batches", number: 0, again: nil)
  }
  /// Its own.
  @_documentation(visibility: internal)
  public static var kernel: BatchKernel<Self>? { BatchKernel() }
}

/// An experiment whose batches can be drawn under two settings from the same random numbers, so that the settings are
/// compared sample by sample.
public protocol PairedBatches: BatchedExperiment {
  /// The state that a worker keeps from batch to batch for each of the two settings.
  associatedtype Scratch
  /// The tally of no pairs.
  func pairs() -> Tally
  /// Draws a batch of pairs with the scratch of this setting and that of the other one.
  ///
  /// - Throws: An error of the parameters that only drawing can find, which ends the run.
  func draw(
    _ batch: SampleBatch, _ scratch: inout Scratch, beside other: inout Scratch, into pairs: inout Tally) throws
  /// The differences from the other setting.
  func differences(of run: SampledRun<Tally>) throws -> [Measurement]
}

extension PairedBatches {
  /// Its own, with pairs.
  @_documentation(visibility: internal)
  public static var kernel: BatchKernel<Self>? { BatchKernel(BatchKernel.Pairs()) }
}

/// The parts of an experiment that draws batches.
@_documentation(visibility: internal)
public struct BatchKernel<Core: SampledExperiment>: Sendable {
  typealias Run = SampledRun<Core.Tally>

  struct Pairs: Sendable {
    let tally: @Sendable (Core) -> Core.Tally
    let draw: @Sendable (Core, SampleBatch, inout Core.Scratch, inout Core.Scratch, inout Core.Tally) throws -> Void
    let differences: @Sendable (Core, Run) throws -> [Measurement]

    init() where Core: PairedBatches {
      tally = { $0.pairs() }
      draw = { try $0.draw($1, &$2, beside: &$3, into: &$4) }
      differences = { try $0.differences(of: $1) }
    }
  }

  let streams: [String]
  let samplesPerBatch: Int
  let reasonForNone: @Sendable (Core) -> String?
  let scratch: @Sendable (Core, _ generator: String) throws -> Core.Scratch
  let draw: @Sendable (Core, SampleBatch, inout Core.Scratch, inout Core.Tally) throws -> Void
  let measures: @Sendable (Core, _ confidence: Double) -> [Measure]
  let measurements: @Sendable (Core, Run) throws -> [Measurement]
  let pairs: Pairs?

  init(_ pairs: Pairs? = nil) where Core: BatchedExperiment {
    (streams, samplesPerBatch) = (Core.streams, Core.samplesPerBatch)
    reasonForNone = { $0.reasonForNone }
    scratch = { try $0.scratch(generator: $1) }
    draw = { try $0.draw($1, &$2, into: &$3) }
    measures = { $0.tallied(at: $1) }
    measurements = { try $0.measurements(of: $1) }
    self.pairs = pairs
  }
}
