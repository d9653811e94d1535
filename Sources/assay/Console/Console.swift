// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

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
