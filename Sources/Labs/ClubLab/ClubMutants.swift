// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// Mutants: the club core with one operation replaced by a wrong one.
extension Mutation where Operations == ClubOperations {
  private static let ann = "Ann A. 0.0 m in 0 s"
  private static let bob = "Bob B. 0.0 m in 0 s"

  static let club = sums + standings + trends + ledgers + budgets + readers

  private static let sums: [Self] = [
    Mutation(
      "doubles-summed", "distances are summed as doubles, in the order of the input", caughtBy: "club.1",
      within: 300, smallest: ["Ann A. 0.1 m in 0 s; Ann A. 0.1 m in 0 s; Ann A. 0.4 m in 0 s", "0"]
    ) { code in
      code.sums = members { sums, rides in sums.distance = rides.reduce(0) { $0 + $1.distance.metres } }
    },
    Mutation(
      "longest-of-last-page", "merging two pages keeps the second one's longest ride", caughtBy: "club.2",
      within: 100, smallest: ["([Ann A. 0.1 m in 0 s] + [\(ann)])"]
    ) { $0.sums = longestOfLastPage },
    Mutation(
      "average-of-averages", "the average speed is the mean of the rides' own speeds", caughtBy: "club.5",
      within: 100
    ) { code in
      code.sums = members { sums, rides in
        let speeds = rides.filter { $0.movingTime > 0 && $0.distance > .zero }.map {
          $0.distance.metres / Double($0.movingTime)
        }
        if !speeds.isEmpty { sums.speed = speeds.reduce(0, +) / Double(speeds.count) }
      }
    },
    Mutation(
      "set-of-rides", "only one of several identical rides counts", caughtBy: "club.9",
      within: 20, smallest: [ann, "0"]
    ) { code in
      code.sums = pages { rides in
        var seen: Set<ActivityFingerprint> = []
        return rides.filter { seen.insert(ActivityFingerprint($0)).inserted }
      }
    },
    Mutation(
      "names-by-letter", "'sarah' and 'Sarah' are two members", caughtBy: "club.6",
      within: 20, smallest: ["0", "[.asIs, .lower]"]
    ) { code in
      code.sums = pages { rides in
        rides.map { $0.with(token: "\($0.member.name)#\($0.member.token?.value ?? "")") }
      }
    },
    Mutation(
      "tokens-ignored", "members with the same name are merged in spite of their tokens", caughtBy: "club.7",
      within: 20, smallest: ["Set([0, nil])"]
    ) { $0.sums = pages { rides in rides.map { $0.with(token: "") } } },
    Mutation(
      "spaces-halved", "each pair of spaces in a name becomes one, without repetition", caughtBy: "club.8",
      within: 500, smallest: ["\"   \""]
    ) { $0.cleaned = { $0.replacing("  ", with: " ") } },
  ]

  private static let standings: [Self] = [
    Mutation(
      "members-dense-ranks", "no rank is left out after a shared one: 1, 2, 2, 3", caughtBy: "club.10",
      within: 200
    ) { code in
      code.standings = rearranged { places in
        let ranks = Set(places.compactMap(\.rank)).sorted()
        for index in places.indices {
          places[index].rank = places[index].rank.map { rank in 1 + ranks.count { $0 < rank } }
        }
      }
    },
    Mutation(
      "members-ties-not-shared", "members with equal values have ranks of their own", caughtBy: "club.10",
      within: 200
    ) { code in
      code.standings = rearranged { places in
        for index in places.indices where places[index].rank != nil { places[index].rank = index + 1 }
      }
    },
    Mutation(
      "ranks-as-shown", "members with equal values at one decimal share a rank", caughtBy: "club.14",
      within: 300
    ) { code in
      code.standings = rearranged { places in
        let shown = places.map { place in place.value.map { ($0.value / 1000).rounded() } }
        for index in places.indices where places[index].rank != nil {
          places[index].rank = 1 + shown.count { ($0 ?? -1) > (shown[index] ?? -1) }
        }
      }
    },
    Mutation(
      "members-order-of-arrival", "members that share a rank keep the order of the input", caughtBy: "club.11",
      within: 200, smallest: ["\(bob); \(ann)", ".distance"]
    ) { code in
      code.standings = { rides, metric in
        let places = ClubOperations.shipping.standings(rides, metric)
        let names = rides.activities.map(\.member.name.description)
        return places.enumerated().sorted { left, right in
          let arrivals = [left, right].map { names.firstIndex(of: $0.element.name) ?? 0 }
          return left.element.rank == right.element.rank ? arrivals[0] < arrivals[1] : left.offset < right.offset
        }.map(\.element)
      }
    },
    Mutation(
      "share-of-nothing", "in a club without rides, a share is 0 / 0", caughtBy: "club.12",
      within: 300, smallest: [ann, ".distance"]
    ) { code in
      code.standings = rearranged { places in
        for index in places.indices where places[index].value == .zero && places[index].share == nil {
          places[index].share = .nan
        }
      }
    },
  ]

