// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Synchronization

/// Runs a waiting task, such as a connection or a server, until it ends or is interrupted.
package enum UntilInterrupted {
  /// Runs the body to its end. Ctrl-C and SIGTERM cancel the task, so that it can close; a second signal exits at once.
  ///
  /// - Parameter body: the work, which should return soon after its task was cancelled.
  /// - Throws: the errors of the body; after an interruption the process ends with its exit code instead.
  package static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let interrupt = Interrupt()
    let outcome = Mutex<Result<Void, any Error>>(.success(()))
    let ended = DispatchSemaphore(value: 0)
    // Signals are listened to before the body says anything: another program may answer it by a signal.
    let (listening, listen) = AsyncStream.makeStream(of: Never.self)
    let task = Task.detached {
      for await _ in listening {}
      do {
        try await body()
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      ended.signal()
    }
    let signal = InterruptSignal(raises: interrupt) { response in
      switch response {
      case .stop:
        interrupt.endWaits()
        Console.say("interrupted: closing; interrupt again to exit at once", afterKey: true)
        task.cancel()
      case .exitNow: Console.leave()
      case nil: break
      }
    }
    listen.finish()
    ended.wait()
    withExtendedLifetime(signal) {}
    if let status = ExitStatus(interrupt) { exit(status.rawValue) }
    try outcome.withLock { $0 }.get()
  }
}
