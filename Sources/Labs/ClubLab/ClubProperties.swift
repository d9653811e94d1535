// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
public import PropertyTesting

/// Properties of the club core's sums, names, standings, trends, ledger, budget and decoding.
public enum ClubProperties {
  public static let catalogue = PropertyCatalogue(
    core: "ClubCore", production: .shipping, properties: all(of:), mutants: Mutation.club)

  /// All properties, in the order of their numbers.
  static func all(of code: ClubOperations) -> [Property] {
    sums(of: code) + members(of: code) + ranks(of: code) + changes(of: code) + trends(of: code) + ledger(of: code)
      + budget(of: code) + decoding(of: code)
  }
}

extension ClubProperties {
  static func sums(of code: ClubOperations) -> [Property] {
    let club = Rides.any()
    return [
      Property(
        "club.1", "The order of the activities never matters", reference: "a week is a multiset of activities",
        arguments: ["rides", "turn"], club, .integers(in: 0...7)
      ) { club, turn in
        let rides = club.activities
        let start = rides.isEmpty ? 0 : turn % rides.count
        let sums = code.sums(.page(club))
        for other in [Array(rides[start...] + rides[..<start]), rides.reversed()] {
          let found = code.sums(.page(Rides(other)))
          try require(found == sums, "in the order '\(Rides(other))' the sums differ: \(found)")
        }
      },
      Property(
        "club.2", "Pages merged in any tree give the same bits as one page of all", reference: "a commutative monoid",
        arguments: ["pages"], PageTree.any()
      ) { pages in
        let (merged, whole) = (code.sums(pages), code.sums(.page(pages.rides)))
        try require(merged == whole, "merged pages give \(merged), one page gives \(whole)")
      },
      Property(
        "club.3", "Members' sums add up to the club's", reference: "every activity has one member",
        arguments: ["pages"], PageTree.any()
      ) { pages in
        let (sums, names) = (code.sums(pages), ["rides", "dm", "s", "dm of climbing", "dm at most"])
        let (members, total) = (sums.members.map(\.sums.integers), sums.total.integers)
        for (position, name) in names.enumerated() {
          let own = members.map { $0[position] }
          let together = position == 4 ? own.max() ?? 0 : own.reduce(0, +)
          try require(together == total[position], "members have \(together) \(name), the club has \(total[position])")
        }
      },
      Property(
        "club.4", "Every member's sums are those of the member's own rides", reference: "counted from the list",
        arguments: ["rides"], Rides.plain()
      ) { club in
        for line in code.sums(.page(club)).members {
          let own = club.activities.filter { $0.member == line.member }
          let (lengths, climbs) = (own.map(\.distance.decimetres), own.map(\.elevation.decimetres))
          let expected: [Int] = [
            own.count, lengths.reduce(0, +), own.map(\.movingTime).reduce(0, +), climbs.reduce(0, +),
            lengths.max() ?? 0,
          ]
          let found = line.sums.integers
          try require(found == expected, "\(line.member.name) has \(found), not \(expected)")
        }
      },
      Property(
        "club.5", "The average speed is the whole distance over the moving time of rides with a distance",
        reference: "the stated default", arguments: ["rides"], club
      ) { club in
        for line in code.sums(.page(club)).members {
          let (sums, name) = (line.sums, line.member.name)
          let moving = club.activities.filter { $0.member == line.member && $0.distance > .zero }.map(\.movingTime)
            .reduce(0, +)
          guard moving > 0 else {
            try require(sums.speed == nil, "\(name) has \(sums.speed ?? 0) m/s in no time")
            continue
          }
          let speed = Double(sums.distance.tenths) / Double(moving) / 10
          let found = sums.speed ?? .nan
          try require(abs(found - speed) <= 1e-12 * speed, "\(name) has \(found) m/s, not \(speed)")
        }
      },
    ]
  }

  /// Letters with much white space between them, and combining marks.
  private static let spacious = Alphabet("aB ") + .whitespace + Alphabet(["\u{301}", "\u{200D}"])