  private static let trends: [Self] = [
    Mutation(
      "divided-by-zero", "the change is divided by last week's 0", caughtBy: "club.15",
      within: 50, smallest: ["no rides", ".distance"]
    ) { code in
      code.trend = changedTrend { now, before, _ in
        let percentage = (now - before) / before * 100
        return Moved(direction: percentage > 10 ? .up : percentage < -10 ? .down : .flat, percentage: percentage)
      }
    },
    Mutation(
      "percent-of-this-week", "the change is divided by this week's quantity", caughtBy: "club.16",
      within: 50
    ) { code in
      code.trend = changedTrend { now, before, trend in
        guard before > 0, now > 0 else { return trend }
        return Moved(direction: trend.direction, percentage: (now - before) / now * 100)
      }
    },
    Mutation(
      "threshold-included", "a change of exactly ten percent counts as up or down", caughtBy: "club.16",
      within: 2000
    ) { code in
      code.trend = changedTrend { now, before, trend in
        guard trend.direction == .flat, before > 0, abs(now - before) * 10 == before else { return trend }
        return Moved(direction: now > before ? .up : .down, percentage: trend.percentage)
      }
    },
  ]

  private static let ledgers: [Self] = [
    Mutation(
      "backlog-in-this-week", "rides of the first fetch count for the week of that fetch", caughtBy: "club.18",
      within: 20, smallest: ["Mon 0:00: \(ann)"]
    ) { $0.ledger = { NaiveLedger(countsBacklog: true) } },
    // Two rides at once and two in sequence are equally simple.
    Mutation(
      "set-of-fingerprints", "a ride equal to one seen before is not counted", caughtBy: "club.19", within: 50
    ) { $0.ledger = { NaiveLedger(isSet: true) } },
    Mutation(
      "rename-is-new", "a renamed ride counts as a new ride", caughtBy: "club.19",
      within: 50
    ) { $0.ledger = { NaiveLedger(knowsTitles: true) } },
    Mutation(
      "forgotten-in-a-fortnight", "rides first seen a fortnight ago are forgotten and found again",
      caughtBy: "club.19",
      within: 300
    ) { $0.ledger = { NaiveLedger(forgetsAfterDays: 14) } },
  ]

  private static let budgets: [Self] = [
    Mutation(
      "window-since-first-request", "a quarter of an hour begins with the first request in it", caughtBy: "club.20",
      within: 300
    ) { $0.budget = { NaiveBudget($0, startsWithFirst: true) } },
    Mutation(
      "seam-forgotten", "the service's clock is assumed to equal the local one", caughtBy: "club.20",
      within: 100, smallest: ["1 a quarter, 1 a day, from 23:45:0: +0 s, +0 s (-1 ms off)"]
    ) { $0.budget = { RequestBudget(assumed: $0, margin: 0) } },
    Mutation(
      "day-forgotten", "only the quarter of an hour has a limit", caughtBy: "club.21",
      within: 20, smallest: ["1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"]
    ) { $0.budget = { NaiveBudget(RequestBudget.Limits(perWindow: $0.perWindow, perDay: 1_000_000)) } },
    Mutation(
      "lost-requests-free", "a request without an answer is not counted", caughtBy: "club.20",
      within: 50, smallest: ["1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"]
    ) { $0.budget = { NaiveBudget($0, countsAnswers: true) } },
  ]

