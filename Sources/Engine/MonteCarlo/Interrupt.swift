// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A request to stop, which any thread may raise and every run reads between blocks, and long work within them.
public final class Interrupt: Sendable {
  /// The raw value of a signal is the exit code of a process that ends for it: 128 and the number of the signal.
  package enum Cause: Int32, Hashable, Sendable {
    /// The time or the samples that the run was given are used up.
    case limit = 1
    /// This process has played its share, and the rest is for others.
    case share = 2
    /// SIGINT, from the terminal.
    case interrupted = 130
    /// SIGTERM, from another process.
    case terminated = 143
  }

  /// The raw value of the first cause; 0 as long as there is none.
  private let first = Atomic<Int32>(0)
  private let whole: Interrupt?

  /// A request to stop a part of what `whole` stops.
  package init(within whole: Interrupt? = nil) { self.whole = whole }

  /// Whether a stop was requested.
  public var isRaised: Bool { first.load(ordering: .acquiring) != 0 || whole?.isRaised == true }

  /// The first cause; nil as long as there is none.
  package var cause: Cause? { Cause(rawValue: first.load(ordering: .acquiring)) ?? whole?.cause }

  /// Asks to stop; only the first cause counts.
  package func raise(_ cause: Cause = .interrupted) {
    _ = first.compareExchange(expected: 0, desired: cause.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Throws `Abandoned` once a stop was requested, to leave work before its end.
  public func check() throws(Abandoned) { if isRaised { throw Abandoned() } }
}

/// The error of work that an interrupt ended early; its partial results are dropped.
public struct Abandoned: Error {
  package init() {}
}

/// The answer of a process to the signals that it gets.
package struct SignalRequests: Sendable {
  package enum Response: Hashable, Sendable {
    /// The first time: let the work that runs come to an end that leaves partial results.
    case stop
    /// Again, when a person or a program has seen that the first was not enough: leave at once.
    case exitNow
  }

  /// For so long after the first, another signal is the same request, whichever it is: `timeout` of GNU coreutils
  /// signals the process and then its group, and a program that is ended by Ctrl-C may send SIGTERM to those it
  /// started.
  package static let repetition = Duration.milliseconds(500)

  private let repetition: Duration
  /// When the first was answered.
  private var first: ContinuousClock.Instant?

  package init(repetition: Duration = Self.repetition) { self.repetition = repetition }

  /// The response to a signal that comes now; `nil` for nothing more than the one before.
  package mutating func response(at now: ContinuousClock.Instant) -> Response? {
    guard let first else {
      first = now
      return .stop
    }
    return now - first < repetition ? nil : .exitNow
  }
}

/// Raises an interrupt when the process gets SIGINT or SIGTERM, for as long as this value is kept.
///
/// The first signal lets runs end with partial results. A later one leaves the process at once, with code 130 for
/// SIGINT and 143 for SIGTERM, unless `SignalRequests` takes it for the same request.
package final class InterruptSignal {
  private static let signals: [(number: Int32, cause: Interrupt.Cause)] = [
    (SIGINT, .interrupted), (SIGTERM, .terminated),
  ]

  private let sources: [any DispatchSourceSignal]
  private let cancelled = DispatchSemaphore(value: 0)

  /// Starts listening; `answering` gets what is done for each signal, `nil` for nothing.
  package init(
    raises interrupt: Interrupt, repetition: Duration = SignalRequests.repetition,
    answering: @escaping @Sendable (SignalRequests.Response?) -> Void = { _ in }
  ) {
    // The requests of both signals, whose handlers may run at the same time.
    let requests = Mutex(SignalRequests(repetition: repetition))
    // Dispatch registers a source later, on a thread of its own; a signal in between would be lost.
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
