// SPDX-License-Identifier: GPL-3.0-or-later

/// A date of HTTP in its usual form, made in the plainest way: by counting days and months.
struct CivilDate: Sendable {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  let text: String

  /// The date of that many seconds since 1970; not before.
  init(unixSeconds: Int) {
    var (day, second) = unixSeconds.quotientAndRemainder(dividingBy: 86_400)
    let weekday = Self.days[day % 7]
    var year = 1970
    while day >= Self.length(of: year) {
      day -= Self.length(of: year)
      year += 1
    }
    var month = 0
    while day >= Self.length(of: month, in: year) {
      day -= Self.length(of: month, in: year)
      month += 1
    }
    let hour = second / 3600
    second %= 3600
    let time = [hour, second / 60, second % 60].map(Self.padded).joined(separator: ":")
    text = "\(weekday), \(Self.padded(day + 1)) \(Self.months[month]) \(year) \(time) GMT"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func length(of month: Int, in year: Int) -> Int {
    month == 1 ? (isLeap(year) ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
  }
}
