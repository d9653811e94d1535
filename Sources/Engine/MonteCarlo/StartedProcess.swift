// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Child processes as the system starts them.
package enum StartedProcess {
  /// Starts a program with this process's environment. SIGINT and SIGTERM have their default effects in it.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: Its arguments, its name first.
  ///   - more: Variables to add to the environment.
  ///   - files: The descriptors that it inherits in addition to the standard streams, with their numbers there.
  /// - Returns: The number of the process, and an error number, which is 0 if it was started.
  package static func start(
    _ path: String, _ arguments: [String], adding more: [String: String], files: [(here: Int32, there: Int32)]
  ) -> (process: Int32, error: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (here, there) in files { unsafe posix_spawn_file_actions_adddup2(&actions, here, there) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
    var process: pid_t = 0
    let error = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }) { variables in
        unsafe posix_spawn(&process, path, &actions, &attributes, arguments, variables)
      }
    }
    return (process, error)
  }

  /// Waits for the end of a child process.
  ///
  /// - Returns: The status of `waitpid`.
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
  }
}
