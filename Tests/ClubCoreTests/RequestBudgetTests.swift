// SPDX-License-Identifier: Apache-2.0
import ClubCore
import CoreDates
import Foundation
import Testing

private func response(_ status: Int = 200, _ headers: (String, String)...) -> FeedReply {
  .response(FeedResponse(status: status, headers: headers.map { FeedResponse.Header($0.0, $0.1) }))
}

@Suite("Request budget")
struct RequestBudgetTests {
  /// 2026-03-02T10:00:00Z: the first moment of a quarter of an hour.
  private let ten = Sample.at(0, 10)

  /// A budget of which a number of requests were spent and answered, a minute after ten.
  private func spent(_ count: Int, of limits: RequestBudget.Limits = .init()) -> RequestBudget {
    var budget = RequestBudget(assumed: limits)
    for _ in 0..<count {
      budget.sent(at: ten.adding(seconds: 60))
      budget.received(response(), at: ten.adding(seconds: 60))
    }
    return budget
  }

  @Test("a hundred requests fit into a quarter of an hour, the next waits for its end and the margin")
  func window() {
    let minute = ten.adding(seconds: 60)
    #expect(spent(99).permission(at: minute) == .now)
    #expect(spent(99).left(at: minute) == 1)
    #expect(spent(100).permission(at: minute) == .at(ten.adding(seconds: 905)))
    #expect(spent(100).permission(at: ten.adding(seconds: 905)) == .now)
    #expect(spent(100).left(at: ten.adding(seconds: 905)) == 100)
  }

  @Test("a request near a seam counts on both sides of it")
  func seam() {
    var budget = RequestBudget(assumed: .init(perWindow: 1))
    budget.sent(at: ten.adding(seconds: 896))
    #expect(budget.permission(at: ten.adding(seconds: 906)) == .at(ten.adding(seconds: 1805)))
    var early = RequestBudget(assumed: .init(perWindow: 1))
    early.sent(at: ten.adding(seconds: 894))
    #expect(early.permission(at: ten.adding(seconds: 906)) == .now)
  }

  @Test("the limits and the usage of a recorded header are learnt, and the stricter of both counts")
  func recordedHead() throws {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/all_club_activities-0.meta", withExtension: "json"))
    struct Meta: Decodable { let headers: [String: String] }
    let head = try JSONDecoder().decode(Meta.self, from: Data(contentsOf: url)).headers
    let recorded = Moment(seconds: 1_760_887_476)
    var budget = RequestBudget()
    budget.sent(at: recorded)
    let reply = FeedReply.response(
      FeedResponse(status: 200, headers: head.map { FeedResponse.Header($0.key, $0.value) }))
    #expect(budget.received(reply, at: recorded) == [])
    #expect(budget.clockDifference == 0)
    #expect(budget.left(at: recorded) == 96)
  }

  @Test("whichever of the two budgets leaves less decides")
  func stricter() {
    let cases = [
      ("200,2000", "190,190", "100,1000", "20,20", 10), ("200,2000", "20,20", "100,1000", "95,95", 5),
      ("200,2000", "20,1998", "100,1000", "20,20", 2), ("200,2000", "20,20", "100,1000", "20,997", 3),
    ]
    for (overall, overallUsage, reading, readingUsage, left) in cases {
      var budget = RequestBudget()
      budget.sent(at: ten.adding(seconds: 60))
      budget.received(
        response(
          200, ("X-RATELIMIT-LIMIT", overall), ("x-ratelimit-usage", overallUsage),
          ("X-ReadRateLimit-Limit", reading), ("X-Readratelimit-Usage", readingUsage)), at: ten.adding(seconds: 61))
      #expect(budget.left(at: ten.adding(seconds: 61)) == left)
    }
  }

  @Test("a service that states one budget is not held to the assumption for the other")
  func oneBudget() {
    var budget = spent(100)
    budget.received(response(200, ("X-RateLimit-Limit", "600,30000")), at: ten.adding(seconds: 61))
    #expect(budget.left(at: ten.adding(seconds: 61)) == 500)
  }

  @Test("what others spend counts, and a lower number from the service does not give back what was spent here")
  func others() {
    var budget = spent(10)
    let later = ten.adding(seconds: 62)
    budget.sent(at: later)
    budget.received(
      response(200, ("X-RateLimit-Limit", "100,1000"), ("X-RateLimit-Usage", "60,70")), at: later)
    #expect(budget.left(at: later) == 40)
    budget.received(response(200, ("X-RateLimit-Usage", "5,5")), at: later)
    #expect(budget.left(at: later) == 40)
  }

