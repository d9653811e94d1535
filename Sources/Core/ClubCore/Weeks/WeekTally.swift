// SPDX-License-Identifier: Apache-2.0

/// Sums of a club's activities of a week, member by member.
///
/// Tallies with `merge` and `init()` are a commutative monoid: pages, shards and threads combine in any order and any
/// grouping to equal tallies. Equality and `entries` do not depend on the order of the members.
public struct WeekTally: Sendable {
  private var roster = Roster()
  private var tallies: [MemberTally] = []

  /// No activities.
  public init() {}

  /// The sums of some activities.
  public init(_ activities: some Sequence<Activity>, counting filter: SportFilter = .cycling) {
    for activity in activities where filter.admits(activity.sport) { add(activity) }
  }

  /// The sums of a roster's members, by their indices; missing sums are zero. Storage is shared with both arguments.
  public init(_ tallies: [MemberTally], of roster: Roster) {
    (self.roster, self.tallies) = (roster, Array(tallies.prefix(roster.count)))
    self.tallies += repeatElement(.zero, count: roster.count - self.tallies.count)
  }

  /// Counts an activity of any sport.
  ///
  /// - Complexity: O(1) on average.
  public mutating func add(_ activity: Activity) {
    tallies[index(of: activity.member)].add(activity)
  }

  /// Adds a member's sums; a tally without activities changes nothing.
  ///
  /// - Complexity: O(1) on average.
  public mutating func add(_ member: MemberIdentity, _ tally: MemberTally) {
    guard tally.activities > 0 else { return }
    tallies[index(of: member)].merge(tally)
  }

  /// Adds the activities of another tally.
  ///
  /// - Complexity: O(members of the other).
  public mutating func merge(_ other: WeekTally) {
    if tallies.isEmpty {
      // Storage is shared: no member is copied.
      self = other
      return
    }
    for (member, tally) in zip(other.roster.members, other.tallies) where tally.activities > 0 {
      tallies[index(of: member)].merge(tally)
    }
    roster.learnSpellings(of: other.roster)
  }

  /// The number of members with activities.
  ///
  /// - Complexity: O(members).
  public var memberCount: Int { tallies.count { $0.activities > 0 } }

  /// The sums of a member's activities; zero without activities.
  public subscript(member: MemberIdentity) -> MemberTally {
    roster.existingIndex(of: member).map { tallies[$0] } ?? .zero
  }

  /// All spellings of a member, in the order of their characters, independent of the order of adding and merging;
  /// `entries` has the one that is kept.
  public func spellings(of member: MemberIdentity) -> [String] { roster.spellings(of: member) }

  /// Every member with activities, in the order of `MemberIdentity.precedes`.
  ///
  /// - Complexity: O(n log n) for n members.
  public var entries: [MemberStats] {
    let members = roster.members
    var positions: [(name: NamePrefix, index: Int)] = []
    positions.reserveCapacity(members.count)
    for index in members.indices where tallies[index].activities > 0 {
      positions.append((NamePrefix(members[index].name), index))
    }
    positions.sort { left, right in
      left.name.precedes(right.name) ?? members[left.index].precedes(members[right.index])
    }
    return positions.map { MemberStats(member: members[$0.index], tally: tallies[$0.index]) }
  }

  /// The sums of each member with activities, in no particular order.
  var memberTallies: [MemberTally] { tallies.filter { $0.activities > 0 } }

  /// The sums of all activities; `longest` is the longest activity of all.
  ///
  /// - Complexity: O(members).
  public var total: MemberTally { tallies.reduce(into: .zero) { $0.merge($1) } }

  package mutating func reserveCapacity(_ count: Int) {
    roster.reserveCapacity(count)
    tallies.reserveCapacity(count)
  }

  private mutating func index(of member: MemberIdentity) -> Roster.Index {
    let index = roster.index(of: member)
    if index == tallies.count { tallies.append(.zero) }
    return index
  }
}

extension WeekTally: Equatable {
  /// Returns true if both have the same sums for every member.
  public static func == (left: WeekTally, right: WeekTally) -> Bool { left.entries == right.entries }
}
