// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Synchronization

/// Runs the jobs of tasks on the thread that calls `run`, which waits while there are none.
///
/// It lets synchronous code wait for asynchronous code without a change of threads, as long as the asynchronous code
/// does not leave by itself.
final class BlockingExecutor: TaskExecutor {
  fileprivate struct State {
    var ready: [UnownedJob] = []
    var isWaiting = false
    var isFinished = false
    var isRetired = false
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isRetired, wakes) = state.withLock { state in
      if state.isRetired { return (true, false) }
      state.ready.append(job)
      return (false, state.stopWaiting())
    }
    if wakes { arrival.signal() }
    // A job that comes after the end still has to run somewhere, or its task would never be freed.
    if isRetired { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs jobs until `finish` has been called and none is left.
  func run() {
    var batch: [UnownedJob] = []
    while true {
      let isOver = state.withLock { state in
        swap(&batch, &state.ready)
        if !batch.isEmpty { return false }
        state.isRetired = state.isFinished
        state.isWaiting = !state.isFinished
        return state.isFinished
      }
      if isOver { return }
      if batch.isEmpty { arrival.wait() }
      for job in batch { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      batch.removeAll(keepingCapacity: true)
    }
  }

  /// Makes `run` return once no job is left.
  func finish() {
    let wakes = state.withLock { state in
      state.isFinished = true
      return state.stopWaiting()
    }
    if wakes { arrival.signal() }
  }
}

extension BlockingExecutor.State {
  fileprivate mutating func stopWaiting() -> Bool {
    defer { isWaiting = false }
    return isWaiting
  }
}
