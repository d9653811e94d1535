// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
public import Foundation

/// A week from Monday to Sunday, whatever the time zone; a `WeekCalendar` says which moments are its.
public struct Week: Hashable, Sendable {
  /// Weeks since the one that began on Monday, 1969-12-29.
  public let number: Int

  /// A week.
  public init(number: Int) { self.number = number }

  /// The week that a day falls into, in days since 1970-01-01, which was a Thursday.
  public init(containingDay day: Int) { number = (day + 3).floorDivided(by: 7) }

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

  /// Reads a week of the years 1 to 9999 by ISO 8601, such as `2026-W47`; nil for anything else, and for a 53rd week
  /// that the year has not.
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
  /// The week by ISO 8601.
  public var rawValue: String { description }

  /// Reads a week of the years 1 to 9999 by ISO 8601.
  public init?(rawValue: String) { self.init(rawValue) }
}

/// Which week a moment falls into, by the clocks of a time zone: weeks with a change of the clocks have 167 or 169
/// hours.
public struct WeekCalendar: Hashable, Codable, Sendable {
  /// Whose clocks count.
  public let timeZone: TimeZone

  /// By coordinated universal time, the service's own.
  public static let utc = WeekCalendar(timeZone: .gmt)

  /// By the clocks of a time zone.
  public init(timeZone: TimeZone) { self.timeZone = timeZone }

  /// The week that a moment falls into.
  public func week(of moment: Moment) -> Week {
    Week(containingDay: (moment.seconds + offset(at: moment)).floorDivided(by: 86_400))
  }

  /// The first moment of a week.
  ///
  /// Where the clocks skip midnight, the first moment after it; where they repeat it, the first of both.
  public func start(of week: Week) -> Moment {
    let midnight = Moment(seconds: week.monday * 86_400)
    // Offsets lie within a day of UTC and change seldom: one of those around midnight is the one in force.
    let candidates = [midnight.adding(seconds: -86_400), midnight, midnight.adding(seconds: 86_400)]
      .map { midnight.adding(seconds: -offset(at: $0)) }
    return candidates.sorted().first { self.week(of: $0) == week } ?? midnight
  }

  private func offset(at moment: Moment) -> Int {
    timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.seconds)))
  }
}
