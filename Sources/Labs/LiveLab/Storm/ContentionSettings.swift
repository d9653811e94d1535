// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
internal import Randomness

/// Clients that contend for one row of a table: all that their contention depends on beside the policy.
///
/// Each client reads the row's version, then writes the row if it still has that version; who comes too late waits as
/// its policy says and begins again. All begin at one moment, and each stops when its write has succeeded. A message
/// takes as long as a normal distribution says, which is folded at nothing.
/// Source: Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015, and its simulator,
/// aws-samples/aws-arch-backoff-simulator.
package struct ContentionSettings: Hashable, Sendable {
  /// How many clients contend, in one comparison after another.
  package var clients = [10, 100, 190]
  /// How often each is repeated with other random numbers.
  package var repetitions = 100
  /// How long a message takes in the mean.
  package var delay = Interval.milliseconds(10)
  /// The deviation of that.
  package var deviation = Interval.milliseconds(2)
  /// What the policies grow from: see `policies`.
  package var base = Interval.milliseconds(5)
  /// The longest wait of the policies.
  package var cap = Interval.seconds(2)
  /// The root of all random streams.
  package var seed: UInt64 = 1
  /// The name of a GSL generator.
  package var generator = GSLGenerator.defaultName

  /// The simulator's settings, with three numbers of clients out of its nineteen.
  package init() {}

  /// How many clients can contend: without waits they make about n²/4.5 calls.
  static let mostClients = 1_000
  /// How often a comparison can be repeated.
  static let mostRepetitions = 10_000

  /// Refuses what no contention can have.
  ///
  /// - Throws: `LiveLabError.badValue` naming the field, what was found and what was expected.
  package func check() throws(LiveLabError) {
    func require(_ field: String, _ isRight: Bool, _ found: @autoclosure () -> String, _ expected: String)
      throws(LiveLabError)
    {
      guard isRight else { throw .badValue(field: field, found: found(), expected: expected) }
    }
    func seconds(_ value: Interval) -> String { "\(value.seconds) s" }
    let hour = Interval.seconds(3_600)
    try require("clients", !clients.isEmpty, "none", "at least one number of clients")
    for (place, count) in clients.enumerated() {
      try require("clients", (1...Self.mostClients).contains(count), "\(count)", "1 to \(Self.mostClients)")
      try require("clients", !clients[..<place].contains(count), "\(count) twice", "each number of clients once")
    }
    let most = Self.mostRepetitions
    try require("repetitions", (2...most).contains(repetitions), "\(repetitions)", "2 to \(most)")
    try require("delay", delay > .zero && delay <= hour, seconds(delay), "more than 0 s, at most an hour")
    try require("deviation", deviation >= .zero && deviation <= delay, seconds(deviation), "0 s to the delay's mean")
    try require("base", base > .zero && base <= hour, seconds(base), "more than 0 s, at most an hour")
    try require("cap", cap >= base && cap <= hour, seconds(cap), "the base to an hour")
  }

  /// The policies that are compared, with waits that the schedule that ships draws.
  ///
  /// The simulator counts the attempt that failed before it takes the power, so that a first wait is twice the base at
  /// the longest, where ours is the base: theirs are ours from twice the base. Only decorrelated jitter begins with the
  /// base in both.
  package var policies: [ContentionPolicy] {
    var grows = Backoff()
    (grows.base, grows.cap, grows.floor, grows.maximumAttempts) = (base * 2, cap, .zero, .max)
    func named(_ name: String, _ change: (inout Backoff) -> Void) -> ContentionPolicy {
      var policy = grows
      change(&policy)
      return ContentionPolicy(name: name, policy: policy)
    }
    return [
      named("no-wait") { ($0.base, $0.jitter) = (.zero, .none) },
      named("exponential") { $0.jitter = .none },
      named("equal-jitter") { $0.jitter = .equal },
      named("full-jitter") { $0.jitter = .full },
      named("decorrelated-jitter") { ($0.base, $0.jitter) = (base, .decorrelated) },
    ]
  }
}

/// What contending clients follow.
package struct ContentionPolicy: Hashable, Sendable {
  /// What people call it.
  package let name: String
  /// The policy, whose attempts are never used up.
  package let policy: Backoff
}
