// SPDX-License-Identifier: Apache-2.0

/// The change of a quantity from last week to this week, decided by integers, never by a rounded percentage.
public struct Trend: Hashable, Sendable {
  /// The direction of the change.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Nothing last week, something this week: a percentage would be undefined.
    case new
    /// Increased by more than the threshold.
    case up
    /// Decreased by more than the threshold.
    case down
    /// Changed by at most the threshold, or nothing in both weeks.
    case flat
    /// Something last week, nothing this week.
    case gone
  }

  /// The least relative change that counts as up or down.
  public struct Threshold: Hashable, Sendable {
    /// The threshold in tenths of a percent.
    public let tenthsOfPercent: Int

    /// A tenth of last week's quantity.
    public static let tenPercent = Threshold(checked: 100)

    private init(checked tenthsOfPercent: Int) {
      self.tenthsOfPercent = tenthsOfPercent
    }

    /// A threshold in tenths of a percent; with 0 every change counts; `nil` for a negative number.
    public init?(tenthsOfPercent: Int) {
      guard tenthsOfPercent >= 0 else { return nil }
      self.tenthsOfPercent = tenthsOfPercent
    }
  }

  /// The direction of the change.
  public let direction: Direction
  /// `(this - last) / last * 100`, as the nearest double; `nil` if last week's quantity is 0.
  public let percentage: Double?
  /// The percentage in integer tenths, halves away from zero; `nil` if last week's quantity is 0.
  public let tenthsOfPercent: Int?

  /// The trend from last week to this week; `nil`, such as a speed without a moving time, counts as 0.
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
    // change * 1000 > threshold * whole, in integers that fit 128 bits.
    let (parts, rest) = whole.quotientAndRemainder(dividingBy: 1000)
    let permille = UInt128(threshold.tenthsOfPercent.magnitude)
    let (minimum, tooMuch) = parts.multipliedReportingOverflow(by: permille)
    let (bound, beyond) = minimum.addingReportingOverflow(rest * permille / 1000)
    return !tooMuch && !beyond && change > bound
  }

  /// A change in tenths of a percent of a whole, halves up.
  private static func tenths(of change: UInt128, in whole: UInt128) -> Int {
    guard change / whole < 1_000_000_000_000 else { return .max }
    let (quotient, rest) = whole.dividingFullWidth(change.multipliedFullWidth(by: 1000))
    return Int(clamping: rest >= whole - rest ? quotient + 1 : quotient)
  }
}
