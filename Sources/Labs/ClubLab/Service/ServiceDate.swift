// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Moments as the head of an answer has them.
enum ServiceDate {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 19 Oct 2025 15:24:36 GMT`, by RFC 9110, section 5.6.7.
  static func text(of moment: Moment) -> String {
    let day = WeekCalendar.utc.day(of: moment)
    let date = CivilDate(day: day)
    let second = moment.seconds - day * 86_400
    let weekday = day - Week(containingDay: day).monday
    let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    return "\(days[weekday]), \(twoDigits(date.dayOfMonth)) \(months[date.month - 1]) \(date.year) \(clock) GMT"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
