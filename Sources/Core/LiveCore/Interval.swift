// SPDX-License-Identifier: Apache-2.0

/// A length of time in whole nanoseconds.
///
/// A word of its own, since the standard library's `Duration` counts attoseconds in 128 bits, which a machine that
/// handles tens of millions of events a second would feel. Sums and products end at the greatest and the least value
/// instead of trapping: 292 years.
@frozen
public struct Interval: Hashable, Codable, Sendable {
  /// How many nanoseconds.
  public let nanoseconds: Int64

  /// An interval of so many nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time.
  @inlinable public static var zero: Interval { Interval(nanoseconds: 0) }
  /// The longest interval, 292 years: for what never ends.
  @inlinable public static var forever: Interval { Interval(nanoseconds: .max) }

  /// So many seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> Interval { Interval(nanoseconds: 1_000_000_000) * count }

  /// So many milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> Interval { Interval(nanoseconds: 1_000_000) * count }

  /// So many seconds of either sign, cut to whole nanoseconds; what is no number is no time, and what is too long is
  /// the longest.
  public init(seconds: Double) {
    let wanted = seconds * 1e9
    nanoseconds = wanted.isNaN ? 0 : wanted >= 0x1p63 ? .max : wanted <= -0x1p63 ? .min : Int64(wanted)
  }

  /// The length in seconds.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Both together.
  @inlinable
  public static func + (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: saturated(left.nanoseconds.addingReportingOverflow(right.nanoseconds), right.nanoseconds < 0))
  }

  /// The difference, kept within the bounds of an interval.
  @inlinable
  public static func - (left: Interval, right: Interval) -> Interval {
    Interval(
      nanoseconds: saturated(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds), right.nanoseconds > 0))
  }

  /// So many times as long.
  @inlinable
  public static func * (left: Interval, factor: Int64) -> Interval {
    Interval(
      nanoseconds: saturated(
        left.nanoseconds.multipliedReportingOverflow(by: factor), (left.nanoseconds < 0) != (factor < 0)))
  }

  @inlinable
  static func saturated(_ result: (partialValue: Int64, overflow: Bool), _ isNegative: Bool) -> Int64 {
    result.overflow ? (isNegative ? .min : .max) : result.partialValue
  }
}

extension Interval: Comparable {
  /// Whether one is shorter.
  @inlinable
  public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// A moment of a clock that only goes forward: nanoseconds since a beginning that the caller chooses.
///
/// The connection reads no clock: each event comes with its moment. The clock should go on while the device sleeps.
@frozen
public struct Instant: Hashable, Codable, Sendable {
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
