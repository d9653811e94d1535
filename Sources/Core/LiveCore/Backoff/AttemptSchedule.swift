// SPDX-License-Identifier: Apache-2.0

/// The attempts made since a connection last proved itself, and when the next may come.
public struct AttemptSchedule: Hashable, Sendable {
  /// How many waits have been given out since the last reset.
  public private(set) var attempts: Int32 = 0
  private var previous = Interval.zero

  /// No attempts yet.
  public init() {}

  /// The wait before the next attempt.
  ///
  /// - Parameters:
  ///   - policy: How waits grow and spread.
  ///   - word: 64 random bits, of which the wait is made.
  /// - Returns: The wait; nil when the attempts are used up.
  public mutating func next(_ policy: Backoff, word: UInt64) -> Interval? {
    guard attempts < policy.maximumAttempts else { return nil }
    let unit = Double(word >> 11) * 0x1p-53
    let wait = max(policy.floor, wait(policy, unit: unit))
    attempts += 1
    previous = wait
    return wait
  }

  /// Forgets the attempts: the connection has proved itself.
  public mutating func reset() { self = AttemptSchedule() }

  private func wait(_ policy: Backoff, unit: Double) -> Interval {
    let longest = longest(policy)
    switch policy.jitter {
    case .none: return Interval(seconds: longest)
    case .equal: return Interval(seconds: longest * (1 + unit) / 2)
    case .full: return Interval(seconds: longest * unit)
    case .proportional(let share): return Interval(seconds: longest * (1 + share * (2 * unit - 1)))
    case .decorrelated:
      let base = policy.base.seconds
      let upper = max(base, 3 * (attempts == 0 ? base : previous.seconds))
      return min(policy.cap, Interval(seconds: base + (upper - base) * unit))
    }
  }

  /// The longest wait before this attempt, in seconds: base times factor for each attempt made, up to the cap.
  private func longest(_ policy: Backoff) -> Double {
    let cap = policy.cap.seconds
    var longest = policy.base.seconds
    for _ in 0..<attempts where longest < cap { longest *= policy.factor }
    return min(longest, cap)
  }
}
