// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Randomness
internal import VirtualTime

/// One season of a club in virtual time: the service lives by the truth, and the fetcher, the budget and the ledger
/// that ship run against it.
struct FeedSeason: ~Copyable {
  private enum Event {
    case fetch
    case answer(VirtualFeedService.Answer, to: FeedRequest, of: Int)
    case wake
    case renewed
    case judge(Week)
  }

  /// What a season's fetches came to.
  struct Fetching: Hashable, Sendable {
    /// Fetches that began.
    var begun = 0
    /// Fetches that gave up.
    var failed = 0
    /// Fetches left out because the one before was not over.
    var leftOut = 0
    /// Listings that had to be joined at a seam that kept shifting.
    var unproved = 0
  }

  private(set) var service: VirtualFeedService
  private(set) var fetching = Fetching()
  private(set) var statements: [SeasonJudge.Statement] = []

  private let setting: FeedSetting
  private let fetches: Fetches
  /// How far the fetcher's clock is ahead, in milliseconds.
  private let skew: Int
  private var subject: any FeedSubject
  private var queue = EventQueue<Event>()
  private var fetch: FeedFetch?
  private var budget = RequestBudget()
  private var waiting: EventQueue<Event>.Token?

  /// A season that has not begun.
  ///
  /// - Parameters:
  ///   - setting: What it is like.
  ///   - seeds: What determines it.
  ///   - subject: What is judged.
  /// - Throws: Errors of the generator, and of a club that cannot last so many weeks.
  init(_ setting: FeedSetting, seeds: FeedSeeds, subject: any FeedSubject) throws {
    var clock = try Chances(named: seeds.generator, seed: seeds.clock)
    let (phase, wrong) = (clock.draw(), clock.draw())
    // Somebody installs the app on any day of the week.
    let first = WeekCalendar.utc.start(of: setting.firstWeek).adding(seconds: Int(phase.uniform * 7 * 86_400))
    let end = setting.judging(of: setting.firstWeek.advanced(by: setting.club.weeks - 1))
    let fetches = Fetches(
      first: first, interval: setting.interval, count: 1 + (end.seconds - first.seconds) / setting.interval)
    let history = try FeedHistory(
      of: Self.outings(setting, seeds), faults: setting.faults, fetches: fetches, generator: seeds.generator,
      seed: seeds.history)
    let service = try VirtualFeedService(
      history, shape: setting.service, faults: setting.faults, within: fetches.span, generator: seeds.generator,
      seeds: (seeds.answers, seeds.others))
    let skew = wrong.happening(setting.faults[.clockSkew]).map { Int((wrong.uniform * 2 - 1) * $0.size * 1000) }
    (self.setting, self.fetches, self.skew, self.subject) = (setting, fetches, skew ?? 0, subject)
    self.service = service
  }

