// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// A wait of this process for another one or for a person: for the reader of a pipe, or for input.
///
/// The work cannot look for an interruption meanwhile, so whoever handles signals asks here.
package enum OutsideWait {
  private static let current = Mutex<(name: String, began: ContinuousClock.Instant)?>(nil)

  /// Runs work that may wait for as long as another process likes; `name` is what it waits for, in a sentence.
  static func during<Value, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    current.withLock { $0 = (name, .now) }
    defer { current.withLock { $0 = nil } }
    return try body()
  }

  /// Runs work on the standard output, which may be a pipe that nobody reads.
  package static func output<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    try during("the reader of the standard output", body)
  }

  /// The operation that the process has waited for at least since a moment; `nil` if it does not wait.
  package static func name(since moment: ContinuousClock.Instant) -> String? {
    current.withLock { wait in wait.flatMap { $0.began <= moment ? $0.name : nil } }
  }
}
