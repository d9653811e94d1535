// SPDX-License-Identifier: Apache-2.0

/// A duration in integer nanoseconds.
///
/// It is 64 bits wide; the standard library's `Duration` counts attoseconds in 128 bits, which is measurably slower at
/// tens of millions of events a second. Sums and products saturate at plus or minus 292 years instead of trapping.
@frozen
public struct Interval: Hashable, Codable, Sendable {
  /// The number of nanoseconds.
  public let nanoseconds: Int64

  /// An interval of a number of nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A duration of 0.
  @inlinable public static var zero: Interval { Interval(nanoseconds: 0) }
  /// The longest interval, 292 years: a timeout that never ends.
  @inlinable public static var forever: Interval { Interval(nanoseconds: .max) }

  /// A number of seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> Interval { Interval(nanoseconds: 1_000_000_000) * count }

  /// A number of milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> Interval { Interval(nanoseconds: 1_000_000) * count }

  /// A number of seconds of either sign, truncated to integer nanoseconds; NaN gives zero, and values out of range
  /// saturate.
  public init(seconds: Double) {
    let wanted = seconds * 1e9
    nanoseconds = wanted.isNaN ? 0 : wanted >= 0x1p63 ? .max : wanted <= -0x1p63 ? .min : Int64(wanted)
  }

  /// The length in seconds.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The sum, saturated.
  @inlinable
  public static func + (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: saturated(left.nanoseconds.addingReportingOverflow(right.nanoseconds), right.nanoseconds < 0))
  }

  /// The difference, saturated.
  @inlinable
  public static func - (left: Interval, right: Interval) -> Interval {
    Interval(
      nanoseconds: saturated(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds), right.nanoseconds > 0))
  }

  /// The product, saturated.
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
  /// Returns true if the left interval is shorter.
  @inlinable
  public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// A time of a monotonic clock: nanoseconds since an origin that the caller chooses.
///
/// The connection reads no clock: each event carries its time. The clock should continue while the device sleeps.
@frozen
public struct Instant: Hashable, Codable, Sendable {
  /// Nanoseconds since the origin.
  public let nanoseconds: Int64

  /// The time that is this many nanoseconds after the origin.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The origin.
  @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }
  /// A time that never comes.
  @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

  /// The time after an interval; `never` stays `never`.
  @inlinable
  public static func + (moment: Instant, interval: Interval) -> Instant {
    moment == never
      ? never : Instant(nanoseconds: (Interval(nanoseconds: moment.nanoseconds) + interval).nanoseconds)
  }

  /// The interval from the second time to the first.
  @inlinable
  public static func - (later: Instant, earlier: Instant) -> Interval {
    Interval(nanoseconds: later.nanoseconds) - Interval(nanoseconds: earlier.nanoseconds)
  }
}

extension Instant: Comparable {
  /// Returns true if the left time is earlier.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}
