// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Synchronization

/// Runs asynchronous code to its end on the calling thread, one job at a time, in an order that the caller decides.
///
/// Actors without an executor of their own run here too, and every call of one is a job of its own: wherever such code
/// awaits, another task can go on, and which one does is the order that was asked for.
final class ProgramExecutor: TaskExecutor, Sendable {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// How many jobs could run now.
  var readyCount: Int { jobs.withLock(\.count) }

  /// Runs one job.
  ///
  /// - Parameter index: Which one, counted from the job that became ready last.
  func runJob(_ index: Int) {
    let job: UnownedJob? = jobs.withLock { jobs in
      jobs.indices.contains(index) ? jobs.remove(at: jobs.count - 1 - index) : nil
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
