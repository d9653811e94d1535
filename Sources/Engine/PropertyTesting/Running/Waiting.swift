// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import VirtualTime

/// Runs asynchronous code to its end on the calling thread.
///
/// On a thread of `onThreadOfItsOwn`, cancelling its task cancels the code.
package func waiting<Value>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let executor = ManualExecutor()
  defer { executor.retire() }
  let outcome = executor.run({ UncheckedTransfer(try await body()) }) { Cancellation.current?.reaches($0) }
  while executor.runJob() {}
  return try outcome.get().content
}

/// Runs synchronous work that may wait on a new thread, so that no thread of the shared pool is blocked.
///
/// The work is still part of the calling task: it has the task's local values and its cancellation.
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

/// Passes a cancellation on to the task that synchronous work waits for.
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