  @Test("requests in flight are added to the usage that the service reports")
  func usageAndInFlight() {
    var budget = RequestBudget()
    let minute = ten.adding(seconds: 60)
    for _ in 0..<3 { budget.sent(at: minute) }
    budget.received(response(200, ("X-RateLimit-Limit", "100,1000"), ("X-RateLimit-Usage", "50,50")), at: minute)
    #expect(budget.left(at: minute) == 48)
  }

  @Test(
    "a header that cannot be read changes nothing and is reported",
    arguments: [
      ("X-RateLimit-Limit", "many"), ("X-RateLimit-Limit", "100"), ("X-RateLimit-Limit", "100,1000,5"),
      ("X-RateLimit-Limit", "0,0"), ("X-RateLimit-Limit", "-1,5"), ("X-RateLimit-Limit", ""),
      ("X-RateLimit-Usage", "1,"), ("X-ReadRateLimit-Usage", "1.5,2"), ("Retry-After", "soon"),
      ("Date", "yesterday\u{1B}[31m"),
    ])
  func malformed(name: String, value: String) throws {
    var budget = spent(40)
    let minute = ten.adding(seconds: 60)
    let remarks = budget.received(response(200, (name, value)), at: minute)
    #expect(budget.left(at: minute) == 60)
    #expect(budget.clockDifference == 0)
    let remark = try #require(remarks.first)
    #expect(remarks.count == 1)
    #expect("\(remark)".hasPrefix("header \(name): found '"))
    #expect(!"\(remark)".contains("\u{1B}"))
  }

  @Test("absurd numbers and moments neither trap nor let a request through")
  func absurd() {
    let digits = String(repeating: "9", count: 400)
    for moment in [Moment(milliseconds: .max), Moment(milliseconds: .min), Moment(milliseconds: 0)] {
      var budget = RequestBudget(assumed: .init(perWindow: .max, perDay: .min), margin: .max)
      budget.sent(at: moment)
      budget.received(
        response(
          429, ("X-RateLimit-Limit", "\(digits),\(digits)"), ("X-RateLimit-Usage", "\(digits),\(digits)"),
          ("Retry-After", digits), ("Date", "Fri, 31 Dec 9999 23:59:59 GMT")), at: moment)
      #expect(budget.permission(at: moment) != .now)
    }
  }
}

@Suite("Refusals for a spent budget")
struct RefusalTests {
  private let now = Sample.at(0, 10, 5)
  private let calm = RetryDelay(first: 1, maximum: 1)

  /// When a budget lets the next request through after an answer.
  private func wait(after reply: FeedReply, retryDelay: RetryDelay? = nil) -> Int? {
    var budget = RequestBudget(retryDelay: retryDelay ?? calm)
    budget.sent(at: now)
    budget.received(reply, at: now)
    guard case .at(let moment) = budget.permission(at: now) else { return nil }
    return moment.milliseconds - now.milliseconds
  }

  @Test("a refusal without a reason waits for the end of the quarter of an hour and a little")
  func windowsEnd() throws {
    let waited = try #require(wait(after: response(429)))
    #expect((605_000...605_001).contains(waited))
  }

