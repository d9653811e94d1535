// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import MonteCarlo
import Scenarios
import Testing

@testable import ClubLab

@Suite("Trials of the week ledger")
struct FeedTrialTests {
  private static func setting(
    _ faults: FaultMix, order: ServiceShape.Order = .uploadInPages, weeks: Int = 3
  ) -> ClubFeed {
    ClubFeed(ClubShape(members: 20, weeks: weeks), ServiceShape(order: order, depth: 60), faults, interval: 7200)
  }

  @Test(
    "without faults every ride that can be known is in its week, whatever the order",
    arguments: ServiceShape.Order.allCases)
  func faultless(order: ServiceShape.Order) throws {
    let counts = FeedCounts(try Self.setting(.none, order: order).first(seed: 7))
    #expect(counts.rides.knowable > 40)
    #expect(counts.rides.right == counts.rides.knowable)
    #expect(counts.rides.doubles == 0 && counts.rides.countedFromOutside == 0 && counts.rides.split == 0)
    #expect(counts.violations == 0 && counts.failedFetches == 0)
  }

  @Test("every variant has the same club: what one fault adds is the fault's alone")
  func commonClub() throws {
    func starts(_ faults: FaultMix) throws -> [Moment] {
      try Self.setting(faults, weeks: 1).first(seed: 7).service.history.rides.map(\.start)
    }
    let plain = try starts(.none)
    #expect(try starts(FaultMix([FeedFault(.deletions)])) == plain)
    #expect(try starts(FaultMix([FeedFault(.identicalRides)])).count > plain.count)
  }

  @Test("a request sent before the refusal of an earlier one arrives is no violation")
  func lateAnswers() throws {
    // Others spend so much that the last request of a quarter of an hour is often ours, and half the answers are late.
    let faults = FaultMix([FeedFault(.otherUsers, size: 5), FeedFault(.timeouts, rate: 0.5)])
    let feed = ClubFeed(
      ClubShape(members: 20, weeks: 2), ServiceShape(depth: 60, perQuarterHour: 8, perDay: 768), faults,
      interval: 1700)
    let counts = FeedCounts(try feed.first(seed: 7))
    #expect(counts.requests > 500)
    #expect(counts.violations == 0 && counts.retryAfterViolations == 0)
  }
}

extension ClubFeed {
  init(
    _ club: ClubShape, _ service: ServiceShape, _ faults: FaultMix, interval: Int, perPage: Int = 60,
    ledger: (@Sendable () -> any LedgerUnderTest)? = nil
  ) {
    self.init()
    (self.club, self.service, self.faults) = (club, service, faults)
    (self.interval, self.perPage, self.ledger) = (interval, perPage, ledger)
  }

  /// The first season of a run with a seed.
  func first(seed: UInt64) throws -> FeedSeason {
    try played(SampleBatch(of: 0, seed: seed, streams: Self.streams), faults)
  }
}

/// What the public solutions do: everything that is not in the set is new, and belongs to the week of its first sight.
private let setLedger: @Sendable () -> any LedgerUnderTest = {
  NaiveLedger(countsBacklog: true, isSet: true, knowsTitles: true)
}

@Suite("Evaluation of ledgers")
struct SeasonEvaluationTests {
  private static func counts(
    _ faults: [ClubLab.FeedFault], order: ServiceShape.Order = .start, _ ledger: (@Sendable () -> any LedgerUnderTest)?
  ) throws -> SeasonFindings {
    let feed = ClubFeed(
      ClubShape(members: 20, weeks: 3), ServiceShape(order: order, depth: 60), FaultMix(faults), interval: 7200,
      ledger: ledger)
    return FeedCounts(try feed.first(seed: 3)).rides
  }

  @Test("the evaluation finds that a ledger that is a set counts renamed rides twice")
  func renames() throws {
    let faults = [FeedFault(.renames, rate: 0.5)]
    #expect(try Self.counts(faults, setLedger).doubles > 10)
    #expect(try Self.counts(faults, nil).doubles == 0)
  }

