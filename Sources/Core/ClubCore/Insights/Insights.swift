// SPDX-License-Identifier: Apache-2.0

/// The insights into one member's week.
public struct Insights: Sendable {
  /// The known weeks.
  public let history: ClubHistory
  /// The week of the insights; later weeks are ignored.
  public let week: Week
  /// The member of the insights.
  public let member: MemberIdentity
  /// The style of displayed names.
  public let names: NameStyle
  private let speed: SpeedKind
  private let threshold: Trend.Threshold
  private let word: ActivityWord

  /// The insights into a member's week; `word` is the one for the activities that count.
  public init(
    history: ClubHistory, week: Week, member: MemberIdentity, speed: SpeedKind = .total,
    threshold: Trend.Threshold = .tenPercent, names: NameStyle = .short, word: ActivityWord = .ride
  ) {
    self.word = word
    (self.history, self.week, self.member, self.speed) = (history, week, member, speed)
    (self.threshold, self.names) = (threshold, names)
  }

  /// The insights of a mode, in the order of a report; at least one.
  public func insights(_ mode: InsightMode) -> [Insight] {
    guard let tally = history[week] else {
      return [Insight(.weekUnknown(week), "Nothing is known of the week \(week).")]
    }
    let writer = InsightWriter(
      club: ClubWeek(tally, previous: history[week.previous], threshold: threshold, speed: speed), history: history,
      week: week, member: member, past: MemberPast(of: member, in: history, upTo: week),
      subject: mode == .deep ? member.name.shown(names) : "You", names: names, activity: word)
    switch mode {
    case .mine: return writer.mine()
    case .top: return writer.top()
    case .deep: return writer.deep()
    }
  }
}

/// Writes the insights into one member's week.
private struct InsightWriter {
  let club: ClubWeek
  let history: ClubHistory
  let week: Week
  let member: MemberIdentity
  let past: MemberPast
  /// The grammatical subject of the sentences: `You`, or a name.
  let subject: String
  let names: NameStyle
  let activity: ActivityWord

  private var own: MemberTally { club.tally[member] }
  private var isActive: Bool { own.activities > 0 }

  private func value(_ metric: Metric, of tally: MemberTally) -> Ratio? { tally.value(of: metric, speed: club.speed) }
}

// MARK: Parts of several modes
extension InsightWriter {
  private func inactive() -> Insight {
    let last = past.activeBefore.last?.week
    let then = last.map { "; the last known were in \($0)" } ?? ""
    let has = subject == "You" ? "have" : "has"
    return Insight(.inactive(lastActive: last), "\(subject) \(has) no \(activity.plural) this week\(then).")
  }

  private func amounts() -> [Insight] {
    Metric.allCases.compactMap { metric in
      guard let value = value(metric, of: own) else { return nil }
      let share = club.totals.activeMembers > 1 ? club.share(of: own, metric) : nil
      let part = share?.tenthsOfPercent.map {
        ", \(ClubDisplay.percentage($0)) of the club's \(metric == .rides ? activity.plural : word(metric))"
      }
      return Insight(.amount(metric, value: value, share: share), "\(subject) \(verb(metric, value))\(part ?? "").")
    }
  }

  private func verb(_ metric: Metric, _ value: Ratio) -> String {
    let shown = self.shown(metric, value)
    switch metric {
    case .distance: return "covered \(shown)"
    case .rides: return "did \(shown)"
    case .speed:
      return club.speed == .total
        ? "averaged \(shown)" : "averaged \(shown) as the mean of single \(activity.plural)"
    case .elevation: return "climbed \(shown)"
    }
  }

  private func longest() -> [Insight] {
    guard own.activities > 1 else { return [] }
    return [Insight(.longest(own.longest), "The longest \(activity) was \(ClubDisplay.distance(own.longest)).")]
  }

  private func ranks() -> [Insight] {
    guard club.totals.activeMembers > 1 else {
      return [Insight(.onlyMember, "Nobody else has \(activity.plural) this week.")]
    }
    return Metric.allCases.compactMap(rank)
  }

