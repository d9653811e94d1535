// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The two streams of the process: results on the output, everything else on the error stream.
enum Console {
  /// Writes a result.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes a result that need not be text, such as a picture.
  static func write(_ bytes: Data) {
    try? FileHandle.standardOutput.write(contentsOf: bytes)
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
}
