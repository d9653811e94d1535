// SPDX-License-Identifier: Apache-2.0

/// A sign that one name may belong to several people, or that one person may count as several members.
public struct SuspectedCollision: Hashable, Sendable {
  /// The reason for the suspicion, with the numbers.
  public enum Evidence: Hashable, Sendable {
    /// One member whose name has several spellings, in the order of their characters: an account has one spelling at a
    /// time.
    case spellings([String])
    /// More seconds of elapsed time than a week has.
    case moreThanAWeek(elapsed: Int)
    /// Two simultaneous activities of one member, by their titles: the second began at `start`, `seconds` before the
    /// first ended.
    case overlap(first: String, second: String, start: Moment, seconds: Int)
    /// The number of members of one name that tokens distinguish.
    case severalTokens(Int)
    /// Activities of one name with and without tokens: those without may belong to a member with one.
    case partlyWithoutToken(tokens: Int, activitiesWithout: Int)
  }

  /// The member.
  public let member: MemberIdentity
  /// The reason for the suspicion.
  public let evidence: Evidence

  private static let secondsOfWeek = 604_800

  /// The reason for the suspicion as a sentence, which claims no more than the evidence.
  public func sentence(names: NameStyle = .short) -> String {
    let name = member.name.shown(names)
    switch evidence {
    case .spellings(let spellings):
      let quoted = spellings.map { "'\(AthleteName.harmless($0))'" }.joined(separator: ", ")
      return "\(name) is spelt in \(spellings.count) ways (\(quoted)) and counts as one member;"
        + " one account has one spelling at a time."
    case .moreThanAWeek(let elapsed):
      let week = ClubDisplay.duration(Self.secondsOfWeek)
      return "The activities of \(name) took \(ClubDisplay.duration(elapsed)) in a week of \(week):"
        + " several people may share the name, or a watch was left running."
    case .overlap(let first, let second, _, let seconds):
      return "'\(AthleteName.harmless(second))' of \(name) began when '\(AthleteName.harmless(first))' still had"
        + " \(ClubDisplay.duration(seconds)) to go: several people may share the name, or two devices recorded."
    case .severalTokens(let count):
      return "\(count) members are called \(name), distinguished by their tokens."
    case .partlyWithoutToken(let tokens, let activities):
      let came = activities == 1 ? "1 activity" : "\(activities) activities"
      return "\(came) of \(name) came without a token, and \(activities == 1 ? "counts" : "count") for another"
        + " member than the \(tokens == 1 ? "one" : "\(tokens)") with a token."
    }
  }

  /// The simultaneous activities of one member in a list: the start of each activity is compared with the latest end of
  /// the earlier ones. Activities without a start are ignored, and activities that are equal in all values count once.
  ///
  /// Suspicions are ordered by member, then by the second activity's start.
  ///
  /// - Complexity: O(n log n).
  public static func overlaps(in activities: some Sequence<Activity>) -> [SuspectedCollision] {
    var dated: [MemberIdentity: (member: MemberIdentity, activities: Set<Activity>)] = [:]
    for activity in activities where activity.start != nil {
      let kept = dated[activity.member]?.member.settled(with: activity.member) ?? activity.member
      dated[activity.member, default: (kept, [])].member = kept
      dated[activity.member, default: (kept, [])].activities.insert(activity)
    }
    return dated.values.sorted { $0.member.precedes($1.member) }.flatMap { overlaps(of: $0.member, in: $0.activities) }
  }

  private static func overlaps(of member: MemberIdentity, in activities: Set<Activity>) -> [SuspectedCollision] {
    let spans = activities.compactMap { activity in
      activity.start.map { (start: $0, end: $0.adding(seconds: activity.elapsedTime), title: activity.title) }
    }
    var latest: (start: Moment, end: Moment, title: String)?
    var found: [SuspectedCollision] = []
    for span in spans.sorted(by: { ($0.start, $0.end, $0.title) < ($1.start, $1.end, $1.title) }) {
      if let running = latest, running.end > span.start, span.end > span.start {
        let left = (running.end.milliseconds - span.start.milliseconds) / 1000
        found.append(
          SuspectedCollision(
            member: member,
            evidence: .overlap(first: running.title, second: span.title, start: span.start, seconds: left)))
      }
      if latest.map({ $0.end < span.end }) ?? true { latest = span }
    }
    return found
  }

  /// The suspicions about the members of one name in a week's tally.
  fileprivate static func among(_ group: some Collection<MemberStats>, in week: WeekTally) -> [SuspectedCollision] {
    guard let name = group.first.map({ MemberIdentity(name: $0.member.name) }) else { return [] }
    let tokens = group.count { $0.member.token != nil }
    var found: [SuspectedCollision] = []
    if tokens > 1 { found.append(SuspectedCollision(member: name, evidence: .severalTokens(tokens))) }
    if tokens > 0, tokens < group.count {
      let without = week[name].activities
      found.append(
        SuspectedCollision(member: name, evidence: .partlyWithoutToken(tokens: tokens, activitiesWithout: without)))
    }
    for stats in group {
      let spellings = stats.member.token == nil ? week.spellings(of: stats.member) : []
      if spellings.count > 1 { found.append(SuspectedCollision(member: stats.member, evidence: .spellings(spellings))) }
      let elapsed = stats.tally.elapsedTime
      if elapsed > secondsOfWeek {
        found.append(SuspectedCollision(member: stats.member, evidence: .moreThanAWeek(elapsed: elapsed)))
      }
    }
    return found
  }
}

extension ClubWeek {
  /// The reasons to suspect that a member of this week is several people, or that several members are one, by name.
  /// `SuspectedCollision.overlaps(in:)` finds more if the list of activities is available.
  ///
  /// - Complexity: O(members).
  public var suspectedCollisions: [SuspectedCollision] {
    var (found, rest) = ([SuspectedCollision](), members[...])
    while let first = rest.first {
      let group = rest.prefix { $0.member.name == first.member.name }
      rest = rest.dropFirst(group.count)
      found += SuspectedCollision.among(group, in: tally)
    }
    return found
  }
}
