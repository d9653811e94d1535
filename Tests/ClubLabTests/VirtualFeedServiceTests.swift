// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import ClubLab

@Suite("The virtual service of a feed")
struct VirtualFeedServiceTests {
  private static let monday = Moment(seconds: 1_767_571_200)  // 2026-01-05T00:00:00Z
  private static let fetches = Fetches(first: monday, interval: 3600, count: 400)

  /// Rides an hour apart, each of an hour, uploaded minutes after their ends.
  private static func service(
    _ faults: FaultMix = .none, order: ServiceShape.Order = .start, rides: Int = 100
  ) throws -> VirtualFeedService {
    let outings = (0..<rides).map { index in
      Outing(
        person: index % 7, start: monday.adding(seconds: index * 3600),
        activity: Activity(
          member: MemberIdentity(name: AthleteName(first: "Name\(index % 7)", last: "K.")), title: "Ride",
          distance: Length(decimetres: 100_000 + index) ?? .zero, movingTime: 3600, elapsedTime: 3600))
    }
    let history = try FeedHistory(of: outings, faults: faults, fetches: fetches, generator: "mt19937", seed: 5)
    return try VirtualFeedService(
      history, shape: ServiceShape(order: order, depth: 50), faults: faults, within: fetches.span,
      generator: "mt19937", seeds: (6, 7))
  }

  private static func activities(_ answer: VirtualFeedService.Answer) throws -> [Activity] {
    guard case .response(let response) = answer.reply else { return [] }
    return try FeedDecoder(source: "page").activities(in: response.body)
  }

  private static let later = monday.adding(seconds: 90 * 3600)

  @Test("pages have the newest first, follow each other, and end where the listing's depth is reached")
  func pages() throws {
    var service = try Self.service()
    let first = try Self.activities(service.answer(FeedRequest(page: 1, perPage: 30), at: Self.later))
    let second = try Self.activities(service.answer(FeedRequest(page: 2, perPage: 30), at: Self.later))
    let third = try Self.activities(service.answer(FeedRequest(page: 3, perPage: 30), at: Self.later))
    let distances = (first + second).map(\.distance)
    #expect(first.count == 30 && second.count == 20 && third.isEmpty)
    #expect(distances == distances.sorted(by: >))
  }

  @Test("an answer has usage and limits in its head, its date, and nothing of starts in its body")
  func head() throws {
    var service = try Self.service()
    guard case .response(let response) = service.answer(FeedRequest(page: 1, perPage: 30), at: Self.later).reply else {
      Issue.record("no response")
      return
    }
    #expect(response[header: "x-readratelimit-usage"] == "1,1")
    #expect(response[header: "X-ReadRateLimit-Limit"] == "100,1000")
    #expect(response[header: "date"] == "Thu, 08 Jan 2026 18:00:00 GMT")
    #expect(!String(decoding: response.body, as: UTF8.self).contains("start_date"))
  }

  @Test("the request beyond the window's limit is refused with what is counted, and the next window is free")
  func window() throws {
    var service = try Self.service()
    var statuses: [Int] = []
    for second in 0..<101 {
      let moment = Self.later.adding(seconds: second)
      let answer = service.answer(FeedRequest(page: 9, perPage: 30), at: moment)
      service.delivered(answer, at: moment)
      if case .response(let response) = answer.reply { statuses.append(response.status) }
    }
    #expect(statuses.prefix(100).allSatisfy { $0 == 200 } && statuses.last == 429)
    #expect(service.count.violations == 1, "the hundredth answer had told that nothing is left")
    guard
      case .response(let free) = service.answer(
        FeedRequest(page: 9, perPage: 30), at: Self.later.adding(seconds: 900)
      ).reply
    else { return }
    #expect(free.status == 200)
  }

  @Test("a page shorter than asked for is not the last, and nothing of the listing is missing")
  func shortPages() throws {
    var service = try Self.service(FaultMix([FeedFault(.shortPages, rate: 0.5, size: 5)]))
    var pages: [[Activity]] = []
    for page in 1...20 {
      pages.append(try Self.activities(service.answer(FeedRequest(page: page, perPage: 30), at: Self.later)))
    }
    #expect((pages.first?.count ?? 30) < 30)
    #expect(Set(pages.flatMap { $0.map(\.distance) }).count == 50)
  }

  @Test("a member who comes to be spelt otherwise is the same member to the core")
  func spellings() throws {
    var service = try Self.service(FaultMix([FeedFault(.spellings, rate: 1)]))
    let end = Self.monday.adding(seconds: 399 * 3600)
    let body = try Self.activities(service.answer(FeedRequest(page: 1, perPage: 60), at: end))
    #expect(Set(body.map(\.member)).count == 7)
    #expect(body.allSatisfy { $0.member.name.first == "name\($0.member.name.first.last ?? "?")" })
  }

  @Test("deleted and hidden rides are not listed, and hidden ones come back")
  func visibility() {
    let start = Self.monday
    var ride = FeedRide(
      person: 0,
      Activity(
        member: MemberIdentity(name: AthleteName(first: "A", last: "B.")), distance: .zero, movingTime: 1,
        elapsedTime: 1), start: start, uploaded: start.adding(seconds: 10))
    ride.hidden = start.adding(seconds: 20)..<start.adding(seconds: 30)
    ride.deleted = start.adding(seconds: 40)
    let seen = [5, 10, 20, 29, 30, 39, 40].map { ride.isVisible(at: start.adding(seconds: $0)) }
    #expect(seen == [false, true, false, false, true, true, false])
    #expect(!ride.isVisible(from: start.adding(seconds: 15), to: start.adding(seconds: 35)))
  }
}

@Suite("Faults of a feed")
struct FeedFaultTests {
  @Test("the usual rate and size of every kind are within its bounds", arguments: ClubLab.FeedFault.Kind.allCases)
  func usual(kind: ClubLab.FeedFault.Kind) {
    let fault = FeedFault(kind)
    #expect(FaultMix.usual[kind] == fault)
    #expect(fault.rate > 0 && fault.rate <= 1 && kind.facts.bounds.contains(fault.size))
  }
}
