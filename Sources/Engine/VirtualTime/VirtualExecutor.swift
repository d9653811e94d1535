// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// Runs the jobs of tasks one at a time, on the thread that asks for it, in an order that can be chosen.
///
/// That nothing is left to run is therefore known, not guessed: no waiting, no spinning, no thread of its own.
final class VirtualExecutor: TaskExecutor {
  fileprivate struct State {
    var ready: [UnownedJob] = []
    /// Jobs before this place have been taken.
    var head = 0
    var isRetired = false
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isRetired = state.withLock { state in
      if !state.isRetired { state.ready.append(job) }
      return state.isRetired
    }
    // A job that comes after the end still has to run somewhere, or its task would never be freed.
    if isRetired { globalConcurrentExecutor.enqueue(job) }
  }

  /// How many jobs are ready to run.
  var readyCount: Int { state.withLock { $0.ready.count - $0.head } }

  /// Runs one of the jobs that are ready; there must be one at that place.
  ///
  /// - Parameter index: Which, counted from the one that has been ready longest.
  func runJob(at index: Int) {
    let job = state.withLock { state in state.take(index) }
    guard let job else { return }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Hands whatever comes from now on to the executor that all tasks share.
  func retire() {
    let left = state.withLock { state in
      state.isRetired = true
      defer { state.ready = [] }
      return Array(state.ready[state.head...])
    }
    for job in left { globalConcurrentExecutor.enqueue(job) }
  }
}

extension VirtualExecutor.State {
  fileprivate mutating func take(_ index: Int) -> UnownedJob? {
    let place = head + index
    guard ready.indices.contains(place) else { return nil }
    let job = ready[place]
    if index == 0 {
      head += 1
    } else {
      ready.remove(at: place)
    }
    if head == ready.count {
      ready.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 1024 && 2 * head > ready.count {
      ready.removeFirst(head)
      head = 0
    }
    return job
  }
}
