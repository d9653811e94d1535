// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// A clock whose time passes only when it is told to.
///
/// Whoever sleeps on it wakes when its time is reached, in the order of the deadlines and, at one deadline, in the
/// order of falling asleep. `run` moves it by itself whenever nothing else can happen; a test may also move it by hand.
///
/// ```swift
/// let slept = try VirtualClock.run { clock in
///   let start = clock.now
///   try await clock.sleep(for: .seconds(360_000))
///   return start.duration(to: clock.now)
/// }
/// ```
package final class VirtualClock: Clock {
  package typealias Instant = VirtualInstant

  package typealias Token = EventQueue<Alarm>.Token

  package enum Alarm: Sendable {
    case wake(CheckedContinuation<Void, any Error>)
    case act(@Sendable () -> Void)
  }

  private struct State {
    var now: VirtualInstant
    var alarms = EventQueue<Alarm>()
  }

  private let state: Mutex<State>
  /// Whether `run` moves the clock.
  private let isDriven: Bool

  package convenience init(startingAt start: VirtualInstant = .zero) {
    self.init(startingAt: start, isDriven: false)
  }

  init(startingAt start: VirtualInstant, isDriven: Bool) {
    state = Mutex(State(now: start))
    self.isDriven = isDriven
  }

  package var now: VirtualInstant { state.withLock(\.now) }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// When the next alarm goes off; nil when there is none.
  package var nextAlarm: VirtualInstant? { state.withLock { $0.alarms.nextTime } }

  /// Waits until a moment. When it has passed, a clock moved by hand returns at once; in a run, whatever is ready runs
  /// first, so `clock.sleep(for: .zero)` is a way to let others go ahead.
  package func sleep(until deadline: VirtualInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isOver = state.withLock { state in
          if deadline <= state.now && !isDriven { return true }
          return !sleeper.fallAsleep { state.alarms.schedule(.wake(continuation), at: max(deadline, state.now)) }
        }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      guard let token = sleeper.cancel() else { return }
      if case .wake(let continuation) = cancel(token) { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Has something done at a moment; a moment that has passed means now, at the next advance.
  @discardableResult
  package func schedule(at time: VirtualInstant, _ action: @escaping @Sendable () -> Void) -> Token {
    state.withLock { $0.alarms.schedule(.act(action), at: max(time, $0.now)) }
  }

  @discardableResult
  package func cancel(_ token: Token) -> Alarm? {
    state.withLock { $0.alarms.cancel(token) }
  }

  /// Moves to the next alarm and sets off all alarms of that moment.
  @discardableResult
  package func advanceToNext() -> Bool {
    guard let time = nextAlarm else { return false }
    advance(to: time)
    return true
  }

  /// Moves on by a duration, setting off every alarm on the way at its own moment.
  package func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves on to a moment, setting off every alarm on the way at its own moment; never back.
  package func advance(to time: VirtualInstant) {
    while let alarm = due(by: time) { alarm.goOff() }
    state.withLock { $0.now = max($0.now, time) }
  }

  /// Ends every sleep by a `CancellationError` and forgets every action.
  func cancelAll() {
    while let alarm = state.withLock({ $0.alarms.next()?.event }) {
      if case .wake(let continuation) = alarm { continuation.resume(throwing: CancellationError()) }
    }
  }

  private func due(by time: VirtualInstant) -> Alarm? {
    state.withLock { state in
      guard let (moment, alarm) = state.alarms.next(until: time) else { return nil }
      state.now = max(state.now, moment)
      return alarm
    }
  }
}

extension VirtualClock.Alarm {
  fileprivate func goOff() {
    switch self {
    case .wake(let continuation): continuation.resume()
    case .act(let action): action()
    }
  }
}

/// Settles the race between falling asleep and being cancelled.
private final class Sleeper: Sendable {
  private enum State {
    case awake
    case asleep(VirtualClock.Token)
    case cancelled
  }

  private let state = Mutex(State.awake)

  func fallAsleep(_ schedule: () -> VirtualClock.Token) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .asleep(schedule())
      return true
    }
  }

  /// Marks the sleep as cancelled, and names the alarm to take back if there is one.
  func cancel() -> VirtualClock.Token? {
    state.withLock { state in
      defer { state = .cancelled }
      if case .asleep(let token) = state { return token }
      return nil
    }
  }
}

/// A moment of virtual time: whole nanoseconds since the simulation began.
///
/// Arithmetic saturates at 292 years either way instead of overflowing.
@frozen
package struct VirtualInstant: InstantProtocol, Sendable, Hashable {
  package let nanoseconds: Int64

  package static let zero = VirtualInstant(nanoseconds: 0)

  @inlinable
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment a duration later, in whole nanoseconds; what is left of a nanosecond is rounded up, so that nothing
  /// happens sooner than was asked for.
  package func advanced(by duration: Duration) -> VirtualInstant {
    let (seconds, attoseconds) = duration.components
    let (whole, tooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let rest = attoseconds / 1_000_000_000 + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
    if tooMany { return advanced(byNanoseconds: seconds < 0 ? .min : .max) }
    let (total, tooLarge) = whole.addingReportingOverflow(rest)
    return advanced(byNanoseconds: tooLarge ? (whole < 0 ? .min : .max) : total)
  }

  @inlinable
  package func advanced(byNanoseconds count: Int64) -> VirtualInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
    return VirtualInstant(nanoseconds: overflow ? (count < 0 ? .min : .max) : sum)
  }

  package func duration(to other: VirtualInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  @inlinable
  package static func < (left: VirtualInstant, right: VirtualInstant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension VirtualInstant: CustomStringConvertible {
  /// Hours, minutes and seconds since the beginning, such as `100:00:00.25`.
  package var description: String {
    let magnitude = nanoseconds.magnitude
    let (seconds, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    var digits = String(String(fraction + 1_000_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (nanoseconds < 0 ? "-" : "") + clock.joined(separator: ":") + (digits.isEmpty ? "" : "." + digits)
  }
}
