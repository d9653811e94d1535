// SPDX-License-Identifier: Apache-2.0
@testable import ClubCore
import Testing

@Suite("Dates in a response's head")
struct HTTPDateTests {
  private let now = Moment(seconds: 1_760_887_476)  // 2025-10-19T15:24:36Z

  @Test(
    "the three forms of RFC 9110 name one moment",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func threeForms(text: String) {
    #expect(HTTPDate.moment(text, now: now) == Moment(seconds: 784_111_777))
  }

  @Test("a recorded date is read")
  func recorded() {
    #expect(HTTPDate.moment("Sun, 19 Oct 2025 15:24:36 GMT", now: now) == now)
  }

  @Test(
    "a year of two digits is at most fifty years ahead",
    arguments: [("75", 2075), ("76", 1976), ("25", 2025), ("26", 2026), ("99", 1999), ("00", 2000)])
  func shortYears(digits: String, year: Int) {
    let expected = Moment(seconds: CivilDate(year: year, month: 1, dayOfMonth: 1).day * 86_400)
    #expect(HTTPDate.moment("Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now) == expected)
  }

  @Test("a leap second is the next second")
  func leapSecond() {
    let leap = HTTPDate.moment("Sat, 31 Dec 2016 23:59:60 GMT", now: now)
    #expect(leap != nil)
    #expect(leap == HTTPDate.moment("Sun, 01 Jan 2017 00:00:00 GMT", now: now))
  }

  @Test(
    "what is no date is refused",
    arguments: [
      "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun 06 Nov 1994 08:49:37 GMT",
      "Sun, 30 Feb 2024 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sol, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, ０6 Nov 1994 08:49:37 GMT",
      "Sun, +6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "99999999999999999999",
    ])
  func refused(text: String) {
    #expect(HTTPDate.moment(text, now: now) == nil)
  }
}

@Suite("Backoff")
struct BackoffTests {
  @Test("delays double from failure to failure, keep half of themselves as jitter, and are bounded")
  func doubles() {
    let backoff = Backoff(first: 1000, most: 6000, seed: 7)
    #expect(backoff.delay(after: 0) == 0)
    for (failures, whole) in [(1, 1000), (2, 2000), (3, 4000), (4, 6000), (5, 6000), (Int.max, 6000)] {
      #expect((whole / 2...whole).contains(backoff.delay(after: failures)))
    }
  }

  @Test("clients of different seeds come back at different times, one client always at the same")
  func jitter() {
    let delays = (0..<100).map { Backoff(first: 100_000, seed: UInt64($0)).delay(after: 1) }
    #expect(Set(delays).count > 90)
    #expect(delays == (0..<100).map { Backoff(first: 100_000, seed: UInt64($0)).delay(after: 1) })
  }

  @Test("absurd bounds are drawn in")
  func bounded() {
    #expect(Backoff(first: .min, most: .min).delay(after: 99) <= 1)
    #expect(Backoff(first: .max, most: .max).delay(after: 99) <= 1_000_000_000)
  }
}
