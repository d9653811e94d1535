// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Synchronization

extension Property {
  /// Runs work on the property in this process. If a case ends the process by a trap, a stack overflow or a bad access,
  /// how to run the case again is printed on stderr first. So it is of a case that takes longer than it may, and then
  /// the process is ended with exit code 1: a thread cannot be ended alone.
  ///
  /// - Parameters:
  ///   - caseLimit: How long a case may take; nil for a minute, or any time if the body waits, which may be for tasks
  ///     that get no thread on a busy machine.
  ///   - instructions: What to do to run a case again, given its token, or all cases, without one; a line each.
  ///   - work: What evaluates cases, on this thread, of the property that it is given.
  /// - Returns: What the work returns.
  package func reportingTraps<Value>(
    caseLimit: Duration?, instructions: @escaping @Sendable (ReplayToken?) -> [String],
    _ work: (Property) throws -> Value
  ) rethrows -> Value {
    let limit = caseLimit ?? (trial.waits ? nil : .seconds(60))
    let running = RunningCheck(self, caseLimit: limit, instructions: instructions)
    return try TrapReporter.shared.watching(running) { try work(evaluating(trial.watched(by: running))) }
  }
}

extension Trial {
  /// The same trial; what it does shows in a running check.
  fileprivate func watched(by running: RunningCheck) -> Trial {
    var watched = self
    let attempt = attempt
    watched.attempt = { draws, isWanted in
      running.enter(.drawing)
      let verdict = attempt(&draws) { drawn in
        guard isWanted(drawn) else { return false }
        running.enter(.evaluating(drawn.tape))
        return true
      }
      running.enter(.idle)
      return verdict
    }
    return watched
  }
}

/// The cases of a property that threads have in hand.
private final class RunningCheck: Sendable {
  enum Phase {
    case idle
    case drawing
    case evaluating(Tape)
  }

  private struct Activity {
    var phase: Phase
    /// How long it has been so, as far as the reporter has seen.
    var seen = Duration.zero
  }

  let property: Property
  private let caseLimit: Duration?
  private let activities = Mutex<[UInt64: Activity]>([:])
  private let instructions: @Sendable (ReplayToken?) -> [String]

  init(
    _ property: Property, caseLimit: Duration?, instructions: @escaping @Sendable (ReplayToken?) -> [String]
  ) {
    (self.property, self.caseLimit, self.instructions) = (property, caseLimit, instructions)
  }

  /// Notes what this thread does from now on.
  func enter(_ phase: Phase) { activities.withLock { $0[TrapReporter.thisThread] = Activity(phase: phase) } }

  /// The threads that have a case in hand.
  var threads: [UInt64] {
    activities.withLock { $0.filter { if case .idle = $0.value.phase { false } else { true } }.keys.sorted() }
  }

  /// Adds to the time for which cases have been in hand, and reports one that has taken longer than it may.
  func reportStuck(after tick: Duration, write: (String) -> Void) -> Bool {
    guard let caseLimit else { return false }
    let stuck = threads.first { thread in
      activities.withLock { activities in
        activities[thread]?.seen += tick
        return activities[thread].map { $0.seen > caseLimit } ?? false
      }
    }
    guard let stuck else { return false }
    report("\nMore than \(caseLimit)", of: stuck, write: write)
    write("  The process is ended: allow more by a longer limit for a case, or mend what does not end.\n")
    return true
  }

  /// Prints the case that a thread has in hand; the arguments come last, because making them again may trap as well.
  func report(_ signal: String, of thread: UInt64, write: (String) -> Void) {
    let name = "'\(property.sentence)' (\(property.id))"
    switch activities.withLock({ $0[thread]?.phase ?? .idle }) {
    case .idle: return
    case .drawing:
      write("\(signal) while a generator of \(name) drew a case\n")
      for line in instructions(nil) { write("  \(line)\n") }
    case .evaluating(let tape):
      write("\(signal) in a case of \(name)\n")
      for line in instructions(ReplayToken(property: property.id, tape: tape)) { write("  \(line)\n") }
      guard var draws = try? Draws(seed: 0) else { return }
      draws.begin(reading: tape)
      for (index, text) in property.trial.describe(&draws).enumerated() {
        write("  \(argumentName(index, of: property.argumentNames)): \(text)\n")
      }
    }
  }
}

