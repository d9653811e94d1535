// SPDX-License-Identifier: Apache-2.0

/// A date in a response's head, in any of the three forms that RFC 9110, section 5.6.7, has recipients accept:
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
///
/// The day of the week has to be one, but not that of the date: the rest says all.
enum HTTPDate {
  /// The moment of a date.
  ///
  /// - Parameters:
  ///   - text: The header's value.
  ///   - now: What a year of two digits is read by: never more than fifty years ahead.
  /// - Returns: The moment; nil for a text of none of the three forms, and for a day or a time that there is not.
  static func moment(_ text: String, now: Moment) -> Moment? {
    let words = text.split(separator: " ").map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT" && isDay(words[0], among: shortDays, comma: true):
      return moment(day: words[1], month: words[2], year: words[3], time: words[4])
    case 4 where words[3] == "GMT" && isDay(words[0], among: longDays, comma: true):
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
      let year = CivilDate.padded(fullYear(short, now: now), to: 4)
      return moment(day: parts[0], month: parts[1], year: year, time: words[2])
    case 5 where isDay(words[0], among: shortDays, comma: false):
      let day = words[2].count == 1 ? "0" + words[2] : words[2]
      return moment(day: day, month: words[1], year: words[4], time: words[3])
    default:
      return nil
    }
  }

  private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isDay(_ word: String, among days: [String], comma: Bool) -> Bool {
    comma ? word.last == "," && days.contains(String(word.dropLast())) : days.contains(word)
  }

  private static func moment(day: String, month: String, year: String, time: String) -> Moment? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let dayOfMonth = number(day, digits: 2), let month = months.firstIndex(of: month),
      let year = number(year, digits: 4), clock.count == 3, let hour = number(clock[0], digits: 2), hour < 24,
      let minute = number(clock[1], digits: 2), minute < 60,
      // A minute may have a leap second, which the moment does not know: the next one stands for it.
      let second = number(clock[2], digits: 2), second <= 60
    else { return nil }
    let date = CivilDate(year: year, month: month + 1, dayOfMonth: dayOfMonth)
    guard dayOfMonth > 0, CivilDate(day: date.day) == date else { return nil }
    return Moment(seconds: date.day * 86_400 + hour * 3600 + minute * 60 + second)
  }

  /// Exactly so many digits of ASCII.
  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The latest year with these last two digits that is at most fifty years ahead.
  private static func fullYear(_ short: Int, now: Moment) -> Int {
    let latest = CivilDate(day: CivilDate.floorDivided(now.bounded.seconds, by: 86_400)).year + 50
    let behind = (latest - short) % 100
    return latest - (behind < 0 ? behind + 100 : behind)
  }
}

extension Moment {
  /// The moment, or the nearest that is some 285,000 years at most from 1970: sums with spans of years cannot trap.
  var bounded: Moment {
    let most = 1 << 53
    return Moment(milliseconds: min(max(milliseconds, -most), most))
  }
}
