// SPDX-License-Identifier: Apache-2.0

/// The known weeks of a club, the latest last. A missing week is unknown, which differs from a week without activities.
public struct ClubHistory: Sendable {
  /// A week with the sums of its activities.
  public struct Entry: Sendable {
    /// The week.
    public let week: Week
    /// The sums of its activities.
    public let tally: WeekTally
  }

  /// The weeks, ascending and distinct.
  public let weeks: [Entry]

  /// Weeks in any order; several tallies of one week are merged.
  public init(_ weeks: some Sequence<(Week, WeekTally)>) {
    var tallies: [Week: WeekTally] = [:]
    for (week, tally) in weeks { tallies[week, default: WeekTally()].merge(tally) }
    self.weeks = tallies.map { Entry(week: $0.key, tally: $0.value) }.sorted { $0.week < $1.week }
  }

  /// The sums of a week's activities; `nil` for an unknown week.
  public subscript(week: Week) -> WeekTally? { weeks.first { $0.week == week }?.tally }
}

/// A member's activities up to a week.
struct MemberPast: Sendable {
  typealias Entry = (week: Week, tally: MemberTally)

  /// The known weeks up to and including the current one, ascending, with or without activities.
  let weeks: [Entry]
  let week: Week

  init(of member: MemberIdentity, in history: ClubHistory, upTo week: Week) {
    self.week = week
    weeks = history.weeks.filter { $0.week <= week }.map { ($0.week, $0.tally[member]) }
  }

  var activeBefore: [Entry] { weeks.filter { $0.week < week && $0.tally.activities > 0 } }

  /// The number of weeks with activities, including the current one.
  var activeWeeks: Int { weeks.count { $0.tally.activities > 0 } }

  var before: MemberTally { activeBefore.reduce(into: .zero) { $0.merge($1.tally) } }

  /// The mean length of all known rides, in decimetres, rounded down; `nil` below a hundred metres.
  var habit: Int? {
    let all = weeks.reduce(into: MemberTally.zero) { $0.merge($1.tally) }
    guard all.activities > 0 else { return nil }
    let mean = all.distance / all.activities
    return mean >= 1000 ? mean : nil
  }

  /// The number of consecutive weeks with activities up to the current one, and whether the week before them is known.
  var streak: (weeks: Int, isWhole: Bool) {
    var (count, current) = (0, week)
    while weeks.contains(where: { $0.week == current && $0.tally.activities > 0 }) {
      (count, current) = (count + 1, current.previous)
    }
    return (count, weeks.contains { $0.week == current })
  }

  /// The metrics with a higher value than in every earlier week with activities, in the order of the metrics.
  func bests(speed: SpeedKind) -> [PersonalBest] {
    guard let now = weeks.last, now.week == week, now.tally.activities > 0 else { return [] }
    func best(_ record: PersonalBest.Record, _ value: (MemberTally) -> Ratio?) -> PersonalBest? {
      let past = activeBefore.compactMap { entry in value(entry.tally).map { (value: $0, week: entry.week) } }
      guard let mine = value(now.tally), let maximum = past.max(by: { ($0.value, $0.week) < ($1.value, $1.week) }),
        maximum.value > .zero, mine > maximum.value
      else { return nil }
      return PersonalBest(
        record: record, value: mine, before: maximum.value, week: maximum.week, weeksKnown: weeks.count)
    }
    return Metric.allCases.compactMap { metric in best(.metric(metric)) { $0.value(of: metric, speed: speed) } }
      + [best(.longest) { Ratio($0.longest) }].compactMap(\.self)
  }

  /// The number of additional rides that cover a gap, each about the usual length in integer kilometres, and the length
  /// of each; both lengths in decimetres and above 0.
  static func rides(covering gap: Int, habit: Int) -> (rides: Int, length: Int) {
    let kilometre = 10_000
    let rides = (gap - 1) / habit + 1
    let usual = habit / kilometre * kilometre
    if usual > 0, usual >= (gap - 1) / rides + 1 { return (rides, usual) }
    let each = (gap - 1) / rides + 1
    return (rides, ((each - 1) / kilometre + 1) * kilometre)
  }
}