  static func members(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.6", "Case, extra spaces and the form of accents do not change the member",
        reference: "names as the feed has them", arguments: ["person", "spellings"],
        .integers(in: 0...4), .arrays(of: .elements(of: Spelling.allCases), count: 1...4)
      ) { person, spellings in
        let length = Length(decimetres: 10) ?? .zero
        let rides = spellings.map { spelling in
          Activity(
            member: MemberIdentity(name: spelling.name(of: person)), distance: length, movingTime: 1, elapsedTime: 1)
        }
        let members = code.sums(.page(Rides(rides))).members
        try require(members.count == 1, "\(members.count) members: \(members)")
      },
      Property(
        "club.7", "Members with the same name are distinguished by their tokens", reference: "the policy of collisions",
        arguments: ["tokens"], .sets(of: .optionals(of: .integers(in: 0...9)), count: 0...4)
      ) { tokens in
        let name = Spelling.asIs.name(of: 0)
        let rides = tokens.sorted { ($0 ?? -1) < ($1 ?? -1) }.map { token in
          Activity(
            member: MemberIdentity(name: name, token: token.flatMap { AthleteToken("\($0)") }), distance: .zero,
            movingTime: 1, elapsedTime: 1)
        }
        let members = code.sums(.page(Rides(rides))).members
        try require(members.count == tokens.count, "\(members.count) members, not \(tokens.count)")
      },
      Property(
        "club.8", "Cleaning a name twice is cleaning it once", reference: "idempotence", arguments: ["name"],
        .oneOf(.strings(of: spacious, count: 0...8), .strings(of: .mixed, count: 0...8))
      ) { name in
        let once = code.cleaned(name)
        let twice = code.cleaned(once)
        try require(
          Array(once.unicodeScalars) == Array(twice.unicodeScalars),
          "\(once.debugDescription) becomes \(twice.debugDescription)")
      },
      Property(
        "club.9", "A second identical ride counts", reference: "commuters type in the same ride every day",
        arguments: ["rides", "which"], Rides.any(count: 1...6), .integers(in: 0...5)
      ) { club, which in
        let twin = club.activities[which % club.activities.count]
        let before = code.sums(.page(club)).total
        let after = code.sums(.page(Rides(club.activities + [twin]))).total
        try require(after.rides == before.rides + 1, "\(after.rides) rides after \(before.rides)")
        try require(
          after.distance.tenths == before.distance.tenths + twin.distance.decimetres,
          "\(after.distance) m after \(before.distance) m")
      },
    ]
  }
}

extension Sums {
  /// Rides, decimetres, seconds, decimetres of climbing, decimetres of the longest ride.
  var integers: [Int] { [rides, distance.tenths, movingTime, elevation.tenths, longest.tenths] }
}

extension Double {
  var tenths: Int { Int((self * 10).rounded()) }
}

extension ClubProperties {
  static let ranking = "standard competition ranking: 1, 2, 2, 4"

  static func ranks(of code: ClubOperations) -> [Property] {
    let club = Rides.any()
    let metric = Gen<Metric>.cases()
    return [
      Property(
        "club.10", "A member's rank is one more than there are members with exactly higher values", reference: ranking,
        arguments: ["rides", "metric"], club, metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        let members = Set(club.activities.map(\.member)).count
        try require(standings.count == members, "\(standings.count) members in the standings of \(members)")
        for position in standings {
          let rank = position.value.map { value in 1 + standings.count { $0.value.map { $0 > value } ?? false } }
          try require(
            position.rank == rank, "\(position.name) ranks \(position.shownRank), not \(rank.map(String.init) ?? "-")")
        }
      },
      Property(
        "club.11", "Members are sorted by rank, then by name; those without a value come last",
        reference: "a stated, stable order", arguments: ["rides", "metric"], Rides.plain(), metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        for (above, below) in zip(standings, standings.dropFirst()) {
          let isOrdered: Bool
          switch (above.value, below.value) {
          case (let high?, let low?): isOrdered = high > low || (high == low && above.name < below.name)
          case (nil, nil): isOrdered = above.name < below.name
          case (let high, _): isOrdered = high != nil
          }
          try require(isOrdered, "\(above.name) stands before \(below.name)")
        }
      },
      Property(
        "club.12", "Shares sum to one, or are absent if there is nothing to share",
        reference: "a share of nothing is no number", arguments: ["rides", "metric"], club, metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        let shares = standings.compactMap(\.share)
        if metric == .speed || standings.allSatisfy({ $0.value == .zero }) {
          try require(shares.isEmpty, "there are shares: \(shares)")
        } else {
          try require(shares.count == standings.count, "\(shares.count) shares of \(standings.count) members")
          let sum = shares.reduce(0, +)
          try require(abs(sum - 1) <= 1e-12, "they sum to \(sum)")
        }
      },
    ]
  }