  private func rank(by metric: Metric) -> Insight? {
    guard let rank = club.rank(of: member, by: metric), let value = value(metric, of: own) else { return nil }
    let tied = club.members.filter { $0.member != member && self.value(metric, of: $0.tally) == value }
      .map(\.member)
    let among = club.members.count { self.value(metric, of: $0.tally) != nil }
    var sentence = "\(subject) came \(rank == 1 ? "first" : "#\(rank)") of \(among) by \(word(metric))"
    // For lower ranks the number of the other members is enough.
    if rank == 1, !tied.isEmpty {
      sentence += ", together with \(list(tied))"
    } else if tied.count > 3 {
      sentence += ", level with \(tied.count) others"
    } else if !tied.isEmpty {
      sentence += ", level with \(list(tied))"
    }
    return Insight(.rank(metric, rank: rank, among: among, tied: tied), ClubDisplay.sentence(sentence))
  }

  private func weekOverWeek() -> [Insight] {
    guard let previous = club.previous else {
      return [Insight(.noPreviousWeek, "Nothing is known of the week before.")]
    }
    let last = previous[member]
    return Metric.allCases.compactMap { metric in
      let (now, before) = (value(metric, of: own), value(metric, of: last))
      guard (now ?? .zero) > .zero || (before ?? .zero) > .zero, let trend = club.trend(of: member, metric) else {
        return nil
      }
      return Insight(.weekOverWeek(metric, this: now, last: before, trend: trend), change(metric, now, before, trend))
    }
  }

  private func change(_ metric: Metric, _ now: Ratio?, _ before: Ratio?, _ trend: Trend) -> String {
    let (word, mine, past) = (self.word(metric), shown(metric, now), shown(metric, before))
    let tenths = trend.tenthsOfPercent ?? 0
    let by = ClubDisplay.percentage(Int(clamping: tenths.magnitude))
    switch trend.direction {
    case .new: return opening("\(word): \(mine), after none the week before.")
    case .gone: return opening("\(word): none, after \(past) the week before.")
    case .up: return opening("\(word) rose by \(by), from \(past) to \(mine).")
    case .down: return opening("\(word) fell by \(by), from \(past) to \(mine).")
    case .flat where now == before: return opening("\(word) stayed at \(mine).")
    case .flat: return opening("\(word) was steady: \(mine) after \(past) (\(signed(tenths))).")
    }
  }

  private func bests() -> [Insight] {
    past.bests(speed: club.speed).map { best in
      let (what, metric): (String, Metric) =
        switch best.record {
        case .metric(let own): ("best week by \(word(own))", own)
        case .longest: ("longest \(activity)", .distance)
        }
      return Insight(
        .personalBest(best),
        "Personal best over the \(best.weeksKnown) weeks known, \(what): \(shown(metric, best.value)), after"
          + " \(shown(metric, best.before)) in \(best.week).")
    }
  }

  private func streak() -> [Insight] {
    let (weeks, isWhole) = past.streak
    guard weeks > 1 else { return [] }
    return [
      Insight(
        .streak(weeks: weeks, isWhole: isWhole),
        isWhole
          ? "Active \(weeks) weeks in a row."
          : "Active at least \(weeks) weeks in a row: nothing is known of the week before them.")
    ]
  }
}

// MARK: The member's own week
extension InsightWriter {
  func mine() -> [Insight] {
    guard isActive else {
      let change = club.previous.map { $0[member].activities > 0 } ?? false
      return [inactive()] + (change ? Array(weekOverWeek().prefix(1)) : []) + tip()
    }
    return amounts() + longest() + ranks() + weekOverWeek() + bests() + streak() + tip()
  }

  /// A tip for the next ride, in exact arithmetic; the other members' figures stay as they are.
  private func tip() -> [Insight] {
    guard club.totals.activeMembers > (isActive ? 1 : 0) else { return [] }
    if isActive, nextBetter == nil { return [lead()] }
    guard let habit = past.habit else { return [] }
    let targets = [third, nextBetter].compactMap(\.self)
    let closings = targets.map { closing(to: $0, habit: habit) }
    // Advice of more than three rides in the rest of a week is useless.
    guard isActive, let near = closings.first(where: { $0.rides <= 3 }) else { return nextRide(habit: habit) }
    return [describe(near)]
  }

  /// The distance of the third; `nil` for fewer than three active members, and for a member who is level or ahead.
  private var third: Int? { gapToThird(in: club.tally).flatMap { $0 > 0 ? own.distance + $0 : nil } }

  /// The distance of the next better rank.
  private var nextBetter: Int? { club.members.map(\.tally.distance).filter { $0 > own.distance }.min() }

