// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The numbers along an axis: all with the same decimals and the same unit, short, in plain style where they can be.
struct TickFormat {
  private static let units: [(size: Double, sign: String)] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")]

  private let divisor: Double
  private let suffix: String
  private let decimals: Int

  /// The format of evenly spaced numbers.
  ///
  /// - Parameters:
  ///   - step: how far apart they are, more than 0.
  ///   - largest: the largest of them without its sign.
  init(step: Double, largest: Double) {
    if largest >= 1e15 || largest < 1e-4 {
      let exponent = log10(max(largest, .leastNormalMagnitude)).rounded(.down)
      (divisor, suffix) = (pow(10, exponent), "e\(Int(exponent))")
    } else if largest >= 10_000, let unit = Self.units.first(where: { largest >= $0.size }) {
      (divisor, suffix) = (unit.size, unit.sign)
    } else {
      (divisor, suffix) = (1, "")
    }
    // A hair is taken off, so that a step of 0.1 that came out a little smaller does not ask for another digit.
    decimals = min(max(0, Int(-(log10(step / divisor) + 1e-6).rounded(.down))), 15)
  }

  /// A number with its unit: `1.5M` is a million and a half, `2e-7` is short for two ten-millionths.
  func label(_ value: Double) -> String {
    let digits = NumberFormat.fixed(value / divisor, decimals: decimals)
    let isNothing = digits.allSatisfy { "0.".contains($0) }
    return isNothing ? "0" : Self.signed(digits) + suffix
  }

  /// A number on a logarithmic axis, by itself.
  static func logarithmic(_ value: Double) -> String {
    let exponent = (log10(value) + 1e-9).rounded(.down)
    if value >= 1e15 || value < 0.99e-4 {
      let digits = NumberFormat.fixed((value / pow(10, exponent)).rounded(), decimals: 0)
      return "\(digits)e\(Int(exponent))"
    }
    if value >= 10_000, let unit = units.first(where: { value >= $0.size * (1 - 1e-9) }) {
      return NumberFormat.fixed(value / unit.size, decimals: 0) + unit.sign
    }
    return NumberFormat.fixed(value, decimals: max(0, -Int(exponent)))
  }

  private static func signed(_ digits: String) -> String {
    digits.hasPrefix("-") ? "\u{2212}" + digits.dropFirst() : digits
  }
}
