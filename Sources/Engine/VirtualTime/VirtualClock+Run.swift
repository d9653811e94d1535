// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

extension VirtualClock {
  /// Runs asynchronous code in virtual time: whenever nothing can run any more, the clock jumps to its next alarm.
  ///
  /// All of it runs on the calling thread, one job at a time, in an order that follows from the calls alone, so the
  /// same body takes the same course every time. A job is what a task does between two suspensions. Child tasks,
  /// actors, and unstructured tasks started by the body are part of it; the task-local values of the caller are seen.
  ///
  /// ```swift
  /// try VirtualClock.run { clock in
  ///   let autosave = Autosave(clock: clock)
  ///   await autosave.edit("a")
  ///   try await clock.sleep(for: .seconds(3))
  ///   #expect(await autosave.saved == "a")
  /// }
  /// ```
  ///
  /// An unstructured task must not call `Task.yield`, for which the runtime takes it to a thread of its own;
  /// `clock.sleep(for: .zero)` does what it wants.
  ///
  /// When the body is done, what still sleeps is woken by cancellation and run to its end.
  ///
  /// - Parameters:
  ///   - mostJobs: How many jobs there may be, so that a body which goes round in a circle ends.
  ///   - choosing: Decides which job runs next, given how many are ready (two at least), as an index from the one that
  ///     has been ready longest: 0 keeps the order. A property that draws it from its tape searches interleavings.
  ///   - body: What to run. It is given the clock, which begins at zero.
  /// - Returns: What the body returns.
  /// - Throws: What the body or `choosing` throws; `VirtualTimeError` when the body cannot end.
  package static func run<Value: Sendable>(
    mostJobs: Int = 10_000_000, choosing: (_ count: Int) throws -> Int = { _ in 0 },
    _ body: @escaping @Sendable (VirtualClock) async throws -> Value
  ) throws -> Value {
    let clock = VirtualClock(startingAt: .zero, isDriven: true)
    let executor = VirtualExecutor()
    let outcome = Outcome<Value>()
    let task = Task(executorPreference: executor) {
      do {
        outcome.set(.success(try await body(clock)))
      } catch {
        outcome.set(.failure(error))
      }
    }
    var drive = Drive(clock: clock, executor: executor, jobsLeft: mostJobs)
    // Only once its thread no longer adopts for it, else what it hands on would come back.
    defer { executor.retire() }
    return try UnstructuredTasks.adopted(by: executor) {
      do {
        while !outcome.isSet {
          if Task.isCancelled { task.cancel() }
          if try drive.step(choosing) { continue }
          throw VirtualTimeError.deadlock(at: clock.now)
        }
        drive.windUp()
      } catch {
        task.cancel()
        drive.windUp()
        if error is OutOfJobs { throw VirtualTimeError.unfinished(jobs: mostJobs, at: clock.now) }
        throw error
      }
      return try outcome.get()
    }
  }
}

/// Runs one thing after the other.
private struct Drive {
  let clock: VirtualClock
  let executor: VirtualExecutor
  var jobsLeft: Int

  /// Runs a job, or moves the clock when there is none.
  ///
  /// - Returns: False when nothing can happen any more.
  mutating func step(_ choosing: (Int) throws -> Int) throws -> Bool {
    let count = executor.readyCount
    if count == 0 { return clock.advanceToNext() }
    if jobsLeft <= 0 { throw OutOfJobs() }
    jobsLeft -= 1
    let index = count == 1 ? 0 : try choosing(count)
    guard 0..<count ~= index else { throw VirtualTimeError.badChoice(index, of: count) }
    executor.runJob(at: index)
    return true
  }

  /// Cancels what sleeps and lets it end, in order; what does not end within a bound is left to the shared executor.
  func windUp() {
    var jobsLeft = 100_000
    while jobsLeft > 0 {
      if executor.readyCount > 0 {
        executor.runJob(at: 0)
        jobsLeft -= 1
      } else if clock.nextAlarm != nil {
        clock.cancelAll()
      } else {
        return
      }
    }
  }
}

/// The limit of jobs was reached.
private struct OutOfJobs: Error {}

/// Where the body leaves what it came to.
private final class Outcome<Value: Sendable>: Sendable {
  private let result: Mutex<Result<Value, any Error>?> = Mutex(nil)

  var isSet: Bool { result.withLock { $0 != nil } }

  func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

  func get() throws -> Value {
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
