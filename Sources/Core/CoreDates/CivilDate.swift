// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, extended to all years.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and `civil_from_days`.
public struct CivilDate: Hashable, Sendable {
  /// The year; 0 is the year before 1.
  public let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, 1 to 31.
  package let dayOfMonth: Int

  /// A date with a month from 1 to 12 and a day from 1 to 31; `exists` says whether the month has that day.
  public init(year: Int, month: Int, dayOfMonth: Int) {
    (self.year, self.month, self.dayOfMonth) = (year, month, dayOfMonth)
  }

  /// The date that is a number of days after 1970-01-01.
  public init(day: Int) {
    let shifted = day + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      dayOfMonth: dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  /// Days since 1970-01-01.
  public var day: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floorDivided(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// True if the date exists in the calendar; February 30 does not.
  package var exists: Bool { (1...12).contains(month) && dayOfMonth > 0 && CivilDate(day: day) == self }
}

extension CivilDate: CustomStringConvertible {
  /// The date in ISO 8601: `2026-11-21`.
  public var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(dayOfMonth.padded(to: 2))" }
}

extension Int {
  /// The quotient rounded down.
  package func floorDivided(by divisor: Int) -> Int {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The number with leading zeros up to a width.
  public func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
