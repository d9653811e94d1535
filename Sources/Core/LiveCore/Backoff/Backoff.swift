// SPDX-License-Identifier: Apache-2.0

/// How long to wait before each attempt to reconnect, and how many attempts there are.
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
  /// How waits are spread, so that clients which lost one server do not return at one moment.
  public var jitter = Jitter.full

  /// How waits are spread. Of a longest wait d after so many attempts:
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
    /// Evenly within that share of d on either side; gRPC has 0.2.
    case proportional(Double)
  }

  /// Full jitter from 1 s to 30 s, ten attempts.
  public init() {}
}
