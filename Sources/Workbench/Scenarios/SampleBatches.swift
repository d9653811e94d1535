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

  fileprivate init(_ block: Block, of plan: BlockPlan, _ streams: StreamFamily) {
    let first = block.index * plan.roundsPerBlock
    (index, samples, self.streams) = (block.index, first..<first + block.rounds, streams)
  }

  /// The number of its samples.
  public var count: Int { samples.count }

  /// The seed of one of its random streams, by the stream's position among the names given; no other batch has it.
  public func seed(_ stream: Int = 0) throws(RandomnessError) -> UInt32 {
    try streams.seed(ordinal: stream, block: index)
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
  ///   - unit: the plural name of the samples, for the progress display.
  ///   - perBatch: the samples of a batch: their division determines the random streams and thus the result.
  ///   - seed: the root seed.
  ///   - streams: the names of the random streams, each with a seed in every batch.
  ///   - empty: the tally of no samples.
  ///   - scratch: makes the working state of a worker: a shoe, tables, an evaluator.
  ///   - body: draws a batch. What it returns must depend on the batch alone, not on what an earlier one left in the
  ///     scratch.
  ///   - evaluate: for a rule that looks at results, whether a wave of batches ends the run.
  /// - Returns: the tally of the batches drawn, which are the first ones, and why the run ended.
  /// - Throws: the error of `scratch` or, for the first batch that fails, of `body`; `RandomnessError` for more batches
  ///   than there are seeds, `MonteCarloError` for an impossible rule.
  public func draw<Scratch: ~Copyable, Tally: MergeableTally>(
    _ rule: StoppingRule, _ unit: String, perBatch: Int, seed: UInt64, streams: [String], into empty: Tally,
    scratch: @escaping @Sendable () throws -> Scratch,
    body: @escaping @Sendable (SampleBatch, inout Scratch) throws -> Tally,
    evaluate: (Tally) -> Bool = { _ in false }
  ) throws -> RunOutcome<Tally> {
    let plan = try BlockPlan(rule, roundsPerBlock: perBatch)
    let streams = try StreamFamily(rootSeed: seed, experiments: streams)
    let maximum: Int? = if case .rounds(let count) = rule { count } else { nil }
    let meter = meter(maximum, unit)
    defer { meter?.finish() }
    return try BlockRunner(workers: workers).run(
      plan, into: empty, interrupt: interrupt, progress: { meter?.advance(by: $0) }, makeScratch: scratch,
      body: { (block, scratch: inout Scratch) throws(any Error) -> Tally in
        try body(SampleBatch(block, of: plan, streams), &scratch)
      }, evaluate: evaluate)
  }

  /// Computes independent results on all workers, in the order of the jobs; after an interruption, those of the first
  /// jobs.
  ///
  ///     let values = try context.results(of: rules, "rules") { try Analysis($0).value }
  public func results<Job: Sendable, Piece: Codable & Sendable>(
    of jobs: [Job], _ unit: String, _ body: @escaping @Sendable (Job) throws -> Piece
  ) throws -> [Piece] {
    let meter = meter(jobs.count, unit)
    defer { meter?.finish() }
    return try BlockRunner(workers: workers).run(
      blocks: 0..<jobs.count, into: BlockPieces<Piece>(), interrupt: interrupt, progress: { meter?.advance(by: $0) },
      makeScratch: { () throws(any Error) in },
      body: { (index, _: inout Void) throws(any Error) -> BlockPieces<Piece> in
        BlockPieces(try body(jobs[index]), of: index)
      }
    ).tally.ordered
  }
}
