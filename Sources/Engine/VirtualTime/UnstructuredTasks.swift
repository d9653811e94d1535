// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Keeps the tasks that code starts by `Task { }` in virtual time.
///
/// Such a task does not inherit the executor that its starter prefers; the runtime would run it on threads of its own,
/// in an order that nobody knows. The runtime has a hook for whatever is about to go there: while a thread drives a
/// virtual executor, what it enqueues goes to that executor. Other threads are not affected. The one way past the hook
/// is `Task.yield`, which asks for the default executor by itself.
enum UnstructuredTasks {
  /// Runs a body on this thread with the executor taking in what would go to the shared one.
  static func adopted<Value>(by executor: VirtualExecutor, _ body: () throws -> Value) rethrows -> Value {
    guard let key = installed else { return try body() }
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return try withExtendedLifetime(executor, body)
  }

  fileprivate typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  fileprivate typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  /// The thread's place for its executor, once the hook is in place; nil where the runtime has no hook to find, or
  /// somebody else holds it.
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
        unsafe Unmanaged<VirtualExecutor>.fromOpaque(executor).takeUnretainedValue().enqueue(ExecutorJob(job))
      } else {
        original(job)
      }
    }
    return key
  }()

  // Written once, before the hook that reads it is in place.
  nonisolated(unsafe) private static var adoptionKey = pthread_key_t()
}
