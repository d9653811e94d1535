// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Refusals for a spent budget")
struct RefusalTests {
  private let now = Sample.at(0, 10, 5)
  private let calm = RetryDelay(first: 1, most: 1)

  private func refusal(_ status: Int = 429, _ headers: (String, String)...) -> FeedReply {
    .response(FeedResponse(status: status, headers: headers.map { FeedResponse.Header($0.0, $0.1) }))
  }

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
    let waited = try #require(wait(after: refusal()))
    #expect((605_000...605_001).contains(waited))
  }

  @Test("a refusal for a spent day waits for midnight")
  func daysEnd() throws {
    let waited = try #require(
      wait(after: refusal(429, ("X-RateLimit-Limit", "200,2000"), ("X-RateLimit-Usage", "20,2000"))))
    #expect((50_105_000...50_105_001).contains(waited))
  }

  @Test("refusals in a row wait longer each time, a success ends the row")
  func row() throws {
    let retryDelay = RetryDelay(first: 60_000, most: 900_000)
    var budget = RequestBudget(retryDelay: retryDelay)
    var (moment, waits): (Moment, [Int]) = (now, [])
    for _ in 0..<4 {
      budget.sent(at: moment)
      budget.received(refusal(), at: moment)
      guard case .at(let next) = budget.permission(at: moment) else { break }
      waits.append((next.milliseconds - moment.milliseconds) / 1000)
      moment = next
    }
    #expect(budget.refusals == 4)
    #expect(waits.count == 4 && waits.allSatisfy { $0 > 0 })
    #expect(waits[3] > waits[1])
    budget.sent(at: moment)
    budget.received(refusal(200), at: moment)
    #expect(budget.refusals == 0)
    #expect(budget.permission(at: moment) == .now)
  }

  @Test("Retry-After is honoured in seconds")
  func seconds() {
    #expect(wait(after: refusal(429, ("retry-after", "120"))) == 120_000)
    #expect(wait(after: refusal(503, ("Retry-After", "7"))) == 7000)
    #expect(wait(after: refusal(503)) == nil)
  }

  @Test(
    "Retry-After is honoured as a date in any form, with the margin of the clocks",
    arguments: ["Mon, 02 Mar 2026 10:07:00 GMT", "Monday, 02-Mar-26 10:07:00 GMT", "Mon Mar  2 10:07:00 2026"])
  func dates(text: String) {
    #expect(wait(after: refusal(429, ("Retry-After", text))) == 125_000)
  }

  @Test("a Retry-After of long ago or of nothing waits for the retryDelay all the same")
  func past() throws {
    let retryDelay = RetryDelay(first: 8000, most: 8000)
    for text in ["0", "Sun, 06 Nov 1994 08:49:37 GMT"] {
      #expect((4000...8000).contains(try #require(wait(after: refusal(429, ("Retry-After", text)), retryDelay: retryDelay))))
    }
  }

  @Test("a Retry-After of years is cut to a day")
  func years() {
    #expect(wait(after: refusal(429, ("Retry-After", "999999999999999999999"))) == 86_400_000)
    #expect(wait(after: refusal(429, ("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"))) == 86_400_000)
  }

  @Test("a Retry-After that is sooner than a spent period's end does not shorten that")
  func spent() throws {
    let reply = refusal(
      429, ("Retry-After", "10"), ("X-RateLimit-Limit", "100,1000"), ("X-RateLimit-Usage", "100,300"))
    #expect(wait(after: reply) == 605_000)
  }

  @Test("a clock that is wrong by hours is learnt from the service's date")
  func wrongClock() throws {
    var budget = RequestBudget(retryDelay: calm)
    budget.sent(at: now)
    budget.received(refusal(200, ("Date", "Mon, 02 Mar 2026 13:14:00 GMT")), at: now.adding(seconds: 1))
    #expect(budget.clockDifference == 11_339_000)
    budget.sent(at: now.adding(seconds: 2))
    budget.received(refusal(), at: now.adding(seconds: 2))
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
    budget.received(refusal(200, ("Date", "Mon, 02 Mar 2026 13:14:00 GMT")), at: now)
    // 13:15:05 by the service's clock, 65 s after it answered, which was within the second that its date names.
    guard case .at(let moment) = budget.permission(at: now) else {
      Issue.record("the period's only request is given out twice")
      return
    }
    #expect((64_000...65_000).contains(moment.milliseconds - now.milliseconds))
  }
}