  /// What the club does, from before the first fetch until the last week is judged.
  private static func outings(_ setting: FeedSetting, _ seeds: FeedSeeds) throws -> [Outing] {
    let shape = try setting.club.lasting(before: FeedSetting.weeksBefore, after: 1)
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

  /// Lets the season happen.
  mutating func run() {
    for moment in fetches.moments { queue.schedule(.fetch, at: instant(moment)) }
    for week in setting.weeks { queue.schedule(.judge(week), at: instant(setting.judging(of: week))) }
    while let (time, event) = queue.next() {
      let now = Moment(milliseconds: origin.milliseconds + Int(time.nanoseconds / 1_000_000))
      handle(event, at: now)
    }
  }

  /// What can be known of the rides.
  borrowing func knowability() -> Knowability {
    Knowability(
      service, fetches: fetches.moments, pages: setting.pages ?? .max / setting.perPage, perPage: setting.perPage,
      calendar: .utc)
  }

  /// What came out.
  borrowing func findings() -> SeasonFindings {
    SeasonJudge(
      service.history.rides, knowability(), statements, firstFetch: fetches.first, calendar: .utc
    ).findings()
  }

  private mutating func handle(_ event: Event, at now: Moment) {
    switch event {
    case .fetch:
      guard fetch == nil else {
        fetching.leftOut += 1
        return
      }
      fetching.begun += 1
      fetch = FeedFetch(FetchPlan(perPage: setting.perPage, pageLimit: setting.pages), budget: budget)
      goOn(at: now)
    case .answer(let answer, let request, let number):
      // An answer to a fetch that is over finds nobody.
      guard number == fetching.begun, fetch != nil else { return }
      let moment = seen(now)
      service.delivered(answer, at: now)
      fetch?.received(answer.reply, to: request, at: moment)
      goOn(at: now)
    case .wake:
      waiting = nil
      goOn(at: now)
    case .renewed:
      fetch?.tokenRenewed()
      goOn(at: now)
    case .judge(let week):
      statements.append(SeasonJudge.Statement(week: week, moment: now, activities: subject.activities(in: week)))
    }
  }

  /// Does what the fetch wants next, until it waits.
  private mutating func goOn(at now: Moment) {
    let moment = seen(now)
    while let step = fetch?.next(at: moment) {
      switch step {
      case .send(let request):
        let answer = service.answer(request, at: now)
        queue.schedule(
          .answer(answer, to: request, of: fetching.begun), at: instant(now.adding(milliseconds: answer.delay)))
      case .wait(let until):
        if let waiting { queue.cancel(waiting) }
        let then = max(now.adding(milliseconds: 1), until.adding(milliseconds: -skew))
        waiting = queue.schedule(.wake, at: instant(then))
        return
      case .renewToken:
        let seconds = setting.faults[.refusedTokens]?.size ?? 1
        queue.schedule(.renewed, at: instant(now.adding(milliseconds: Int(seconds * 1000))))
        return
      case .done(let listing):
        subject.see(listing, at: moment)
        return over()
      case .failed:
        fetching.failed += 1
        return over()
      }
    }
  }

  private mutating func over() {
    if let fetch {
      budget = fetch.budget
      if fetch.report.unprovedSeams > 0 { fetching.unproved += 1 }
    }
    fetch = nil
    if let waiting { queue.cancel(waiting) }
    waiting = nil
  }

  private var origin: Moment { fetches.first }

  /// The moment by the fetcher's clock.
  private func seen(_ moment: Moment) -> Moment { moment.adding(milliseconds: skew) }

  private func instant(_ moment: Moment) -> VirtualInstant {
    VirtualInstant(nanoseconds: Int64(moment.milliseconds - origin.milliseconds) * 1_000_000)
  }
}

/// What determines a season, each part by itself: with other faults the club stays the same.
struct FeedSeeds: Hashable, Sendable {
  let generator: String
  let club, history, answers, others, clock: UInt32

  /// The seeds of a season.
  ///
  /// - Parameters:
  ///   - season: From 0.
  ///   - streams: The family, with the experiments of `experiments`.
  ///   - generator: The name of a GSL generator.
  /// - Throws: `blockOutOfRange` for a season beyond the streams.
  init(of season: Int, from streams: StreamFamily, generator: String) throws(RandomnessError) {
    self.generator = generator
    club = try streams.seed(ordinal: 0, block: season)
    history = try streams.seed(ordinal: 1, block: season)
    answers = try streams.seed(ordinal: 2, block: season)
    others = try streams.seed(ordinal: 3, block: season)
    clock = try streams.seed(ordinal: 4, block: season)
  }

  /// What a season draws apart.
  static let experiments = ["feed clubs", "feed histories", "feed answers", "feed others", "feed clocks"]
}

extension ClubShape {
  /// The same club over more weeks.
  fileprivate func lasting(before: Int, after: Int) throws(ClubLabError) -> ClubShape {
    try ClubShape(
      members: members, weeks: before + weeks + after, firstWeek: firstWeek.advanced(by: -before),
      activitiesPerWeek: activitiesPerWeek, evenness: evenness, regularity: regularity, seasonality: seasonality,
      otherSports: otherSports, speedCorrelation: speedCorrelation, climbCorrelation: climbCorrelation,
      injuries: injuries, injuryWeeks: injuryWeeks, newcomers: newcomers, leavers: leavers, commuters: commuters,
      names: names, hasTokens: hasTokens)
  }
}
