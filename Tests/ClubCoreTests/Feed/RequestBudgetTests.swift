// SPDX-License-Identifier: Apache-2.0
@testable import ClubCore
import Foundation
import Testing

@Suite("Request budget")
struct RequestBudgetTests {
  /// 2026-03-02T10:00:00Z: the first moment of a quarter of an hour.
  private let ten = Sample.at(0, 10)

  private func response(_ status: Int = 200, _ headers: (String, String)...) -> FeedReply {
    .response(FeedResponse(status: status, headers: headers.map { FeedResponse.Header($0.0, $0.1) }))
  }

  /// A budget of which so many requests were spent and answered, a minute after ten.
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

  @Test("a thousand requests fit into a day of UTC, the next waits for midnight")
  func day() {
    let budget = spent(1000, of: .init(perWindow: 5000))
    #expect(budget.permission(at: ten.adding(seconds: 3600)) == .at(Sample.at(1, 0).adding(seconds: 5)))
    #expect(budget.permission(at: Sample.at(1, 0).adding(seconds: 5)) == .now)
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

  @Test("requests on their way count before anything comes back, and those that never do count, too")
  func inFlight() {
    var budget = RequestBudget(assumed: .init(perWindow: 2))
    budget.sent(at: ten)
    budget.sent(at: ten)
    #expect(budget.inFlight == 2)
    budget.received(.timedOut, at: ten.adding(seconds: 30))
    budget.received(.unreachable(reason: "no route"), at: ten.adding(seconds: 30))
    #expect(budget.inFlight == 0)
    #expect(budget.permission(at: ten.adding(seconds: 60)) == .at(ten.adding(seconds: 905)))
  }

  @Test("the recorded head's limits and usage are learnt: the stricter of both counts")
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

  @Test("a service that tells one budget is not held to the assumption for the other")
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

  @Test("a usage is on top of what is still on its way")
  func usageAndInFlight() {
    var budget = RequestBudget()
    let minute = ten.adding(seconds: 60)
    for _ in 0..<3 { budget.sent(at: minute) }
    budget.received(response(200, ("X-RateLimit-Limit", "100,1000"), ("X-RateLimit-Usage", "50,50")), at: minute)
    #expect(budget.left(at: minute) == 48)
  }

  @Test(
    "what cannot be read changes nothing and is told",
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

  @Test("numbers and moments beyond all bounds do no harm")
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
