// SPDX-License-Identifier: Apache-2.0

/// A moment, in milliseconds since 1970-01-01T00:00:00Z without leap seconds: what a clock says that is passed in.
public struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int

  /// A moment.
  ///
  /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  /// A moment.
  ///
  /// - Parameter seconds: Since 1970-01-01T00:00:00Z; at most 9 * 10^15 either way.
  public init(seconds: Int) {
    self.init(milliseconds: seconds * 1000)
  }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? whole - 1 : whole
  }

  /// The moment so much later, or earlier for a negative number.
  public func adding(seconds: Int) -> Moment { Moment(milliseconds: milliseconds + seconds * 1000) }

  /// The moment so much later, or earlier for a negative number.
  public func adding(milliseconds: Int) -> Moment { Moment(milliseconds: self.milliseconds + milliseconds) }
}

extension Moment: Comparable {
  /// Whether the left is earlier.
  public static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}

extension Moment {
  /// The moment, or the nearest that is some 285,000 years at most from 1970: sums with spans of years cannot trap.
  var bounded: Moment {
    let most = 1 << 53
    return Moment(milliseconds: min(max(milliseconds, -most), most))
  }
}
