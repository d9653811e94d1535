// SPDX-License-Identifier: Apache-2.0

/// The attempts made since a connection last proved itself, and when the next may come. Sixteen bytes.
public struct AttemptSchedule: Hashable, Sendable {
  /// How many waits have been given out since the last reset.
  public private(set) var attempts: Int32 = 0
  /// Of the last attempt, in seconds: the wait where jitter is decorrelated, the longest wait otherwise.
  private var last = 0.0

  /// No attempts yet.
  public init() {}

  /// The wait before the next attempt.
  ///
  /// - Parameters:
  ///   - policy: How waits grow and spread.
  ///   - word: 64 random bits, of which the wait is made: a greater word never gives a shorter wait.
  /// - Returns: The wait; nil when the attempts are used up.
  public mutating func next(_ policy: Backoff, word: UInt64) -> Interval? {
    guard Int(attempts) < policy.maximumAttempts, attempts < .max else { return nil }
    let unit = Double(word >> 11) * 0x1p-53
    let wait: Double
    if case .decorrelated = policy.jitter {
      wait = decorrelated(policy, unit: unit)
      last = max(wait, policy.floor.seconds)
    } else {
      last = longest(policy, unit: unit)
      wait = Self.spread(last, policy, unit: unit)
    }
    attempts += 1
    return max(.zero, policy.floor, Interval(seconds: wait))
  }

  /// Forgets the attempts: the connection has proved itself.
  public mutating func reset() { self = AttemptSchedule() }
}

extension AttemptSchedule {
  private func decorrelated(_ policy: Backoff, unit: Double) -> Double {
    let base = policy.base.seconds
    let upper = max(base, 3 * (attempts == 0 ? base : last))
    return min(policy.cap.seconds, base + (upper - base) * unit)
  }

  /// The longest wait before this attempt, in seconds.
  private func longest(_ policy: Backoff, unit: Double) -> Double {
    switch policy.growth {
    case .geometric:
      return min(Self.bound(policy), attempts == 0 ? policy.base.seconds : last * policy.factor)
    case .drawnBase(let most):
      if attempts == 0 { return 0 }
      let base = policy.base.seconds
      return min(Self.bound(policy), attempts == 1 ? base + (most.seconds - base) * unit : last * policy.factor)
    case .phoenix:
      return Self.phoenixSteps(attempts)
    }
  }

  /// Where d stops growing. Without a cap for d it stops all the same, far beyond any wait, so that it stays finite.
  private static func bound(_ policy: Backoff) -> Double {
    if case .cappedProportional = policy.jitter { return 1e15 }
    return policy.cap.seconds
  }

  private static func phoenixSteps(_ attempts: Int32) -> Double {
    switch attempts {
    case 0: 0.01
    case 1...5: 0.05 * Double(attempts)
    case 6: 0.5
    case 7: 1
    case 8: 2
    default: 5
    }
  }

  private static func spread(_ longest: Double, _ policy: Backoff, unit: Double) -> Double {
    switch policy.jitter {
    case .none, .decorrelated: longest
    case .equal: longest * (1 + unit) / 2
    case .full: longest * unit
    case .proportional(let share): longest * (1 + share * (2 * unit - 1))
    case .cappedProportional(let share): min(policy.cap.seconds, longest * (1 + share * (2 * unit - 1)))
    case .added(let least, let most): longest + least.seconds + (most - least).seconds * unit
    case .fullAboveBase: min(policy.cap.seconds, policy.base.seconds + longest * unit)
    }
  }
}
