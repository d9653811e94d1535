// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Synchronization

/// Runs asynchronous code to its end on the calling thread.
///
/// Where `onThreadOfItsOwn` runs this thread, cancelling its task cancels the code.
func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
  let cancellation = Cancellation.current
  let executor = BlockingExecutor()
  let outcome = ThrownError()
  let task = Task(executorPreference: executor) {
    do {
      try await body()
    } catch {
      outcome.set(error)
    }
    executor.finish()
  }
  cancellation?.reaches(task)
  executor.run()
  if let error = outcome.error { throw error }
}

/// Runs synchronous work that may wait on a thread made for it, so that none of those shared by all tasks is blocked.
///
/// The work is still part of the calling task: it sees the task's local values and whether it is cancelled.
///
/// - Throws: What the work throws; `CancellationError` when the task is cancelled, whatever the work returns then.
@concurrent
func onThreadOfItsOwn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  let cancellation = Cancellation()
  let executor = BlockingExecutor()
  let thread = Thread { executor.run() }
  // As much as the main thread has: generators may recurse.
  thread.stackSize = 8 << 20
  thread.start()
  defer { executor.finish() }
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

/// What was thrown, if anything.
private final class ThrownError: Sendable {
  private let thrown = Mutex<(any Error)?>(nil)

  var error: (any Error)? { thrown.withLock { $0 } }

  func set(_ error: any Error) { thrown.withLock { $0 = error } }
}
