// SPDX-License-Identifier: Apache-2.0

/// A date of HTTP (RFC 9110, section 5.6.7), read in all three forms that a recipient has to accept.
///
/// Names are compared exactly, as the standard requires. Whether the weekday matches the date is not checked.
public struct HTTPDate: Hashable, Sendable {
  /// Seconds since 1970-01-01 00:00 UTC, without leap seconds.
  package let unixSeconds: Int64

  /// The date of a time in seconds since 1970.
  public init(unixSeconds: Int64) { self.unixSeconds = unixSeconds }

  /// Reads a date: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
  ///
  /// `nil` for any other text, and for a day or time that does not exist.
  ///
  /// - Parameters:
  ///   - text: The field's value.
  ///   - now: The time, in seconds since 1970. A two-digit year is the last matching year that puts the date at most
  ///     50 years after `now`.
  package init?(_ text: String, now: Int64) {
    let reader = DateReader(text)
    var date = reader.fixed() ?? reader.asctime()
    if date == nil, var short = reader.rfc850() {
      // Clamped to 1970 to 9999, so that nothing overflows.
      let now = max(0, min(253_402_300_799, now))
      short.year += (1970 + Int(now / Self.meanYear) + 151) / 100 * 100
      while short.unixSeconds > now + 50 * Self.meanYear { short.year -= 100 }
      date = short
    }
    guard let date, date.exists else { return nil }
    unixSeconds = date.unixSeconds
  }

  /// The seconds of a year of the Gregorian calendar, 365.2425 days.
  private static let meanYear: Int64 = 31_556_952
}

extension HTTPDate: CustomStringConvertible {
  /// The form that senders use: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public var description: String {
    let seconds = Int(unixSeconds)
    let day = seconds.floorDivided(by: 86_400)
    let (date, second) = (CivilDate(day: day), seconds - day * 86_400)
    // 1970-01-01 was a Thursday.
    let weekday = DateReader.days[day + 4 - 7 * (day + 4).floorDivided(by: 7)]
    let time = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    let month = DateReader.months[date.month - 1]
    return "\(weekday), \(date.dayOfMonth.padded(to: 2)) \(month) \(date.year.padded(to: 4)) \(time) GMT"
  }
}

private struct WrittenDate {
  var year: Int
  let month: Int
  let day: Int
  let time: (hour: Int, minute: Int, second: Int)

  private var date: CivilDate { CivilDate(year: year, month: month, dayOfMonth: day) }

  /// True if the day and the time exist. Second 60 is a leap second.
  var exists: Bool { date.exists && time.hour < 24 && time.minute < 60 && time.second <= 60 }

  var unixSeconds: Int64 { Int64(date.day * 86_400 + time.hour * 3_600 + time.minute * 60 + time.second) }
}

/// Reads the parts of a date one after another.
private struct DateReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text.withoutBlanks.utf8 }

  static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  func fixed() -> WrittenDate? {
    var reader = self
    guard reader.name(Self.days) != nil, reader.take(", "), let day = reader.number(2), reader.take(" "),
      let month = reader.name(Self.months), reader.take(" "), let year = reader.number(4), reader.take(" "),
      let time = reader.time(), reader.take(" GMT"), reader.rest.isEmpty
    else { return nil }
    return WrittenDate(year: year, month: month, day: day, time: time)
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`, with a year without its century.
  func rfc850() -> WrittenDate? {
    var reader = self
    guard reader.name(Self.longDays) != nil, reader.take(", "), let day = reader.number(2), reader.take("-"),
      let month = reader.name(Self.months), reader.take("-"), let year = reader.number(2), reader.take(" "),
      let time = reader.time(), reader.take(" GMT"), reader.rest.isEmpty
    else { return nil }
    return WrittenDate(year: year, month: month, day: day, time: time)
  }

  /// `Sun Nov  6 08:49:37 1994`
  func asctime() -> WrittenDate? {
    var reader = self
    guard reader.name(Self.days) != nil, reader.take(" "), let month = reader.name(Self.months), reader.take(" "),
      let day = reader.take(" ") ? reader.number(1) : reader.number(2), reader.take(" "),
      let time = reader.time(), reader.take(" "), let year = reader.number(4), reader.rest.isEmpty
    else { return nil }
    return WrittenDate(year: year, month: month, day: day, time: time)
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// The position of the next name in a list, from 1; `nil` if the text does not continue with one.
  private mutating func name(_ names: [String]) -> Int? {
    for (index, name) in names.enumerated() where take(name) { return index + 1 }
    return nil
  }

  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), 0x30...0x39 ~= byte else { return nil }
      value = 10 * value + Int(byte - 0x30)
    }
    return value
  }

  private mutating func time() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2) else { return nil }
    return (hour, minute, second)
  }
}

extension String {
  /// The text without blanks and tabs around it, which a field's value may have (RFC 9110, section 5.5).
  package var withoutBlanks: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
  }
}
