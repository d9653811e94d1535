// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// The two streams of the process: results on the output, everything else on the error stream.
enum Console {
  static func write(_ text: String) throws(ReportingError) { try write(Data(text.utf8)) }

  /// Writes a result. A reader that closed the pipe has read enough: that is no error.
  static func write(_ bytes: Data) throws(ReportingError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: bytes)
    } catch {
      guard SystemCause.code(of: error) != EPIPE else { return }
      throw .unwritable(
        path: "the standard output", cause: SystemCause.message(of: error),
        cure: "send it where there is space, or name a file by --output where the command has it")
    }
  }

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

  mutating func add(_ arguments: [String]) { words += arguments }

  mutating func add(_ option: String, _ value: String) { words += [option, value] }

  /// The line, words quoted for a shell where they need it.
  var line: String { words.map(Self.quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./,=+:@%".contains($0) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

/// What an experiment runs on: workers, progress on the terminal, and Ctrl-C.
struct Bench {
  let jobs: Int
  /// Raised by Ctrl-C, and by SIGTERM.
  let interrupt = Interrupt()
  /// Makes the progress display of one piece of work, given how much it is where that is known; `nil` where none is
  /// wanted.
  let meter: @Sendable (_ most: Int?, _ unit: String) -> ProgressMeter?
  private let signal: InterruptSignal

  /// Prints the command unless `quiet`.
  init(announcing echo: CommandLineEcho, jobs: Int, quiet: Bool, isAnimated: Bool = true) {
    self.jobs = jobs
    meter = { most, unit in
      ProgressMeter.onStandardError(
        mostRounds: most, quiet: quiet || !isAnimated, unit: unit, environment: ProcessInfo.processInfo.environment)
    }
    signal = InterruptSignal(raises: interrupt) {
      if !quiet { Console.say("interrupted: ending with what is known; once more to leave at once") }
    }
    if !quiet { Console.say(echo.line) }
  }

  var wasInterrupted: Bool { interrupt.isRaised }

  /// How the process ends then; nil where nobody asked.
  var early: ExitStatus? { ExitStatus(interrupt) }

  var scenarios: ScenarioBench { ScenarioBench(workers: jobs, interrupt: interrupt, meter: meter) }
}
