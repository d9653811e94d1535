// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Statistics
internal import Synchronization

/// Plays blocks on a fixed number of threads.
///
/// Blocks are handed out in order and added up in order, and every block handed out is finished, unless it throws
/// `Abandoned` because of an interrupt: then neither it nor any block after it counts. So what has been played is
/// always the first blocks without a gap, and the number of workers, their speed and their luck change when a run ends,
/// never its result.
package struct BlockRunner: Sendable {
  /// How many threads play at the same time, the caller's being one of them.
  package let workers: Int

  package init(workers: Int) throws(MonteCarloError) {
    try require((1...1024).contains(workers), "workers", workers, "a number from 1 to 1024")
    self.workers = workers
  }

  package struct Run<Tally: MergeableTally>: Sendable {
    package let tally: Tally
    /// The blocks played: the first ones of the range that was asked for, all of them unless something stopped the run.
    package let blocks: Range<Int>
  }

  /// Plays a range of blocks and sums their tallies.
  ///
  /// The interrupt is read between blocks; blocks that run are finished, or abandoned where their body reads it too. No
  /// block but the first is begun after the deadline. `makeScratch` makes what a worker needs to play (a generator, a
  /// shoe), once on each worker; `body` plays a block from its index alone: nothing that an earlier block left in the
  /// scratch may show.
  ///
  /// - Throws: What `makeScratch` throws; else what `body` throws for the lowest block that fails, whatever the number
  ///   of workers.
  package func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    blocks: Range<Int>, into empty: Tally, interrupt: Interrupt? = nil, deadline: ContinuousClock.Instant? = nil,
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Int, inout Scratch) throws(Failure) -> Tally
  ) throws(Failure) -> Run<Tally> {
    let counter = BlockCounter(blocks: blocks, interrupt: interrupt, deadline: deadline)
    let ledger = Ledger<Tally, Failure>(empty: empty, first: blocks.lowerBound)
    let work: @Sendable () -> Void = {
      do throws(Failure) {
        var scratch = try makeScratch()
        while let block = counter.claim() {
          do throws(Failure) {
            ledger.add(try body(block, &scratch), of: block)
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
    onThreads(min(workers, blocks.count), work)
    return try ledger.run(from: blocks.lowerBound)
  }

  /// Runs the same work on the calling thread and on as many more as are wanted, and waits for all of them.
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

/// What `evaluate` is shown at the end of a wave.
package struct Wave<Tally: MergeableTally>: Sendable {
  /// The sum over the blocks of this wave alone.
  package let tally: Tally
  /// The sum over all blocks so far, this wave's included.
  package let total: Tally
  package let rounds: Int
}

package struct RunOutcome<Tally: MergeableTally>: Sendable {
  package let tally: Tally
  /// How many blocks were played: always the first ones.
  package let blocks: Int
  package let rounds: Int
  package let reason: StopReason
}

extension BlockRunner {
  /// Plays a plan until its rule ends it.
  ///
  /// `evaluate` is called on the calling thread after every whole wave of a `halfWidth` or `certification` rule; true
  /// ends the run. Waves do not depend on the number of workers, so neither does what it sees.
  ///
  /// - Throws: What `run(blocks:into:interrupt:deadline:makeScratch:body:)` throws.
  package func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    _ plan: BlockPlan, into empty: Tally, interrupt: Interrupt? = nil, progress: ProgressMeter? = nil,
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Block, inout Scratch) throws(Failure) -> Tally,
    evaluate: (Wave<Tally>) -> Bool = { _ in false }
  ) throws(Failure) -> RunOutcome<Tally> {
    var total = empty
    var done = 0
    func outcome(_ reason: StopReason) -> RunOutcome<Tally> {
      RunOutcome(tally: total, blocks: done, rounds: plan.rounds(inFirst: done), reason: reason)
    }
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { return outcome(.completed) }
      let run = try run(
        blocks: wave, into: empty, interrupt: interrupt, deadline: plan.deadlineFromNow, makeScratch: makeScratch,
        body: { (index, scratch: inout Scratch) throws(Failure) -> Tally in
          let block = plan.block(index)
          let tally = try body(block, &scratch)
          progress?.advance(by: block.rounds)
          return tally
        })
      total.merge(run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound { return outcome(interrupt?.isRaised == true ? .interrupted : .deadline) }
      let seen = Wave(tally: run.tally, total: total, rounds: plan.rounds(inFirst: done))
      if plan.looksAtResults, evaluate(seen) { return outcome(.settled) }
    }
  }
}

extension BlockPlan {
  /// A rule with a deadline has a single wave, so its clock starts with it.
  fileprivate var deadlineFromNow: ContinuousClock.Instant? {
    if case .deadline(let duration) = rule { ContinuousClock.now + duration } else { nil }
  }

  fileprivate var looksAtResults: Bool {
    switch rule {
    case .halfWidth, .certification: true
    case .rounds, .deadline: false
    }
  }
}

/// Hands out blocks in order, each once, until they are exhausted or something stops the run.
private final class BlockCounter: Sendable {
  private let blocks: Range<Int>
  private let interrupt: Interrupt?
  private let deadline: ContinuousClock.Instant?
  private let next: Atomic<Int>
  private let stopped = Atomic<Bool>(false)

  init(blocks: Range<Int>, interrupt: Interrupt?, deadline: ContinuousClock.Instant?) {
    (self.blocks, self.interrupt, self.deadline) = (blocks, interrupt, deadline)
    next = Atomic(blocks.lowerBound)
  }

  /// The next block, which the caller must then finish; nil when there is none.
  func claim() -> Int? {
    guard !stopped.load(ordering: .relaxed), interrupt?.isRaised != true, !isLate else { return nil }
    let candidate = next.add(1, ordering: .relaxed).oldValue
    return candidate < blocks.upperBound ? candidate : nil
  }

  func stop() {
    stopped.store(true, ordering: .relaxed)
  }

  // The first block is played however late it is, so that there is a result at all.
  private var isLate: Bool {
    guard let deadline, next.load(ordering: .relaxed) > blocks.lowerBound else { return false }
    return ContinuousClock.now >= deadline
  }
}

/// The sum of the first blocks without a gap, and the failure of the lowest block.
private final class Ledger<Tally: MergeableTally, Failure: Error>: Sendable {
  private struct Entries {
    var tally: Tally
    /// The first block that is not in the sum.
    var next: Int
    /// Blocks that were finished before a lower one.
    var waiting: [Int: Tally] = [:]
    var failure: (block: Int, error: Failure)?
  }

  private let entries: Mutex<Entries>

  init(empty: Tally, first: Int) {
    entries = Mutex(Entries(tally: empty, next: first))
  }

  func add(_ tally: Tally, of block: Int) {
    entries.withLock { entries in
      entries.waiting[block] = tally
      while let next = entries.waiting.removeValue(forKey: entries.next) {
        entries.tally.merge(next)
        entries.next += 1
      }
    }
  }

  // Blocks are handed out in order and finished, so the lowest failing block has always been played, in every run.
  func record(_ error: Failure, at block: Int) {
    entries.withLock { entries in
      if let known = entries.failure, known.block <= block { return }
      entries.failure = (block, error)
    }
  }

  func run(from first: Int) throws(Failure) -> BlockRunner.Run<Tally> {
    let (tally, next, failure) = entries.withLock { ($0.tally, $0.next, $0.failure) }
    if let failure { throw failure.error }
    return BlockRunner.Run(tally: tally, blocks: first..<next)
  }
}

/// What blocks add up to: a commutative monoid, so that who computed a block, and when, leaves no trace.
///
/// The law, for any tallies `a`, `b`, `c` of one experiment and its empty tally `e`, to the bit:
///
///     a + b == b + a        (a + b) + c == a + (b + c)        a + e == a
///
/// where `a + b` is `a` after `a.merge(b)`. Integers obey it; sums of floating-point numbers do not, which is why a
/// tally counts in whole units.
package protocol MergeableTally: Sendable {
  mutating func merge(_ other: Self)
}

extension MergeableTally {
  @inlinable
  package func merged(with other: Self) -> Self {
    var sum = self
    sum.merge(other)
    return sum
  }
}

extension MomentTally: MergeableTally {}
