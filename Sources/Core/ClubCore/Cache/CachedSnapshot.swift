// SPDX-License-Identifier: Apache-2.0

/// What was fetched once and kept.
public struct CachedSnapshot: Hashable, Sendable {
  /// After how many seconds a snapshot is stale: a quarter of an hour.
  public static let freshSeconds = 900

  /// What it is a snapshot of.
  public let name: String
  /// When it was fetched.
  public let fetched: Moment
  /// The version of what the bytes mean; the reader's to choose.
  public let schema: Int
  /// The content.
  public let bytes: [UInt8]

  /// How many whole seconds ago it was fetched; 0 for one from the future, as a clock that was put back makes them.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: Seconds, at least 0.
  public func age(at now: Moment) -> Int { max(0, (now.bounded.milliseconds - fetched.bounded.milliseconds) / 1000) }

  /// Whether it is older than a quarter of an hour, or from the future: how old that is nobody knows.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: Whether it has to be fetched again.
  public func isStale(at now: Moment) -> Bool { age(at: now) >= Self.freshSeconds || fetched > now }
}
