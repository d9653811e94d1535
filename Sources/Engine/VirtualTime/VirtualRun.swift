// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

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
  ///   - mostJobs: How many jobs there may be, so that a body in a livelock ends.
  ///   - choosing: Decides which job runs next, given how many are ready (two at least), as an index from the one that
  ///     has been ready longest: 0 keeps the order. A property that draws it from its tape searches interleavings.
  ///   - body: What to run. It is given the clock, which begins at zero.
  /// - Returns: What the body returns.
  /// - Throws: What the body or `choosing` throws; `VirtualTimeError` when the body cannot end.
  public static func run<Value: Sendable>(
    mostJobs: Int = 10_000_000, choosing: (_ count: Int) throws -> Int = { _ in 0 },
    _ body: @escaping @Sendable (VirtualClock) async throws -> Value
  ) throws -> Value {
    let clock = VirtualClock()
    let executor = ManualExecutor()
    var task: Task<Void, Never>?
    let outcome = executor.start({ try await body(clock) }, started: { task = $0 })
    var drive = Drive(clock: clock, executor: executor, mostJobs: mostJobs)
    // Only once its thread no longer adopts for it, else what it hands on would come back.
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
  let mostJobs: Int
  var jobs = 0

  /// Runs a job, or moves the clock when there is none.
  mutating func step(_ choosing: (Int) throws -> Int) throws -> Bool {
    let count = executor.readyCount
    if count == 0 { return clock.advance() }
    if jobs >= mostJobs { throw VirtualTimeError.unfinished(jobs: mostJobs, at: clock.now) }
    jobs += 1
    let index = count == 1 ? 0 : try choosing(count)
    guard 0..<count ~= index else { throw VirtualTimeError.badChoice(index, of: count) }
    executor.runJob(at: index)
    return true
  }

  /// Cancels what sleeps and lets it end, in order; what does not end within a bound is left to the shared executor.
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

/// Keeps the tasks that code starts by `Task { }` in virtual time.
///
/// Such a task does not inherit the executor that its starter prefers; the runtime would run it on threads of its own,
/// in an order that is not known. The runtime has a hook for whatever is about to go there: while a thread drives a
/// virtual executor, what it enqueues goes to that executor. Other threads are not affected. The one way past the hook
/// is `Task.yield`, which asks for the default executor by itself.
enum UnstructuredTasks {
  /// Runs a body on this thread with the executor taking in what would go to the shared one.
  static func adopted<Value>(by executor: ManualExecutor, _ body: () throws -> Value) rethrows -> Value {
    guard let key = installed else { return try body() }
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return try withExtendedLifetime(executor, body)
  }

  fileprivate typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  fileprivate typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  /// The thread's place for its executor, once the hook is in place; nil where the runtime has no hook to find, or
  /// other code holds it.
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

  // Written once, before the hook that reads it is in place.
  nonisolated(unsafe) private static var adoptionKey = pthread_key_t()
}

/// Why a body in virtual time cannot end.
public enum VirtualTimeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It waits, and nothing is left that could happen.
  case deadlock(at: VirtualInstant)
  /// It was still busy after as many jobs as it may have.
  case unfinished(jobs: Int, at: VirtualInstant)
  /// `choosing` returned what is no index of so many jobs.
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
      `mostJobs`.
      """
    case .badChoice(let index, let count):
      "job \(index) of \(count) was chosen to run next: `choosing` must return 0..<\(count)."
    }
  }
}
