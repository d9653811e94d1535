// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// Plays blocks on a fixed number of threads.
///
/// Blocks are assigned in order and summed in order. Every assigned block is finished, unless it throws `Abandoned`
/// because of an interrupt: then neither it nor any later block counts. The blocks played are therefore always the
/// first ones without a gap; the number and speed of the workers change when a run ends, never its result.
public struct BlockRunner: Sendable {
  /// The number of threads that play at the same time, including the caller's.
  public let workers: Workers

  /// A runner with a number of workers.
  public init(workers: Workers) throws(MonteCarloError) {
    try require((1...1024).contains(workers.count), "workers", workers.count, "a number from 1 to 1024")
    self.workers = workers
  }

  package init(workers: Int) throws(MonteCarloError) { try self.init(workers: Workers(workers)) }

  /// The sum of the tallies of some blocks, with the range of these blocks.
  public struct Run<Tally: MergeableTally>: Sendable {
    /// The blocks' tallies, merged in their order.
    public let tally: Tally
    /// The blocks played: the first ones of the requested range, all of them unless the run was stopped.
    public let blocks: Range<Int>
  }

  /// Plays a range of blocks and sums their tallies.
  ///
  /// The interrupt is checked between blocks; running blocks are finished, or abandoned if their body checks it too.
  /// Except the first one, no block begins after the deadline. `makeScratch` makes the working state of a worker (a
  /// generator, a shoe), once for each worker; `body` plays a block from its index alone: the result must not depend on
  /// state that an earlier block left in the scratch.
  ///
  /// Blocks in the workers' checkpoint are not played again. If other processes play a part of them, the interrupt is
  /// raised after this process's share. `samples` is the size of a block by its index; `progress` receives it for every
  /// block that is finished or known.
  ///
  /// - Throws: The error of `makeScratch`; else the error of `body` for the lowest block that fails, independent of the
  ///   number of workers.
  public func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    blocks: Range<Int>, into empty: Tally, interrupt: Interrupt? = nil, deadline: ContinuousClock.Instant? = nil,
    samples: @escaping @Sendable (Int) -> Int = { _ in 1 }, progress: @escaping @Sendable (Int) -> Void = { _ in },
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Int, inout Scratch) throws(Failure) -> Tally
  ) throws(Failure) -> Run<Tally> {
    let section = Section(of: blocks, like: empty, workers.checkpoint)
    for block in section.known.lazy.flatMap(\.blocks) {
      _ = workers.budget?.spend(samples(block))
      progress(samples(block))
    }
    let counter = BlockCounter(
      blocks: section.share, known: section.known.map(\.blocks), interrupt: interrupt, deadline: deadline,
      budget: workers.budget, samples: samples)
    let ledger = Ledger<Tally, Failure>(empty: empty, section)
    let work: @Sendable () -> Void = {
      do throws(Failure) {
        var scratch = try makeScratch()
        while let block = counter.takeNext() {
          do throws(Failure) {
            ledger.add(try body(block, &scratch), of: block)
            progress(samples(block))
          } catch {
            counter.stop()
            if !(error is Abandoned) { ledger.record(error, at: block) }
          }
        }
      } catch {
        counter.stop()
        ledger.record(error, at: .min)
      }
    }
    onThreads(min(workers.count, section.share.count), work)
    if counter.isSpent { interrupt?.raise(.limit) }
    let run = try ledger.run()
    if run.blocks.count < blocks.count || section.isShared { section.leave(interrupt) }
    return run
  }

  /// Runs the same work on the calling thread and on `count - 1` others, and waits for all of them.
  private func onThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
    let others = DispatchGroup()
    for _ in 0..<max(0, count - 1) {
      others.enter()
      Thread.detachNewThread {
        work()
        others.leave()
      }
    }
    if count > 0 { work() }
    others.wait()
  }
}

/// The outcome of a run in waves, with the reason for its end.
public struct RunOutcome<Tally: MergeableTally>: Sendable {
  /// The tallies of all blocks, merged in their order.
  public let tally: Tally
  /// The number of blocks played: always the first ones.
  package let blocks: Int
  /// The reason for the end.
  public let reason: StopReason
}

extension BlockRunner {
  /// Plays a plan until its rule ends it.
  ///
  /// `evaluate` is called on the calling thread after every whole wave of a `halfWidth` rule, with the sum over the
  /// blocks of this wave only; true ends the run. Waves do not depend on the number of workers, so neither do the
  /// arguments of `evaluate`.
  ///
  /// - Throws: The errors of `run(blocks:into:interrupt:deadline:makeScratch:body:)`.
  public func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    _ plan: BlockPlan, into empty: Tally, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Block, inout Scratch) throws(Failure) -> Tally,
    evaluate: (Tally) -> Bool = { _ in false }
  ) throws(Failure) -> RunOutcome<Tally> {
    var total = empty
    var done = 0
    func outcome(_ reason: StopReason) -> RunOutcome<Tally> {
      RunOutcome(tally: total, blocks: done, reason: reason)
    }
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { return outcome(.completed) }
      let run = try run(
        blocks: wave, into: empty, interrupt: interrupt, deadline: plan.deadlineFromNow,
        samples: { plan.block($0).rounds }, progress: progress, makeScratch: makeScratch,
        body: { (index, scratch: inout Scratch) throws(Failure) -> Tally in try body(plan.block(index), &scratch) })
      total.merge(run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound { return outcome(interrupt?.isRaised == true ? .interrupted : .deadline) }
      if case .halfWidth = plan.rule, evaluate(run.tally) { return outcome(.settled) }
    }
  }
}

