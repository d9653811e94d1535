// SPDX-License-Identifier: Apache-2.0

// MARK: The member against the top three
extension InsightLook {
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
            ? "Nobody has \(voice.noun.plural) this week."
            : "Only \(active) \(have) \(voice.noun.plural) this week, so there is no third."))
    } else if let rank = club.rank(of: member, by: .distance), rank <= 3 {
      found.append(Insight(.inTopThree(rank: rank), "You are among the top three by distance: #\(rank)."))
    }
    return found + gaps() + strength() + gapToThird() + trajectory()
  }

  /// Against each of the top three by distance but the member, in every metric. Where ties make more than three, the
  /// first by name.
  private func gaps() -> [Insight] {
    let leaders = club.standings(by: .distance).filter { ($0.rank ?? .max) <= 3 && $0.stats.member != member }
    return leaders.prefix(3).flatMap { leader in
      Metric.allCases.compactMap { gap($0, to: leader) }
    }
  }

  private func gap(_ metric: Metric, to leader: Standing) -> Insight? {
    let (mine, theirs) = (value(metric, of: own), value(metric, of: leader.stats.tally))
    guard let rank = leader.rank, let mine, let theirs else { return nil }
    let who = "\(voice.name(leader.stats.member)) (#\(rank))"
    let kind = Insight.Kind.gap(metric, to: leader.stats.member, rank: rank, mine: mine, theirs: theirs)
    guard mine != theirs else {
      return Insight(kind, "You are level with \(who) by \(voice.word(metric)).")
    }
    let percentage = Trend.of(this: mine, last: theirs).tenthsOfPercent
      .map { " (\(ClubDisplay.percentage(Int(clamping: $0.magnitude))))" }
    let by = voice.difference(metric, mine.gap(to: theirs)) + (percentage ?? "")
    return Insight(
      kind, "You are \(by) \(mine > theirs ? "ahead of" : "behind") \(who) by \(voice.word(metric)).")
  }

  /// The metrics of the member's best rank; a rank by nothing is no strength.
  private func strength() -> [Insight] {
    guard isActive, club.totals.activeMembers > 1 else { return [] }
    let ranks = Metric.allCases.compactMap { metric -> (metric: Metric, rank: Int)? in
      guard value(metric, of: own) ?? .zero > .zero else { return nil }
      return club.rank(of: member, by: metric).map { (metric, $0) }
    }
    guard let best = ranks.map(\.rank).min() else { return [] }
    let metrics = ranks.filter { $0.rank == best }.map(\.metric)
    let words = InsightVoice.list(metrics.map(voice.word))
    return [
      Insight(
        .strength(metrics, rank: best),
        "You stand best by \(words): #\(best)\(metrics.count > 1 ? " in each" : "").")
    ]
  }

  /// The gap to the third, and what closes it.
  private func gapToThird() -> [Insight] {
    guard let third, let habit = past.habit else { return [] }
    return [describe(closing(to: third, habit: habit))]
  }

  /// Where the member stood in the latest weeks known, and how the gap to the third moved over them.
  private func trajectory() -> [Insight] {
    let latest = history.weeks.filter { $0.week <= week }.suffix(6)
    guard latest.count > 1, latest.contains(where: { $0.tally[member].activities > 0 }) else { return [] }
    let ranks = latest.map { entry in
      let own = entry.tally[member]
      let better = entry.tally.memberTallies.count { $0.distance > own.distance }
      return WeekRank(week: entry.week, rank: own.activities > 0 ? better + 1 : nil)
    }
    let words = ranks.map { "\($0.rank.map { "#\($0)" } ?? "no \(voice.noun.plural)") in \($0.week)" }
    var found = [Insight(.ranks(ranks), "By distance: \(words.joined(separator: ", ")).")]
    let gaps = latest.compactMap { entry in gapToThird(in: entry.tally).map { (week: entry.week, gap: $0) } }
    guard let then = gaps.first, let now = gaps.last, now.week == week, then.week < week, then.gap + now.gap > 0 else {
      return found
    }
    let (past, present) = (voice.short(then.gap), voice.short(now.gap))
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

  /// How far the member is behind the third of a week; nil for fewer than three members with activities.
  private func gapToThird(in tally: WeekTally) -> Int? {
    let distances = tally.memberTallies.map(\.distance).sorted(by: >)
    return distances.count > 2 ? max(0, distances[2] - tally[member].distance) : nil
  }
}
