// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Fetching a listing")
struct FeedFetchTests {
  private let small = FetchPlan(perPage: 30)

  @Test("pages are read until an empty one, in their order")
  func pages() {
    var service = ShiftingService(Sample.backlog(75))
    var fetch = FeedFetch(small)
    #expect(
      fetch.listing(&service)
        == FeedListing(activities: service.listing, isWhole: true, pageStarts: [0, 30, 60]))
    #expect(service.requests.map(\.page) == [1, 2, 1, 3, 2, 4])
    #expect(fetch.report.requests == 6)
    #expect(fetch.report.checks == 2)
  }

  @Test("an empty club is a whole listing after one request")
  func empty() {
    var service = ShiftingService([])
    var fetch = FeedFetch()
    #expect(fetch.listing(&service) == FeedListing(activities: [], isWhole: true))
    #expect(service.requests == [FeedRequest(page: 1, perPage: 200)])
  }

  @Test("a page shorter than asked for is not the last")
  func shortPages() {
    var service = ShiftingService(Sample.backlog(90))
    service.hidden = { $0.distance.decimetres % 3 == 0 }
    var fetch = FeedFetch(small)
    let listing = fetch.listing(&service)
    #expect(listing?.activities == service.listing.filter { !service.hidden($0) })
    #expect(listing?.isWhole == true)
    // Of the 90 every third is not shown, and each page has 20 of its 30.
    #expect(listing?.pageStarts == [0, 20, 40])
  }

  @Test("a limit of pages ends a listing that is not whole")
  func pageLimit() {
    var service = ShiftingService(Sample.backlog(75))
    var fetch = FeedFetch(FetchPlan(perPage: 30, pageLimit: 1))
    #expect(fetch.listing(&service) == FeedListing(activities: Sample.backlog(30), isWhole: false, pageStarts: [0]))
    #expect(service.requests.count == 1)
  }

  @Test("reaching what is known ends the fetch early, one known twin does not")
  func known() {
    var service = ShiftingService([Sample.ride("New", 5)] + Sample.backlog(75))
    var fetch = FeedFetch(FetchPlan(perPage: 30, known: Sample.backlog(75).map(ActivityFingerprint.init)))
    let listing = fetch.listing(&service)
    #expect(listing == FeedListing(activities: Array(service.listing.prefix(30)), isWhole: false, pageStarts: [0]))
    #expect(service.requests.count == 1)
    var twins = FeedFetch(FetchPlan(perPage: 30, known: [ActivityFingerprint(Sample.backlog(1)[0])]))
    var other = ShiftingService(Sample.backlog(75))
    #expect(twins.listing(&other)?.isWhole == true)
  }

  @Test(
    "trouble is waited out: the page is asked for again, later each time",
    arguments: [
      ShiftingService.status(500), ShiftingService.status(503, "busy"), ShiftingService.status(408), .timedOut,
      .unreachable(reason: "no route"), ShiftingService.status(200, "[{\"resource_state\":2,\"athl"),
      ShiftingService.status(200, "  "),
    ])
  func trouble(fault: FeedReply) throws {
    var service = ShiftingService(Sample.backlog(3))
    service.faults = [1: fault, 2: fault, 3: fault]
    var fetch = FeedFetch()
    let run = fetch.run(&service)
    let (step, moment) = try #require(run)
    #expect(step == .done(FeedListing(activities: service.listing, isWhole: true, pageStarts: [0])))
    #expect(fetch.report.retries == 3)
    #expect(moment > Sample.monday.adding(milliseconds: 3500))
  }

  @Test("trouble without end fails after so many attempts and says what it was")
  func endless() {
    var service = ShiftingService([])
    for number in 1...9 { service.faults[number] = ShiftingService.status(502, "bad gateway") }
    var fetch = FeedFetch()
    #expect(fetch.failure(&service) == .serviceFailed(page: 1, attempts: 5, last: "status 502: bad gateway"))
    #expect(service.requests.count == 5)
  }

  @Test(
    "what trying again does not mend fails at once", arguments: [400, 403, 404, 410, 418, 301, 204, 304, 0, -1])
  func refused(status: Int) throws {
    var service = ShiftingService([])
    service.faults[1] = ShiftingService.status(status, "{\"message\":\"no\u{1B}\"}")
    var fetch = FeedFetch()
    let failure = fetch.failure(&service)
    let error = try #require(failure)
    guard case .pageRefused(1, status, let message) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!message.contains("\u{1B}"))
    #expect(service.requests.count == 1)
  }

  @Test("a refused token is renewed once, and a second refusal ends the fetch")
  func token() {
    var service = ShiftingService(Sample.backlog(3))
    service.faults[1] = ShiftingService.status(401)
    var fetch = FeedFetch()
    #expect(fetch.next(at: Sample.monday) == .send(FeedRequest(page: 1, perPage: 200)))
    fetch.received(
      service.answer(FeedRequest(page: 1, perPage: 200)), to: FeedRequest(page: 1, perPage: 200), at: Sample.monday)
    #expect(fetch.next(at: Sample.monday) == .renewToken)
    #expect(fetch.next(at: Sample.monday) == .renewToken)
    fetch.tokenRenewed()
    #expect(fetch.listing(&service)?.activities == service.listing)
    var other = ShiftingService([])
    other.faults = [1: ShiftingService.status(401), 2: ShiftingService.status(401)]
    var refused = FeedFetch()
    #expect(refused.failure(&other) == .pageRefused(page: 1, status: 401, message: ""))
  }

  @Test("a spent budget waits for the next quarter of an hour")
  func budget() throws {
    var service = ShiftingService(Sample.backlog(75))
    var fetch = FeedFetch(small, budget: RequestBudget(assumed: .init(perWindow: 4)))
    let run = fetch.run(&service)
    let (step, moment) = try #require(run)
    #expect(
      step == .done(FeedListing(activities: service.listing, isWhole: true, pageStarts: [0, 30, 60])))
    #expect(moment >= Sample.at(0, 0, 15))
    #expect(fetch.budget.left(at: moment) == 2)
  }

  @Test("a refusal for the budget waits, too, and refusals without end fail")
  func refusals() throws {
    var service = ShiftingService(Sample.backlog(3))
    service.faults[1] = ShiftingService.status(429)
    var fetch = FeedFetch()
    let run = fetch.run(&service)
    let (step, moment) = try #require(run)
    #expect(step == .done(FeedListing(activities: service.listing, isWhole: true, pageStarts: [0])))
    #expect(moment > Sample.at(0, 0, 15))
    #expect(fetch.report.refusals == 1)
    var closed = ShiftingService([])
    for number in 1...20 { closed.faults[number] = ShiftingService.status(429) }
    var endless = FeedFetch()
    #expect(endless.failure(&closed) == .pageRefused(page: 1, status: 429, message: ""))
    #expect(closed.requests.count == 9)
  }

  @Test("an answer that never comes is given up by the clock; if it comes after all it teaches the budget alone")
  func lateAnswer() {
    var fetch = FeedFetch()
    let request = FeedRequest(page: 1, perPage: 200)
    #expect(fetch.next(at: Sample.monday) == .send(request))
    let deadline = Sample.monday.adding(seconds: 30)
    #expect(fetch.next(at: Sample.monday.adding(seconds: 1)) == .wait(until: deadline))
    guard case .wait(let retry) = fetch.next(at: deadline) else {
      Issue.record("no wait after an answer that never came")
      return
    }
    let late = FeedResponse(
      status: 200, headers: [.init("X-RateLimit-Limit", "100,1000"), .init("X-RateLimit-Usage", "99,99")],
      body: Array("[]".utf8))
    fetch.received(.response(late), to: request, at: deadline)
    #expect(fetch.budget.left(at: deadline) == 1)
    #expect(fetch.next(at: retry) == .send(request))
    #expect(fetch.report.requests == 2)
  }

  @Test("a service that repeats a page for ever ends in an error")
  func repeats() {
    var service = ShiftingService([])
    for number in 1...50 { service.faults[number] = ShiftingService.page(Sample.backlog(30)) }
    var fetch = FeedFetch(small)
    #expect(fetch.failure(&service) == .repeatedPage(page: 2))
    #expect(service.requests.count == 3)
  }

  @Test("a listing without an end stops at the most requests")
  func noEnd() throws {
    var plan = small
    plan.mostRequests = 20
    var fetch = FeedFetch(plan)
    var service = ShiftingService(Sample.backlog(5000))
    let failure = fetch.failure(&service)
    let error = try #require(failure)
    guard case .serviceFailed(_, 20, _) = error else {
      Issue.record("\(error)")
      return
    }
  }
}
