// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A request to stop, which any thread may raise; runs check it between blocks, and long work within blocks.
public final class Interrupt: Sendable {
  /// The cause of a stop. The raw value of a signal is the exit code of the process: 128 plus the signal's number.
  package enum Cause: Int32, Hashable, Sendable {
    /// The time or the samples of the run are exhausted.
    case limit = 1
    /// This process has played its share; other processes play the rest.
    case share = 2
    /// SIGINT, from the terminal.
    case interrupted = 130
    /// SIGTERM, from another process.
    case terminated = 143
  }

  /// The raw value of the first cause; 0 without one.
  private let first = Atomic<Int32>(0)
  private let whole: Interrupt?

  /// A request to stop a part of the work that `whole` stops.
  package init(within whole: Interrupt? = nil) { self.whole = whole }

  /// True if a stop was requested.
  public var isRaised: Bool { first.load(ordering: .acquiring) != 0 || whole?.isRaised == true }

  /// The first cause; `nil` without one.
  package var cause: Cause? { Cause(rawValue: first.load(ordering: .acquiring)) ?? whole?.cause }

  /// Requests a stop; only the first cause counts.
  package func raise(_ cause: Cause = .interrupted) {
    _ = first.compareExchange(expected: 0, desired: cause.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Throws `Abandoned` once a stop was requested, to leave work early.
  public func check() throws(Abandoned) { if isRaised { throw Abandoned() } }
}

/// The error of work that an interrupt ended early; its partial results are dropped.
public struct Abandoned: Error {
  package init() {}
}

/// The response of a process to its signals.
package struct SignalRequests: Sendable {
  package enum Response: Hashable, Sendable {
    /// The first signal: finish the running work early, with partial results.
    case stop
    /// A later signal: leave at once.
    case exitNow
  }

  /// The time after the first signal in which any other signal counts as the same request: `timeout` of GNU coreutils
  /// signals the process and then its group, and a program ended by Ctrl-C may send SIGTERM to its children.
  package static let repetition = Duration.milliseconds(500)

  private let repetition: Duration
  /// The time of the first response.
  private var first: ContinuousClock.Instant?

  package init(repetition: Duration = Self.repetition) { self.repetition = repetition }

  /// The response to a signal at this time; `nil` if it repeats the one before.
  package mutating func response(at now: ContinuousClock.Instant) -> Response? {
    guard let first else {
      first = now
      return .stop
    }
    return now - first < repetition ? nil : .exitNow
  }
}

/// Raises an interrupt when the process gets SIGINT or SIGTERM, while this value exists.
///
/// The first signal lets runs end with partial results. A later one ends the process at once, with code 130 for SIGINT
/// and 143 for SIGTERM, unless `SignalRequests` counts it as the same request.
package final class InterruptSignal {
  private static let signals: [(number: Int32, cause: Interrupt.Cause)] = [
    (SIGINT, .interrupted), (SIGTERM, .terminated),
  ]

  private let sources: [any DispatchSourceSignal]
  private let cancelled = DispatchSemaphore(value: 0)

  /// Starts listening; `answering` is called with the response to each signal, `nil` for none.
  package init(
    raises interrupt: Interrupt, repetition: Duration = SignalRequests.repetition,
    answering: @escaping @Sendable (SignalRequests.Response?) -> Void = { _ in }
  ) {
    // The requests of both signals; their handlers may run at the same time.
    let requests = Mutex(SignalRequests(repetition: repetition))
    // Dispatch registers a source later, on another thread; a signal in between would be lost.
    let registered = DispatchSemaphore(value: 0)
    let cancelled = cancelled
    sources = Self.signals.map { number, cause in
      _ = signal(number, SIG_IGN)
      // Not the main queue: the main thread is busy playing blocks.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      source.setEventHandler {
        interrupt.raise(cause)
        let response = requests.withLock { $0.response(at: .now) }
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
