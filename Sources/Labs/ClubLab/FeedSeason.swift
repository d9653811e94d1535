// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import VirtualTime

protocol LedgerUnderTest: Sendable {
  mutating func see(_ listing: FeedListing, at moment: Moment)
  /// The weeks with activities in the ledger.
  var weeks: [Week] { get }
  func activities(in week: Week) -> [Activity]
}

extension WeekLedger: LedgerUnderTest {
  mutating func see(_ listing: FeedListing, at moment: Moment) {
    _ = observe(listing, at: moment)
  }
}

/// One season of a club in virtual time: the shipped fetcher, budget and ledger with the virtual service.
struct FeedSeason: ~Copyable {
  private enum Event {
    case fetch
    case answer(VirtualFeedService.Answer, to: FeedRequest, of: Int)
    case wake
    case renewed
    case evaluate(Week)
  }

  private(set) var service: VirtualFeedService
  /// The numbers of fetches that began and of those that gave up.
  private(set) var (begun, failed) = (0, 0)
  private(set) var statements: [SeasonEvaluation.Statement] = []

  private let feed: ClubFeed
  private let fetches: Fetches
  /// The fetcher's clock error, in milliseconds; positive if it is fast.
  private let skew: Int
  private var ledger: any LedgerUnderTest
  private var queue = EventQueue<Event>()
  private var fetch: FeedFetch?
  private var budget = RequestBudget()
  private var waiting: EventQueue<Event>.Token?

  init(_ feed: ClubFeed, seeds: FeedSeeds, ledger: any LedgerUnderTest) throws {
    var clock = try Chances(named: seeds.generator, seed: seeds.clock)
    let (phase, wrong) = (clock.draw(), clock.draw())
    // The app may be installed on any day of the week.
    let first = WeekCalendar.utc.start(of: feed.club.firstWeek).adding(seconds: Int(phase.uniform * 7 * 86_400))
    let end = feed.evaluation(of: feed.club.firstWeek.advanced(by: feed.club.weeks - 1))
    let fetches = Fetches(
      first: first, interval: feed.interval, count: 1 + (end.seconds - first.seconds) / feed.interval)
    let history = try FeedHistory(
      of: Self.outings(feed, seeds), faults: feed.faults, fetches: fetches, generator: seeds.generator,
      seed: seeds.history)
    let service = try VirtualFeedService(
      history, shape: feed.service, faults: feed.faults, within: fetches.span, generator: seeds.generator,
      seeds: (seeds.answers, seeds.others))
    let skew = wrong.happening(feed.faults[.clockSkew]).map { Int((wrong.uniform * 2 - 1) * $0.size * 1000) }
    (self.feed, self.fetches, self.skew, self.ledger) = (feed, fetches, skew ?? 0, ledger)
    self.service = service
  }

  /// The activities from before the first fetch until the last week is evaluated.
  private static func outings(_ feed: ClubFeed, _ seeds: FeedSeeds) throws -> [Outing] {
    let shape = feed.club.extended(by: ClubFeed.weeksBefore, 1)
    let club = try ClubGenerator(shape, seed: UInt64(seeds.club), generator: seeds.generator)
    let members = try club.members()
    var outings: [Outing] = []
    for week in 0..<shape.weeks {
      for activity in try club.activities(inWeek: week, of: members) {
        let member = members[Int(activity.person)]
        outings.append(
          Outing(
            person: member.number, start: activity.start(in: shape), activity: activity.activity(of: member, in: shape))
        )
      }
    }
    return outings
  }

  mutating func run(interrupt: Interrupt? = nil) throws(Abandoned) {
    for moment in fetches.moments { queue.schedule(.fetch, at: instant(moment)) }
    for week in feed.weeks { queue.schedule(.evaluate(week), at: instant(feed.evaluation(of: week))) }
    while let (time, event) = queue.next() {
      try interrupt?.check()
      let now = Moment(milliseconds: fetches.first.milliseconds + Int(time.nanoseconds / 1_000_000))
      handle(event, at: now)
    }
  }

  borrowing func findings() -> SeasonFindings {
    let knowability = ObservableWeeks(
      service, fetches: fetches.moments, pages: feed.pages ?? .max / feed.perPage, perPage: feed.perPage)
    return SeasonEvaluation(service.history.rides, knowability, statements, firstFetch: fetches.first).findings()
  }

  private mutating func handle(_ event: Event, at now: Moment) {
    switch event {
    case .fetch:
      // A fetch is skipped while the previous one is still running.
      guard fetch == nil else { return }
      begun += 1
      fetch = FeedFetch(FetchPlan(perPage: feed.perPage, pageLimit: feed.pages), budget: budget)
      proceed(at: now)
    case .answer(let answer, let request, let number):
      // An answer to a finished fetch is dropped.
      guard number == begun, fetch != nil else { return }
      let moment = seen(now)
      service.delivered(answer, at: now)
      fetch?.received(answer.reply, to: request, at: moment)
      proceed(at: now)
    case .wake:
      waiting = nil
      proceed(at: now)
    case .renewed:
      fetch?.tokenRenewed()
      proceed(at: now)
    case .evaluate(let week):
      statements.append(SeasonEvaluation.Statement(week: week, moment: now, activities: ledger.activities(in: week)))
    }
  }

  /// Performs the fetch's steps until it waits.
  private mutating func proceed(at now: Moment) {
    let moment = seen(now)
    while let step = fetch?.next(at: moment) {
      switch step {
      case .send(let request):
        let answer = service.answer(request, at: now)
        queue.schedule(
          .answer(answer, to: request, of: begun), at: instant(now.adding(milliseconds: answer.delay)))
      case .wait(let until):
        if let waiting { queue.cancel(waiting) }
        let then = max(now.adding(milliseconds: 1), until.adding(milliseconds: -skew))
        waiting = queue.schedule(.wake, at: instant(then))
        return
      case .renewToken:
        let seconds = feed.faults[.refusedTokens]?.size ?? 1
        queue.schedule(.renewed, at: instant(now.adding(milliseconds: Int(seconds * 1000))))
        return
      case .done(let listing):
        ledger.see(listing, at: moment)
        return finish()
      case .failed:
        failed += 1
        return finish()
      }
    }
  }

  private mutating func finish() {
    if let fetch { budget = fetch.budget }
    fetch = nil
    if let waiting { queue.cancel(waiting) }
    waiting = nil
  }

  private func seen(_ moment: Moment) -> Moment { moment.adding(milliseconds: skew) }

  private func instant(_ moment: Moment) -> VirtualInstant {
    VirtualInstant(nanoseconds: Int64(moment.milliseconds - fetches.first.milliseconds) * 1_000_000)
  }
}

/// One seed for each part of a season, so that other faults leave the club unchanged.
struct FeedSeeds: Sendable {
  let generator: String
  let club, history, answers, others, clock: UInt32

  init(of season: SampleBatch, generator: String) throws(RandomnessError) {
    self.generator = generator
    club = try season.seed(0)
    history = try season.seed(1)
    answers = try season.seed(2)
    others = try season.seed(3)
    clock = try season.seed(4)
  }
}
