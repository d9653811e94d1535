// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo

/// A child process, with a pipe to it, a pipe from it, and a file for its output.
final class ChildProcess {
  /// The descriptors that are open in the child, in addition to the standard ones.
  enum Descriptor {
    static let answers: Int32 = 3
    static let journal: Int32 = 4
  }

  /// The largest number of output bytes kept; older ones are dropped.
  private static let longestOutput = 1 << 20

  private let process: pid_t
  let requests: Int32
  let answers: Int32
  private let output: Int32
  private var hasEnded = false

  init(_ command: [String], journal: Int32) throws(WorkerError) {
    let (childRequests, requests) = try Self.pipe()
    let (answers, childAnswers) = try Self.pipe()
    let output = try Self.temporaryFile()
    defer {
      close(childRequests)
      close(childAnswers)
    }
    // The backtracer of the runtime takes seconds for every trap.
    let (process, status) = StartedProcess.start(
      command.first ?? "", command, adding: ["SWIFT_BACKTRACE": "enable=no"],
      files: [
        (childRequests, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO),
        (childAnswers, Descriptor.answers), (journal, Descriptor.journal),
      ])
    (self.process, self.requests, self.answers, self.output) = (process, requests, answers, output)
    guard status == 0 else {
      hasEnded = true
      throw WorkerError.system("starting '\(command.first ?? "")'", status)
    }
  }

  deinit {
    if !hasEnded { _ = terminate(killing: true) }
    close(requests)
    close(answers)
    close(output)
  }

  /// Waits for the process to end, after terminating it if requested.
  func end(killing: Bool) -> ProcessEnd {
    hasEnded = true
    return ProcessEnd(status: terminate(killing: killing), output: printed())
  }

  private func terminate(killing: Bool) -> Int32 {
    if killing { kill(process, SIGKILL) }
    return StartedProcess.wait(for: process)
  }

  private func printed() -> String {
    let length = Int(lseek(output, 0, SEEK_END))
    let start = max(0, length - Self.longestOutput)
    var bytes = [UInt8](repeating: 0, count: length - start)
    let read = unsafe pread(output, &bytes, bytes.count, off_t(start))
    return String(decoding: bytes.prefix(max(0, read)), as: UTF8.self)
  }

  /// Limits the disk space of the output.
  func trimOutput() {
    if lseek(output, 0, SEEK_END) > 16 * Self.longestOutput { ftruncate(output, 0) }
  }

  // MARK: System calls

  /// A pipe that no other child inherits, its reading end first, both above the descriptors that are open in a child.
  static func pipe() throws(WorkerError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Foundation.pipe(&ends) == 0 else { throw WorkerError.system("making a pipe", errno) }
    return (kept(ends[0]), kept(ends[1]))
  }

  /// The same file under a descriptor above those that are open in a child, which no child inherits.
  private static func kept(_ descriptor: Int32) -> Int32 {
    let higher = fcntl(descriptor, F_DUPFD_CLOEXEC, Descriptor.journal + 1)
    close(descriptor)
    return higher
  }

  /// A file without a name, deleted when no process has it open; in memory if the system has such a folder.
  static func temporaryFile() throws(WorkerError) -> Int32 {
    let folders = ["/dev/shm", NSTemporaryDirectory()]
    for folder in folders where unsafe access(folder, W_OK) == 0 {
      var path = Array("\(folder)/assay-XXXXXX".utf8CString)
      let descriptor = unsafe mkstemp(&path)
      guard descriptor >= 0 else { continue }
      _ = unsafe unlink(path)
      let file = kept(descriptor)
      _ = fcntl(file, F_SETFL, O_APPEND)
      return file
    }
    throw WorkerError.system("making a temporary file", errno)
  }
}

/// The unexpected end of a process, with its last output.
package struct ProcessEnd: Sendable, Hashable {
  /// The name of the signal, or another description of the end.
  package let manner: String
  /// The runtime's error message, if it printed one.
  package let complaint: String?

  /// The end by the status of `waitpid`, after an output.
  package init(status: Int32, output: String) {
    let signal = status & 0x7f
    manner =
      signal == 0
      ? "ended the process with exit code \(status >> 8 & 0xff)" : "trapped with \(TrapReporter.name(of: signal))"
    let lines = output.split(whereSeparator: \.isNewline).map(String.init)
    let signs = ["Fatal error", "recondition failed", "Assertion failed"]
    complaint = lines.last { line in signs.contains { line.contains($0) } }
  }

  /// The end in a clause without a subject: `trapped with SIGILL: Fatal error: ...`.
  package var cause: String {
    guard let complaint else { return "\(manner), without a message; a debug build prints the place" }
    return "\(manner): \(ReadableText.escaped(complaint))"
  }

  /// The end as a failure of the case being evaluated; ends with equal messages are the same fault.
  var failure: Failure { Failure(cause, origin: complaint.map(ReadableText.escaped) ?? manner) }
}
