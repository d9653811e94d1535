// SPDX-License-Identifier: Apache-2.0

/// How long to wait before each attempt to reconnect, and how many attempts there are.
///
/// The longest wait d before an attempt comes of `growth`, `base`, `factor` and `cap`; `jitter` spreads the wait below
/// or around it; `floor` bounds every wait from below.
public struct Backoff: Hashable, Sendable {
  /// The longest first wait.
  public var base = Interval.seconds(1)
  /// By how much the longest wait grows with each attempt.
  public var factor = 2.0
  /// Where it stops growing.
  public var cap = Interval.seconds(30)
  /// The shortest wait; no attempt comes sooner after another.
  public var floor = Interval.milliseconds(100)
  /// How many attempts there are before the connection is suspended.
  public var maximumAttempts = 10
  /// How the longest wait grows.
  public var growth = Growth.geometric
  /// How waits are spread, so that clients which lost one server do not return at one moment.
  public var jitter = Jitter.full

  /// How the longest wait d grows from attempt to attempt.
  public enum Growth: Hashable, Sendable {
    /// The base, then `factor` times as long each time, up to the cap.
    case geometric
    /// No wait before the first attempt; then a base that is drawn once, evenly from `base` up to this, and grows by
    /// `factor` up to the cap. The way of reconnecting-websocket 4, `_getNextDelay`.
    case drawnBase(upTo: Interval)
    /// 10, 50, 100, 150, 200, 250, 500 ms, 1 s, 2 s, then always 5 s, whatever base, factor and cap say.
    /// The table of Phoenix's JavaScript client, `reconnectAfterMs`.
    case phoenix
  }

  /// How waits are spread, of a longest wait d
  /// (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015).
  public enum Jitter: Hashable, Sendable {
    /// Always d.
    case none
    /// Evenly from half of d to d.
    case equal
    /// Evenly from nothing to d.
    case full
    /// Evenly from the base to three times the last wait, and at most the cap.
    case decorrelated
    /// Evenly within that share of d on either side, also beyond the cap; gRPC has 0.2.
    case proportional(Double)
    /// The same, but it is the wait that is capped and not d; Socket.IO has 0.5.
    case cappedProportional(Double)
    /// d and evenly from the first to the second more, also beyond the cap; graphql-ws adds 0.3 to 3 s.
    case added(Interval, Interval)
    /// The base and evenly from nothing to d more, at most the cap: the way of Centrifuge.
    case fullAboveBase
  }

  /// Full jitter from 1 s to 30 s, ten attempts.
  public init() {}
}

extension Backoff {
  /// Between what bounds the wait before an attempt lies.
  ///
  /// - Parameter attempt: How many attempts were made before it since the connection proved itself.
  /// - Returns: The shortest and the longest wait.
  public func waits(before attempt: Int) -> ClosedRange<Interval> {
    var (low, high) = (AttemptSchedule(), AttemptSchedule())
    var range = Interval.zero...Interval.zero
    var policy = self
    policy.maximumAttempts = .max
    for _ in 0...max(0, min(attempt, 10_000)) {
      let least = low.next(policy, word: 0) ?? .zero
      range = least...max(least, high.next(policy, word: .max) ?? .zero)
    }
    return range
  }

  /// How long an outage lasts that the attempts span: the shortest and the longest sum of all waits.
  public var span: ClosedRange<Interval> {
    var (least, most) = (Interval.zero, Interval.zero)
    var (low, high) = (AttemptSchedule(), AttemptSchedule())
    for _ in 0..<max(0, min(maximumAttempts, 1_000_000)) {
      least = least + (low.next(self, word: 0) ?? .zero)
      most = most + (high.next(self, word: .max) ?? .zero)
    }
    return least...max(least, most)
  }
}
