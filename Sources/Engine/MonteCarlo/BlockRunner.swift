// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Plays blocks on a fixed number of threads.
///
/// Blocks are handed out in order and every block handed out is finished, so what has been played is always the first
/// blocks without a gap; and tallies are commutative monoids. Hence the number of workers, their speed and their luck
/// change when a run ends, never what it says.
public struct BlockRunner: Sendable {
  /// How many threads play at the same time, the caller's being one of them.
  public let workers: Int

  /// Creates a runner.
  ///
  /// - Parameter workers: Threads, the caller's included; above 0, and at most 1024.
  /// - Throws: `badValue` for any other number.
  public init(workers: Int) throws(MonteCarloError) {
    try require((1...1024).contains(workers), "workers", workers, "a number from 1 to 1024")
    self.workers = workers
  }

  /// Creates a runner with a worker for every processor that is available.
  public init() {
    workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// What has been played of a range of blocks.
  public struct Run<Tally: MergeableTally>: Sendable {
    /// The sum of the tallies of the blocks played.
    public let tally: Tally
    /// The blocks played: the first ones of the range that was asked for, all of them unless something stopped the run.
    public let blocks: Range<Int>
  }

  /// Plays a range of blocks and sums their tallies.
  ///
  /// - Parameters:
  ///   - blocks: The indices of the blocks.
  ///   - empty: The tally of no block at all.
  ///   - interrupt: Looked at between blocks; blocks in hand are finished.
  ///   - deadline: No block but the first is begun after it.
  ///   - makeScratch: Makes what a worker needs to play (a generator, a shoe); called once on each worker.
  ///   - body: Plays one block from its index alone: nothing that an earlier block left in the scratch may show.
  /// - Returns: The sum, and which blocks are in it.
  /// - Throws: What `makeScratch` throws; else what `body` throws for the lowest block that fails, whatever the number
  ///   of workers.
  public func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    blocks: Range<Int>, into empty: Tally, interrupt: Interrupt? = nil, deadline: ContinuousClock.Instant? = nil,
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Int, inout Scratch) throws(Failure) -> Tally
  ) throws(Failure) -> Run<Tally> {
    let counter = BlockCounter(blocks: blocks, interrupt: interrupt, deadline: deadline)
    let ledger = Ledger<Tally, Failure>(empty: empty)
    let work: @Sendable () -> Void = {
      do throws(Failure) {
        var scratch = try makeScratch()
        var sum = empty
        while let block = counter.claim() {
          do throws(Failure) {
            sum.merge(try body(block, &scratch))
          } catch {
            counter.stop()
            ledger.record(error, at: block)
          }
        }
        ledger.add(sum)
      } catch {
        counter.stop()
        ledger.record(error, at: .min)
      }
    }
    onThreads(min(workers, blocks.count), work)
    return Run(tally: try ledger.total(), blocks: counter.claimed)
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
