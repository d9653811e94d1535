// SPDX-License-Identifier: Apache-2.0

/// A length of time in whole nanoseconds.
///
/// A word of its own, since the standard library's `Duration` counts attoseconds in 128 bits, which a machine that
/// handles tens of millions of events a second would feel. Sums and products end at the greatest and the least value
/// instead of trapping: 292 years.
@frozen
public struct Interval: Hashable, Sendable {
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

  /// So many seconds, cut to whole nanoseconds.
  ///
  /// - Parameter seconds: Of either sign; what is no number is no time, and what is too long is the longest.
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

  /// What is left of one without the other.
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