/// A thread that prints the case in hand when another one gets a signal that ends the process, or does not come to the
/// end of the case.
///
/// The handler does only what a signal handler may: it writes to a pipe, waits for the answer with a limit, and passes
/// the signal on to the handler that was there before.
private final class TrapReporter: Sendable {
  static let shared = TrapReporter()
  static var thisThread: UInt64 { UInt64(pthread_self()) }

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]
  /// How long the handler waits for the report, in milliseconds: a signal may come in the middle of an allocation,
  /// which nothing else can do then.
  private static let patience: Int32 = 10_000
  /// How often it looks for cases that do not end, in milliseconds. It counts these times and not those of a clock,
  /// which goes on while a debugger holds the process.
  private static let tick: Int32 = 100
  private static let stackSize = 1 << 16

  /// The data that the handler needs, in memory that is there before it runs and stays.
  @unsafe private struct Shared {
    var requests: (reading: Int32, writing: Int32) = (-1, -1)
    var answers: (reading: Int32, writing: Int32) = (-1, -1)
    var reporter: UInt64 = 0
    /// Who handled each signal before, by its number.
    var previous: UnsafeMutablePointer<sigaction>
  }

  private struct Request {
    var thread: UInt64
    var signal: Int32
  }

  // Sendable: it is written before the handler is there, but for the reporter, by that thread alone before it serves.
  private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Shared> = {
    let memory = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
    unsafe memory.initialize(to: Shared(previous: .allocate(capacity: 65)))
    return unsafe memory
  }()

  private let checks = Mutex<[ObjectIdentifier: RunningCheck]>([:])

  private init() {
    guard let requests = try? ChildProcess.pipe(), let answers = try? ChildProcess.pipe() else { return }
    unsafe (Self.memory.pointee.requests, Self.memory.pointee.answers) = (requests, answers)
    Thread.detachNewThread { self.serve() }
    for signal in Self.signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_sigaction = { signal, information, _ in
        unsafe TrapReporter.handle(signal, information)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      unsafe sigaction(signal, &action, Self.memory.pointee.previous + Int(signal))
    }
  }

  func watching<Value>(_ check: RunningCheck, _ work: () throws -> Value) rethrows -> Value {
    let key = ObjectIdentifier(check)
    checks.withLock { $0[key] = check }
    defer { checks.withLock { $0[key] = nil } }
    return try Self.withSignalStack(work)
  }

  /// Gives this thread a stack on which a signal is handled, since a recursion without end leaves none.
  private static func withSignalStack<Value>(_ work: () throws -> Value) rethrows -> Value {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    defer { unsafe memory.deallocate() }
    var stack = unsafe stack_t(ss_sp: memory, ss_flags: 0, ss_size: stackSize)
    var previous = unsafe stack_t()
    unsafe sigaltstack(&stack, &previous)
    defer { unsafe sigaltstack(&previous, nil) }
    return try work()
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
    // A fault comes again when the instruction is repeated; what another call has raised does not.
    let isFault = unsafe (information?.pointee.si_code ?? 0) > 0 && signal != SIGTRAP
    if !isFault { raise(signal) }
  }

  /// The reporting thread: one answer for each request, for as long as the process lives.
  private func serve() {
    let shared = unsafe Self.memory
    unsafe shared.pointee.reporter = Self.thisThread
    var request = Request(thread: 0, signal: 0)
    while true {
      var waiting = unsafe pollfd(fd: shared.pointee.requests.reading, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&waiting, 1, Self.tick)
      let running = checks.withLock { $0.values.sorted { $0.property.id < $1.property.id } }
      if count == 0 {
        let tick = Duration.milliseconds(Int(Self.tick))
        if running.contains(where: { $0.reportStuck(after: tick, write: Self.write) }) { _exit(1) }
      }
      guard count > 0 else { continue }
      guard unsafe read(shared.pointee.requests.reading, &request, MemoryLayout<Request>.size) > 0 else { return }
      let thread = request.thread
      let here = running.filter { $0.threads.contains(thread) }
      // What a body waits for may run on any thread.
      let suspects = here.isEmpty ? running.filter { $0.property.trial.waits } : here
      for check in suspects {
        for suspect in here.isEmpty ? check.threads : [thread] {
          check.report("\n\(ProcessEnd.name(of: request.signal))", of: suspect, write: Self.write)
        }
      }
      unsafe Foundation.write(shared.pointee.answers.writing, &request, 1)
    }
  }

  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