  static func changes(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.13", "Adding a ride never lowers its member's rank by distance", reference: "monotony",
        arguments: ["rides", "the ride"], Rides.plain(), Rides.activity(named: Rides.plainNames)
      ) { club, ride in
        let name = ride.member.name.description
        let before = code.standings(club, .distance).first { $0.name == name }?.rank
        let after = code.standings(Rides(club.activities + [ride]), .distance).first { $0.name == name }?.rank
        try require(after != nil, "\(name) has no rank")
        guard let before, let after else { return }
        try require(after <= before, "\(name) falls from rank \(before) to \(after)")
      },
      Property(
        "club.14", "Distances in another unit change no rank by distance", reference: "ranks have no unit",
        arguments: ["rides", "factor"], Rides.plain(), .integers(in: 1...1000)
      ) { club, factor in
        let largest = club.activities.map(\.distance.decimetres).max() ?? 0
        let factor = min(factor, Length.maxDecimetres / max(1, largest))
        let scaled = try club.activities.map { ride in
          guard let length = Length(decimetres: ride.distance.decimetres * factor) else { throw Discard.assumption }
          return ride.with(distance: length)
        }
        let (before, after) = (code.standings(club, .distance), code.standings(Rides(scaled), .distance))
        try require(
          before.map(\.name) == after.map(\.name) && before.map(\.rank) == after.map(\.rank),
          "the ranks are \(after.map(\.shownRank)), not \(before.map(\.shownRank))")
      },
    ]
  }

  static func trends(of code: ClubOperations) -> [Property] {
    let metric = Gen<ClubMetric>.cases()
    let week = Gen.oneOf(Rides.any(count: 0...5), Rides.round)
    return [
      Property(
        "club.15", "A week equal to the last is flat", reference: "a trend compares two weeks",
        arguments: ["rides", "metric"], Rides.any(), metric
      ) { club, metric in
        let trend = code.trend(Rides(club.activities.reversed()), club, metric)
        try require(trend?.direction == .flat, "it is \(trend?.direction.rawValue ?? "nothing")")
        try require(trend?.percentage ?? 0 == 0, "the percentage is \(trend?.percentage ?? 0)")
      },
      Property(
        "club.16", "A trend is (this - last) / last in percent, and without a last week it is new",
        reference: "the stated formula; nothing is divided by zero", arguments: ["this week", "last week", "metric"],
        week, week, metric
      ) { this, last, metric in
        let trend = code.trend(this, last, metric)
        let (now, before) = (total(of: this, metric), total(of: last, metric))
        let change = trend?.percentage.map { "\($0)%" } ?? "no percentage"
        let shown = "\(trend?.direction.rawValue ?? "nothing"), \(change)"
        guard before > 0 else {
          try require(trend == Moved(direction: now > 0 ? .new : .flat), "\(before) to \(now) is \(shown)")
          return
        }
        let direction: Trend.Direction =
          now == 0 ? .gone : abs(now - before) * 10 <= before ? .flat : now > before ? .up : .down
        try require(trend?.direction == direction, "\(before) to \(now) is \(shown), not \(direction)")
        let percentage = Double(now - before) / Double(before) * 100
        let difference = abs((trend?.percentage ?? .infinity) - percentage)
        try require(difference <= 1e-9 * max(1, abs(percentage)), "\(before) to \(now) is \(shown), not \(percentage)%")
      },
    ]
  }

  private static func total(of rides: Rides, _ metric: ClubMetric) -> Int {
    switch metric {
    case .distance: rides.activities.reduce(0) { $0 + $1.distance.decimetres }
    case .rides: rides.activities.count
    case .activeMembers: Set(rides.activities.map(\.member)).count
    case .elevation: rides.activities.reduce(0) { $0 + $1.elevation.decimetres }
    }
  }
}

extension Placed {
  var shownRank: String { rank.map(String.init) ?? "-" }
}

