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
    let sum = SectionSum(of: section, empty)
    let ledger = Ledger<SectionSum<Tally>, Tally, Failure>(sum, next: sum.next) { sum, tally in
      sum.add(tally)
      return sum.next
    }
    play(section.share.count, of: counter, into: ledger, makeScratch) {
      (block, scratch: inout Scratch) throws(Failure) -> Bool in
      let tally = try body(block, &scratch)
      let isDue = section.checkpoint?.takeTurn() == true
      ledger.add(tally, of: block) { if isDue { $0.settle() } }
      if isDue { section.checkpoint?.flush() }
      progress(samples(block))
      return false
    }
    if counter.isSpent { interrupt?.raise(.limit) }
    let run = try ledger.end { $0.settle() }.run
    if run.blocks.count < blocks.count || section.isShared { section.leave(interrupt) }
    return run
  }

  /// Plays a range of blocks and adds their results in order, up to the first one that ends the run.
  ///
  /// `add` is called for the blocks in their order, without a gap, by one thread at a time; after a result for which
  /// `isLast` is true no block begins, and none that follows it is added. The sum is therefore the same at any number
  /// of workers. Interrupt, deadline, scratch and body are those of `run(blocks:into:)`; checkpoints are for tallies.
  ///
  /// - Throws: The error of `makeScratch`; else the error of `body` for the lowest block that fails, unless an earlier
  ///   block ends the run.
  package func fold<Scratch: ~Copyable, Sum: Sendable, Part: Sendable, Failure: Error>(
    blocks: Range<Int>, into sum: Sum, interrupt: Interrupt? = nil, deadline: ContinuousClock.Instant? = nil,
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Int, inout Scratch) throws(Failure) -> Part,
    until isLast: @escaping @Sendable (Part) -> Bool, add: @escaping @Sendable (inout Sum, Part) -> Void
  ) throws(Failure) -> Sum {
    let counter = BlockCounter(blocks: blocks, interrupt: interrupt, deadline: deadline)
    let ledger = Ledger<(sum: Sum, next: Int), Part, Failure>((sum, blocks.lowerBound), next: blocks.lowerBound) {
      total, part in
      add(&total.sum, part)
      total.next += 1
      return isLast(part) ? nil : total.next
    }
    play(blocks.count, of: counter, into: ledger, makeScratch) {
      (block, scratch: inout Scratch) throws(Failure) -> Bool in
      let part = try body(block, &scratch)
      ledger.add(part, of: block)
      return isLast(part)
    }
    return try ledger.end().sum
  }

  /// Plays blocks on the workers until none is left, one fails, or `body` returns true; errors go to the ledger.
  private func play<Scratch: ~Copyable, Sum, Part, Failure>(
    _ count: Int, of counter: BlockCounter, into ledger: Ledger<Sum, Part, Failure>,
    _ makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    _ body: @escaping @Sendable (Int, inout Scratch) throws(Failure) -> Bool
  ) {
    onThreads(min(workers.count, count)) {
      do throws(Failure) {
        var scratch = try makeScratch()
        while let block = counter.takeNext() {
          do throws(Failure) {
            if try body(block, &scratch) { counter.stop() }
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
  /// The divisor of the error at the look at which the run ended; `nil` if it ended between looks.
  package let bonferroniDivisor: Int?
}

/// A look at the results of a run, at the end of a wave of blocks.
public struct Look<Tally: MergeableTally> {
  /// The sum over all blocks so far, and over the blocks of this wave only.
  public let total, wave: Tally
  /// The divisor of the error of its intervals.
  public let bonferroniDivisor: Int
  /// True if no block is left.
  public let isLast: Bool
}

extension BlockRunner {
  /// Plays a plan until its rule ends it.
  ///
  /// `evaluate` is called on the calling thread after every whole wave of a rule that looks; true ends the run. Waves
  /// do not depend on the number of workers, so neither do the arguments of `evaluate`. A deadline ends a run with any
  /// rule.
  ///
  /// - Throws: The errors of `run(blocks:into:interrupt:deadline:makeScratch:body:)` and of `evaluate`.
  public func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    _ plan: BlockPlan, into empty: Tally, interrupt: Interrupt? = nil, deadline: ContinuousClock.Instant? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Block, inout Scratch) throws(Failure) -> Tally,
    evaluate: (Look<Tally>) throws(Failure) -> Bool = { _ in false }
  ) throws(Failure) -> RunOutcome<Tally> {
    var total = empty
    var done = 0
    while true {
      let wave = plan.wave(after: done)
      let run = try run(
        blocks: wave, into: empty, interrupt: interrupt, deadline: deadline ?? plan.deadlineFromNow,
        samples: { plan.block($0).rounds }, progress: progress, makeScratch: makeScratch,
        body: { (index, scratch: inout Scratch) throws(Failure) -> Tally in try body(plan.block(index), &scratch) })
      total.merge(run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound {
        return RunOutcome(
          tally: total, blocks: done, reason: interrupt?.isRaised == true ? .interrupted : .deadline,
          bonferroniDivisor: nil)
      }
      let look = Look(
        total: total, wave: run.tally, bonferroniDivisor: plan.bonferroniDivisor(after: done),
        isLast: done == plan.maxBlocks)
      let isSettled = plan.looks ? try evaluate(look) : false
      if isSettled || look.isLast {
        return RunOutcome(
          tally: total, blocks: done, reason: isSettled ? .settled : .completed,
          bonferroniDivisor: look.bonferroniDivisor)
      }
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
    blocks: Range<Int>, known: [Range<Int>] = [], interrupt: Interrupt?, deadline: ContinuousClock.Instant?,
    budget: SampleBudget? = nil, samples: @escaping @Sendable (Int) -> Int = { _ in 1 }
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

/// The sum of the first blocks without a gap, whatever the order of their ends, and the failure of the lowest block.
private final class Ledger<Sum: Sendable, Part: Sendable, Failure: Error>: Sendable {
  private struct Entries {
    var sum: Sum
    /// The block that is added next; `nil` after the last one.
    var next: Int?
    /// Parts behind a gap, by their block.
    var waiting: [Int: Part] = [:]
    var failure: (block: Int, error: Failure)?
  }

  private let entries: Mutex<Entries>
  private let add: @Sendable (inout Sum, Part) -> Int?

  /// `add` adds the part of a block and returns the block that is added next; `nil` if that was the last one.
  init(_ sum: Sum, next: Int, add: @escaping @Sendable (inout Sum, Part) -> Int?) {
    entries = Mutex(Entries(sum: sum, next: next))
    self.add = add
  }

  /// Adds the part of a block, or keeps it until the earlier ones are there, and then changes the sum.
  func add(_ part: Part, of block: Int, then change: (inout Sum) -> Void = { _ in }) {
    entries.withLock { entries in
      entries.waiting[block] = part
      while let next = entries.next, let part = entries.waiting.removeValue(forKey: next) {
        entries.next = add(&entries.sum, part)
      }
      change(&entries.sum)
    }
  }

  // Blocks are assigned in order and finished, so the lowest failing block is played in every run.
  func record(_ error: Failure, at block: Int) {
    entries.withLock { entries in
      if let known = entries.failure, known.block <= block { return }
      entries.failure = (block, error)
    }
  }

  /// The sum after a last change. All blocks before the last one are in it, so a failure is then of a later one.
  func end(_ change: (inout Sum) -> Void = { _ in }) throws(Failure) -> Sum {
    let (sum, failure) = entries.withLock { entries in
      change(&entries.sum)
      return (entries.sum, entries.next == nil ? nil : entries.failure)
    }
    if let failure { throw failure.error }
    return sum
  }
}

/// The sum of the blocks of a section, which the checkpoint knows in part.
private struct SectionSum<Tally: MergeableTally>: Sendable {
  private let section: Section<Tally>
  private let empty: Tally
  /// The sum of the first blocks of the section without a gap, up to `end`.
  private var tally: Tally
  private var end: Int
  /// The last blocks of this process's share, which the checkpoint does not have yet.
  private var fresh: Range<Int>
  private var freshTally: Tally
  /// The known parts behind these, in order.
  private var known: ArraySlice<TalliedBlocks<Tally>>

  init(of section: Section<Tally>, _ empty: Tally) {
    let first = section.share.lowerBound
    (self.section, self.empty, tally, freshTally) = (section, empty, empty, empty)
    (end, fresh) = (section.blocks.lowerBound, first..<first)
    known = section.known.drop { $0.blocks.lowerBound < first }
    for part in section.known.prefix(section.known.count - known.count) { join(part) }
    joinKnown()
  }

  /// The next block of this process's share.
  var next: Int { fresh.upperBound }

  mutating func add(_ tally: Tally) {
    freshTally.merge(tally)
    fresh = fresh.lowerBound..<next + 1
    joinKnown()
  }

  private mutating func joinKnown() {
    while let part = known.first, part.blocks.lowerBound == next {
      settle()
      join(part)
      fresh = part.blocks.upperBound..<part.blocks.upperBound
      known.removeFirst()
    }
  }

  /// Adds a part unless there is a gap before it.
  private mutating func join(_ part: TalliedBlocks<Tally>) {
    guard part.blocks.lowerBound == end else { return }
    tally.merge(part.tally)
    end = part.blocks.upperBound
  }

  /// Passes the fresh blocks to the checkpoint.
  mutating func settle() {
    guard !fresh.isEmpty else { return }
    let part = TalliedBlocks(blocks: fresh, tally: freshTally)
    section.keep(part)
    join(part)
    freshTally = empty
    fresh = next..<next
  }

  var run: BlockRunner.Run<Tally> { BlockRunner.Run(tally: tally, blocks: section.blocks.lowerBound..<end) }
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

/// Tallies side by side, one for each setting or option; all arrays of a run have as many.
extension Array: MergeableTally where Element: MergeableTally {
  /// Adds the tallies of equal index.
  public mutating func merge(_ other: [Element]) {
    for (index, tally) in zip(indices, other) { self[index].merge(tally) }
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
