// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// How a process ended that should not have, and what it said last.
struct ProcessEnd: Sendable, Hashable {
  /// The name of the signal, or what it did instead.
  let manner: String
  /// The line in which the runtime says what was wrong, where it says something.
  let complaint: String?

  /// Reads the status of `waitpid`.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - remarks: What the process wrote to its standard error.
  init(status: Int32, remarks: String) {
    let signal = status & 0x7f
    manner =
      signal == 0 ? "ended the process with exit code \(status >> 8 & 0xff)" : "trapped with \(Self.name(of: signal))"
    let lines = remarks.split(whereSeparator: \.isNewline).map(String.init)
    let signs = ["Fatal error", "recondition failed", "Assertion failed"]
    complaint = lines.last { line in signs.contains { line.contains($0) } }
  }

  /// What happened, for a person: the manner, and what the runtime said.
  var cause: String {
    guard let complaint else { return "\(manner), without a word; a debug build says where" }
    return "\(manner): \(PlainText.escaped(complaint))"
  }

  /// The end as a failure of the case that was being judged; two ends are the same fault when they say the same.
  var failure: Failure { Failure(cause, origin: complaint.map(PlainText.escaped) ?? manner) }

  private static func name(of signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGTERM: "SIGTERM",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
