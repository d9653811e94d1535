// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo
public import Randomness

/// Samples that are drawn in one call, with the seeds of their random streams.
public struct SampleBatch: Sendable {
  /// The batch's number, from 0.
  public let index: Int
  /// The numbers of its samples, from 0.
  public let samples: Range<Int>
  private let streams: StreamFamily

  package init(_ index: Int, _ samples: Range<Int>, _ streams: StreamFamily) {
    (self.index, self.samples, self.streams) = (index, samples, streams)
  }

  /// The batch of one sample, for a run with a sample in each batch, to draw it alone.
  public init(of sample: Int, seed: UInt64, streams: [String]) throws(RandomnessError) {
    self.init(sample, sample..<sample + 1, try StreamFamily(rootSeed: seed, experiments: streams))
  }

  /// The number of its samples.
  public var count: Int { samples.count }

  /// The seed of one of its random streams, by the stream's position among the names given; no other batch has it.
  public func seed(_ stream: Int = 0) throws(RandomnessError) -> UInt32 {
    try streams.seed(ordinal: stream, block: index)
  }

  /// The seed of a sample in one of the random streams, for experiments that seed every sample instead of every batch.
  public func seed(of sample: Int, in stream: Int = 0) throws(RandomnessError) -> UInt32 {
    try streams.seed(ordinal: stream, block: sample)
  }
}

extension RunContext {
  /// Draws samples in batches, for experiments that count them in tallies of their own.
  ///
  ///     let wins = try context.draw(
  ///       .rounds(games), "games", perBatch: 4096, seed: seed, streams: ["games"], into: Wins(),
  ///       scratch: { Table() }, body: { batch, table in try table.play(batch.count, seed: batch.seed()) })
  ///
  /// Batches are played on all workers and added in their order, so that the result does not depend on the number of
  /// workers. Those in the checkpoint are not drawn again, and after an interruption the first ones count.
  ///
  /// - Parameters:
  ///   - rule: the end of the run.
  ///   - first: the number of the first sample, a multiple of `perBatch`; another one continues an earlier call.
  ///   - unit: the plural name of the samples, for the progress display.
  ///   - perBatch: the samples of a batch: their division determines the random streams and thus the result.
  ///   - seed: the root seed.
  ///   - streams: the names of the random streams, each with a seed in every batch.
  ///   - empty: the tally of no samples.
  ///   - scratch: makes the working state of a worker: a shoe, tables, an evaluator.
  ///   - body: draws a batch. What it returns must depend on the batch alone, not on what an earlier one left in the
  ///     scratch.
  ///   - evaluate: for a rule that looks at results, whether what a wave of batches adds ends the run.
  /// - Returns: the tally of the batches drawn, which are the first ones, and why the run ended.
  /// - Throws: the error of `scratch` or, for the first batch that fails, of `body`; `RandomnessError` for more batches
  ///   than there are seeds, `MonteCarloError` for an impossible rule.
  public func draw<Scratch: ~Copyable, Tally: MergeableTally>(
    _ rule: StoppingRule, from first: Int = 0, _ unit: String, perBatch: Int, seed: UInt64, streams: [String],
    into empty: Tally, scratch: @escaping @Sendable () throws -> Scratch,
    body: @escaping @Sendable (SampleBatch, inout Scratch) throws -> Tally,
    evaluate: (Tally) -> Bool = { _ in false }
  ) throws -> RunOutcome<Tally> {
    let plan = try BlockPlan(rule, roundsPerBlock: perBatch)
    let streams = try StreamFamily(rootSeed: seed, experiments: streams)
    let maximum: Int? = if case .rounds(let count) = rule { count } else { nil }
    return try showing(maximum, unit) { context in
      try BlockRunner(workers: workers).run(
        plan, into: empty, interrupt: interrupt, progress: { context.shown?.advance(by: $0) }, makeScratch: scratch,
        body: { (block, scratch: inout Scratch) throws(any Error) -> Tally in
          let index = first / perBatch + block.index
          return try body(
            SampleBatch(index, index * perBatch..<index * perBatch + block.rounds, streams), &scratch)
        }, evaluate: { (look) throws(any Error) in evaluate(look.wave) })
    }
  }

