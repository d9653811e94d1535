// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// How the clients of a storm wait before each attempt: a value shared by all of them, and what each remembers.
public protocol StormPolicy: Sendable {
  /// What one client remembers of its attempts; small, since there are up to a million.
  associatedtype Client: Sendable

  /// What a client remembers that has just lost its connection.
  func newClient() -> Client

  /// The wait before a client's next attempt.
  ///
  /// - Parameters:
  ///   - client: What it remembers.
  ///   - word: 64 random bits, of which the wait is made.
  /// - Returns: The wait; nil when its attempts are used up.
  func wait(_ client: inout Client, word: UInt64) -> Interval?
}

/// The policies that ship are followed by the very schedule that ships.
extension Backoff: StormPolicy {
  /// No attempts yet.
  public func newClient() -> AttemptSchedule { AttemptSchedule() }

  /// The wait before a client's next attempt.
  ///
  /// - Parameters:
  ///   - client: Its schedule.
  ///   - word: 64 random bits, of which the wait is made.
  /// - Returns: The wait; nil when its attempts are used up.
  public func wait(_ client: inout AttemptSchedule, word: UInt64) -> Interval? { client.next(self, word: word) }
}

/// A policy under the name that people know it by.
public struct NamedPolicy: Sendable {
  /// The name, for example `full-jitter`.
  public let name: String
  /// The policy.
  public let policy: any StormPolicy

  /// A policy under a name.
  public init(_ name: String, _ policy: any StormPolicy) { (self.name, self.policy) = (name, policy) }
}
