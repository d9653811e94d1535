// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// A figure with what it is known to lie in, as people read it.
package struct FigureText {
  package let value: String
  /// From the low to the high end; empty where there is nothing but the figure.
  package let range: String

  /// As many decimals as the interval deserves, two digits of its half-width, or six digits of what has none.
  package init(_ value: Double, in interval: ClosedRange<Double>, isSigned: Bool = false) {
    let isPoint = interval.lowerBound == interval.upperBound
    let width = isPoint ? 0 : max(interval.upperBound - value, value - interval.lowerBound)
    let isKnown = width.isFinite && width > 0
    let size = isKnown ? width / 10 : abs(value) / 1e5
    let isWhole = value.rounded() == value && (!isKnown || interval.lowerBound.rounded() == interval.lowerBound)
    let decimals = size > 0 && size.isFinite && !isWhole ? min(12, max(0, Int((-log10(size)).rounded(.up)))) : 0
    func text(_ number: Double) -> String {
      isSigned ? NumberFormat.signed(number, decimals: decimals) : NumberFormat.fixed(number, decimals: decimals)
    }
    self.value = text(value)
    range =
      isKnown ? "\(text(interval.lowerBound))..\(text(interval.upperBound))" : width.isFinite ? "" : "nothing known"
  }

  /// An estimate with as many decimals as its difference from another deserves.
  package static func estimate(of measurement: Measurement, beside difference: MeasurementDifference?) -> String {
    let (value, width) = (measurement.estimate, difference?.halfWidth ?? 0)
    let isKnown = value.isFinite && width.isFinite && width > 0
    return FigureText(value, in: isKnown ? value - width...value + width : .everything).value
  }
}
