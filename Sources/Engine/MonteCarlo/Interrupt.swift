// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A request to stop, which any thread may raise and every run reads between blocks.
package final class Interrupt: Sendable {
  package enum Response: Hashable, Sendable {
    /// The first time: let the blocks that run be finished and write partial results.
    case stopAtBlockEnd
    /// Any further time: leave at once.
    case exitNow
  }

  /// The raw value is the exit code of a process that ends for it: 128 and the number of the signal.
  package enum Cause: Int32, Hashable, Sendable {
    /// SIGINT, from the terminal.
    case interrupted = 130
    /// SIGTERM, from another process.
    case terminated = 143
  }

  /// The raw value of the first cause; 0 as long as there is none.
  private let first = Atomic<Int32>(0)

  package init() {}

  package var isRaised: Bool { first.load(ordering: .acquiring) != 0 }

  /// The first cause; nil as long as there is none.
  package var cause: Cause? { Cause(rawValue: first.load(ordering: .acquiring)) }

  @discardableResult
  package func raise(_ cause: Cause = .interrupted) -> Response {
    first.compareExchange(expected: 0, desired: cause.rawValue, ordering: .acquiringAndReleasing).exchanged
      ? .stopAtBlockEnd : .exitNow
  }
}

/// Raises an interrupt whenever the process gets SIGINT or SIGTERM, for as long as this value is kept.
///
/// The first signal lets runs stop at a block's end; the second leaves the process at once, with code 130 after SIGINT
/// and 143 after SIGTERM.
package final class InterruptSignal {
  private static let signals: [(number: Int32, cause: Interrupt.Cause)] = [
    (SIGINT, .interrupted), (SIGTERM, .terminated),
  ]

  private let sources: [any DispatchSourceSignal]
  private let cancelled = DispatchSemaphore(value: 0)

  /// Starts listening.
  package init(raises interrupt: Interrupt, answering: @escaping @Sendable (Interrupt.Response) -> Void = { _ in }) {
    // Dispatch registers a source later, on a thread of its own; a signal in between would be lost.
    let registered = DispatchSemaphore(value: 0)
    let cancelled = cancelled
    sources = Self.signals.map { number, cause in
      _ = signal(number, SIG_IGN)
      // Not the main queue: the main thread is busy playing blocks.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      source.setEventHandler {
        let response = interrupt.raise(cause)
        answering(response)
        if response == .exitNow { _exit(cause.rawValue) }
      }
      source.setRegistrationHandler { registered.signal() }
      source.setCancelHandler { cancelled.signal() }
      source.resume()
      return source
    }
    for _ in sources { registered.wait() }
  }

  deinit {
    for source in sources { source.cancel() }
    for _ in sources { cancelled.wait() }
    for (number, _) in Self.signals { _ = signal(number, SIG_DFL) }
  }
}
