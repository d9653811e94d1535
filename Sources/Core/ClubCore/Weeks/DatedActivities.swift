// SPDX-License-Identifier: Apache-2.0

/// A club's dated activities by week, each id once.
public struct DatedActivities: Sendable {
  /// The activities of each week with any, in the order in which they were read.
  public private(set) var weeks: [Week: [Activity]] = [:]
  /// The number of activities that were read again, and count once.
  public private(set) var repeated = 0
  /// The number of activities without a local time, whose week is by the calendar.
  public private(set) var withoutLocalTime = 0

  /// The activities of some entries; those without a date are left out.
  ///
  /// An id counts once, for the member for whom it was read first. Activities without an id are the same if they agree
  /// in member, start, sport and all quantities.
  public init(_ entries: some Sequence<FeedEntry>, calendar: WeekCalendar) {
    var (ids, known) = (Set<String>(), Set<Undated>())
    for entry in entries {
      guard let week = entry.week(by: calendar) else { continue }
      let isNew = entry.id.map { ids.insert($0).inserted } ?? known.insert(Undated(entry)).inserted
      guard isNew else {
        repeated += 1
        continue
      }
      if entry.localStart == nil { withoutLocalTime += 1 }
      weeks[week, default: []].append(entry.activity)
    }
  }

  /// The identity of an activity without an id: everything but its title.
  private struct Undated: Hashable {
    let activity: Activity
    let localStart: Moment?

    init(_ entry: FeedEntry) {
      var activity = entry.activity
      activity.title = ""
      (self.activity, localStart) = (activity, entry.localStart)
    }
  }

  /// The number of activities.
  public var count: Int { weeks.values.reduce(0) { $0 + $1.count } }

  /// The first week with an activity, and the last; `nil` without activities.
  public var span: ClosedRange<Week>? {
    guard let first = weeks.keys.min(), let last = weeks.keys.max() else { return nil }
    return first...last
  }

  /// The week to report: the one before the current week, or the last one before it with an activity; the first week if
  /// there is none before the current one. `nil` without activities.
  public func lastWeek(before current: Week) -> Week? {
    weeks.keys.filter { $0 < current }.max() ?? weeks.keys.min()
  }

  /// The sums of a week; `nil` before the first week and after the last: nothing is known of them.
  public func tally(of week: Week, counting filter: SportFilter) -> WeekTally? {
    guard let span, span.contains(week) else { return nil }
    return WeekTally(weeks[week] ?? [], counting: filter)
  }

  /// All weeks from the first to the last, with those in which nobody had an activity.
  public func history(counting filter: SportFilter) -> ClubHistory {
    guard let span else { return ClubHistory([]) }
    let numbers = span.lowerBound.number...span.upperBound.number
    return ClubHistory(
      numbers.lazy.map { Week(number: $0) }.map { ($0, WeekTally(self.weeks[$0] ?? [], counting: filter)) })
  }
}

extension FeedReading {
  /// Names the members of activities without a name: after the owner of the file if it has activities of one athlete,
  /// else by the athletes' ids.
  public mutating func nameMembers(after owner: String) {
    let unnamed = entries.indices.filter { !entries[$0].isNamed }
    let isOne = Set(unnamed.map { entries[$0].activity.member.token }).count <= 1
    for index in unnamed {
      let token = entries[index].activity.member.token
      let name = isOne ? owner : token.map { "Athlete \($0.value)" } ?? owner
      entries[index].activity.member = MemberIdentity(name: AthleteName(first: name, last: ""), token: token)
    }
  }
}
