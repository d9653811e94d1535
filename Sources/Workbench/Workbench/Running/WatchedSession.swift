// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Dispatch
internal import Foundation
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting
internal import Scenarios
internal import Synchronization

/// A session of scenarios in a child process. If a scenario ends that process, for example by a trap in a sample, it
/// is noted, and another child goes on with the others.
enum WatchedSession {
  /// The variable by which a child finds the journal of its session.
  private static let variable = "ASSAY_SESSION"

  /// The journal of the session that this process is a child of; `nil` if it is none.
  static let journal: SessionJournal? = {
    let text = ProcessInfo.processInfo.environment[variable]
    _ = unsafe unsetenv(variable)
    guard let text, let descriptor = Int32(text), let journal = SessionJournal(descriptor) else { return nil }
    journal.follow()
    return journal
  }()

  /// Runs this process's command line in child processes, and ends this process with the status of the last one.
  static func run() throws -> Never {
    let watch = pipe()
    guard let journal = SessionJournal(watchedBy: watch.reading) else {
      throw CommandError.refused(
        "cannot start: found no folder for a temporary file, expected one that can be written; set TMPDIR.")
    }
    let interrupt = Interrupt()
    let child = Atomic<Int32>(0)
    // A signal may come from the terminal to both processes, or to this one alone; a child that gets it twice counts it
    // once.
    let signal = InterruptSignal(raises: interrupt) { response in
      let (process, cause) = (child.load(ordering: .acquiring), interrupt.cause)
      if response == .stop, process > 0 { kill(process, cause == .terminated ? SIGTERM : SIGINT) }
    }
    while true {
      let output = Relay()
      let (process, error) = StartedProcess.start(
        "/proc/self/exe", CommandLine.arguments, adding: [variable: "\(journal.descriptor)"],
        files: [(journal.descriptor, journal.descriptor), (watch.reading, watch.reading)] + (output?.files ?? []))
      guard error == 0 else {
        throw CommandError.refused(
          "cannot start a process for the scenarios: \(SystemCause.message(of: error)); raise the limit of processes.")
      }
      child.store(process, ordering: .releasing)
      if interrupt.isRaised { kill(process, SIGTERM) }
      let status = StartedProcess.wait(for: process)
      let printed = output?.rest() ?? ""
      child.store(0, ordering: .releasing)
      let code: Int32? = status & 0x7f == 0 ? status >> 8 & 0xff : nil
      if let early = ExitStatus(interrupt) { exit(early.rawValue) }
      let wasInterrupted = [ExitStatus.interrupted, .terminated].contains { $0.rawValue == code }
      guard let index = journal.unfinished, !wasInterrupted else {
        exit(code ?? ExitStatus.internalError.rawValue)
      }
      let end = ProcessEnd(status: status, output: printed)
      let report = journal.report
      let cause =
        code != nil && !report.isEmpty
        ? "It took longer than its limit."
        : "\(report.isEmpty ? "It" : "A sample") \(end.complaint == nil ? end.manner : end.cause)."
      journal.append(.broken(index, cause: cause, report: report))
      withExtendedLifetime(signal) {}
    }
  }

  /// A pipe that programs do not inherit by themselves.
  fileprivate static func pipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = unsafe Foundation.pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// Copies what a child writes to the error stream, and keeps the end of it, where the runtime says why it traps. A
/// child at a terminal writes to that itself.
private final class Relay: Sendable {
  private let ends: (reading: Int32, writing: Int32)
  private let last = Mutex<[UInt8]>([])
  private let isOver = DispatchSemaphore(value: 0)
  private static let longest = 1 << 16

