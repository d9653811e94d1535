// SPDX-License-Identifier: Apache-2.0

/// What is worth saying about one member's week.
public struct Insights: Sendable {
  /// The weeks known.
  public let history: ClubHistory
  /// The week that is looked at; later ones are as if they were not known.
  public let week: Week
  /// Whose week it is.
  public let member: MemberIdentity
  /// Which average speed is meant.
  public let speed: SpeedKind
  /// From which change on a quantity goes up or down.
  public let threshold: Trend.Threshold
  /// How names are shown.
  public let names: NameStyle
  /// What an activity is called.
  public let noun: ActivityNoun
  let past: MemberPast

  /// Looks at a member's week.
  ///
  /// - Parameters:
  ///   - history: The weeks known.
  ///   - week: The week that is looked at; later ones are as if they were not known.
  ///   - member: Whose week it is.
  ///   - speed: Which average speed is meant.
  ///   - threshold: From which change on a quantity goes up or down.
  ///   - names: How names are shown.
  ///   - noun: What an activity is called, after the sports that count.
  public init(
    history: ClubHistory, week: Week, member: MemberIdentity, speed: SpeedKind = .total,
    threshold: Trend.Threshold = .tenPercent, names: NameStyle = .short, noun: ActivityNoun = .ride
  ) {
    (self.history, self.week, self.member, self.speed) = (history, week, member, speed)
    (self.threshold, self.names, self.noun) = (threshold, names, noun)
    past = MemberPast(of: member, in: history, upTo: week)
  }

  /// What is worth saying, in the order of a report.
  ///
  /// - Parameter mode: From whose side.
  /// - Returns: At least one insight.
  public func insights(_ mode: InsightMode) -> [Insight] {
    guard let tally = history[week] else {
      return [Insight(.weekUnknown(week), "Nothing is known of the week \(week).")]
    }
    let club = ClubWeek(tally, previous: history[week.previous], threshold: threshold, speed: speed)
    let subject = mode == .deep ? member.name.shown(names) : "You"
    let looking = InsightLook(
      club: club, history: history, week: week, member: member, past: past,
      voice: InsightVoice(subject: subject, names: names, noun: noun))
    switch mode {
    case .mine: return looking.mine()
    case .top: return looking.top()
    case .deep: return looking.deep()
    }
  }
}

/// One look at one member's week, with all that sentences are made from.
struct InsightLook: Sendable {
  let club: ClubWeek
  let history: ClubHistory
  let week: Week
  let member: MemberIdentity
  let past: MemberPast
  let voice: InsightVoice

  /// What the member did this week.
  var own: MemberTally { club.tally[member] }
  var isActive: Bool { own.activities > 0 }

  func value(_ metric: Metric, of tally: MemberTally) -> Ratio? { tally.value(of: metric, speed: club.speed) }
}

// MARK: What the modes share
extension InsightLook {
  /// That there is nothing this week.
  func inactive() -> Insight {
    let last = past.activeBefore.last?.week
    let then = last.map { "; the last known were in \($0)" } ?? ""
    let has = voice.subject == "You" ? "have" : "has"
    return Insight(
      .inactive(lastActive: last), "\(voice.subject) \(has) no \(voice.noun.plural) this week\(then).")
  }

  func amounts() -> [Insight] {
    Metric.allCases.compactMap { metric in
      guard let value = value(metric, of: own) else { return nil }
      let share = club.totals.activeMembers > 1 ? club.share(of: own, metric) : nil
      let part = share?.tenthsOfPercent.map {
        ", \(ClubDisplay.percentage($0)) of the club's \(metric == .rides ? voice.noun.plural : voice.word(metric))"
      }
      return Insight(
        .amount(metric, value: value, share: share), "\(voice.subject) \(verb(metric, value))\(part ?? "").")
    }
  }