  private func closing(to distance: Int, habit: Int) -> GapClosing {
    let gap = distance - own.distance
    let plan = MemberPast.rides(covering: gap, habit: habit)
    return GapClosing(
      rank: 1 + club.members.count { $0.tally.distance > distance },
      holders: club.members.filter { $0.tally.distance == distance }.map(\.member), gap: gap, rides: plan.rides,
      length: plan.length, habit: habit)
  }

  private func describe(_ closing: GapClosing) -> Insight {
    let close = closing.rides == 1 ? "closes it" : "close it"
    return Insight(
      .closing(closing),
      "\(short(closing.gap)) behind #\(closing.rank) (\(list(closing.holders))):"
        + " \(more(closing.rides, of: closing.length)) \(close).")
  }

  private func lead() -> Insight {
    let level = club.members.filter { $0.member != member && $0.tally.distance == own.distance }.map(\.member)
    guard level.isEmpty else {
      return Insight(
        .lead(decimetres: 0, over: level),
        "Level with \(list(level)) at the top: the first to add distance leads alone.")
    }
    let next = club.members.lazy.filter { $0.member != member }.map(\.tally.distance).max() ?? 0
    let holders = club.members.filter { $0.member != member && $0.tally.distance == next }.map(\.member)
    let gap = own.distance - next
    return Insight(.lead(decimetres: gap, over: holders), "\(short(gap)) ahead of #2 (\(list(holders))).")
  }

  private func nextRide(habit: Int) -> [Insight] {
    // Rounded down to the displayed length, so that the displayed length is enough.
    let unit = habit >= 10_000 ? 10_000 : 1000
    let length = habit / unit * unit
    let then = own.distance + length
    let from = club.rank(of: member, by: .distance)
    let to = 1 + club.members.count { $0.member != member && $0.tally.distance > then }
    let ride = isActive ? more(1, of: length) : "\(activity.indefinite) of \(short(length))"
    let gain =
      if let from {
        to < from ? "moves up from #\(from) to #\(to) by distance" : "keeps #\(from) by distance"
      } else {
        "makes it #\(to) by distance"
      }
    return [
      Insight(
        .nextRide(length: length, from: from, to: to),
        opening("\(ride), about the usual length, \(gain)."))
    ]
  }
}

// MARK: The member against the top three
extension InsightWriter {
  func top() -> [Insight] {
    var found = isActive ? [] : [inactive()]
    let active = club.totals.activeMembers
    if isActive, active == 1 { return ranks() }
    if active < 3 {
      let have = active == 1 ? "member has" : "members have"
      found.append(
        Insight(
          .noThird(activeMembers: active),
          active == 0
            ? "Nobody has \(activity.plural) this week."
            : "Only \(active) \(have) \(activity.plural) this week, so there is no third."))
    } else if let rank = club.rank(of: member, by: .distance), rank <= 3 {
      found.append(Insight(.inTopThree(rank: rank), "You are among the top three by distance: #\(rank)."))
    }
    return found + gaps() + strength() + gapToThird() + trajectory()
  }

  /// The member against each other member of the top three by distance, in every metric. If ties make more than three,
  /// the first by name.
  private func gaps() -> [Insight] {
    let leaders = club.standings(by: .distance).filter { ($0.rank ?? .max) <= 3 && $0.stats.member != member }
    return leaders.prefix(3).flatMap { leader in
      Metric.allCases.compactMap { gap($0, to: leader) }
    }
  }

  private func gap(_ metric: Metric, to leader: Standing) -> Insight? {
    let (mine, theirs) = (value(metric, of: own), value(metric, of: leader.stats.tally))
    guard let rank = leader.rank, let mine, let theirs else { return nil }
    let who = "\(name(leader.stats.member)) (#\(rank))"
    let kind = Insight.Kind.gap(metric, to: leader.stats.member, rank: rank, mine: mine, theirs: theirs)
    guard mine != theirs else { return Insight(kind, "You are level with \(who) by \(word(metric)).") }
    let percentage = Trend.of(this: mine, last: theirs).tenthsOfPercent
      .map { " (\(ClubDisplay.percentage(Int(clamping: $0.magnitude))))" }
    let by = shown(metric, mine.gap(to: theirs)) + (percentage ?? "")
    return Insight(kind, "You are \(by) \(mine > theirs ? "ahead of" : "behind") \(who) by \(word(metric)).")
  }

