// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

/// A backoff policy of small whole numbers.
struct BackoffPlan: Sendable, CustomStringConvertible {
  /// Milliseconds.
  let base: Int
  let factor: Int
  /// Milliseconds.
  let cap: Int
  /// Milliseconds.
  let floor: Int
  let attempts: Int
  let jitter: Backoff.Jitter

  var description: String {
    "\(jitter) from \(base) ms by \(factor) to \(cap) ms, at least \(floor) ms, \(attempts) attempts"
  }

  var policy: Backoff {
    var policy = Backoff()
    policy.base = .milliseconds(Int64(base))
    policy.factor = Double(factor)
    policy.cap = .milliseconds(Int64(cap))
    policy.floor = .milliseconds(Int64(floor))
    (policy.maximumAttempts, policy.jitter) = (attempts, jitter)
    return policy
  }

  /// The longest that the wait before an attempt may be, in whole numbers.
  func longest(_ attempt: Int) -> Interval {
    var longest = base
    switch jitter {
    case .decorrelated: longest = cap
    default: for _ in 0..<attempt where longest < cap { longest *= factor }
    }
    let most = Interval.milliseconds(Int64(min(longest, cap)))
    // A share on either side is drawn around the longest wait, also beyond the cap.
    guard case .proportional(let share) = jitter else { return most }
    return Interval(seconds: most.seconds * (1 + share))
  }

  static func any() -> Gen<BackoffPlan> {
    let jitters = Gen<Backoff.Jitter>.elements(of: [.none, .equal, .full, .decorrelated, .proportional(0.2)])
    return zip(
      Gen<Int>.integers(in: 1...2_000), Gen<Int>.integers(in: 1...4), Gen<Int>.integers(in: 0...60_000),
      Gen<Int>.integers(in: 0...500), Gen<Int>.integers(in: 1...12), jitters
    ).map { base, factor, above, floor, attempts, jitter in
      BackoffPlan(
        base: base, factor: factor, cap: base + above, floor: floor, attempts: attempts, jitter: jitter)
    }
  }
}