  private func verb(_ metric: Metric, _ value: Ratio) -> String {
    let shown = voice.value(metric, value)
    switch metric {
    case .distance: return "covered \(shown)"
    case .rides: return "did \(shown)"
    case .speed:
      return club.speed == .total
        ? "averaged \(shown)" : "averaged \(shown) as the mean of single \(voice.noun.plural)"
    case .elevation: return "climbed \(shown)"
    }
  }

  func longest() -> [Insight] {
    guard own.activities > 1 else { return [] }
    return [
      Insight(
        .longest(own.longest), "The longest \(voice.noun.rawValue) was \(ClubDisplay.distance(own.longest)).")
    ]
  }

  func ranks() -> [Insight] {
    guard club.totals.activeMembers > 1 else {
      return [Insight(.onlyMember, "Nobody else has \(voice.noun.plural) this week.")]
    }
    return Metric.allCases.compactMap(rank)
  }

  private func rank(by metric: Metric) -> Insight? {
    guard let rank = club.rank(of: member, by: metric), let value = value(metric, of: own) else { return nil }
    let tied = club.members.filter { $0.member != member && self.value(metric, of: $0.tally) == value }
      .map(\.member)
    let among = club.members.count { self.value(metric, of: $0.tally) != nil }
    var sentence = "\(voice.subject) came \(rank == 1 ? "first" : "#\(rank)") of \(among) by \(voice.word(metric))"
    // Who claims to be best of the club says with whom; further down the number of the others is enough.
    if rank == 1, !tied.isEmpty {
      sentence += ", together with \(voice.list(tied))"
    } else if tied.count > 3 {
      sentence += ", level with \(tied.count) others"
    } else if !tied.isEmpty {
      sentence += ", level with \(voice.list(tied))"
    }
    return Insight(.rank(metric, rank: rank, among: among, tied: tied), voice.ended(sentence))
  }

  func weekOverWeek() -> [Insight] {
    guard let previous = club.previous else {
      return [Insight(.noPreviousWeek, "Nothing is known of the week before.")]
    }
    let last = previous[member]
    return Metric.allCases.compactMap { metric in
      let (now, before) = (value(metric, of: own), value(metric, of: last))
      guard (now ?? .zero) > .zero || (before ?? .zero) > .zero, let trend = club.trend(of: member, metric) else {
        return nil
      }
      return Insight(
        .weekOverWeek(metric, this: now, last: before, trend: trend), change(metric, now, before, trend))
    }
  }

  private func change(_ metric: Metric, _ now: Ratio?, _ before: Ratio?, _ trend: Trend) -> String {
    let (word, mine, past) = (voice.word(metric), voice.value(metric, now), voice.value(metric, before))
    let tenths = trend.tenthsOfPercent ?? 0
    let by = ClubDisplay.percentage(Int(clamping: tenths.magnitude))
    switch trend.direction {
    case .new: return voice.opening("\(word): \(mine), after none the week before.")
    case .gone: return voice.opening("\(word): none, after \(past) the week before.")
    case .up: return voice.opening("\(word) rose by \(by), from \(past) to \(mine).")
    case .down: return voice.opening("\(word) fell by \(by), from \(past) to \(mine).")
    case .flat where now == before: return voice.opening("\(word) stayed at \(mine).")
    case .flat: return voice.opening("\(word) was steady: \(mine) after \(past) (\(voice.signed(tenths))).")
    }
  }

  func bests() -> [Insight] {
    past.bests(speed: club.speed).map { best in
      let what: String
      let metric: Metric
      switch best.record {
      case .metric(let own): (what, metric) = ("best week by \(voice.word(own))", own)
      case .longest: (what, metric) = ("longest \(voice.noun.rawValue)", .distance)
      }
      return Insight(
        .personalBest(best),
        "Personal best over the \(best.weeksKnown) weeks known, \(what): \(voice.value(metric, best.value)), after"
          + " \(voice.value(metric, best.before)) in \(best.week).")
    }
  }

  func streak() -> [Insight] {
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
