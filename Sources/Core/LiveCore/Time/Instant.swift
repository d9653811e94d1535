// SPDX-License-Identifier: Apache-2.0

/// A moment of a clock that only goes forward: nanoseconds since a beginning that whoever passes it in has chosen.
///
/// The connection reads no clock: each event comes with its moment. The clock should go on while the device sleeps.
@frozen
public struct Instant: Hashable, Sendable {
  /// Nanoseconds since the beginning.
  public let nanoseconds: Int64

  /// The moment so many nanoseconds after the beginning.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The beginning.
  @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }
  /// A moment that never comes.
  @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

  /// The moment an interval later; `never` stays `never`.
  @inlinable
  public static func + (moment: Instant, interval: Interval) -> Instant {
    moment == never
      ? never : Instant(nanoseconds: (Interval(nanoseconds: moment.nanoseconds) + interval).nanoseconds)
  }

  /// How long it is from the second moment to the first.
  @inlinable
  public static func - (later: Instant, earlier: Instant) -> Interval {
    Interval(nanoseconds: later.nanoseconds) - Interval(nanoseconds: earlier.nanoseconds)
  }
}

extension Instant: Comparable {
  /// Whether one comes sooner.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}