  private static let readers: [Self] = [
    Mutation(
      "whole-metres", "the decimals of a distance are not read", caughtBy: "club.23",
      within: 20, smallest: ["Ann A. 0.1 m in 0 s, Ride, \"\""]
    ) { code in
      code.decode = { bytes in
        ClubOperations.shipping.decode(bytes).map { activities in
          activities.map { $0.with(distance: Length(metres: Double(Int($0.distance.metres))) ?? .zero) }
        }
      }
    },
    Mutation(
      "quotes-not-escaped", "a title's quotes are written as they are", caughtBy: "club.23",
      within: 1000
    ) { code in
      code.encode = { activities in
        let page = String(decoding: Activity.page(activities), as: UTF8.self)
        return Array(page.replacing("\\\"", with: "\"").utf8)
      }
    },
    Mutation(
      "second-page-lost", "of two pages in one file the first is read", caughtBy: "club.26",
      within: 100
    ) { code in
      code.lenient = { bytes in
        let end = bytes.firstRange(of: [UInt8(ascii: "]"), UInt8(ascii: "[")])?.lowerBound
        return ClubOperations.shipping.lenient(end.map { Array(bytes[...$0]) } ?? bytes)
      }
    },
    Mutation(
      "stops-at-damage", "a broken line ends the reading", caughtBy: "club.27",
      within: 20
    ) { code in
      code.lenient = { bytes in
        var (activities, problems) = ClubOperations.shipping.lenient(bytes)
        if case .badFeed(let place, _, _, _)? = problems.first { activities = Array(activities.prefix(place.line - 1)) }
        return (activities, problems)
      }
    },
  ]
}

extension Mutation where Operations == ClubOperations {
  /// The core's sums, of changed pages.
  private static func pages(
    _ change: @escaping @Sendable ([Activity]) -> [Activity]
  ) -> @Sendable (PageTree) -> ClubSums {
    { tree in ClubOperations.shipping.sums(tree.folded({ .page(Rides(change($0.activities))) }, PageTree.both)) }
  }

  /// The core's sums, with each member's sums changed by the member's rides.
  private static func members(
    _ change: @escaping @Sendable (inout Sums, [Activity]) -> Void
  ) -> @Sendable (PageTree) -> ClubSums {
    { tree in
      var sums = ClubOperations.shipping.sums(tree)
      for (index, line) in sums.members.enumerated() {
        change(&sums.members[index].sums, tree.rides.activities.filter { $0.member == line.member })
      }
      return sums
    }
  }

  @Sendable private static func longestOfLastPage(_ tree: PageTree) -> ClubSums {
    var sums = ClubOperations.shipping.sums(tree)
    guard case .both(let left, let right) = tree else { return sums }
    let pages = longestOfLastPage(right).members + longestOfLastPage(left).members
    for (index, line) in sums.members.enumerated() {
      sums.members[index].sums.longest = pages.first { $0.member == line.member }?.sums.longest ?? 0
    }
    sums.total.longest = sums.members.map(\.sums.longest).max() ?? 0
    return sums
  }

  private static func rearranged(
    _ change: @escaping @Sendable (inout [Placed]) -> Void
  ) -> @Sendable (Rides, Metric) -> [Placed] {
    { rides, metric in
      var places = ClubOperations.shipping.standings(rides, metric)
      change(&places)
      return places
    }
  }

  /// The core's trend, changed with this week's quantity and last week's.
  private static func changedTrend(
    _ change: @escaping @Sendable (Double, Double, Moved) -> Moved
  ) -> @Sendable (Rides, Rides, ClubMetric) -> Moved? {
    { this, last, metric in
      let quantities = [this, last].map { rides in
        Double(ClubWeek(WeekTally(rides.activities, counting: .all)).totals.value(of: metric))
      }
      return ClubOperations.shipping.trend(this, last, metric).map { change(quantities[0], quantities[1], $0) }
    }
  }
}