extension BlockPlan {
  /// The deadline of a rule, from now on; such a rule has a single wave.
  fileprivate var deadlineFromNow: ContinuousClock.Instant? {
    if case .deadline(let duration) = rule { ContinuousClock.now + duration } else { nil }
  }
}

/// The blocks of one call, with the known results of a checkpoint.
private struct Section<Tally: MergeableTally>: Sendable {
  let blocks: Range<Int>
  /// The blocks of this process's share that are not known.
  let share: Range<Int>
  /// The known parts in order, without overlaps.
  let known: [TalliedBlocks<Tally>]
  let checkpoint: Checkpoint?
  /// True if the section is played by several processes. Each of them ends at it, even one that played all blocks that
  /// were missing: otherwise it would go on with the next section alone.
  let isShared: Bool
  private let number: Int

  init(of blocks: Range<Int>, like empty: Tally, _ checkpoint: Checkpoint?) {
    (self.blocks, self.checkpoint) = (blocks, checkpoint)
    number = checkpoint?.begin() ?? 0
    known = checkpoint?.parts(of: number, in: blocks, like: empty) ?? []
    let share = checkpoint?.share.of(blocks) ?? blocks
    isShared =
      checkpoint?.share.isShared(blocks) == true && known.reduce(0) { $0 + $1.blocks.count } < blocks.count
    // The known blocks may have been divided into other shares.
    let first = known.first { $0.blocks.contains(share.lowerBound) }?.blocks.upperBound ?? share.lowerBound
    self.share = first..<max(first, share.upperBound)
  }

  func keep(_ part: TalliedBlocks<Tally>) { checkpoint?.keep(part.tally, of: part.blocks, in: number) }

  /// Records that blocks are missing, and ends the run if other processes play them.
  func leave(_ interrupt: Interrupt?) {
    guard let checkpoint else { return }
    checkpoint.leave(number, blocks, known: known.map(\.blocks))
    if checkpoint.share != .all { interrupt?.raise(.share) }
  }
}

/// Assigns blocks in order, each once, until all are assigned or the run is stopped.
private final class BlockCounter: Sendable {
  private let blocks: Range<Int>
  /// Blocks that are known and not played, in order.
  private let known: [Range<Int>]
  private let interrupt: Interrupt?
  private let deadline: ContinuousClock.Instant?
  private let budget: SampleBudget?
  private let samples: @Sendable (Int) -> Int
  private let next: Atomic<Int>
  private let stopped = Atomic<Bool>(false)
  private let spent = Atomic<Bool>(false)

  init(
    blocks: Range<Int>, known: [Range<Int>], interrupt: Interrupt?, deadline: ContinuousClock.Instant?,
    budget: SampleBudget?, samples: @escaping @Sendable (Int) -> Int
  ) {
    (self.blocks, self.interrupt, self.deadline) = (blocks, interrupt, deadline)
    (self.budget, self.samples) = (budget, samples)
    self.known = known.reduce(into: []) { joined, range in
      if let last = joined.last, last.upperBound == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<range.upperBound
      } else {
        joined.append(range)
      }
    }
    next = Atomic(blocks.lowerBound)
  }

  /// The next block, which the caller must then finish; `nil` if there is none.
  func takeNext() -> Int? {
    while !stopped.load(ordering: .relaxed), interrupt?.isRaised != true, !isLate {
      let candidate = next.add(1, ordering: .relaxed).oldValue
      guard candidate < blocks.upperBound else { return nil }
      if known.contains(where: { $0.contains(candidate) }) { continue }
      guard budget?.spend(samples(candidate)) != false else {
        spent.store(true, ordering: .relaxed)
        stop()
        return nil
      }
      return candidate
    }
    return nil
  }

  /// True if the budget of samples ended the assignment.
  var isSpent: Bool { spent.load(ordering: .relaxed) }

  func stop() {
    stopped.store(true, ordering: .relaxed)
  }

  // The first block is always played, so that there is a result.
  private var isLate: Bool {
    guard let deadline, next.load(ordering: .relaxed) > blocks.lowerBound else { return false }
    return ContinuousClock.now >= deadline
  }
}

