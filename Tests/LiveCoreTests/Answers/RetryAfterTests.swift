// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import Testing

@Suite("Retry-After and the dates of HTTP")
struct RetryAfterTests {
  /// 2026-11-21 18:00:00 UTC.
  private static let now: Int64 = 1_795_284_000

  private func wait(_ header: String, date: String? = nil) -> Interval? {
    RetryAfter.interval(header, date: date, now: Self.now)
  }

  @Test(
    "all three forms of a date are read",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func forms(text: String) {
    #expect(HTTPDate(text, now: Self.now)?.unixSeconds == 784_111_777)
    #expect(HTTPDate(" \(text)\t", now: Self.now)?.unixSeconds == 784_111_777)
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

  @Test("leap days and leap seconds exist")
  func leaps() {
    #expect(HTTPDate("Tue, 29 Feb 2000 00:00:00 GMT", now: 0)?.unixSeconds == 951_782_400)
    #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: 0)?.unixSeconds == 1_483_228_800)
    #expect(HTTPDate("Sat, 01 Jan 0000 00:00:00 GMT", now: 0)?.unixSeconds == -62_167_219_200)
    #expect(HTTPDate("Fri, 31 Dec 9999 23:59:59 GMT", now: 0)?.unixSeconds == 253_402_300_799)
  }

  @Test("every day of the years 0 to 9999 follows the one before, and the calendar of Foundation agrees on the years")
  func everyDay() throws {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var expected: Int64 = -62_167_219_200
    for year in stride(from: 0, through: 9_999, by: 1) where year < 5 || (1_890..<2_110).contains(year) {
      if year == 1_890 { expected = try start(of: 1_890) }
      for month in months {
        for day in 1...31 {
          let text = "Mon, \(padded(day, 2)) \(month) \(padded(year, 4)) 00:00:00 GMT"
          guard let date = HTTPDate(text, now: 0) else { continue }
          try #require(date.unixSeconds == expected, "\(text)")
          expected += 86_400
        }
      }
    }
    #expect(expected == (try start(of: 2_110)))
  }

  private func start(of year: Int) throws -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    return Int64(try #require(calendar.date(from: DateComponents(year: year))).timeIntervalSince1970)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: width - "\(number)".count) + "\(number)"
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

  @Test("seconds are seconds")
  func seconds() {
    #expect(wait("120") == .seconds(120))
    #expect(wait(" 0 ") == .zero)
    #expect(wait("007") == .seconds(7))
  }

  @Test("more seconds than there are is for ever, and the rules bound it")
  func enormous() {
    for header in ["9999999999", "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 10_000)] {
      #expect(wait(header) == .forever || header == "9999999999")
      let refusal = Refusal(status: 503, retryAfter: wait(header))
      #expect(
        RefusalRules().verdict(on: refusal, isSecure: true, redirects: 0) == .retryAfter(RefusalRules().longestWait))
    }
  }

  @Test(
    "what is neither seconds nor a date is no wish", arguments: ["", " ", "-5", "+5", "1.5", "5s", "soon", "\u{665}"])
  func noWish(header: String) {
    #expect(wait(header) == nil)
  }

  @Test("a date is measured from the answer's own, so that the wrong clock of a device does no harm")
  func ownDate() {
    let answer = "Sat, 21 Nov 2026 18:00:00 GMT"
    for skew in [-86_400 * 400, -3_600, 0, 3_600, 86_400 * 400] as [Int64] {
      let found = RetryAfter.interval("Sat, 21 Nov 2026 18:02:00 GMT", date: answer, now: Self.now + skew)
      #expect(found == .seconds(120))
    }
  }

  @Test("without a readable date of its own, the device's clock has to do")
  func deviceClock() {
    #expect(wait("Sat, 21 Nov 2026 18:00:30 GMT") == .seconds(30))
    #expect(wait("Sat, 21 Nov 2026 18:00:30 GMT", date: "today") == .seconds(30))
  }

  @Test("a date names a moment for all, seconds do not, and what cannot be read names nothing")
  func moments() {
    func names(_ header: String?) -> Bool {
      Refusal(status: 503, retryAfter: header, date: nil, location: nil, from: "wss://live.example", now: Self.now)
        .namesMoment
    }
    #expect(names("Sat, 21 Nov 2026 18:02:00 GMT") && names(" Sun, 06 Nov 1994 08:49:37 GMT\t"))
    for header in ["120", " 0 ", "99999999999999999999", "", "soon", "-5"] { #expect(!names(header), "\(header)") }
    #expect(!names(nil))
  }

  @Test("only a moment to come is one to spread from")
  func spread() {
    var rules = RefusalRules()
    rules.dateSpread = .seconds(7)
    func spread(_ wait: Interval?, _ namesMoment: Bool) -> Interval {
      rules.spread(after: Refusal(status: 503, retryAfter: wait, namesMoment: namesMoment))
    }
    #expect(spread(.seconds(1), true) == .seconds(7))
    #expect(spread(.seconds(1), false) == .zero && spread(.zero, true) == .zero && spread(nil, true) == .zero)
  }

  @Test("a date that is past asks for nothing, and no clock traps")
  func past() {
    #expect(wait("Sun, 06 Nov 1994 08:49:37 GMT") == .zero)
    #expect(RetryAfter.interval("Sun, 06 Nov 1994 08:49:37 GMT", date: nil, now: .max) == .zero)
    #expect(RetryAfter.interval("Sun, 06 Nov 1994 08:49:37 GMT", date: nil, now: .min) == .forever)
  }
}
