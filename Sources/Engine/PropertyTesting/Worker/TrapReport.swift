// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Synchronization

extension Property {
  /// Runs work on the property in this process. If a case ends the process by a trap, a stack overflow or a bad access,
  /// how to run the case again is printed on stderr first.
  ///
  /// - Parameters:
  ///   - instructions: What to do to run a case again, given its token, or all cases, without one; a line each.
  ///   - work: What evaluates cases, on this thread, of the property that it is given.
  /// - Returns: What the work returns.
  package func reportingTraps<Value>(
    instructions: @escaping @Sendable (ReplayToken?) -> [String], _ work: (Property) throws -> Value
  ) rethrows -> Value {
    let running = RunningCheck(self, instructions: instructions)
    return try TrapReporter.shared.watching(running) { try work(evaluating(trial.watched(by: running))) }
  }
}

extension Trial {
  /// The same trial; what it does shows in a running check.
  fileprivate func watched(by running: RunningCheck) -> Trial {
    var watched = self
    let attempt = attempt
    watched.attempt = { draws, isWanted in
      running.phase.withLock { $0 = .drawing }
      let verdict = attempt(&draws) { drawn in
        guard isWanted(drawn) else { return false }
        let tape = drawn.tape
        running.phase.withLock { $0 = .evaluating(tape) }
        return true
      }
      running.phase.withLock { $0 = .idle }
      return verdict
    }
    return watched
  }
}

/// What one thread is doing with the cases of a property.
private final class RunningCheck: Sendable {
  enum Phase {
    case idle
    case drawing
    case evaluating(Tape)
  }

  let property: Property
  let thread = TrapReporter.thisThread
  let phase = Mutex(Phase.idle)
  private let instructions: @Sendable (ReplayToken?) -> [String]

  init(_ property: Property, instructions: @escaping @Sendable (ReplayToken?) -> [String]) {
    (self.property, self.instructions) = (property, instructions)
  }

  /// What is printed about the case in hand; the arguments come last, because making them again may trap as well.
  func report(_ signal: String, write: (String) -> Void) {
    let name = "'\(property.sentence)' (\(property.id))"
    switch phase.withLock({ $0 }) {
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

/// A thread that prints the case in hand when another one gets a signal that ends the process.
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
  private static let stackSize = 1 << 16

  /// What the handler needs, in memory that is there before it runs and stays.
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
    while unsafe read(shared.pointee.requests.reading, &request, MemoryLayout<Request>.size) > 0 {
      let running = checks.withLock { Array($0.values) }
      let here = running.filter { $0.thread == request.thread }
      // What a body waits for may run on any thread.
      let suspects = here.isEmpty ? running.filter { $0.property.trial.waits } : here
      for check in suspects.sorted(by: { $0.property.id < $1.property.id }) {
        check.report("\n\(ProcessEnd.name(of: request.signal))", write: Self.write)
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