extension ClubProperties {
  static func ledger(of code: ClubOperations) -> [Property] {
    let story = LedgerStory.any()
    return [
      Property(
        "club.17", "The same listing fetched again changes nothing", reference: "a page listed again has no new rides",
        arguments: ["story", "minutes"], story, .integers(in: 1...20_000)
      ) { story, minutes in
        var ledger = code.ledger()
        for fetch in story.fetches { ledger.see(fetch.whole, at: fetch.at) }
        guard let last = story.fetches.last else { return }
        let again = last.at.adding(seconds: minutes * 60)
        let weeks = recent(at: again)
        let before = weeks.map { ledger.activities(in: $0) }
        ledger.see(last.whole, at: again)
        for (week, activities) in zip(weeks, before) {
          let after = ledger.activities(in: week)
          try require(after == activities, "\(week) has \(Rides(after)) after \(Rides(activities))")
        }
      },
      Property(
        "club.18", "Rides in the first fetch count for no week",
        reference: "the upload times of the backlog are unknown", arguments: ["story"], story
      ) { story in
        guard let first = story.fetches.first else { return }
        var ledger = code.ledger()
        ledger.see(first.whole, at: first.at)
        try require(ledger.weeks.isEmpty, "it counts for \(ledger.weeks)")
      },
      Property(
        "club.19", "Every later ride counts once, for a possible week of its start, also if renamed or duplicated",
        reference: "a multiset of fingerprints, dated by first sight", arguments: ["story"], story
      ) { story in
        var ledger = code.ledger()
        var open: [SeenRide] = []
        for fetch in story.fetches {
          ledger.see(fetch.whole, at: fetch.at)
          if let previous = fetch.previous { open += fetch.new.map { SeenRide($0, between: previous, and: fetch.at) } }
          try check(ledger, against: open)
        }
      },
    ]
  }

  /// The weeks that every ledger must keep, ascending.
  private static func recent(at moment: Moment) -> [Week] {
    let week = WeekCalendar.utc.week(of: moment)
    return [week.previous, week]
  }

  /// Checks that each ride counts for one of the weeks in which it may have begun. All rides are still listed, so none
  /// may be forgotten.
  private static func check(_ ledger: some LedgerUnderTest, against rides: [SeenRide]) throws {
    var left = rides
    for week in ledger.weeks {
      for activity in ledger.activities(in: week) {
        let fitting = left.indices.filter { left[$0].isAlike(activity) && left[$0].weeks.contains(week) }
        // Equal rides are assigned by last possible week, earliest first; this finds an assignment if there is one.
        guard let index = fitting.min(by: { left[$0].weeks.upperBound < left[$1].weeks.upperBound }) else {
          throw Failure("\(week) has \(activity.line), which did not begin then", origin: "a ride too many")
        }
        left.remove(at: index)
      }
    }
    if let lost = left.first { throw Failure("\(lost.activity.line) counts for no week", origin: "a ride lost") }
  }
}

private struct SeenRide {
  let activity: Activity
  /// The weeks in which the ride may have begun if it was uploaded when it ended.
  let weeks: ClosedRange<Week>

  init(_ activity: Activity, between previous: Moment, and moment: Moment) {
    self.activity = activity
    let calendar = WeekCalendar.utc
    let first = calendar.week(of: previous.adding(seconds: -activity.elapsedTime))
    weeks = first...max(first, calendar.week(of: moment.adding(seconds: -activity.elapsedTime)))
  }

  /// Returns true if two activities are equal except for their titles.
  func isAlike(_ other: Activity) -> Bool { ActivityFingerprint(activity) == ActivityFingerprint(other) }
}

extension ClubProperties {
  static func budget(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.20", "No quarter of an hour of the service's clock sees more requests than its limit",
        reference: "windows begin at :00, :15, :30 and :45", arguments: ["plan"], RequestPlan.any()
      ) { plan in
        let arrivals = try plan.arrivals(by: code.budget(plan.limits))
        let maximum = arrivals.map { RequestPlan.use(of: 900, at: $0, arrivals) }.max() ?? 0
        try require(maximum <= plan.limits.perWindow, "\(maximum) requests reach the service in one quarter of an hour")
      },
      Property(
        "club.21", "No day of the service's clock sees more requests than its limit",
        reference: "days begin at midnight of UTC", arguments: ["plan"], RequestPlan.any()
      ) { plan in
        let arrivals = try plan.arrivals(by: code.budget(plan.limits))
        let maximum = arrivals.map { RequestPlan.use(of: 86_400, at: $0, arrivals) }.max() ?? 0
        try require(maximum <= plan.limits.perDay, "\(maximum) requests reach the service in one day")
      },
      Property(
        "club.22", "An unused budget lets a request through at once",
        reference: "no needless waiting", arguments: ["limit", "seconds"], .integers(in: 1...1000),
        .integers(in: 0...4_000_000_000)
      ) { limit, seconds in
        let budget = code.budget(RequestBudget.Limits(perWindow: limit, perDay: limit))
        let later = budget.wait(at: Moment(seconds: seconds))
        try require(later == nil, "it has to wait until \(later?.seconds ?? 0)")
      },
    ]
  }
}

