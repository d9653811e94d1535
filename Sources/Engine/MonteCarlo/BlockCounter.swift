// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// Hands out blocks in order, each once, until they are used up or something stops the run.
final class BlockCounter: Sendable {
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
    // Never moved past the end: what has been claimed can be read off it.
    var candidate = next.load(ordering: .relaxed)
    while candidate < blocks.upperBound {
      let (won, current) = next.compareExchange(expected: candidate, desired: candidate + 1, ordering: .relaxed)
      if won { return candidate }
      candidate = current
    }
    return nil
  }

  /// Lets no further block be claimed.
  func stop() {
    stopped.store(true, ordering: .relaxed)
  }

  /// The blocks handed out so far, without a gap.
  var claimed: Range<Int> { blocks.lowerBound..<next.load(ordering: .relaxed) }

  // The first block is played however late it is, so that there is a result at all.
  private var isLate: Bool {
    guard let deadline, !claimed.isEmpty else { return false }
    return ContinuousClock.now >= deadline
  }
}

/// Where workers put what they have: their sums, and the failure of the lowest block.
final class Ledger<Tally: MergeableTally, Failure: Error>: Sendable {
  private struct Entries {
    var tally: Tally
    var failure: (block: Int, error: Failure)?
  }

  private let entries: Mutex<Entries>

  init(empty: Tally) {
    entries = Mutex(Entries(tally: empty, failure: nil))
  }

  func add(_ sum: Tally) {
    entries.withLock { $0.tally.merge(sum) }
  }

  // Blocks are handed out in order and finished, so the lowest failing block has always been played: the same one wins
  // in every run.
  func record(_ error: Failure, at block: Int) {
    entries.withLock { entries in
      if let known = entries.failure, known.block <= block { return }
      entries.failure = (block, error)
    }
  }

  func total() throws(Failure) -> Tally {
    let (tally, failure) = entries.withLock { ($0.tally, $0.failure) }
    if let failure { throw failure.error }
    return tally
  }
}
