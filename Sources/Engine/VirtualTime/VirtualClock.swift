// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The clock of a `VirtualClock.run`, which advances it whenever no job is ready.
///
/// Sleeping tasks wake at their deadlines, in the order of the deadlines; equal deadlines keep the order of the calls.
///
/// ```swift
/// let slept = try VirtualClock.run { clock in
///   let start = clock.now
///   try await clock.sleep(for: .seconds(360_000))
///   return start.duration(to: clock.now)
/// }
/// ```
public final class VirtualClock: Clock {
  /// The instants of the clock.
  public typealias Instant = VirtualInstant

  fileprivate typealias Alarm = CheckedContinuation<Void, any Error>

  private struct State {
    var now = VirtualInstant.zero
    var alarms = EventQueue<Alarm>()
  }

  private let state = Mutex(State())

  /// The time of the run, from 0.
  public var now: VirtualInstant { state.withLock(\.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The end of the next sleep; `nil` if no task sleeps.
  package var nextAlarm: VirtualInstant? { state.withLock { $0.alarms.nextTime } }

  /// Sleeps until a time. Even if it has passed, the jobs that are ready run first, so `clock.sleep(for: .zero)` yields
  /// to other tasks.
  public func sleep(until deadline: VirtualInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Alarm) in
        let isAsleep = state.withLock { state in
          sleeper.fallAsleep { state.alarms.schedule(continuation, at: max(deadline, state.now)) }
        }
        if !isAsleep { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      guard let token = sleeper.cancel() else { return }
      state.withLock { $0.alarms.cancel(token) }?.resume(throwing: CancellationError())
    }
  }

  /// Advances to the end of the next sleep and wakes all tasks due then; false if no task sleeps.
  func advance() -> Bool {
    guard let time = nextAlarm else { return false }
    state.withLock { $0.now = max($0.now, time) }
    while let alarm = state.withLock({ $0.alarms.next(until: time)?.event }) { alarm.resume() }
    return true
  }

  /// Ends every sleep with a `CancellationError`.
  func cancelAll() {
    while let alarm = state.withLock({ $0.alarms.next()?.event }) { alarm.resume(throwing: CancellationError()) }
  }
}

/// Resolves the race between falling asleep and being cancelled.
private final class Sleeper: Sendable {
  private enum State {
    case awake
    case asleep(EventQueue<VirtualClock.Alarm>.Token)
    case cancelled
  }

  private let state = Mutex(State.awake)

  func fallAsleep(_ schedule: () -> EventQueue<VirtualClock.Alarm>.Token) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .asleep(schedule())
      return true
    }
  }

  /// Marks the sleep as cancelled; returns the alarm to cancel, if there is one.
  func cancel() -> EventQueue<VirtualClock.Alarm>.Token? {
    state.withLock { state in
      defer { state = .cancelled }
      if case .asleep(let token) = state { return token }
      return nil
    }
  }
}

/// A time in the virtual clock: integer nanoseconds since the simulation began.
///
/// Arithmetic saturates at plus or minus 292 years instead of overflowing.
public struct VirtualInstant: InstantProtocol, Sendable, Hashable, CustomStringConvertible {
  /// Nanoseconds since the simulation began.
  public let nanoseconds: Int64

  /// The beginning of the simulation.
  public static let zero = VirtualInstant(nanoseconds: 0)

  /// A number of nanoseconds after the beginning.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The time after a duration, in integer nanoseconds; fractions are rounded up, so that nothing happens earlier than
  /// requested.
  public func advanced(by duration: Duration) -> VirtualInstant {
    let (whole, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return advanced(byNanoseconds: Int64(clamping: whole + (rest > 0 ? 1 : 0)))
  }

  /// The time a number of nanoseconds later.
  @inlinable
  public func advanced(byNanoseconds count: Int64) -> VirtualInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
    return VirtualInstant(nanoseconds: overflow ? (count < 0 ? .min : .max) : sum)
  }

  /// The duration from this time to another.
  public func duration(to other: VirtualInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Returns true if the left time is earlier.
  @inlinable
  public static func < (left: VirtualInstant, right: VirtualInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Hours, minutes and seconds since the beginning, such as `100:00:00.25`.
  public var description: String {
    let magnitude = nanoseconds.magnitude
    let (seconds, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    var digits = String(String(fraction + 1_000_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (nanoseconds < 0 ? "-" : "") + clock.joined(separator: ":") + (digits.isEmpty ? "" : "." + digits)
  }
}
