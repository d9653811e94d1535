// SPDX-License-Identifier: Apache-2.0
package import Dispatch
internal import Foundation
internal import Synchronization

/// Runs asynchronous code one job at a time on the calling thread, in an order that the caller decides, or on its own
/// threads.
///
/// Actors without a custom executor run here too, and every call of an actor is a separate job: at each `await`,
/// another task can continue, and the requested order decides which one. The executor knows whether jobs are left.
package final class ManualExecutor: TaskExecutor, Sendable {
  /// The branch and the command of an interleaved run that a job belongs to.
  package struct Owner: Sendable {
    package let branch: Int
    package let command: Int

    package init(branch: Int, command: Int) { (self.branch, self.command) = (branch, command) }
  }

  fileprivate struct State {
    var jobs: [(job: UnownedJob, owner: Owner?)] = []
    /// The index of the first job that has not been taken.
    var head = 0
    var owner: Owner?
    var servers = 0
    var isRetired = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isRetired = state.withLock { state in
      if !state.isRetired { state.jobs.append((job, state.owner)) }
      return state.isRetired
    }
    if isRetired { globalConcurrentExecutor.enqueue(job) } else { arrivals.signal() }
  }

  /// Passes the remaining and all later jobs to the shared executor: a system may outlive its commands, and a job that
  /// never ran would never free its task.
  package func retire() {
    let (left, servers) = state.withLock { state in
      state.isRetired = true
      defer { (state.jobs, state.head) = ([], 0) }
      return (state.jobs[state.head...], state.servers)
    }
    for entry in left { globalConcurrentExecutor.enqueue(entry.job) }
    for _ in 0..<servers { arrivals.signal() }
  }

  /// Runs jobs on its own threads, in the order in which they became ready, until it is retired.
  ///
  /// The threads are independent of Swift's own pool, which the caller may be occupying.
  package func serve(threads: Int) {
    state.withLock { $0.servers = threads }
    for _ in 0..<threads {
      let thread = Thread { [self] in
        while !state.withLock({ $0.isRetired }) {
          arrivals.wait()
          runJob()
        }
      }
      // The stack size of the main thread: generators may recurse.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  package var readyCount: Int { state.withLock { $0.jobs.count - $0.head } }

  /// The owner of the current or last job. Jobs that it makes ready belong to the same owner.
  package var owner: Owner? {
    get { state.withLock { $0.owner } }
    set { state.withLock { $0.owner = newValue } }
  }

  /// Runs one of the ready jobs, by its index in the order of becoming ready; false if there is none.
  @discardableResult
  package func runJob(at index: Int = 0) -> Bool {
    guard let job = state.withLock({ $0.take(index) }) else { return false }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }

  package func waitForJob(atMost limit: DispatchTimeInterval) -> Bool {
    arrivals.wait(timeout: .now() + limit) == .success
  }

  /// Runs asynchronous code to its end, jobs in the order in which they became ready.
  ///
  /// Jobs that it leaves behind can be run as well.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value, started: (Task<Void, Never>) -> Void = { _ in }
  ) -> Result<Value, any Error> {
    let outcome = start(body, started: started)
    while true {
      if let outcome = outcome.value { return outcome }
      if !runJob() { arrivals.wait() }
    }
  }

  package func start<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value, started: (Task<Void, Never>) -> Void = { _ in },
    ended: @escaping @Sendable () -> Void = {}
  ) -> Outcome<Value> {
    let outcome = Outcome<Value>()
    started(
      Task(executorPreference: self) {
        do {
          outcome.value = .success(try await body())
        } catch {
          outcome.value = .failure(error)
        }
        ended()
      })
    return outcome
  }
}

extension ManualExecutor.State {
  fileprivate mutating func take(_ index: Int) -> UnownedJob? {
    let position = head + index
    guard jobs.indices.contains(position) else { return nil }
    let next = jobs[position]
    owner = next.owner
    if index == 0 {
      head += 1
    } else {
      jobs.remove(at: position)
    }
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 1024 && 2 * head > jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return next.job
  }
}

package final class Outcome<Value: Sendable>: Sendable {
  private let stored = Mutex<Result<Value, any Error>?>(nil)

  package var value: Result<Value, any Error>? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
