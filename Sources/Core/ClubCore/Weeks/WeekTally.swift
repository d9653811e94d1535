// SPDX-License-Identifier: Apache-2.0

/// Sums of a club's activities of a week, member by member.
///
/// Tallies with `merge` and `init()` are a commutative monoid: pages, shards and threads combine in any order and any
/// tree, and give equal tallies. Equality and `entries` do not know the order in which members were met.
public struct WeekTally: Sendable {
  private var roster = Roster()
  private var tallies: [MemberTally] = []

  /// No activities.
  public init() {}

  /// The sums of some activities.
  public init(_ activities: some Sequence<Activity>, counting filter: SportFilter = .cycling) {
    for activity in activities where filter.admits(activity.sport) { add(activity) }
  }

  /// The sums of a roster's members, by their places; members without sums have none. The memory of both is shared.
  public init(_ tallies: [MemberTally], of roster: Roster) {
    (self.roster, self.tallies) = (roster, Array(tallies.prefix(roster.count)))
    self.tallies += repeatElement(.zero, count: roster.count - self.tallies.count)
  }

  /// Counts an activity, whatever its sport.
  ///
  /// - Complexity: O(1) on average.
  public mutating func add(_ activity: Activity) {
    tallies[index(of: activity.member)].add(activity)
  }

  /// Counts some activities of a member by their sums; a tally without activities leaves everything as it is.
  ///
  /// - Complexity: O(1) on average.
  public mutating func add(_ member: MemberIdentity, _ tally: MemberTally) {
    guard tally.activities > 0 else { return }
    tallies[index(of: member)].merge(tally)
  }

  /// Counts what another tally counted.
  ///
  /// - Complexity: O(members of the other).
  public mutating func merge(_ other: WeekTally) {
    if tallies.isEmpty {
      // Shared memory: nobody is copied.
      self = other
      return
    }
    for (member, tally) in zip(other.roster.members, other.tallies) where tally.activities > 0 {
      tallies[index(of: member)].merge(tally)
    }
    roster.learnSpellings(of: other.roster)
  }

  /// How many members have activities.
  ///
  /// - Complexity: O(members).
  public var memberCount: Int { tallies.count { $0.activities > 0 } }

  /// The sums of a member's activities; zero for somebody without.
  public subscript(member: MemberIdentity) -> MemberTally {
    roster.existingIndex(of: member).map { tallies[$0] } ?? .zero
  }

  /// Every spelling under which a member's activities came, in the order of their characters; `entries` has the one
  /// that is kept. The order of adding and merging does not change it.
  public func spellings(of member: MemberIdentity) -> [String] { roster.spellings(of: member) }

  /// Every member with activities, in the order of `MemberIdentity.precedes`.
  ///
  /// - Complexity: O(n log n) for n members.
  public var entries: [MemberStats] {
    let members = roster.members
    var places: [(name: NamePrefix, index: Int)] = []
    places.reserveCapacity(members.count)
    for index in members.indices where tallies[index].activities > 0 {
      places.append((NamePrefix(members[index].name), index))
    }
    places.sort { left, right in
      left.name.precedes(right.name) ?? members[left.index].precedes(members[right.index])
    }
    return places.map { MemberStats(member: members[$0.index], tally: tallies[$0.index]) }
  }

  /// The sums of each member with activities, in no particular order.
  var memberTallies: [MemberTally] { tallies.filter { $0.activities > 0 } }

  /// The sums of all activities: the longest is the longest of anybody.
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
  /// Whether both have the same sums for every member.
  public static func == (left: WeekTally, right: WeekTally) -> Bool { left.entries == right.entries }
}
