// SPDX-License-Identifier: Apache-2.0
import ClubCore
import TestSupport
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

  @Test(
    "a page is requested again after trouble, later each time",
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

  @Test("endless trouble fails after five attempts, and the error names the last failure")
  func endless() {
    var service = ShiftingService([])
    for number in 1...9 { service.faults[number] = ShiftingService.status(502, "bad gateway") }
    var fetch = FeedFetch()
    #expect(fetch.failure(&service) == .serviceFailed(page: 1, attempts: 5, last: "status 502: bad gateway"))
    #expect(service.requests.count == 5)
  }

  @Test(
    "a status that a retry cannot fix fails at once", arguments: [400, 403, 404, 410, 418, 301, 204, 304, 0, -1])
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

  @Test("a refusal for the budget is waited out, and endless refusals fail")
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

  @Test("a request without an answer times out, and a late answer updates the budget only")
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
    plan.maxRequests = 20
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

@Suite("Pages that shift while they are read")
struct ShiftingPagesTests {
  private func counts(_ activities: [Activity]) -> [ActivityFingerprint: Int] {
    activities.reduce(into: [:]) { $0[ActivityFingerprint($1), default: 0] += 1 }
  }

  @Test("a deletion on a page read long before loses nothing")
  func deletionFarAbove() {
    var service = ShiftingService(Sample.backlog(130))
    service.changes[4] = { $0.remove(at: 4) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let listing = fetch.listing(&service)
    #expect(listing.map { counts($0.activities) } == counts(service.listing))
    #expect(fetch.report.restarts == 1)
  }

  @Test("an activity that moves to the next page leaves the page before, and page starts follow")
  func pageStarts() {
    var service = ShiftingService(Sample.backlog(100))
    service.changes[4] = { $0.insert(Sample.ride("New", 3), at: 0) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let listing = fetch.listing(&service)
    // The second page gained the first one's last, and the third is read as it is now.
    #expect(listing?.activities == Array(service.listing.dropFirst()))
    #expect(listing?.pageStarts == [0, 29, 59, 89])
  }

  @Test("true twins on both sides of a seam both survive")
  func twins() {
    var rides = Sample.backlog(28)
    rides += Array(repeating: Sample.commute, count: 4) + [Sample.ride("Zoe", 7)]
    var service = ShiftingService(rides)
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == rides)
    #expect(fetch.report.shifts == 0)
  }

  @Test("twins at a seam are distinguished from a twin that an upload pushed over it")
  func twinsAndUpload() {
    var service = ShiftingService(Sample.backlog(29) + [Sample.commute, Sample.commute, Sample.ride("Zoe", 7)])
    service.changes[2] = { $0.insert(Sample.ride("New", 3), at: 0) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == service.listing)
  }

  @Test("a listing that never holds still comes without duplicates and is not called whole")
  func neverStill() throws {
    var service = ShiftingService(Sample.backlog(40))
    for number in 1...60 { service.changes[number] = { $0.insert(Sample.ride("New", number), at: 0) } }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let fetched = fetch.listing(&service)
    let listing = try #require(fetched)
    #expect(!listing.isWhole)
    #expect(fetch.report.unprovedSeams > 0)
    #expect(counts(listing.activities).values.allSatisfy { $0 == 1 })
  }

  @Test("a rename between two requests is no shift")
  func rename() {
    var service = ShiftingService(Sample.backlog(45))
    service.changes[3] = { $0[2].title = "Renamed" }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities.count == 45)
    #expect(fetch.report.shifts == 0)
  }

  @Test("the recorded pages, fetched 50 s apart, have every activity once")
  func recorded() throws {
    // Of the first page's activities four moved to the second between both fetches, not those at its end.
    let names = ["club_activities-0", "all_club_activities-1", "all_club_activities-0"]
    let pages = try names.map { try FeedDecoder(source: $0).activities(in: RealPages.bytes($0)) }
    var service = ShiftingService([])
    for (number, page) in [(1, 0), (2, 1), (3, 2), (4, 1), (5, 2), (7, 1)] {
      service.faults[number] = ShiftingService.page(pages[page])
    }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let fetched = fetch.listing(&service)
    let listing = try #require(fetched)
    #expect(listing.isWhole)
    let isJoined = listing.activities == pages[2] + pages[1]
    #expect(isJoined)
    #expect(fetch.report.shifts == 1)
    #expect(service.requests.map(\.page) == [1, 2, 1, 2, 1, 3, 2])
  }

  /// What may happen to a listing between two requests.
  enum Change {
    case upload, lateUpload, deletion
  }

  /// Fetches while the listing changes.
  ///
  /// - Returns: Fingerprints counted more often than they ever were there at once, and those lost that always were.
  private func fetch(
    _ plan: FetchPlan, amid changes: [Change], calm: Int, seed: Int
  ) throws -> (doubled: Int, lost: Int, report: FetchReport) {
    var numbers = SplitMix64(seed: UInt64(seed))
    var service = ShiftingService(Sample.backlog(Int.random(in: 0...160, using: &numbers)))
    var stayed = counts(service.listing)
    var (maximum, fetch, now, serial) = (stayed, FeedFetch(plan), Sample.monday, 0)
    for _ in 0..<5000 {
      switch fetch.next(at: now) {
      case .send(let request):
        while !numbers.happens(perMille: 10 * calm) {
          serial += 1
          let index = Int.random(in: 0...service.listing.count, using: &numbers)
          switch changes.randomElement(using: &numbers) {
          case .upload: service.listing.insert(Sample.ride("New", serial), at: 0)
          case .lateUpload: service.listing.insert(Sample.ride("Late", serial), at: index)
          default: if index < service.listing.count { service.listing.remove(at: index) }
          }
          let present = counts(service.listing)
          stayed = stayed.filter { present[$0.key] != nil }
          maximum.merge(present) { max($0, $1) }
        }
        let reply = service.answer(request)
        fetch.received(numbers.happens(perMille: 100) ? ShiftingService.status(500) : reply, to: request, at: now)
      case .wait(let moment): now = moment
      case .done(let listing):
        let found = counts(listing.activities)
        return (
          found.count { $0.value > maximum[$0.key] ?? 0 }, stayed.keys.count { found[$0] == nil }, fetch.report
        )
      case let end: throw Ended(step: end)
      }
    }
    throw Ended(step: .wait(until: now))
  }

  private struct Ended: Error {
    let step: FeedFetch.Step
  }

  @Test(
    "while the listing only grows, or only shrinks, nothing is counted twice, and at proved seams nothing is lost",
    arguments: [[Change.upload], [.upload, .lateUpload], [.deletion]])
  func oneWay(changes: [Change]) throws {
    var unproved = 0
    for seed in 0..<60 {
      let plan = FetchPlan(perPage: 30)
      let result = try fetch(plan, amid: changes, calm: 40 + seed, seed: seed)
      #expect(result.doubled == 0)
      unproved += result.report.unprovedSeams
      if result.report.unprovedSeams == 0 { #expect(result.lost == 0) }
    }
    // The proof is not won by giving up.
    #expect(unproved < 60)
  }

  @Test("while the listing grows and shrinks, nothing is counted twice", arguments: 0..<100)
  func bothWays(seed: Int) throws {
    let result = try fetch(
      FetchPlan(perPage: 30), amid: [.upload, .lateUpload, .deletion], calm: 90, seed: seed)
    #expect(result.doubled == 0)
  }
}

/// A service whose listing changes between requests as a test says.
struct ShiftingService {
  /// The newest first.
  var listing: [Activity]
  private(set) var requests: [FeedRequest] = []
  /// What happens before the request of that number, from 1.
  var changes: [Int: (inout [Activity]) -> Void] = [:]
  /// What is answered to the request of that number in place of its page.
  var faults: [Int: FeedReply] = [:]
  /// Activities that are not shown, though they take their places.
  var hidden: (Activity) -> Bool = { _ in false }

  init(_ listing: [Activity]) {
    self.listing = listing
  }

  mutating func answer(_ request: FeedRequest) -> FeedReply {
    requests.append(request)
    changes[requests.count]?(&listing)
    if let fault = faults[requests.count] { return fault }
    let page = listing.dropFirst((request.page - 1) * request.perPage).prefix(request.perPage)
    return Self.page(page.filter { !hidden($0) })
  }

  static func page(_ activities: [Activity]) -> FeedReply {
    .response(FeedResponse(status: 200, body: Activity.page(activities)))
  }

  static func status(_ status: Int, _ body: String = "") -> FeedReply {
    .response(FeedResponse(status: status, body: Array(body.utf8)))
  }
}

extension FeedFetch {
  /// Runs to the end against a service that answers at once.
  ///
  /// - Returns: How it ended, and when; nil for one that has no end.
  mutating func run(_ service: inout ShiftingService, from start: Moment = Sample.monday) -> (Step, Moment)? {
    var now = start
    for _ in 0..<5000 {
      switch next(at: now) {
      case .send(let request):
        now = now.adding(milliseconds: 200)
        received(service.answer(request), to: request, at: now)
      case .wait(let moment): now = max(moment, now)
      case .renewToken: tokenRenewed()
      case let end: return (end, now)
      }
    }
    return nil
  }

  /// The listing that a run ends with; nil where it fails.
  mutating func listing(_ service: inout ShiftingService) -> FeedListing? {
    if case .done(let listing) = run(&service)?.0 { listing } else { nil }
  }

  /// The error that a run ends with; nil where it does not.
  mutating func failure(_ service: inout ShiftingService) -> ClubError? {
    if case .failed(let error) = run(&service)?.0 { error } else { nil }
  }
}