  init?() {
    guard !TerminalStyle.isTerminal(STDERR_FILENO) else { return nil }
    ends = WatchedSession.pipe()
    Thread.detachNewThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 1 << 14)
      while case let count = unsafe read(ends.reading, &bytes, bytes.count), count > 0 {
        try? FileHandle.standardError.write(contentsOf: Data(bytes.prefix(count)))
        last.withLock { $0 = ($0 + bytes.prefix(count)).suffix(Self.longest) }
      }
      isOver.signal()
    }
  }

  /// The descriptors of the child; a child whose streams meet still finds that they do.
  var files: [(here: Int32, there: Int32)] {
    [(ends.writing, STDERR_FILENO)] + (Console.streamsMeet ? [(ends.writing, STDOUT_FILENO)] : [])
  }

  /// The end of what the child has written, after its own end.
  func rest() -> String {
    close(ends.writing)
    // A process that the child has left behind may still have the pipe.
    _ = isOver.wait(timeout: .now() + .seconds(2))
    return last.withLock { String(decoding: $0, as: UTF8.self) }
  }
}

/// The progress of a session, in a file that its processes share: a line for each event, and after the beginning of a
/// scenario the report of the sample that has ended the process.
final class SessionJournal: Sendable {
  enum Event: Codable {
    /// The first event: when the session began by the system's clock, in nanoseconds, and the pipe that is open until
    /// its first process ends.
    case began(nanoseconds: UInt64, watch: Int32)
    case started(Int)
    /// It has ended: with results unless it ended the session by an error.
    case ended(Int, PlayedRun?)
    /// It has ended its process, or was ended by an error that is no reason to end the session.
    case broken(Int, cause: String, report: String)
  }

  let descriptor: Int32

  /// A new journal; `nil` if no temporary file can be made.
  convenience init?(watchedBy watch: Int32) {
    var path = Array((NSTemporaryDirectory() + "/assay-session-XXXXXX").utf8CString)
    let descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = unsafe unlink(path)
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    self.init(unchecked: descriptor)
    append(.began(nanoseconds: DispatchTime.now().uptimeNanoseconds, watch: watch))
  }

  /// The journal that another process has begun; `nil` if the descriptor is none.
  convenience init?(_ descriptor: Int32) {
    self.init(unchecked: descriptor)
    guard beginning != nil else { return nil }
  }

  private init(unchecked descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private var lines: [Substring] {
    let length = max(0, lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  }

  private static func event(_ line: Substring) -> Event? {
    line.hasPrefix("{") ? try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) : nil
  }

  private var events: [Event] { lines.compactMap(Self.event) }

  private var beginning: (nanoseconds: UInt64, watch: Int32)? {
    if case .began(let nanoseconds, let watch)? = lines.first.flatMap(Self.event) { (nanoseconds, watch) } else { nil }
  }

  /// The time since the session began.
  var elapsed: Duration {
    .nanoseconds(DispatchTime.now().uptimeNanoseconds &- (beginning?.nanoseconds ?? 0))
  }

  /// The end of each scenario that has ended.
  var ends: [Int: Event] {
    var ends: [Int: Event] = [:]
    for event in events {
      switch event {
      case .began, .started: break
      case .ended(let index, _), .broken(let index, _, _): ends[index] = event
      }
    }
    return ends
  }

  /// The scenario that was begun and has not ended.
  var unfinished: Int? {
    if case .started(let index)? = events.last { index } else { nil }
  }

  /// The scenario that has ended the process before this one.
  var latest: Int? {
    if case .broken(let index, _, _)? = events.last { index } else { nil }
  }

  /// The report of the sample that has ended the process, in lines.
  var report: String {
    lines.reversed().prefix { Self.event($0) == nil }.reversed().map { $0.trimmingPrefix { $0.isWhitespace } }
      .joined(separator: "\n")
  }

  func append(_ event: Event) {
    guard let line = try? JSONEncoder().encode(event) else { return }
    let bytes = [UInt8(ascii: "\n")] + line + [UInt8(ascii: "\n")]
    _ = unsafe write(descriptor, bytes, bytes.count)
  }

  /// Makes this process end when the session's first process does, and adds reports of samples to the journal.
  fileprivate func follow() {
    TrapReporter.copyReports(to: descriptor)
    guard let watch = beginning?.watch else { return }
    _ = fcntl(watch, F_SETFD, FD_CLOEXEC)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while unsafe read(watch, &byte, 1) < 0 && errno == EINTR {}
      kill(getpid(), SIGKILL)
    }
  }
}
