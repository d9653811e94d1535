// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// A figure with its interval, as text for people.
package struct FigureText {
  package let value: String
  /// The text from the low to the high end; empty if there is no interval.
  package let range: String
  /// The ends; empty if they are unknown or equal the figure.
  let low: String
  let high: String
  /// The larger distance to an end, in the figure's unit; empty like the ends.
  let halfWidth: String

  /// A text with decimals for two digits of the interval's half-width; or six digits if there is none, without zeros at
  /// the end.
  package init(_ value: Double, in interval: ClosedRange<Double>, isSigned: Bool = false) {
    self.init(value, interval, isSigned: isSigned, isPercent: false, isGrouped: false)
  }

  /// A measurement with its interval at a confidence, or at its own; a share in percent.
  package init(_ found: Measurement, at confidence: Double) {
    self.init(
      found.estimate, found.knownRange(at: confidence), isSigned: false, isPercent: found.measure.isPercent,
      isGrouped: true)
  }

  private init(
    _ value: Double, _ interval: ClosedRange<Double>, isSigned: Bool, isPercent: Bool, isGrouped: Bool
  ) {
    let scale = isPercent ? 100.0 : 1
    let isPoint = interval.lowerBound == interval.upperBound
    let width = isPoint ? 0 : max(interval.upperBound - value, value - interval.lowerBound)
    let isKnown = width.isFinite && width > 0
    let size = (isKnown ? width / 10 : abs(value) / 1e5) * scale
    func isWhole(_ number: Double) -> Bool { (number * scale).rounded() == number * scale }
    let isWhole = isWhole(value) && (!isKnown || isWhole(interval.lowerBound) && isWhole(interval.upperBound))
    let maximum = size > 0 && size.isFinite && !isWhole ? min(12, max(0, Int((-log10(size)).rounded(.up)))) : 0
    let decimals = isPoint ? NumberFormat.decimals(of: value * scale, maximum: maximum) : maximum
    func text(_ number: Double) -> String {
      // A smaller share is the rounding of some sum.
      if isPercent, number > 0, number < 1e-15 { return "below 1e-15" }
      if isPercent { return NumberFormat.percent(number, decimals: decimals) }
      if isGrouped { return NumberFormat.readable(number, decimals: decimals) }
      return isSigned
        ? NumberFormat.signed(number, decimals: decimals) : NumberFormat.fixed(number, decimals: decimals)
    }
    self.value = text(value)
    (low, high) = isKnown ? (text(interval.lowerBound), text(interval.upperBound)) : ("", "")
    range = isKnown ? "\(low)..\(high)" : width.isFinite ? "" : "no interval"
    let isReadable = isGrouped && !isPercent
    halfWidth =
      !isKnown
      ? ""
      : isReadable
        ? NumberFormat.readable(width, decimals: decimals) : NumberFormat.fixed(width * scale, decimals: decimals)
  }

  /// An estimate with the decimals for two digits of its difference's half-width.
  package static func estimate(of measurement: Measurement, beside difference: MeasurementDifference?) -> String {
    let (value, width) = (measurement.estimate, difference?.halfWidth ?? 0)
    let isKnown = value.isFinite && width.isFinite && width > 0
    return FigureText(value, in: isKnown ? value - width...value + width : .everything).value
  }
}
