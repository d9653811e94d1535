// SPDX-License-Identifier: GPL-3.0-or-later
import CoreDates
import Foundation
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// 2026-11-21 18:00:00 UTC.
  private static let now: Int64 = 1_795_284_000

  /// One moment in the three forms of RFC 9110, section 5.6.7, and its year.
  private struct Forms {
    let fixed: String
    let rfc850: String
    let asctime: String
    let year: Int

    init(_ moment: Int64) throws {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday],
        from: Date(timeIntervalSince1970: Double(moment)))
      let day = try #require(parts.day)
      let weekday = try #require(parts.weekday) - 1
      let month = HTTPDateTests.months[try #require(parts.month) - 1]
      year = try #require(parts.year)
      let time = try [parts.hour, parts.minute, parts.second].map { padded(try #require($0)) }.joined(separator: ":")
      fixed = "\(HTTPDateTests.days[weekday]), \(padded(day)) \(month) \(padded(year, 4)) \(time) GMT"
      rfc850 = "\(HTTPDateTests.longDays[weekday]), \(padded(day))-\(month)-\(padded(year % 100)) \(time) GMT"
      asctime = "\(HTTPDateTests.days[weekday]) \(month) \(padded(day, 2, " ")) \(time) \(padded(year, 4))"
    }
  }

  @Test("all three forms of any moment are read as that moment")
  func anyMoment() throws {
    for seed in 0..<400 as Range<UInt64> {
      // Within 49 years of the present, for the form without a century.
      let moment = Self.now - 49 * 31_556_952 + scattered(seed, below: 98 * 31_556_952)
      let forms = try Forms(moment)
      for text in [forms.fixed, forms.rfc850, forms.asctime] {
        #expect(HTTPDate(text, now: Self.now)?.unixSeconds == moment, "\(text)")
      }
    }
  }

  @Test("the forms with four digits need no clock, and reach from the year 1 to 9999")
  func farMoments() throws {
    for seed in 0..<400 as Range<UInt64> {
      // After October 1582, before which Foundation has the Julian calendar.
      let moment = -12_000_000_000 + scattered(seed, below: 265_402_300_799)
      let forms = try Forms(moment)
      for now in [0, moment, .max] {
        #expect(HTTPDate(forms.fixed, now: now)?.unixSeconds == moment, "\(forms.fixed)")
        #expect(HTTPDate(forms.asctime, now: now)?.unixSeconds == moment, "\(forms.asctime)")
      }
    }
  }

  @Test("in every century, a year of two digits is the latest with that ending at most 50 years ahead")
  func slidingCentury() throws {
    let year: Int64 = 31_556_952
    for seed in 0..<400 as Range<UInt64> {
      let now = scattered(seed, below: 7_900 * 31_556_952)
      // From 50 years before to 50 after, less a day, since 50 years have 12 or 13 leap days.
      let moment = now - 50 * year + 86_400 + scattered(seed, below: 100 * 31_556_952 - 172_800)
      let text = try Forms(moment).rfc850
      #expect(HTTPDate(text, now: now)?.unixSeconds == moment, "\(text) at \(now)")
    }
  }

  @Test("a day of one digit is preceded by a blank in one form, and by 0 in the others")
  func dayOfTwoDigits() {
    let read = { (text: String) in HTTPDate(text, now: Self.now)?.unixSeconds }
    #expect(read("Wed Nov 16 08:49:37 1994") == 784_975_777)
    #expect(read("Sun Nov 06 08:49:37 1994") == 784_111_777, "two digits, the first of them nought")
    #expect(read("Wed Nov  16 08:49:37 1994") == nil && read("Sun Nov   6 08:49:37 1994") == nil)
    #expect(read("Sun,  6 Nov 1994 08:49:37 GMT") == nil && read("Sunday,  6-Nov-94 08:49:37 GMT") == nil)
  }

  @Test("a date that is truncated, lengthened or changed by one character is another date or invalid")
  func damaged() throws {
    for form in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
      let bytes = Array(form.utf8)
      for index in bytes.indices {
        #expect(HTTPDate(String(decoding: bytes[..<index], as: UTF8.self), now: Self.now) == nil)
        for byte in [0x2f, 0x3a, 0x20, 0x2d, 0x78] as [UInt8] where byte != bytes[index] {
          var changed = bytes
          changed[index] = byte
          let text = String(decoding: changed, as: UTF8.self)
          #expect(HTTPDate(text, now: Self.now) == nil, "\(text)")
        }
      }
      for tail in ["x", " GMT", "0"] { #expect(HTTPDate(form + tail, now: Self.now) == nil, "\(form + tail)") }
    }
  }

  @Test("blanks around a date are ignored")
  func blanks() {
    #expect(HTTPDate(" Sun, 06 Nov 1994 08:49:37 GMT\t", now: Self.now)?.unixSeconds == 784_111_777)
  }

  @Test(
    "what is nearly a date is none",
    arguments: [
      "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
      "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT x", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
      "Sun Nov 06 08:49:37 94", "1994-11-06T08:49:37Z", "Sun, 06 Nov +994 08:49:37 GMT",
      "Sun, \u{660}\u{666} Nov 1994 08:49:37 GMT",
    ])
  func noDate(text: String) {
    #expect(HTTPDate(text, now: Self.now) == nil)
  }

  @Test("leap days and leap seconds are valid")
  func leaps() {
    #expect(HTTPDate("Tue, 29 Feb 2000 00:00:00 GMT", now: 0)?.unixSeconds == 951_782_400)
    #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: 0)?.unixSeconds == 1_483_228_800)
    #expect(HTTPDate("Sat, 01 Jan 0000 00:00:00 GMT", now: 0)?.unixSeconds == -62_167_219_200)
    #expect(HTTPDate("Fri, 31 Dec 9999 23:59:59 GMT", now: 0)?.unixSeconds == 253_402_300_799)
  }

  @Test("a year of two digits is at most 50 years ahead")
  func shortYears() {
    let seconds = { (text: String) in HTTPDate(text, now: Self.now)?.unixSeconds }
    #expect(seconds("Friday, 20-Nov-76 00:00:00 GMT") == seconds("Fri, 20 Nov 2076 00:00:00 GMT"))
    #expect(seconds("Friday, 20-Nov-77 00:00:00 GMT") == seconds("Sun, 20 Nov 1977 00:00:00 GMT"))
    #expect(seconds("Tuesday, 29-Feb-00 00:00:00 GMT") == 951_782_400)
    for now in [Int64.min, -1, 0, .max] {
      #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
    }
  }

  @Test("written dates are read as the same moment")
  func roundTrip() {
    #expect(HTTPDate(unixSeconds: 784_111_777).description == "Sun, 06 Nov 1994 08:49:37 GMT")
    for seed in 0..<1000 as Range<UInt64> {
      let date = HTTPDate(unixSeconds: -62_167_219_200 + scattered(seed, below: 315_569_520_000))
      #expect(HTTPDate(date.description, now: 0) == date)
    }
  }
}

/// A number from 0 up to the bound, all over it, the same for a seed each time.
private func scattered(_ seed: UInt64, below bound: Int64) -> Int64 {
  Int64(((seed &+ 1) &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: UInt64(bound)).high)
}

private func padded(_ number: Int, _ width: Int = 2, _ filler: String = "0") -> String {
  String(repeating: filler, count: width - "\(number)".count) + "\(number)"
}
