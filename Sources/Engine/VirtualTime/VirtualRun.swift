// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension VirtualClock {
  /// Runs asynchronous code in virtual time: whenever no job is ready, the clock jumps to its next alarm.
  ///
  /// All code runs on the calling thread, one job at a time, in an order that depends only on the calls, so every run
  /// of a body takes the same course. A job is the work of a task between two suspensions. Child tasks, actors, and
  /// unstructured tasks started by the body are included; the task-local values of the caller are visible.
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
  /// An unstructured task must not call `Task.yield`, which the runtime runs on another thread; use
  /// `clock.sleep(for: .zero)` instead.
  ///
  /// When the body has returned, sleeping tasks are cancelled and run to their ends.
  ///
  /// - Parameters:
  ///   - maxJobs: The largest number of jobs, which ends a livelock.
  ///   - choosing: Chooses the next job, given the number of ready jobs (at least two), as an index in the order of
  ///     becoming ready: 0 keeps the order. A property that draws it from its tape searches interleavings.
  ///   - body: The code to run. Its argument is the clock, which begins at 0.
  /// - Returns: The result of the body.
  /// - Throws: The errors of the body and of `choosing`; `VirtualTimeError` when the body cannot end.
  public static func run<Value: Sendable>(
    maxJobs: Int = 10_000_000, choosing: (_ count: Int) throws -> Int = { _ in 0 },
    _ body: @escaping @Sendable (VirtualClock) async throws -> Value
  ) throws -> Value {
    let clock = VirtualClock()
    let executor = ManualExecutor()
    var task: Task<Void, Never>?
    let outcome = executor.start({ try await body(clock) }, started: { task = $0 })
    var drive = Drive(clock: clock, executor: executor, maxJobs: maxJobs)
    // Only after the thread's adoption has ended; otherwise the jobs passed on would come back.
    defer { executor.retire() }
    return try UnstructuredTasks.adopted(by: executor) {
      defer { drive.windUp() }
      do {
        while true {
          if let outcome = outcome.value { return try outcome.get() }
          if Task.isCancelled { task?.cancel() }
          if try !drive.step(choosing) { throw VirtualTimeError.deadlock(at: clock.now) }
        }
      } catch {
        task?.cancel()
        throw error
      }
    }
  }
}

private struct Drive {
  let clock: VirtualClock
  let executor: ManualExecutor
  let maxJobs: Int
  var jobs = 0

  /// Runs a job, or advances the clock if none is ready.
  mutating func step(_ choosing: (Int) throws -> Int) throws -> Bool {
    let count = executor.readyCount
    if count == 0 { return clock.advance() }
    if jobs >= maxJobs { throw VirtualTimeError.unfinished(jobs: maxJobs, at: clock.now) }
    jobs += 1
    let index = count == 1 ? 0 : try choosing(count)
    guard 0..<count ~= index else { throw VirtualTimeError.badChoice(index, of: count) }
    executor.runJob(at: index)
    return true
  }

  /// Cancels sleeping tasks and lets them end, in order; those that exceed a bound are left to the shared executor.
  func windUp() {
    var jobsLeft = 100_000
    while jobsLeft > 0 {
      if executor.runJob() {
        jobsLeft -= 1
      } else if clock.nextAlarm != nil {
        clock.cancelAll()
      } else {
        return
      }
    }
  }
}

/// Keeps unstructured tasks (`Task { }`) in virtual time.
///
/// Such a task does not inherit the preferred executor of its creator; the runtime would run it on its own threads in
/// an unknown order. The runtime has a hook for jobs enqueued there: while a thread drives a virtual executor, the jobs
/// that it enqueues go to that executor. Other threads are not affected. Only `Task.yield` bypasses the hook, because
/// it asks for the default executor directly.
enum UnstructuredTasks {
  /// Runs a body on this thread while the executor receives the jobs meant for the shared one.
  static func adopted<Value>(by executor: ManualExecutor, _ body: () throws -> Value) rethrows -> Value {
    guard let key = installed else { return try body() }
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return try withExtendedLifetime(executor, body)
  }

  fileprivate typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  fileprivate typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  /// The thread's key for its executor, once the hook is installed; `nil` if the runtime has no hook, or other code
  /// uses it.
  private static let installed: pthread_key_t? = {
    var key = pthread_key_t()
    guard let symbol = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook"),
      unsafe pthread_key_create(&key, nil) == 0
    else { return nil }
    let hook = unsafe symbol.assumingMemoryBound(to: Hook?.self)
    guard unsafe hook.pointee == nil else { return nil }
    unsafe adoptionKey = key
    unsafe hook.pointee = { job, original in
      if let executor = unsafe pthread_getspecific(UnstructuredTasks.adoptionKey) {
        unsafe Unmanaged<ManualExecutor>.fromOpaque(executor).takeUnretainedValue().enqueue(ExecutorJob(job))
      } else {
        original(job)
      }
    }
    return key
  }()

  // Written once, before the hook that reads it is installed.
  nonisolated(unsafe) private static var adoptionKey = pthread_key_t()
}

/// The reason why a body in virtual time cannot end.
public enum VirtualTimeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It waits, and no event is left.
  case deadlock(at: VirtualInstant)
  /// It had not ended after the largest number of jobs.
  case unfinished(jobs: Int, at: VirtualInstant)
  /// `choosing` returned an invalid index.
  case badChoice(Int, of: Int)

  /// The error, and its possible cause.
  public var description: String {
    switch self {
    case .deadlock(let time):
      """
      deadlock at \(time) of virtual time: the body is not done, nothing is ready to run and nothing sleeps \
      on the clock. It waits for something that never happens, or for something outside: real time (Task.sleep, or \
      Task.yield in an unstructured task, instead of clock.sleep), another thread or the main actor.
      """
    case .unfinished(let jobs, let time):
      """
      not done after \(jobs) jobs, at \(time) of virtual time: the body is in a livelock, or needs a larger \
      `maxJobs`.
      """
    case .badChoice(let index, let count):
      "job \(index) of \(count) was chosen to run next: `choosing` must return 0..<\(count)."
    }
  }
}