  /// The metrics of the member's best rank, without metrics of value 0.
  private func strength() -> [Insight] {
    guard isActive, club.totals.activeMembers > 1 else { return [] }
    let ranks = Metric.allCases.compactMap { metric -> (metric: Metric, rank: Int)? in
      guard value(metric, of: own) ?? .zero > .zero else { return nil }
      return club.rank(of: member, by: metric).map { (metric, $0) }
    }
    guard let best = ranks.map(\.rank).min() else { return [] }
    let metrics = ranks.filter { $0.rank == best }.map(\.metric)
    let words = Self.list(metrics.map(word))
    return [
      Insight(
        .strength(metrics, rank: best),
        "You stand best by \(words): #\(best)\(metrics.count > 1 ? " in each" : "").")
    ]
  }

  /// The gap to the third, and the rides that close it.
  private func gapToThird() -> [Insight] {
    guard let third, let habit = past.habit else { return [] }
    return [describe(closing(to: third, habit: habit))]
  }

  /// The member's ranks in the latest known weeks, and the change of the gap to the third over them.
  private func trajectory() -> [Insight] {
    let latest = history.weeks.filter { $0.week <= week }.suffix(6)
    guard latest.count > 1, latest.contains(where: { $0.tally[member].activities > 0 }) else { return [] }
    let ranks = latest.map { entry in
      let own = entry.tally[member]
      let better = entry.tally.memberTallies.count { $0.distance > own.distance }
      return WeekRank(week: entry.week, rank: own.activities > 0 ? better + 1 : nil)
    }
    let words = ranks.map { "\($0.rank.map { "#\($0)" } ?? "no \(activity.plural)") in \($0.week)" }
    var found = [Insight(.ranks(ranks), "By distance: \(words.joined(separator: ", ")).")]
    let gaps = latest.compactMap { entry in gapToThird(in: entry.tally).map { (week: entry.week, gap: $0) } }
    guard let then = gaps.first, let now = gaps.last, now.week == week, then.week < week, then.gap + now.gap > 0 else {
      return found
    }
    let (past, present) = (short(then.gap), short(now.gap))
    let moved =
      switch now.gap {
      case 0: "closed: it was \(past) in \(then.week)"
      case then.gap: "is \(present), as it was in \(then.week)"
      case ..<then.gap: "narrowed from \(past) in \(then.week) to \(present)"
      default: "widened from \(past) in \(then.week) to \(present)"
      }
    found.append(
      Insight(
        .gapToThird(since: then.week, then: then.gap, now: now.gap), "The gap to the third by distance \(moved)."))
    return found
  }

  /// The member's distance behind the third of a week; `nil` for fewer than three members with activities.
  private func gapToThird(in tally: WeekTally) -> Int? {
    let distances = tally.memberTallies.map(\.distance).sorted(by: >)
    return distances.count > 2 ? max(0, distances[2] - tally[member].distance) : nil
  }
}

// MARK: Any member's week against the usual one
extension InsightWriter {
  func deep() -> [Insight] {
    let week = isActive ? amounts() + longest() : [inactive()]
    return week + againstUsual() + (isActive ? ranks() + bests() : []) + streak() + constancy()
  }

  private func againstUsual() -> [Insight] {
    let (earlier, weeks) = (past.before, past.activeBefore.count)
    guard let parts = WeekDecomposition(this: own, earlier: earlier, weeks: weeks) else { return [] }
    let trend = Trend.of(
      this: Ratio(parts.distance), last: Ratio(earlier.distance, over: weeks), threshold: club.threshold)
    var found = [Insight(.againstUsual(parts, trend: trend), describe(parts, trend))]
    if isActive, [.down, .gone].contains(trend.direction), parts.byRides < 0, let habit = past.habit {
      let gap = parts.usual - parts.distance
      let plan = MemberPast.rides(covering: gap, habit: habit)
      let bring = plan.rides == 1 ? "brings" : "bring"
      found.append(
        Insight(
          .makingUp(gap: gap, rides: plan.rides, length: plan.length),
          opening("\(more(plan.rides, of: plan.length)) \(bring) it to a usual week.")))
    }
    if parts.bySpeed < 0, let this = slope(own),
      let usual = slope(earlier),
      Trend.of(this: this, last: usual, threshold: club.threshold).direction == .up,
      perKilometre(this) != perKilometre(usual)
    {
      found.append(
        Insight(
          .climbing(this: this, usual: usual),
          "The way was hillier: \(perKilometre(this)) of climbing per kilometre, after a usual \(perKilometre(usual)).")
      )
    }
    return found
  }

