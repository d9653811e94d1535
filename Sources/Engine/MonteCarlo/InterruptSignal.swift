// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation

/// Raises an interrupt whenever the process gets SIGINT, for as long as this value is kept.
///
/// The first signal lets runs stop at a block's end; the second leaves the process at once with code 130.
public final class InterruptSignal {
  private let source: any DispatchSourceSignal
  private let cancelled = DispatchSemaphore(value: 0)

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - interrupt: What the signal raises.
  ///   - whenStopping: Called on the first signal, on a thread of its own: a place to tell the person.
  public init(raises interrupt: Interrupt, whenStopping: @escaping @Sendable () -> Void = {}) {
    _ = signal(SIGINT, SIG_IGN)
    // Not the main queue: the main thread is busy playing blocks.
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global(qos: .userInteractive))
    source.setEventHandler {
      switch interrupt.raise() {
      case .stopAtBlockEnd: whenStopping()
      case .exitNow: _exit(Interrupt.exitCode)
      }
    }
    // Dispatch registers the source later, on a thread of its own; a signal in between would be lost.
    let registered = DispatchSemaphore(value: 0)
    let cancelled = cancelled
    source.setRegistrationHandler { registered.signal() }
    source.setCancelHandler { cancelled.signal() }
    source.resume()
    registered.wait()
  }

  deinit {
    source.cancel()
    cancelled.wait()
    _ = signal(SIGINT, SIG_DFL)
  }
}
