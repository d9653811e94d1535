// SPDX-License-Identifier: Apache-2.0

/// Sums of packed activities by the members' places in one roster: no name is looked at while they are counted.
///
/// Tallies of one roster with `merge` and the empty tally are a commutative monoid, so every thread can have its own.
package struct RosterTally: Hashable, Sendable {
  private(set) var tallies: [MemberTally]

  /// No activities of so many members.
  package init(members: Int) {
    tallies = Array(repeating: .zero, count: members)
  }

  package var count: Int { tallies.count }

  /// The sums of the member at a place below `count`.
  package subscript(member: Roster.Index) -> MemberTally { tallies[member] }

  package mutating func add(_ activities: [PackedActivity]) { add(activities[...]) }

  /// Counts activities in any order, whose members' places are below `count`.
  package mutating func add(_ activities: ArraySlice<PackedActivity>) {
    for activity in activities {
      tallies[Int(activity.member)].add(
        distance: Int(activity.distance), movingTime: Int(activity.movingTime),
        elapsedTime: Int(activity.elapsedTime), elevation: Int(activity.elevation))
    }
  }

  /// Counts what another tally of the same roster counted.
  package mutating func merge(_ other: RosterTally) {
    for member in tallies.indices { tallies[member].merge(other.tallies[member]) }
  }

  package var total: MemberTally { tallies.reduce(into: .zero) { $0.merge($1) } }
}

/// What a tally needs of an activity, in twenty bytes, for those who count them by the million: the member by the place
/// in a roster, and no sport, because only those that count are packed.
package struct PackedActivity: Hashable, Sendable {
  /// The member's place in a roster.
  package let member: UInt32
  /// Decimetres, at most `Length.mostDecimetres`.
  package let distance: UInt32
  /// Seconds in motion, at most `Activity.mostSeconds`.
  package let movingTime: UInt32
  /// Seconds from start to end, at most `Activity.mostSeconds`.
  package let elapsedTime: UInt32
  /// Decimetres of climbing, at most `Length.mostDecimetres`.
  package let elevation: UInt32

  package init(member: UInt32, distance: UInt32, movingTime: UInt32, elapsedTime: UInt32, elevation: UInt32) {
    (self.member, self.distance, self.movingTime) = (member, distance, movingTime)
    (self.elapsedTime, self.elevation) = (elapsedTime, elevation)
  }

  /// An activity of a member whose place in a roster is known, below 2^32; its sport does not matter any more.
  package init(_ activity: Activity, of member: Roster.Index) {
    self.init(
      member: UInt32(member), distance: UInt32(activity.distance.decimetres), movingTime: UInt32(activity.movingTime),
      elapsedTime: UInt32(activity.elapsedTime), elevation: UInt32(activity.elevation.decimetres))
  }
}
