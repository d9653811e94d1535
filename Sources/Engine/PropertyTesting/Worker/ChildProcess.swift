// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Another process, with a pipe to it, a pipe from it, and a file that takes what it says.
final class ChildProcess {
  /// The descriptors that the child finds open besides the standard ones.
  enum Descriptor {
    static let answers: Int32 = 3
    static let journal: Int32 = 4
  }

  /// The longest record of what it says; what is older is dropped.
  private static let mostRemarks = 1 << 20

  private let process: pid_t
  /// Where requests are written.
  let requests: Int32
  /// Where answers are read.
  let answers: Int32
  private let remarks: Int32
  private var hasEnded = false

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - command: The executable's path and its arguments.
  ///   - journal: A file that the child finds open.
  /// - Throws: `WorkerError.refused`.
  init(_ command: [String], journal: Int32) throws(WorkerError) {
    let (childRequests, requests) = try Self.pipe()
    let (answers, childAnswers) = try Self.pipe()
    let remarks = try Self.temporaryFile()
    defer {
      close(childRequests)
      close(childAnswers)
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in [
      (childRequests, STDIN_FILENO), (remarks, STDOUT_FILENO), (remarks, STDERR_FILENO),
      (childAnswers, Descriptor.answers), (journal, Descriptor.journal),
    ] {
      unsafe posix_spawn_file_actions_adddup2(&actions, from, to)
    }
    var process: pid_t = 0
    // The backtracer of the runtime takes seconds over every trap.
    let environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let status = unsafe Self.withCStrings(command) { arguments in
      unsafe Self.withCStrings(environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }) { variables in
        unsafe posix_spawn(&process, command.first ?? "", &actions, nil, arguments, variables)
      }
    }
    (self.process, self.requests, self.answers, self.remarks) = (process, requests, answers, remarks)
    guard status == 0 else {
      hasEnded = true
      throw WorkerError.system("starting '\(command.first ?? "")'", status)
    }
  }

  deinit {
    if !hasEnded { Self.end(process) }
    close(requests)
    close(answers)
    close(remarks)
  }

  /// Ends the process if it has not ended by itself, and says how it ended.
  func end(killing: Bool) -> ProcessEnd {
    hasEnded = true
    if killing { kill(process, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return ProcessEnd(status: status, remarks: said())
  }

  /// What it has said so far.
  func said() -> String {
    let length = Int(lseek(remarks, 0, SEEK_END))
    let start = max(0, length - Self.mostRemarks)
    var bytes = [UInt8](repeating: 0, count: length - start)
    let read = unsafe pread(remarks, &bytes, bytes.count, off_t(start))
    return String(decoding: bytes.prefix(max(0, read)), as: UTF8.self)
  }

  /// Keeps what it says from filling the disk.
  func trimRemarks() {
    if lseek(remarks, 0, SEEK_END) > 16 * Self.mostRemarks { ftruncate(remarks, 0) }
  }

  // MARK: System calls

  private static func end(_ process: pid_t) {
    kill(process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }

  /// A pipe that no other child inherits, its reading end first, both beyond the numbers that a child finds open.
  private static func pipe() throws(WorkerError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Foundation.pipe(&ends) == 0 else { throw WorkerError.system("making a pipe", errno) }
    return (kept(ends[0]), kept(ends[1]))
  }

  /// The same file under a number above those that a child finds open, which no child inherits.
  private static func kept(_ descriptor: Int32) -> Int32 {
    let higher = fcntl(descriptor, F_DUPFD_CLOEXEC, Descriptor.journal + 1)
    close(descriptor)
    return higher
  }

  /// A file without a name, gone when nobody has it open; in memory where the system has such a folder.
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

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
  }
}
