// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Numbers as text, the same on every machine: no locale, no negative zero.
package enum NumberFormat {
  /// A number with a fixed number of decimals, correctly rounded; `nan` and infinities by their names.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - decimals: how many digits stand behind the point, 0 to 17.
  /// - Returns: the digits, with a point and a minus sign where there is one.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let text = String(format: "%.\(min(max(decimals, 0), 17))f", value)
    return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }

  /// A share with a fixed number of decimals, and as many more as it takes: what is more than nothing never reads as
  /// nothing, and what is less than the whole never as the whole.
  ///
  /// - Parameters:
  ///   - value: the share; what does not lie between nothing and the whole is printed as `fixed` does.
  ///   - decimals: how many digits stand behind the point at the least, 0 to 17.
  ///   - whole: what all of it is, such as 100 for percent.
  /// - Returns: the digits; the shortest that read back as the same number where 17 decimals do not tell it from
  ///   nothing.
  package static func share(_ value: Double, decimals: Int, of whole: Double = 1) -> String {
    guard value > 0, value < whole else { return fixed(value, decimals: decimals) }
    for decimals in min(max(decimals, 0), 17)...17 {
      let text = fixed(value, decimals: decimals)
      if let printed = Double(text), printed > 0, printed < whole { return text }
    }
    return shortest(value)
  }

  /// As `fixed`, with a plus sign before what is not negative.
  package static func signed(_ value: Double, decimals: Int) -> String {
    let text = fixed(value, decimals: decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// The shortest decimal that reads back as the same number; whole numbers without a point.
  package static func shortest(_ value: Double) -> String {
    let text = "\(value == 0 ? 0 : value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A count with thousands apart, for people: `1,000,000`.
  package static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    let groups = digits.enumerated().map { offset, digit in
      let isBoundary = offset > 0 && (digits.count - offset).isMultiple(of: 3)
      return isBoundary ? ",\(digit)" : "\(digit)"
    }
    return (count < 0 ? "-" : "") + groups.joined()
  }
}
