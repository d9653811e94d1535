// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
public import Foundation

/// A week from Monday to Sunday, independent of the time zone; a `WeekCalendar` assigns times to it.
public struct Week: Hashable, Sendable {
  /// Weeks since the one that began on Monday, 1969-12-29.
  public let number: Int

  /// The week with a number.
  public init(number: Int) { self.number = number }

  /// The week of a day in days since 1970-01-01, which was a Thursday.
  public init(containingDay day: Int) { number = (day + 3).floorDivided(by: 7) }

  /// The week's Monday, in days since 1970-01-01.
  public var monday: Int { number * 7 - 3 }

  /// The week's Monday, `2026-11-16`.
  public var firstDay: String { CivilDate(day: monday).description }

  /// The week's Sunday, `2026-11-22`.
  public var lastDay: String { CivilDate(day: monday + 6).description }

  /// The week a number of weeks later; earlier for a negative number.
  public func advanced(by weeks: Int) -> Week { Week(number: number + weeks) }

  /// The week before.
  public var previous: Week { advanced(by: -1) }

  /// The week after.
  public var next: Week { advanced(by: 1) }
}

extension Week: Comparable {
  /// Returns true if the left week is earlier.
  public static func < (left: Week, right: Week) -> Bool { left.number < right.number }
}

extension Week: CustomStringConvertible {
  /// The week in ISO 8601, `2026-W47`: it belongs to the year of its Thursday.
  public var description: String {
    let year = CivilDate(day: monday + 3).year
    let first = Week(containingDay: CivilDate(year: year, month: 1, dayOfMonth: 4).day)
    let count = number - first.number + 1
    return "\(year.padded(to: 4))-W\(count.padded(to: 2))"
  }

  /// Reads a week of the years 1 to 9999 in ISO 8601, such as `2026-W47`; `nil` for any other text, and for a 53rd week
  /// that the year does not have.
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

extension Week: RawRepresentable, Codable {
  /// The week in ISO 8601.
  public var rawValue: String { description }

  /// Reads a week of the years 1 to 9999 in ISO 8601.
  public init?(rawValue: String) { self.init(rawValue) }
}

/// The assignment of times to weeks by the local time of a time zone: a week with a clock change has 167 or 169 hours.
public struct WeekCalendar: Hashable, Codable, Sendable {
  /// The time zone of the clocks.
  public let timeZone: TimeZone

  /// The calendar in UTC, which the service uses.
  public static let utc = WeekCalendar(timeZone: .gmt)

  /// A calendar in the local time of a time zone.
  public init(timeZone: TimeZone) { self.timeZone = timeZone }

  /// The week of a time.
  public func week(of moment: Moment) -> Week {
    Week(containingDay: (moment.seconds + offset(at: moment)).floorDivided(by: 86_400))
  }

  /// The first time of a week.
  ///
  /// If the clocks skip midnight, the first time after it; if they repeat it, the first of both.
  public func start(of week: Week) -> Moment {
    let midnight = Moment(seconds: week.monday * 86_400)
    // Offsets are within a day of UTC and rarely change: one of those around midnight applies.
    let candidates = [midnight.adding(seconds: -86_400), midnight, midnight.adding(seconds: 86_400)]
      .map { midnight.adding(seconds: -offset(at: $0)) }
    return candidates.sorted().first { self.week(of: $0) == week } ?? midnight
  }

  private func offset(at moment: Moment) -> Int {
    timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.seconds)))
  }
}
