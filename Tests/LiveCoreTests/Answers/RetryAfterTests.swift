// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  /// 2026-11-21 18:00:00 UTC.
  private static let now: Int64 = 1_795_284_000

  private func wait(_ header: String, date: String? = nil) -> Interval? {
    RetryAfter.interval(header, date: date, now: Self.now)
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