/// The sum of the first blocks without a gap, and the failure of the lowest block.
private final class Ledger<Tally: MergeableTally, Failure: Error>: Sendable {
  private struct Entries {
    /// The sum of the blocks up to `fresh.lowerBound`.
    var tally: Tally
    /// Blocks of this process that are not in the sum yet, because the checkpoint does not have them.
    var fresh: Range<Int>
    var freshTally: Tally
    /// Parts behind a gap, by their first block.
    var waiting: [Int: (part: TalliedBlocks<Tally>, isKnown: Bool)]
    var failure: (block: Int, error: Failure)?
  }

  private let empty: Tally
  private let section: Section<Tally>
  private let entries: Mutex<Entries>

  init(empty: Tally, _ section: Section<Tally>) {
    (self.empty, self.section) = (empty, section)
    let first = section.share.lowerBound
    let known = section.known.filter { $0.blocks.lowerBound >= first }
    entries = Mutex(
      Entries(
        tally: empty, fresh: first..<first, freshTally: empty,
        waiting: Dictionary(uniqueKeysWithValues: known.map { ($0.blocks.lowerBound, ($0, true)) })))
    entries.withLock { absorb(&$0) }
  }

  func add(_ tally: Tally, of block: Int) {
    let isDue = section.checkpoint?.takeTurn() == true
    entries.withLock { entries in
      entries.waiting[block] = (TalliedBlocks(blocks: block..<block + 1, tally: tally), false)
      absorb(&entries)
      if isDue { settle(&entries) }
    }
    if isDue { section.checkpoint?.flush() }
  }

  private func absorb(_ entries: inout Entries) {
    while let (part, isKnown) = entries.waiting.removeValue(forKey: entries.fresh.upperBound) {
      if isKnown {
        settle(&entries)
        entries.tally.merge(part.tally)
        entries.fresh = part.blocks.upperBound..<part.blocks.upperBound
      } else {
        entries.freshTally.merge(part.tally)
        entries.fresh = entries.fresh.lowerBound..<part.blocks.upperBound
      }
    }
  }

  /// Passes the fresh blocks to the checkpoint.
  private func settle(_ entries: inout Entries) {
    guard !entries.fresh.isEmpty else { return }
    section.keep(TalliedBlocks(blocks: entries.fresh, tally: entries.freshTally))
    entries.tally.merge(entries.freshTally)
    entries.freshTally = empty
    entries.fresh = entries.fresh.upperBound..<entries.fresh.upperBound
  }

  // Blocks are assigned in order and finished, so the lowest failing block is played in every run.
  func record(_ error: Failure, at block: Int) {
    entries.withLock { entries in
      if let known = entries.failure, known.block <= block { return }
      entries.failure = (block, error)
    }
  }

  /// Plays the unknown blocks and adds their results to the known ones.
  func run() throws(Failure) -> BlockRunner.Run<Tally> {
    let (tally, end, failure) = entries.withLock { entries in
      settle(&entries)
      return (entries.tally, entries.fresh.lowerBound, entries.failure)
    }
    if let failure { throw failure.error }
    let (first, share) = (section.blocks.lowerBound, section.share)
    guard share.lowerBound > first else { return BlockRunner.Run(tally: tally, blocks: first..<end) }
    var (total, next) = (empty, first)
    for part in section.known where part.blocks.lowerBound == next && next < share.lowerBound {
      total.merge(part.tally)
      next = part.blocks.upperBound
    }
    guard next == share.lowerBound else { return BlockRunner.Run(tally: total, blocks: first..<next) }
    total.merge(tally)
    return BlockRunner.Run(tally: total, blocks: first..<end)
  }
}

/// A sum over blocks: a commutative monoid, so that the thread and time of a block's computation do not matter.
///
/// The law, for any tallies `a`, `b`, `c` of one experiment and its empty tally `e`, bit for bit:
///
///     a + b == b + a        (a + b) + c == a + (b + c)        a + e == a
///
/// where `a + b` is `a` after `a.merge(b)`. Integers obey it; sums of floating-point numbers do not, so tallies count
/// in integer units.
///
/// Encoding and decoding must preserve a tally, bit for bit, because checkpoints store it.
public protocol MergeableTally: Sendable, Codable {
  mutating func merge(_ other: Self)
}

extension MergeableTally {
  /// The sum of this tally and another.
  public func merged(with other: Self) -> Self {
    var sum = self
    sum.merge(other)
    return sum
  }
}

/// Results by block; the order of merging does not matter.
public struct BlockPieces<Piece: Codable & Sendable>: MergeableTally {
  private var pieces: [Int: Piece] = [:]

  /// Results of no block.
  public init() {}

  /// The piece of one block.
  public init(_ piece: Piece, of block: Int) {
    pieces = [block: piece]
  }

  /// Adds the pieces of other blocks.
  public mutating func merge(_ other: BlockPieces) {
    pieces.merge(other.pieces) { _, newer in newer }
  }

  /// The piece of a block; `nil` if the block was not run.
  public subscript(block: Int) -> Piece? { pieces[block] }

  /// The pieces in the order of their blocks.
  public var ordered: [Piece] { pieces.sorted { $0.key < $1.key }.map(\.value) }
}
