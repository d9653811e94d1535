// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs asynchronous code one job at a time, on the calling thread in an order that the caller decides, or on threads
/// of its own.
///
/// Actors without an executor of their own run here too, and every call of one is a job of its own: wherever such code
/// awaits, another task can go on, and which one does is the order that was asked for.
final class ManualExecutor: TaskExecutor, Sendable {
  struct Owner: Sendable {
    let branch: Int
    let command: Int
  }

  private struct State {
    var jobs: [(job: UnownedJob, owner: Owner?)] = []
    var owner: Owner?
    var servers = 0
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
    let (left, servers) = state.withLock { state in
      state.isRetired = true
      defer { state.jobs = [] }
      return (state.jobs, state.servers)
    }
    for entry in left { globalConcurrentExecutor.enqueue(entry.job) }
    for _ in 0..<servers { arrivals.signal() }
  }

  /// Runs jobs on threads of its own, the job that became ready first always first, until it is retired.
  ///
  /// They do not depend on the threads of Swift's own pool, which the caller may be occupying.
  func serve(threads: Int) {
    state.withLock { $0.servers = threads }
    for _ in 0..<threads {
      let thread = Thread { [self] in
        while !state.withLock({ $0.isRetired }) {
          arrivals.wait()
          run(takeJob(nil))
        }
      }
      // As much as the main thread has: generators may recurse.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  var readyCount: Int { state.withLock { $0.jobs.count } }

  /// What the job that runs, or has run last, belongs to. What it makes ready is taken to belong to the same.
  var owner: Owner? {
    get { state.withLock { $0.owner } }
    set { state.withLock { $0.owner = newValue } }
  }

  /// Runs one job, counted from the one that became ready last.
  func runJob(_ index: Int) { run(takeJob(index)) }

  /// Takes a job, counted from the one that became ready last; for nil the one that became ready first.
  private func takeJob(_ index: Int?) -> UnownedJob? {
    state.withLock { state in
      let place = index.map { state.jobs.count - 1 - $0 } ?? 0
      guard state.jobs.indices.contains(place) else { return nil }
      let next = state.jobs.remove(at: place)
      state.owner = next.owner
      return next.job
    }
  }

  private func run(_ job: UnownedJob?) {
    guard let job else { return }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func waitForJob(atMost limit: DispatchTimeInterval) -> Bool { arrivals.wait(timeout: .now() + limit) == .success }

  /// Runs asynchronous code to its end, the job that became ready first always first.
  ///
  /// What it leaves behind can be run as well.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value, started: (Task<Void, Never>) -> Void = { _ in }
  ) -> Result<Value, any Error> {
    let outcome = start(body, started: started)
    while true {
      if let outcome = outcome.value { return outcome }
      if let job = takeJob(nil) { run(job) } else { arrivals.wait() }
    }
  }

  func start<Value: Sendable>(
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

final class Outcome<Value: Sendable>: Sendable {
  private let stored = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

/// Runs asynchronous code to its end on the calling thread.
///
/// Where `onThreadOfItsOwn` runs this thread, cancelling its task cancels the code.
package func waiting<Value>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let executor = ManualExecutor()
  defer { executor.retire() }
  let outcome = executor.run({ Handover(try await body()) }) { Cancellation.current?.reaches($0) }
  while executor.readyCount > 0 { executor.runJob(executor.readyCount - 1) }
  return try outcome.get().content
}

/// Runs synchronous work that may wait on a thread made for it, so that none of those shared by all tasks is blocked.
///
/// The work is still part of the calling task: it sees the task's local values and whether it is cancelled.
@concurrent
func onThreadOfItsOwn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  let cancellation = Cancellation()
  let executor = ManualExecutor()
  executor.serve(threads: 1)
  defer { executor.retire() }
  return try await withTaskCancellationHandler {
    try await withTaskExecutorPreference(executor) {
      let value = try Cancellation.$current.withValue(cancellation, operation: work)
      try Task.checkCancellation()
      return value
    }
  } onCancel: {
    cancellation.cancel()
  }
}

/// Passes a cancellation on to the task that synchronous work is waiting for.
private final class Cancellation: Sendable {
  @TaskLocal static var current: Cancellation?

  private struct State {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  func reaches(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