extension ClubProperties {
  static func decoding(of code: ClubOperations) -> [Property] {
    let page = SentPage.mutated()
    return [
      Property(
        "club.23", "Decoding a page gives the activities that were written to it", reference: "decode of encode",
        arguments: ["activities"], SentActivities.any()
      ) { sent in
        let found = try code.decode(code.encode(sent.activities)).get()
        try require(found == sent.activities, "they come back as \(SentActivities(activities: found))")
        let names = (found.map(\.member.name.description), sent.activities.map(\.member.name.description))
        try require(names.0 == names.1, "the names come back as \(names.0)")
      },
      Property(
        "club.24", "A damaged page is decoded within bounds or refused with a position in it",
        reference: "no input traps", arguments: ["page"], page
      ) { page in
        switch code.decode(page.bytes) {
        case .success(let activities): try checkBounds(activities)
        case .failure(let error): try checkPlace(of: error, in: page)
        }
        let (activities, problems) = code.lenient(page.bytes)
        try checkBounds(activities)
        for problem in problems { try checkPlace(of: problem, in: page) }
      },
      Property(
        "club.25", "A lenient reading reports a problem exactly for the pages that a strict one refuses",
        reference: "one grammar", arguments: ["page"], page
      ) { page in
        let (activities, problems) = code.lenient(page.bytes)
        switch code.decode(page.bytes) {
        case .success(let all): try require(problems.isEmpty && activities == all, "there are problems: \(problems)")
        case .failure(let error): try require(problems.first == error, "the first problem is not '\(error)'")
        }
      },
      Property(
        "club.26", "Activities are read alike as a page, as two pages in one file and one a line",
        reference: "one grammar", arguments: ["activities", "layout"], SentActivities.any(), .integers(in: 0...3)
      ) { sent, layout in
        let all = sent.activities
        let half = all.count / 2
        let lines = { (end: [UInt8]) in
          Array(all.map { Activity.page([$0]).dropFirst().dropLast() }.joined(separator: end))
        }
        let bytes =
          switch layout {
          case 0: Activity.page(all)
          case 1: Activity.page(all[..<half]) + Activity.page(all[half...])
          case 2: lines([0x0A])
          default: lines([0x0D, 0x0A])
          }
        guard !bytes.isEmpty else { return }
        let (found, problems) = code.lenient(bytes)
        try require(problems.isEmpty, "there are problems: \(problems)")
        try require(found == all, "they come back as \(SentActivities(activities: found))")
      },
      Property(
        "club.27", "A damaged line costs only itself", reference: "one grammar",
        arguments: ["activities", "place", "damage"], SentActivities.any(), .integers(in: 0...4),
        .elements(of: ["oops", "{}", "]", "1", "null", "[1]", "{\"name\":\"x", "{\"athlete\":{", "{\"distance\":1,"])
      ) { sent, position, damage in
        var lines = sent.activities.map { String(decoding: $0.json, as: UTF8.self) }
        lines.insert(damage, at: min(position, lines.count))
        let (found, problems) = code.lenient(Array(lines.joined(separator: "\n").utf8))
        try require(found == sent.activities, "they come back as \(SentActivities(activities: found))")
        try require(problems.count == 1, "there are \(problems.count) problems: \(problems)")
        if case .badFeed(let at, _, _, _)? = problems.first {
          try require(at.line == min(position, sent.activities.count) + 1, "the problem is in line \(at.line)")
        }
      },
    ]
  }

  private static func checkBounds(_ activities: [Activity]) throws {
    for activity in activities {
      let times = [activity.movingTime, activity.elapsedTime]
      try require(
        times.allSatisfy { (0...Activity.maxSeconds).contains($0) }
          && (0...Length.maxDecimetres).contains(activity.distance.decimetres)
          && (0...Length.maxDecimetres).contains(activity.elevation.decimetres),
        "beyond bounds: \(activity.line)")
    }
  }

  private static func checkPlace(of error: ClubError, in page: SentPage) throws {
    let position: FeedLocation?
    switch error {
    case .badFeed(let found, _, _, _): position = found
    case .serviceRefused(let found, _): position = found
    default: position = nil
    }
    try require(
      position.map { $0.source == "page" && (1...page.lines).contains($0.line) } ?? false,
      "it has no place in the page: \(error)")
  }
}
