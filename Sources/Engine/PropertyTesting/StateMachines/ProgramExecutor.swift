// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Synchronization

/// Runs asynchronous code to its end on the calling thread, one job at a time, in an order that the caller decides.
///
/// Actors without an executor of their own run here too, and every call of one is a job of its own: wherever such code
/// awaits, another task can go on, and which one does is the order that was asked for.
final class ProgramExecutor: TaskExecutor, Sendable {
  /// Which command of which branch a job belongs to.
  struct Owner: Sendable {
    let branch: Int
    let command: Int
  }

  private struct State {
    var jobs: [(job: UnownedJob, owner: Owner?)] = []
    var owner: Owner?
    var isRetired = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isRetired = state.withLock { state in
      if !state.isRetired { state.jobs.append((job, state.owner)) }
      return state.isRetired
    }
    if isRetired { globalConcurrentExecutor.enqueue(job) } else { arrivals.signal() }
  }

  /// Hands what is left, and what still comes, to the executor that all tasks share: a system may outlive its commands.
  func retire() {
    let left = state.withLock { state in
      state.isRetired = true
      defer { state.jobs = [] }
      return state.jobs
    }
    for entry in left { globalConcurrentExecutor.enqueue(entry.job) }
  }

  /// How many jobs could run now.
  var readyCount: Int { state.withLock { $0.jobs.count } }

  /// What the job that runs, or has run last, belongs to. What it makes ready is taken to belong to the same.
  var owner: Owner? {
    get { state.withLock { $0.owner } }
    set { state.withLock { $0.owner = newValue } }
  }

  /// Runs one job.
  ///
  /// - Parameter index: Which one, counted from the job that became ready last.
  func runJob(_ index: Int) {
    let job: UnownedJob? = state.withLock { state in
      guard state.jobs.indices.contains(index) else { return nil }
      let next = state.jobs.remove(at: state.jobs.count - 1 - index)
      state.owner = next.owner
      return next.job
    }
    guard let job else { return }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Waits until another thread makes a job ready.
  ///
  /// - Parameter limit: How long to wait; forever when nothing is said.
  /// - Returns: Whether a job may be ready.
  func waitForJob(atMost limit: DispatchTimeInterval? = nil) -> Bool {
    guard let limit else {
      arrivals.wait()
      return true
    }
    return arrivals.wait(timeout: .now() + limit) == .success
  }

  /// Runs asynchronous code to its end, the job that became ready first always first.
  ///
  /// What it leaves behind can be run as well.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
    let outcome = start(body)
    while true {
      if let outcome = outcome.value { return outcome }
      let ready = readyCount
      if ready > 0 { runJob(ready - 1) } else { _ = waitForJob() }
    }
  }

  /// Makes the first job of asynchronous code ready.
  func start<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Outcome<Value> {
    let outcome = Outcome<Value>()
    Task(executorPreference: self) {
      do {
        outcome.value = .success(try await body())
      } catch {
        outcome.value = .failure(error)
      }
    }
    return outcome
  }
}

/// Where a task leaves what it came to.
final class Outcome<Value: Sendable>: Sendable {
  private let stored = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
