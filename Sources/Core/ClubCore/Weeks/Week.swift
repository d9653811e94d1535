// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// A week from Monday to Sunday, whatever the time zone; a `WeekCalendar` says which moments are its.
public struct Week: Hashable, Sendable {
  /// Weeks since the one that began on Monday, 1969-12-29.
  public let number: Int

  /// A week.
  ///
  /// - Parameter number: Weeks since the one that began on Monday, 1969-12-29.
  public init(number: Int) {
    self.number = number
  }

  /// The week that a day falls into.
  ///
  /// - Parameter day: Days since 1970-01-01, which was a Thursday.
  public init(containingDay day: Int) {
    let (weeks, rest) = (day + 3).quotientAndRemainder(dividingBy: 7)
    number = rest < 0 ? weeks - 1 : weeks
  }

  /// Its Monday, in days since 1970-01-01.
  public var monday: Int { number * 7 - 3 }

  /// The week after so many others; a negative number counts back.
  public func advanced(by weeks: Int) -> Week { Week(number: number + weeks) }

  /// The week before.
  public var previous: Week { advanced(by: -1) }

  /// The week after.
  public var next: Week { advanced(by: 1) }
}

extension Week: Comparable {
  /// Whether the left is earlier.
  public static func < (left: Week, right: Week) -> Bool { left.number < right.number }
}

extension Week: CustomStringConvertible {
  /// The week by ISO 8601, `2026-W47`: it belongs to the year that has its Thursday.
  public var description: String {
    let year = CivilDate(day: monday + 3).year
    let first = Week(containingDay: CivilDate(year: year, month: 1, dayOfMonth: 4).day)
    let count = number - first.number + 1
    return "\(year.padded(to: 4))-W\(count.padded(to: 2))"
  }

  /// Reads a week by ISO 8601; nil for anything else, and for a 53rd week that the year has not.
  ///
  /// - Parameter text: For example `2026-W47`; years 1 to 9999.
  public init?(_ text: String) {
    let parts = text.split(separator: "-W", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 4, parts[1].count == 2,
      parts.allSatisfy({ part in part.utf8.allSatisfy { (48...57).contains($0) } }),
      let year = Int(parts[0]), year > 0, let count = Int(parts[1]), count > 0
    else { return nil }
    let first = Week(containingDay: CivilDate(year: year, month: 1, dayOfMonth: 4).day)
    let week = first.advanced(by: count - 1)
    guard week.description == text else { return nil }
    self = week
  }
}