  /// Draws samples of several settings in batches: the first batch of each, then the second of each, and so on.
  ///
  /// Batches of equal index have the same seeds for all settings, for common random numbers; a setting with its own
  /// numbers has its own stream among the names.
  ///
  /// - Parameters:
  ///   - samples: the number of samples of each setting.
  ///   - unit: the plural name of the samples, for the progress display.
  ///   - perBatch: the samples of a batch.
  ///   - seed: the root seed.
  ///   - streams: the names of the random streams.
  ///   - empty: the tally of no samples.
  ///   - scratch: makes the working state of a worker.
  ///   - body: draws a batch of the setting with an index, under the conditions of the other function.
  /// - Returns: the tally of each setting, of its first batches.
  /// - Throws: the errors of the other function.
  public func draw<Scratch: ~Copyable, Tally: MergeableTally>(
    each samples: [Int], _ unit: String, perBatch: Int, seed: UInt64, streams: [String], into empty: Tally,
    scratch: @escaping @Sendable () throws -> Scratch,
    body: @escaping @Sendable (_ setting: Int, SampleBatch, inout Scratch) throws -> Tally
  ) throws -> [Tally] {
    _ = try BlockPlan(.rounds(1), roundsPerBlock: perBatch)
    let streams = try StreamFamily(rootSeed: seed, experiments: streams)
    let order = SettingOrder(samples, perBatch: perBatch)
    let found = try showing(samples.reduce(0, +), unit) { context in
      try BlockRunner(workers: workers).run(
        blocks: 0..<order.batches, into: SettingTallies<Tally>(), interrupt: interrupt,
        samples: { order[$0].samples.count }, progress: { context.shown?.advance(by: $0) }, makeScratch: scratch,
        body: { (block, scratch: inout Scratch) throws(any Error) -> SettingTallies<Tally> in
          let (setting, index, samples) = order[block]
          return SettingTallies([setting: try body(setting, SampleBatch(index, samples, streams), &scratch)])
        })
    }
    return samples.indices.map { found.tally.tallies[$0] ?? empty }
  }

  /// Computes independent results on all workers, in the order of the jobs; after an interruption, those of the first
  /// jobs.
  ///
  ///     let values = try context.results(of: rules, "rules") { try Analysis($0).value }
  ///
  /// - Parameters:
  ///   - jobs: the jobs.
  ///   - unit: the plural name of the samples, for the progress display.
  ///   - samplesEach: the samples of a job.
  ///   - atOnce: the most jobs that are computed at the same time, for jobs that need much memory.
  ///   - body: computes the result of a job.
  /// - Returns: the results of the first jobs.
  /// - Throws: the error of `body` for the first job that fails.
  public func results<Job: Sendable, Piece: Codable & Sendable>(
    of jobs: [Job], _ unit: String, samplesEach: Int = 1, atOnce: Int = .max,
    _ body: @escaping @Sendable (Job) throws -> Piece
  ) throws -> [Piece] {
    try showing(jobs.count * samplesEach, unit) { context in
      try BlockRunner(workers: workers.atMost(atOnce)).run(
        blocks: 0..<jobs.count, into: BlockPieces<Piece>(), interrupt: interrupt, samples: { _ in samplesEach },
        progress: { context.shown?.advance(by: $0) }, makeScratch: { () throws(any Error) in },
        body: { (index, _: inout Void) throws(any Error) -> BlockPieces<Piece> in
          BlockPieces(try body(jobs[index]), of: index)
        }
      ).tally.ordered
    }
  }

  /// Runs work whose draws share one progress display.
  ///
  /// - Parameters:
  ///   - maximum: the number of samples of all draws, if known.
  ///   - unit: their plural name.
  ///   - body: the work, by the context that it gets.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`.
  public func showing<Result>(
    _ maximum: Int?, _ unit: String, _ body: (RunContext) throws -> Result
  ) rethrows -> Result {
    if shown != nil { return try body(self) }
    var context = self
    context.shown = meter(maximum, unit)
    defer { context.shown?.finish() }
    return try body(context)
  }
}

/// The order of the batches of several settings, which need not have the same number of samples.
private struct SettingOrder: Sendable {
  private let samples: [Int]
  private let perBatch: Int
  /// Ranges of indices at which the same settings have batches: the number of batches before, the first index, and the
  /// settings.
  private var parts: [(before: Int, index: Int, settings: [Int])] = []
  private(set) var batches = 0

  init(_ samples: [Int], perBatch: Int) {
    (self.samples, self.perBatch) = (samples, perBatch)
    let counts = samples.map { $0 / perBatch + ($0 % perBatch > 0 ? 1 : 0) }
    var index = 0
    for next in Set(counts).sorted() where next > index {
      let settings = counts.indices.filter { counts[$0] > index }
      parts.append((batches, index, settings))
      batches += (next - index) * settings.count
      index = next
    }
  }

  subscript(batch: Int) -> (setting: Int, index: Int, samples: Range<Int>) {
    let part = parts[(parts.lastIndex { $0.before <= batch }) ?? 0]
    let (row, column) = (batch - part.before).quotientAndRemainder(dividingBy: part.settings.count)
    let (setting, first) = (part.settings[column], (part.index + row) * perBatch)
    return (setting, part.index + row, first..<min(first + perBatch, samples[setting]))
  }
}

/// The tallies of several settings, by their index.
private struct SettingTallies<Tally: MergeableTally>: MergeableTally {
  var tallies: [Int: Tally] = [:]

  init(_ tallies: [Int: Tally] = [:]) { self.tallies = tallies }

  mutating func merge(_ other: Self) {
    for (setting, tally) in other.tallies where tallies[setting]?.merge(tally) == nil { tallies[setting] = tally }
  }
}
