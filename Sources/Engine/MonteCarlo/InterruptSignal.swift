// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation

/// Raises an interrupt whenever the process gets SIGINT or SIGTERM, for as long as this value is kept.
///
/// The first signal lets runs stop at a block's end; the second leaves the process at once, with code 130 after SIGINT
/// and 143 after SIGTERM.
public final class InterruptSignal {
  private static let signals: [(number: Int32, cause: Interrupt.Cause)] = [
    (SIGINT, .interrupted), (SIGTERM, .terminated),
  ]

  private let sources: [any DispatchSourceSignal]
  private let cancelled = DispatchSemaphore(value: 0)

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - interrupt: What the signals raise.
  ///   - whenStopping: Called on the first signal, on a thread of its own: a place to tell the person.
  public init(raises interrupt: Interrupt, whenStopping: @escaping @Sendable () -> Void = {}) {
    // Dispatch registers a source later, on a thread of its own; a signal in between would be lost.
    let registered = DispatchSemaphore(value: 0)
    let cancelled = cancelled
    sources = Self.signals.map { number, cause in
      _ = signal(number, SIG_IGN)
      // Not the main queue: the main thread is busy playing blocks.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      source.setEventHandler {
        switch interrupt.raise(cause) {
        case .stopAtBlockEnd: whenStopping()
        case .exitNow: _exit(cause.rawValue)
        }
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