/// A naive ledger: rides that the last fetch did not list count for the week of this one. Each setting is a separate
/// mistake.
struct NaiveLedger: LedgerUnderTest {
  private struct Known: Sendable {
    let activity: Activity
    let firstSeen: Moment
    let weekOfBeginning: Week?
  }

  private let countsBacklog: Bool
  private let isSet: Bool
  private let knowsTitles: Bool
  private let forgetsAfterDays: Int?
  private var known: [Known] = []
  private var isFirst = true

  init(countsBacklog: Bool = false, isSet: Bool = false, knowsTitles: Bool = false, forgetsAfterDays: Int? = nil) {
    (self.countsBacklog, self.isSet, self.knowsTitles) = (countsBacklog, isSet, knowsTitles)
    self.forgetsAfterDays = forgetsAfterDays
  }

  mutating func see(_ listing: FeedListing, at moment: Moment) {
    if let forgetsAfterDays {
      known.removeAll { $0.firstSeen < moment.adding(seconds: -forgetsAfterDays * 86_400) }
    }
    var left = known.map(\.activity)
    for activity in listing.activities.reversed() {
      if let index = left.firstIndex(where: { isSame($0, activity) }) {
        if !isSet { left.remove(at: index) }
        continue
      }
      let week = WeekCalendar.utc.week(of: moment.adding(seconds: -activity.elapsedTime))
      known.append(
        Known(activity: activity, firstSeen: moment, weekOfBeginning: isFirst && !countsBacklog ? nil : week))
      if isSet { left.append(activity) }
    }
    isFirst = false
  }

  private func isSame(_ left: Activity, _ right: Activity) -> Bool {
    ActivityFingerprint(left) == ActivityFingerprint(right) && (!knowsTitles || left.title == right.title)
  }

  func activities(in week: Week) -> [Activity] { known.filter { $0.weekOfBeginning == week }.map(\.activity) }

  var weeks: [Week] { Set(known.compactMap(\.weekOfBeginning)).sorted() }
}

/// A naive budget: requests are counted by fixed periods, with a margin for clocks. Each setting is a separate mistake.
struct NaiveBudget: BudgetUnderTest {
  private let limits: RequestBudget.Limits
  private let startsWithFirst: Bool
  private let countsAnswers: Bool
  private var sent: [Moment] = []

  init(_ limits: RequestBudget.Limits, startsWithFirst: Bool = false, countsAnswers: Bool = false) {
    (self.limits, self.startsWithFirst, self.countsAnswers) = (limits, startsWithFirst, countsAnswers)
  }

  func wait(at now: Moment) -> Moment? {
    [(900, limits.perWindow), (86_400, limits.perDay)].compactMap { seconds, limit in
      startsWithFirst && seconds == 900 ? waitSinceFirst(limit, at: now) : wait(seconds, limit, at: now)
    }.max()
  }

  /// The end of the exhausted periods that a request sent now may fall into.
  private func wait(_ seconds: Int, _ limit: Int, at now: Moment) -> Moment? {
    let length = seconds * 1000
    let spent = [-RequestPlan.margin, RequestPlan.margin].map { (now.milliseconds + $0) / length }.filter { period in
      sent.count { moment in
        [-RequestPlan.margin, RequestPlan.margin].contains { (moment.milliseconds + $0) / length == period }
      } >= limit
    }
    return spent.max().map { Moment(milliseconds: ($0 + 1) * length + RequestPlan.margin) }
  }

  /// The wait for quarters of an hour that begin with their first request.
  private func waitSinceFirst(_ limit: Int, at now: Moment) -> Moment? {
    var (first, count) = (Moment(milliseconds: .min / 2), 0)
    for moment in sent {
      if moment >= first.adding(seconds: 900) { (first, count) = (moment, 0) }
      count += 1
    }
    let end = first.adding(seconds: 900)
    return now < end && count >= limit ? end : nil
  }

  mutating func send(at now: Moment) {
    if !countsAnswers { sent.append(now) }
  }

  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment) {
    if countsAnswers, case .response = reply { self.sent.append(sent) }
  }
}