  @Test("a refusal for a spent day waits for midnight")
  func daysEnd() throws {
    let waited = try #require(
      wait(after: response(429, ("X-RateLimit-Limit", "200,2000"), ("X-RateLimit-Usage", "20,2000"))))
    #expect((50_105_000...50_105_001).contains(waited))
  }

  @Test("refusals in a row wait longer each time, a success ends the row")
  func row() throws {
    let retryDelay = RetryDelay(first: 60_000, maximum: 900_000)
    var budget = RequestBudget(retryDelay: retryDelay)
    var (moment, waits): (Moment, [Int]) = (now, [])
    for _ in 0..<4 {
      budget.sent(at: moment)
      budget.received(response(429), at: moment)
      guard case .at(let next) = budget.permission(at: moment) else { break }
      waits.append((next.milliseconds - moment.milliseconds) / 1000)
      moment = next
    }
    #expect(budget.refusals == 4)
    #expect(waits.count == 4 && waits.allSatisfy { $0 > 0 })
    #expect(waits[3] > waits[1])
    budget.sent(at: moment)
    budget.received(response(200), at: moment)
    #expect(budget.refusals == 0)
    #expect(budget.permission(at: moment) == .now)
  }

  @Test("Retry-After is honoured in seconds")
  func seconds() {
    #expect(wait(after: response(429, ("retry-after", "120"))) == 120_000)
    #expect(wait(after: response(503, ("Retry-After", "7"))) == 7000)
    #expect(wait(after: response(503)) == nil)
  }

  @Test(
    "Retry-After is honoured as a date in any form, with the margin of the clocks",
    arguments: ["Mon, 02 Mar 2026 10:07:00 GMT", "Monday, 02-Mar-26 10:07:00 GMT", "Mon Mar  2 10:07:00 2026"])
  func dates(text: String) {
    #expect(wait(after: response(429, ("Retry-After", text))) == 125_000)
  }

  @Test("a Retry-After of long ago or of nothing waits for the retry delay all the same")
  func past() throws {
    let retryDelay = RetryDelay(first: 8000, maximum: 8000)
    for text in ["0", "Sun, 06 Nov 1994 08:49:37 GMT"] {
      let waited = try #require(wait(after: response(429, ("Retry-After", text)), retryDelay: retryDelay))
      #expect((4000...8000).contains(waited))
    }
  }

  @Test("a Retry-After of years is cut to a day")
  func years() {
    #expect(wait(after: response(429, ("Retry-After", "999999999999999999999"))) == 86_400_000)
    #expect(wait(after: response(429, ("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"))) == 86_400_000)
  }

  @Test("a Retry-After that is sooner than a spent period's end does not shorten that")
  func spent() throws {
    let reply = response(
      429, ("Retry-After", "10"), ("X-RateLimit-Limit", "100,1000"), ("X-RateLimit-Usage", "100,300"))
    #expect(wait(after: reply) == 605_000)
  }

  @Test("a clock that is wrong by hours is learnt from the service's date")
  func wrongClock() throws {
    var budget = RequestBudget(retryDelay: calm)
    budget.sent(at: now)
    budget.received(response(200, ("Date", "Mon, 02 Mar 2026 13:14:00 GMT")), at: now.adding(seconds: 1))
    #expect(budget.clockDifference == 11_339_000)
    budget.sent(at: now.adding(seconds: 2))
    budget.received(response(429), at: now.adding(seconds: 2))
    guard case .at(let moment) = budget.permission(at: now.adding(seconds: 3)) else {
      Issue.record("a refusal lets the next request through")
      return
    }
    // 13:15:05 by the service's clock.
    #expect((66_000...66_001).contains(moment.milliseconds - now.milliseconds))
  }

  @Test("what was sent before the clock was learnt counts in the service's period as well")
  func carried() {
    var budget = RequestBudget(assumed: .init(perWindow: 1), retryDelay: calm)
    budget.sent(at: now)
    budget.received(response(200, ("Date", "Mon, 02 Mar 2026 13:14:00 GMT")), at: now)
    // 13:15:05 by the service's clock, 65 s after it answered, which was within the second that its date names.
    guard case .at(let moment) = budget.permission(at: now) else {
      Issue.record("the period's only request is given out twice")
      return
    }
    #expect((64_000...65_000).contains(moment.milliseconds - now.milliseconds))
  }
}

@Suite("The wait before a request is sent again")
struct RetryDelayTests {
  @Test("delays double from failure to failure, keep half of themselves as jitter, and are bounded")
  func doubles() {
    let delay = RetryDelay(first: 1000, maximum: 6000, seed: 7)
    #expect(delay.delay(after: 0) == 0)
    for (failures, whole) in [(1, 1000), (2, 2000), (3, 4000), (4, 6000), (5, 6000), (Int.max, 6000)] {
      #expect((whole / 2...whole).contains(delay.delay(after: failures)))
    }
  }

  @Test("clients of different seeds come back at different times, one client always at the same")
  func jitter() {
    let delays = (0..<100).map { RetryDelay(first: 100_000, seed: UInt64($0)).delay(after: 1) }
    #expect(Set(delays).count > 90)
    #expect(delays == (0..<100).map { RetryDelay(first: 100_000, seed: UInt64($0)).delay(after: 1) })
  }

  @Test("absurd bounds are limited")
  func bounded() {
    #expect(RetryDelay(first: .min, maximum: .min).delay(after: 99) <= 1)
    #expect(RetryDelay(first: .max, maximum: .max).delay(after: 99) <= 1_000_000_000)
  }
}

@Suite("Request budget of a client that always asks")
struct RequestBudgetModelTests {
  @Test("nearly the whole budget can be spent")
  func spendsAll() {
    var budget = RequestBudget(assumed: .init(perWindow: 20, perDay: 500))
    var (now, spent) = (Sample.at(0, 0), [Int: Int]())
    while now < Sample.at(2, 0) {
      if case .at(let moment) = budget.permission(at: now) {
        now = moment
        continue
      }
      budget.sent(at: now)
      now = now.adding(milliseconds: 300)
      spent[now.seconds / 86_400, default: 0] += 1
      budget.received(response(200, ("Date", "\(HTTPDate(unixSeconds: Int64(now.seconds)))")), at: now)
    }
    #expect(spent.values.sorted() == [500, 500])
  }
}
