// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// The two streams of the process: results on the output, everything else on the error stream.
enum Console {
  /// Writes a result.
  ///
  /// - Parameter text: the result.
  /// - Throws: `ReportingError.unwritable` with the system's reason, such as a full disk.
  static func write(_ text: String) throws(ReportingError) { try write(Data(text.utf8)) }

  /// Writes a result that need not be text, such as a picture. Whoever closed a pipe has read enough: that is no error.
  ///
  /// - Parameter bytes: the result.
  /// - Throws: `ReportingError.unwritable` with the system's reason, such as a full disk.
  static func write(_ bytes: Data) throws(ReportingError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: bytes)
    } catch {
      guard SystemCause.code(of: error) != EPIPE else { return }
      throw .unwritable(
        path: "the standard output", cause: SystemCause.message(of: error),
        cure: "lead it to where there is room, or name a file by --output where the command has it")
    }
  }

  /// Writes a remark, with a line end behind it.
  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Whether remarks reach a person's terminal.
  static var errorsReachTerminal: Bool { TerminalStyle.isTerminal(STDERR_FILENO) }

  /// How results on the output are styled; plainly where a build server keeps them.
  static var outputStyle: TerminalStyle {
    let environment = ProcessInfo.processInfo.environment
    return TerminalStyle(
      isTerminal: TerminalStyle.isTerminal(STDOUT_FILENO) && !BuildServer.isThere(environment),
      environment: environment)
  }

  /// How wide text for people may be: the terminal's width, 100 where it goes elsewhere.
  static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 40
    return isKnown ? min(160, Int(size.ws_col)) : 100
  }
}

/// A command with every option it runs with, as a person would type it to get the same again.
struct CommandLineEcho {
  private var words: [String]

  init(_ words: String...) {
    self.words = words
  }

  /// Adds plain words.
  mutating func add(_ arguments: [String]) { words += arguments }

  /// Adds an option with its value.
  mutating func add(_ option: String, _ value: String) { words += [option, value] }

  /// The line, words quoted for a shell where they need it.
  var line: String { words.map(Self.quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./,=+:@%".contains($0) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

/// How far a piece of work has come: drawn on a terminal, told of in the log, or both.
enum Progress {
  /// Makes the display of one piece of work.
  ///
  /// - Parameters:
  ///   - most: how much it is; `nil` where nobody knows.
  ///   - unit: what is counted.
  ///   - isDrawn: whether it may be drawn, where the error stream is a terminal.
  /// - Returns: the display; `nil` where nobody would see it.
  static func meter(most: Int?, unit: String, isDrawn: Bool) -> ProgressMeter? {
    ProgressMeter.onStandardError(
      mostRounds: most, quiet: !isDrawn, unit: unit, environment: ProcessInfo.processInfo.environment)
  }
}

/// A lab as the commands use it: progress on the terminal, an ear for Ctrl-C, and the command said first.
struct Bench {
  /// How many workers.
  let jobs: Int
  /// Raised by Ctrl-C, and by SIGTERM.
  let interrupt = Interrupt()
  /// Makes the progress display of one piece of work, given how much it is where that is known; `nil` where none is
  /// wanted.
  let meter: @Sendable (_ most: Int?, _ unit: String) -> ProgressMeter?
  private let signal: InterruptSignal

  /// Says what runs, and makes the lab ready.
  ///
  /// - Parameters:
  ///   - echo: the command with every option.
  ///   - jobs: how many workers.
  ///   - quiet: whether to say nothing.
  ///   - isAnimated: whether progress may be drawn, on a terminal.
  init(announcing echo: CommandLineEcho, jobs: Int, quiet: Bool, isAnimated: Bool = true) {
    self.jobs = jobs
    meter = { most, unit in
      Progress.meter(most: most, unit: unit, isDrawn: isAnimated && !quiet)
    }
    signal = InterruptSignal(raises: interrupt) {
      if !quiet { Console.say("interrupted: ending with what is known; once more to leave at once") }
    }
    if !quiet { Console.say(echo.line) }
  }

  /// Whether somebody asked for an early end.
  var wasInterrupted: Bool { interrupt.isRaised }

  /// How the process ends then; nil where nobody asked.
  var early: ExitStatus? { ExitStatus(interrupt) }

  /// What scenarios are run on.
  var scenarios: ScenarioBench { ScenarioBench(workers: jobs, interrupt: interrupt, meter: meter) }
}