  /// Metres of climbing per kilometre; nil without distance.
  private func slope(_ tally: MemberTally) -> Ratio? {
    let (climb, overflow) = tally.elevation.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : Ratio(climb, over: tally.distance)
  }

  private func perKilometre(_ slope: Ratio) -> String { "\(ClubDisplay.tenths(slope.rounded(times: 10))) m" }

  private func describe(_ parts: WeekDecomposition, _ trend: Trend) -> String {
    let weeks = parts.weeks == 1 ? "that of the one earlier week" : "the mean of \(parts.weeks) earlier weeks"
    let usual = "usual \(short(parts.usual)) (\(weeks) with \(activity.plural))"
    let difference = Apportionment.nearest(parts.distance - parts.usual, per: 1000)
    if own.activities == 0 { return "A week of rest, after a \(usual)." }
    guard difference != 0 else { return "A week like others: the distance is that of the \(usual)." }
    let names = [
      ("fewer \(activity.plural)", "more \(activity.plural)"),
      ("shorter \(activity.plural)", "longer \(activity.plural)"), ("a lower speed", "a higher speed"),
    ]
    let shown = Apportionment.rounded([parts.byRides, parts.byTime, parts.bySpeed], per: 1000)
    let reasons = zip(shown, names).compactMap { part, names in
      part == 0 ? nil : "\(kilometres(part)) from \(part < 0 ? names.0 : names.1)"
    }
    let opening =
      switch trend.direction {
      case .down, .gone: "An easier week"
      case .up, .new: "A bigger week"
      case .flat: "Close to the usual week"
      }
    let by = ClubDisplay.tenths(Int(clamping: difference.magnitude)) + " km"
    return "\(opening): \(by) \(difference < 0 ? "less" : "more") than the \(usual), \(Self.list(reasons))."
  }

  private func kilometres(_ tenths: Int) -> String {
    (tenths < 0 ? "-" : "+") + ClubDisplay.tenths(Int(clamping: tenths.magnitude)) + " km"
  }

  private func constancy() -> [Insight] {
    guard past.weeks.count > 1 else { return [] }
    return [
      Insight(
        .constancy(active: past.activeWeeks, known: past.weeks.count),
        "Active in \(past.activeWeeks) of the \(past.weeks.count) weeks known.")
    ]
  }
}

// MARK: Words and values
extension InsightWriter {
  private func name(_ member: MemberIdentity) -> String { member.name.shown(names) }

  /// Names joined by commas, and by a word before the last.
  private func list(_ members: [MemberIdentity]) -> String { Self.list(members.map(name)) }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A value for a sentence; climbing in integer metres.
  private func shown(_ metric: Metric, _ value: Ratio?) -> String {
    guard let value else { return "none" }
    switch metric {
    case .distance: return ClubDisplay.distance(value.rounded())
    case .rides: return value == Ratio(1) ? "1 \(activity)" : "\(value.rounded()) \(activity.plural)"
    case .speed: return ClubDisplay.speed(value)
    case .elevation: return "\(value.rounded(over: 10)) m"
    }
  }

  /// A distance in its shortest form: `40 km`, `37.5 km`, `62.5 m`.
  private func short(_ decimetres: Int) -> String {
    if decimetres > 0, decimetres < 1000 {
      return (decimetres % 10 == 0 ? "\(decimetres / 10)" : ClubDisplay.tenths(decimetres)) + " m"
    }
    let text = ClubDisplay.distance(decimetres)
    return text.hasSuffix(".0 km") ? String(text.dropLast(5)) + " km" : text
  }

  private func word(_ metric: Metric) -> String {
    switch metric {
    case .distance: "distance"
    case .rides: "number of \(activity.plural)"
    case .speed: "average speed"
    case .elevation: "climbing"
    }
  }

  private func opening(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// A percentage with its sign: `+1.5%`, `0.0%`.
  private func signed(_ tenthsOfPercent: Int) -> String {
    (tenthsOfPercent > 0 ? "+" : "") + ClubDisplay.percentage(tenthsOfPercent)
  }

  /// `one more 40 km ride`, `2 more rides of 38 km each`.
  private func more(_ rides: Int, of length: Int) -> String {
    rides == 1 ? "one more \(short(length)) \(activity)" : "\(rides) more \(activity.plural) of \(short(length)) each"
  }
}