  @Test("the evaluation finds that a ledger that is a set loses the second of identical rides")
  func identicalRides() throws {
    let faults = [FeedFault(.identicalRides, rate: 0.5)]
    #expect(try Self.counts(faults, setLedger).lost > 10)
    #expect(try Self.counts(faults, nil).lost == 0)
  }

  @Test(
    "the evaluation finds that dating by first sight puts the backlog and late uploads into wrong weeks"
  )
  func lateUploads() throws {
    let faults = [FeedFault(.lateUploads, rate: 0.5, size: 48)]
    let naive = try Self.counts(faults, setLedger)
    let ours = try Self.counts(faults, nil)
    #expect(naive.wrong > 0)
    #expect(naive.countedFromOutside > 5)
    #expect(naive.knowable == ours.knowable, "what can be known does not depend on which member is evaluated")
    #expect(ours.wrong < naive.wrong)
    #expect(ours.countedFromOutside < naive.countedFromOutside)
  }

  @Test("the evaluation finds that a ledger that never forgets keeps deleted rides")
  func deletions() throws {
    let faults = [FeedFault(.deletions, rate: 0.5)]
    let naive = try Self.counts(faults, setLedger)
    #expect(naive.removed > 10)
    #expect(naive.deletedButCounted > 10)
    #expect(try Self.counts(faults, nil).deletedButCounted < 3)
  }
}

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

  @Test("an answer has usage, limits and its date in its header, and no start in its body")
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

  @Test("the request beyond the window's limit is refused and counted, and the next window is free")
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

  @Test("pages that are shorter than requested contain the whole listing together")
  func shortPages() throws {
    var service = try Self.service(FaultMix([FeedFault(.shortPages, rate: 0.5, size: 5)]))
    var pages: [[Activity]] = []
    for page in 1...20 {
      pages.append(try Self.activities(service.answer(FeedRequest(page: page, perPage: 30), at: Self.later)))
    }
    #expect((pages.first?.count ?? 30) < 30)
    #expect(Set(pages.flatMap { $0.map(\.distance) }).count == 50)
  }

  @Test("a member whose spelling changes remains the same member to the core")
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

@Suite("A club under load is compared with the ground truth")
struct StressComparisonTests {
  private let settings: ClubStress = {
    var stress = ClubStress()
    (stress.members, stress.activities, stress.weeks, stress.seed) = (3000, 60_000, 3, 3)
    return stress
  }()

  @Test("every kind of mistake of a tally is found, for its member and for the club")
  func mistakes() throws {
    let run = try StressRun(settings, workers: 1)
    let untouched = try StressComparison(names: run.nameNumbers())
    let week = try run.week(0, placing: untouched.indices, of: untouched.roster.count)
    func finding(_ change: (inout [MemberTally]) -> Void) -> StressComparison.Finding {
      var (tallies, comparison) = (week.tallies, untouched)
      change(&tallies)
      return comparison.compare(tallies, with: week.truth, inLastWeek: false)
    }
    let right = finding { _ in }
    #expect(right.membersWrong == 0 && right.isTotalRight && right.activeMembers > 1000)
    let first = try #require(week.tallies.firstIndex { $0.activities > 0 })
    let twice = finding { $0[first].add(distance: 1, movingTime: 1, elapsedTime: 1, elevation: 0) }
    #expect(twice.membersWrong == 1 && !twice.isTotalRight)
    let exchanged = finding { $0.swapAt(first, week.tallies.firstIndex(of: .zero) ?? 0) }
    #expect(exchanged.membersWrong == 2 && exchanged.isTotalRight)
  }

  @Test("an interrupt ends the steps before and after the weeks as well")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let run = try StressRun(settings, workers: 1, interrupt: interrupt)
    #expect(throws: Abandoned.self) { try run.nameNumbers() }
    #expect(throws: Abandoned.self) { try run.week(0, placing: [], of: 0) }
    #expect(throws: Abandoned.self) { try StressComparison(names: [1, 2], interrupt: interrupt) }
    #expect(throws: Abandoned.self) { try StressResult.Sample(of: run.club, interrupt: interrupt) }
  }
}
