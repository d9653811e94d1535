// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// Work under test that may trap or never end, and knows the current item of each of its threads.
package protocol TrapWitness: AnyObject, Sendable {
  /// The threads with a current item.
  var threads: [UInt64] { get }
  /// True if the work may wait for jobs on other threads.
  var waits: Bool { get }
  /// Adds to the elapsed times of the current items, and reports one that exceeds its limit; the process then ends with
  /// exit code 1, because a single thread cannot be ended.
  func reportStuck(after tick: Duration, write: (String) -> Void) -> Bool
  /// Prints the current item of a thread that got a signal.
  func report(_ signal: String, of thread: UInt64, write: (String) -> Void)
}

/// A thread that prints the current item of another thread when that one gets a fatal signal, or does not end.
///
/// The handler makes only calls that signal handlers may make: it writes to a pipe, waits for the answer with a limit,
/// and passes the signal on to the previous handler.
package final class TrapReporter: Sendable {
  package static let shared = TrapReporter()
  package static var thisThread: UInt64 { UInt64(pthread_self()) }
  /// The descriptor that gets every report as well; below 0 for none.
  private static let copy = Atomic<Int32>(-1)

  /// Writes every report to this descriptor as well.
  package static func copyReports(to descriptor: Int32) { copy.store(descriptor, ordering: .relaxed) }

  private static let signals: [(number: Int32, name: String)] = [
    (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS"),
    (SIGFPE, "SIGFPE"),
  ]
  /// The time that the handler waits for the report, in milliseconds: a signal may interrupt an allocation, which
  /// blocks all other allocations.
  private static let patience: Int32 = 10_000
  /// The interval of the checks for endless work, in milliseconds. Checks are counted instead of reading a clock, which
  /// continues while a debugger holds the process.
  private static let tick: Int32 = 100

  /// The data of the handler, in memory that exists before it runs and is never freed.
  @unsafe private struct Shared {
    var requests: (reading: Int32, writing: Int32) = (-1, -1)
    var answers: (reading: Int32, writing: Int32) = (-1, -1)
    var reporter: UInt64 = 0
    /// The previous handler of each signal, by its number.
    var previous: UnsafeMutablePointer<sigaction>
  }

  private struct Request {
    var thread: UInt64
    var signal: Int32
  }

  // Sendable: written before the handler is installed; `reporter` is written only by its own thread before it serves.
  private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Shared> = {
    let memory = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
    unsafe memory.initialize(to: Shared(previous: .allocate(capacity: 65)))
    return unsafe memory
  }()

  private let witnesses = Mutex<[any TrapWitness]>([])

  private init() {
    guard let requests = Self.pipe(), let answers = Self.pipe() else { return }
    unsafe (Self.memory.pointee.requests, Self.memory.pointee.answers) = (requests, answers)
    Thread.detachNewThread { self.serve() }
    for (signal, _) in Self.signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_sigaction = { signal, information, _ in
        unsafe TrapReporter.handle(signal, information)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      unsafe sigaction(signal, &action, Self.memory.pointee.previous + Int(signal))
    }
  }

  /// The usual name of a signal.
  package static func name(of signal: Int32) -> String {
    let others: [(number: Int32, name: String)] = [(SIGKILL, "SIGKILL"), (SIGTERM, "SIGTERM")]
    return (signals + others).first { $0.number == signal }?.name ?? "signal \(signal)"
  }

  /// Runs work, and reports its current item if that ends the process. Each other thread of the work needs a
  /// `SignalStack` for reports of endless recursion.
  package func watching<Value>(_ witness: some TrapWitness, _ work: () throws -> Value) rethrows -> Value {
    witnesses.withLock { $0.append(witness) }
    defer { witnesses.withLock { $0.removeAll { $0 === witness } } }
    let stack = SignalStack()
    let value = try work()
    _ = consume stack
    return value
  }

  private static func handle(_ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?) {
    let shared = unsafe memory
    if unsafe thisThread != shared.pointee.reporter {
      var request = Request(thread: thisThread, signal: signal)
      if unsafe Foundation.write(shared.pointee.requests.writing, &request, MemoryLayout<Request>.size) > 0 {
        var answer = unsafe pollfd(fd: shared.pointee.answers.reading, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&answer, 1, patience)
      }
    }
    unsafe sigaction(signal, shared.pointee.previous + Int(signal), nil)
    // A fault occurs again when the instruction is repeated; a signal raised by a call does not.
    let isFault = unsafe (information?.pointee.si_code ?? 0) > 0 && signal != SIGTRAP
    if !isFault { raise(signal) }
  }

  /// Runs the reporting thread: one answer for each request, until the process ends.
  private func serve() {
    let shared = unsafe Self.memory
    unsafe shared.pointee.reporter = Self.thisThread
    var request = Request(thread: 0, signal: 0)
    while true {
      var waiting = unsafe pollfd(fd: shared.pointee.requests.reading, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&waiting, 1, Self.tick)
      let running = witnesses.withLock(\.self)
      if count == 0 {
        let tick = Duration.milliseconds(Int(Self.tick))
        if running.contains(where: { $0.reportStuck(after: tick, write: Self.write) }) { _exit(1) }
      }
      guard count > 0 else { continue }
      guard unsafe read(shared.pointee.requests.reading, &request, MemoryLayout<Request>.size) > 0 else { return }
      let thread = request.thread
      let here = running.filter { $0.threads.contains(thread) }
      // The code that a thread waits for may run on any other thread.
      let suspects = here.isEmpty ? running.filter(\.waits) : here
      for witness in suspects {
        for suspect in here.isEmpty ? witness.threads : [thread] {
          witness.report("\n\(Self.name(of: request.signal))", of: suspect, write: Self.write)
        }
      }
      unsafe Foundation.write(shared.pointee.answers.writing, &request, 1)
    }
  }

  private static func write(_ text: String) {
    write(text, to: STDERR_FILENO)
    let copy = copy.load(ordering: .relaxed)
    if copy >= 0 { write(text, to: copy) }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// A pipe that child processes do not inherit, with its reading end first.
  private static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [0, 0]
    guard unsafe Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// A stack for this thread's signal handlers while this value exists: an endless recursion exhausts the normal one.
@safe
package struct SignalStack: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private var previous = unsafe stack_t()
  private static let size = 1 << 16

  package init() {
    unsafe memory = .allocate(byteCount: Self.size, alignment: 16)
    var stack = unsafe stack_t(ss_sp: memory, ss_flags: 0, ss_size: Self.size)
    unsafe sigaltstack(&stack, &previous)
  }

  deinit {
    var previous = unsafe previous
    unsafe sigaltstack(&previous, nil)
    unsafe memory.deallocate()
  }
}
