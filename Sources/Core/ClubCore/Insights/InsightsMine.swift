// SPDX-License-Identifier: Apache-2.0

// MARK: The member's own week
extension InsightLook {
  func mine() -> [Insight] {
    guard isActive else {
      let change = club.previous.map { $0[member].activities > 0 } ?? false
      return [inactive()] + (change ? Array(weekOverWeek().prefix(1)) : []) + tip()
    }
    return amounts() + longest() + ranks() + weekOverWeek() + bests() + streak() + tip()
  }

  /// What to do next, in true arithmetic; the others are taken as they stand.
  func tip() -> [Insight] {
    guard let first = byDistance.first, club.totals.activeMembers > 1 || !isActive else { return [] }
    if isActive, own.distance == first.tally.distance { return [lead()] }
    guard let habit = past.habit else { return [] }
    let targets = [third, nextBetter].compactMap(\.self)
    let closings = targets.map { closing(to: $0, habit: habit) }
    // More than three rides in the rest of a week are no advice.
    guard isActive, let near = closings.first(where: { $0.rides <= 3 }) else { return nextRide(habit: habit) }
    return [describe(near)]
  }

  /// Members with activities, the longest distance first.
  var byDistance: [MemberStats] { club.ranked(by: .distance).map { club.members[$0.index] } }

  /// The distance of the third; nil for fewer than three members with activities, and for who is level or ahead.
  var third: Int? {
    let order = byDistance
    guard order.count > 2, order[2].tally.distance > own.distance else { return nil }
    return order[2].tally.distance
  }

  /// The distance of the next rank that is better.
  private var nextBetter: Int? { club.members.map(\.tally.distance).filter { $0 > own.distance }.min() }

  func closing(to distance: Int, habit: Int) -> GapClosing {
    let gap = distance - own.distance
    let plan = MemberPast.rides(covering: gap, habit: habit)
    return GapClosing(
      rank: 1 + club.members.count { $0.tally.distance > distance },
      holders: club.members.filter { $0.tally.distance == distance }.map(\.member), gap: gap, rides: plan.rides,
      length: plan.length, habit: habit)
  }

  func describe(_ closing: GapClosing) -> Insight {
    let close = closing.rides == 1 ? "closes it" : "close it"
    return Insight(
      .closing(closing),
      "\(voice.short(closing.gap)) behind #\(closing.rank) (\(voice.list(closing.holders))):"
        + " \(voice.more(closing.rides, of: closing.length)) \(close).")
  }

  private func lead() -> Insight {
    let level = club.members.filter { $0.member != member && $0.tally.distance == own.distance }.map(\.member)
    guard level.isEmpty else {
      return Insight(
        .lead(decimetres: 0, over: level),
        "Level with \(voice.list(level)) at the top: whoever adds distance first leads alone.")
    }
    let next = club.members.filter { $0.member != member }.map(\.tally.distance).max() ?? 0
    let holders = club.members.filter { $0.member != member && $0.tally.distance == next }.map(\.member)
    let gap = own.distance - next
    return Insight(
      .lead(decimetres: gap, over: holders), "\(voice.short(gap)) ahead of #2 (\(voice.list(holders))).")
  }

  private func nextRide(habit: Int) -> [Insight] {
    // Rounded down to what is shown, so that the shown length is enough.
    let unit = habit >= 10_000 ? 10_000 : 1000
    let length = habit / unit * unit
    let then = own.distance + length
    let from = club.rank(of: member, by: .distance)
    let to = 1 + club.members.count { $0.member != member && $0.tally.distance > then }
    let ride = isActive ? voice.more(1, of: length) : "a \(voice.noun.rawValue) of \(voice.short(length))"
    guard let from else {
      return [
        Insight(
          .nextRide(length: length, from: nil, to: to),
          voice.opening("\(ride), about the usual length, makes it #\(to) by distance."))
      ]
    }
    let gain = to < from ? "moves up from #\(from) to #\(to) by distance" : "keeps #\(from) by distance"
    return [
      Insight(
        .nextRide(length: length, from: from, to: to),
        voice.opening("\(ride), about the usual length, \(gain)."))
    ]
  }
}
