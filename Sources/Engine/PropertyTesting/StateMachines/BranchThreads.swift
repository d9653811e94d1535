// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads of our own that run the tasks of branches, and actors called by them, really at the same time.
///
/// They do not depend on the threads of Swift's own pool, which the caller may be occupying.
final class BranchThreads: TaskExecutor, Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let count: Int

  init(_ count: Int) {
    self.count = count
    for _ in 0..<count { Thread.detachNewThread { [self] in work() } }
  }

  /// Ends the threads when they have run what is ready.
  func close() {
    state.withLock { $0.isClosed = true }
    for _ in 0..<count { arrivals.signal() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isClosed = state.withLock { state in
      if !state.isClosed { state.jobs.append(job) }
      return state.isClosed
    }
    // A system may outlive the commands: what it still does is done by the executor that all tasks share.
    if isClosed { globalConcurrentExecutor.enqueue(job) } else { arrivals.signal() }
  }

  private func work() {
    while true {
      arrivals.wait()
      let job: UnownedJob? = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      guard let job else { return }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// Where branches wait until all have come, so that they start together.
final class StartingGate: Sendable {
  /// So many looks are free of a call to the system, so that threads which both run start within nanoseconds.
  private static let patience = 10_000

  private let missing: Atomic<Int>

  init(_ count: Int) {
    missing = Atomic(count)
  }

  /// Waits for the others without giving up the thread, and then for a little longer.
  ///
  /// - Parameter delay: How much longer, in looks at the gate.
  func pass(delay: Int) {
    missing.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    var looks = 0
    while missing.load(ordering: .sequentiallyConsistent) > 0 {
      looks += 1
      if looks > Self.patience { sched_yield() }
    }
    linger(delay)
  }

  /// Keeps the thread busy for a while.
  ///
  /// - Parameter delay: How long, in looks at the gate: about a nanosecond each.
  func linger(_ delay: Int) {
    for _ in 0..<delay { _ = missing.load(ordering: .sequentiallyConsistent) }
  }
}
