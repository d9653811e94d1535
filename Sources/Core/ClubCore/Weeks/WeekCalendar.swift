// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
public import Foundation

/// Which week a moment falls into, by the clocks of a time zone: weeks with a change of the clocks have 167 or 169
/// hours.
public struct WeekCalendar: Hashable, Sendable {
  /// Whose clocks count.
  public let timeZone: TimeZone

  /// By coordinated universal time, the service's own.
  public static let utc = WeekCalendar(timeZone: .gmt)

  /// By the clocks of a time zone.
  public init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// The day that a moment falls into, in days since 1970-01-01.
  public func day(of moment: Moment) -> Int {
    (moment.seconds + offset(at: moment)).floorDivided(by: 86_400)
  }

  /// The week that a moment falls into.
  public func week(of moment: Moment) -> Week { Week(containingDay: day(of: moment)) }

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
