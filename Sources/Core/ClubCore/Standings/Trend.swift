// SPDX-License-Identifier: Apache-2.0

/// How a quantity moved from last week to this: decided by integers, never by a rounded percentage.
public struct Trend: Hashable, Sendable {
  /// Where it moved.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Nothing last week, something this week: no percentage could say how much that is.
    case new
    /// More than last week, by more than the threshold.
    case up
    /// Less than last week, by more than the threshold.
    case down
    /// Within the threshold either way; a change of exactly the threshold is still flat. Nothing in both weeks, too.
    case flat
    /// Something last week, nothing this week.
    case gone
  }

  /// From which change on a quantity goes up or down.
  public struct Threshold: Hashable, Sendable {
    /// The threshold in tenths of a percent.
    public let tenthsOfPercent: Int

    /// A tenth of last week's quantity.
    public static let tenPercent = Threshold(checked: 100)

    private init(checked tenthsOfPercent: Int) {
      self.tenthsOfPercent = tenthsOfPercent
    }

    /// A threshold, where 100 is ten percent and with zero every change counts; nil for a negative number.
    public init?(tenthsOfPercent: Int) {
      guard tenthsOfPercent >= 0 else { return nil }
      self.tenthsOfPercent = tenthsOfPercent
    }
  }

  /// Where it moved.
  public let direction: Direction
  /// `(this - last) / last * 100`, the nearest double; nil where last week has nothing to divide by.
  public let percentage: Double?
  /// The percentage in whole tenths, halves away from zero; nil where last week has nothing to divide by.
  public let tenthsOfPercent: Int?

  /// How a quantity moved from last week to this; nil, such as a speed without a moving time, counts as nothing.
  public static func of(this: Ratio?, last: Ratio?, threshold: Threshold = .tenPercent) -> Trend {
    let (this, last) = (this ?? .zero, last ?? .zero)
    guard last > .zero else {
      return Trend(direction: this > .zero ? .new : .flat, percentage: nil, tenthsOfPercent: nil)
    }
    // Both over one denominator: 126 bits at most.
    let now = UInt128(this.numerator.magnitude) * UInt128(last.denominator.magnitude)
    let before = UInt128(last.numerator.magnitude) * UInt128(this.denominator.magnitude)
    let (grew, change) = now >= before ? (true, now - before) : (false, before - now)
    let tenths = Self.tenths(of: change, in: before)
    return Trend(
      direction: this == .zero
        ? .gone : Self.exceeds(change, threshold, of: before) ? (grew ? .up : .down) : .flat,
      percentage: (grew ? 1 : -1) * (Double(change) / Double(before)) * 100,
      tenthsOfPercent: grew ? tenths : -tenths)
  }

  private static func exceeds(_ change: UInt128, _ threshold: Threshold, of whole: UInt128) -> Bool {
    // change * 1000 > threshold * whole, in whole numbers that stay within 128 bits.
    let (parts, rest) = whole.quotientAndRemainder(dividingBy: 1000)
    let permille = UInt128(threshold.tenthsOfPercent.magnitude)
    let (least, tooMuch) = parts.multipliedReportingOverflow(by: permille)
    let (bound, beyond) = least.addingReportingOverflow(rest * permille / 1000)
    return !tooMuch && !beyond && change > bound
  }

  /// A change in tenths of a percent of a whole, halves up.
  private static func tenths(of change: UInt128, in whole: UInt128) -> Int {
    guard change / whole < 1_000_000_000_000 else { return .max }
    let (quotient, rest) = whole.dividingFullWidth(change.multipliedFullWidth(by: 1000))
    return Int(clamping: rest >= whole - rest ? quotient + 1 : quotient)
  }
}
