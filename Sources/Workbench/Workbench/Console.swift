// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import MonteCarlo
package import Reporting
internal import Scenarios
internal import Synchronization

/// The two streams of the process: results on the output, everything else on the error stream, where a line of progress
/// may be drawn last.
package enum Console {
  private static let clearedLine = "\r\u{1B}[K"
  private static let progress = Mutex(Progress())

  private struct Progress {
    /// True if a line of progress is at the place of the next text.
    var isDrawn = false
    /// True if the process is about to leave, so that nothing more is drawn.
    var isOver = false
  }

  package static func write(_ text: String) throws(ReportingError) { try write(Data(text.utf8)) }

  /// Writes a result. A closed pipe is no error: its reader has read enough.
  static func write(_ bytes: Data) throws(ReportingError) {
    do {
      try OutsideWait.output { try FileHandle.standardOutput.write(contentsOf: bytes) }
    } catch {
      guard SystemCause.code(of: error) != EPIPE else { return }
      throw .unwritable(
        path: "the standard output", cause: SystemCause.message(of: error),
        cure: "send it where there is space, or name a file by --output where the command has it")
    }
  }

  /// Writes a remark on one line, made harmless; `afterKey` if the terminal has just shown a key such as `^C`.
  package static func say(_ line: String, afterKey: Bool = false) {
    show(TerminalText.withoutCommands(TerminalText.harmless(line)), afterKey: afterKey)
  }

  static func say(lines: String) {
    show(TerminalText.withoutCommands(TerminalText.harmless(lines, keepingLineEnds: true)))
  }

  /// Writes a line that a build server reads as a command.
  static func say(command: String) { show(TerminalText.harmless(command)) }

  private static func show(_ text: String, afterKey: Bool = false) {
    progress.withLock { progress in
      put((progress.isDrawn || (afterKey && canDraw) ? clearedLine : "") + text + "\n")
      progress.isDrawn = false
    }
  }

  /// True if a person can read a question and answer it: input and error stream are terminals.
  static var canAsk: Bool { TerminalStyle.isTerminal(STDIN_FILENO) && TerminalStyle.isTerminal(STDERR_FILENO) }

  /// Asks whether to continue; everything but `y` and `yes` is no.
  static func ask(_ question: String) -> Bool {
    put(question + " [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Draws a line of progress over the last one; an empty one only removes that.
  private static func draw(_ line: String, isFaint: Bool) {
    progress.withLock { progress in
      guard !progress.isOver else { return }
      if line.isEmpty {
        if progress.isDrawn { put(clearedLine) }
      } else {
        put("\r" + (isFaint ? "\u{1B}[2m\(line)\u{1B}[0m" : line) + "\u{1B}[K")
      }
      progress.isDrawn = !line.isEmpty
    }
  }

  /// Removes the line of progress before the process exits at once, whatever its threads are doing.
  static func leave() {
    _ = progress.withLockIfAvailable { progress in
      if canDraw { put(clearedLine) }
      progress.isOver = true
    }
  }

  private static func put(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// True if the error stream is a terminal that can draw over a line.
  private static var canDraw: Bool {
    TerminalStyle.isTerminal(STDERR_FILENO) && ProcessInfo.processInfo.environment["TERM", default: "dumb"] != "dumb"
  }

  /// A progress display: one line that is drawn over if the stream is a terminal; otherwise, as in a pipe or a log, a
  /// new line now and then, but none in a run of some seconds.
  package static func meter(maximum: Int?, unit: String, isAnimated: Bool) -> ProgressMeter {
    guard isAnimated, canDraw else {
      let meter = ProgressMeter(maxRounds: maximum, columns: 100, unit: unit) { line in
        if !line.isEmpty { say(line) }
      }
      meter.keepDrawing(after: 10, every: 30)
      return meter
    }
    let isFaint = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    let meter = ProgressMeter(maxRounds: maximum, columns: columns(of: STDERR_FILENO) ?? 80, unit: unit) { line in
      draw(line, isFaint: isFaint)
    }
    meter.draw()
    meter.keepDrawing(after: 0.1, every: 0.1)
    return meter
  }

  /// True if both streams go to the same terminal, file or pipe.
  static var streamsMeet: Bool {
    var (output, errors) = (stat(), stat())
    return unsafe fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &errors) == 0
      && output.st_dev == errors.st_dev && output.st_ino == errors.st_ino
  }

  /// The style of results on the output; plain for a build server.
  static var outputStyle: TerminalStyle {
    let environment = ProcessInfo.processInfo.environment
    return TerminalStyle(
      isTerminal: TerminalStyle.isTerminal(STDOUT_FILENO) && !BuildServer.isThere(environment),
      environment: environment)
  }

  /// The largest width of text for people in columns: `COLUMNS`, else the terminal's width, else 100.
  static var width: Int {
    let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? columns(of: STDOUT_FILENO) ?? 0
    return wanted > 0 ? min(160, max(20, wanted)) : 100
  }

  /// The width of a stream's terminal in columns; `nil` if unknown.
  private static func columns(of stream: Int32) -> Int? {
    var size = winsize()
    return unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

/// The means of an experiment's run: workers, progress on the terminal, and Ctrl-C.
struct Bench {
  let jobs: Int
  /// The interrupt that Ctrl-C and SIGTERM raise.
  let interrupt = Interrupt()
  /// Makes the progress display of one piece of work. `maximum` is its size if known. Returns `nil` if no display is
  /// wanted.
  let meter: @Sendable (_ maximum: Int?, _ unit: String) -> ProgressMeter?
  /// Settings for single samples.
  var samples = SampleHandling()
  private let limits: RunLimits
  private let signal: InterruptSignal

  /// Writes the command to the log, if there is one.
  init(
    announcing echo: CommandLineEcho, jobs: Int, quiet: Bool, isAnimated: Bool = true, limits: RunLimits = RunLimits()
  ) {
    (self.jobs, self.limits) = (jobs, limits)
    meter = { maximum, unit in quiet ? nil : Console.meter(maximum: maximum, unit: unit, isAnimated: isAnimated) }
    signal = InterruptSignal(raises: interrupt) { [interrupt] response in
      switch response {
      case .stop:
        interrupt.endWaits()
        guard !quiet else { return }
        Console.say("interrupted: ending with partial results; interrupt again to exit at once", afterKey: true)
      case .exitNow: Console.leave()
      case nil: break
      }
    }
    if Log.isWanted { Console.say(echo.line) }
    if let deadline = limits.deadline {
      let seconds = deadline / .seconds(1)
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [interrupt] in interrupt.raise(.limit) }
    }
  }

  var wasInterrupted: Bool { interrupt.isRaised }

  /// The exit status after an early end; nil if there was none.
  var early: ExitStatus? { ExitStatus(interrupt) }

  /// True if this process has played its shard, and others play the rest.
  var hasPlayedShare: Bool { interrupt.cause == .share }

  /// The exit status after results of that verdict.
  func status(_ verdict: Verdict, isComplete: Bool) -> ExitStatus {
    early ?? ExitStatus(verdict, isComplete: isComplete)
  }

  var context: RunContext {
    var context = RunContext(
      workers: jobs, maxSamples: limits.samples, interrupt: interrupt, meter: meter, naming: Program.named)
    context.samples = samples
    context.samples.command = { $0.commandLine }
    return context
  }
}
