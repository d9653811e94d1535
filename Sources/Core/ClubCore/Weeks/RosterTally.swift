// SPDX-License-Identifier: Apache-2.0

/// What packed activities come to, by the members' places in one roster: no name is looked at while they are counted.
///
/// Tallies of one roster with `merge` and the empty tally are a commutative monoid, so every thread can have its own.
public struct RosterTally: Hashable, Sendable {
  private(set) var tallies: [MemberTally]

  /// No activities.
  ///
  /// - Parameter members: How many members the roster has.
  public init(members: Int) {
    tallies = Array(repeating: .zero, count: members)
  }

  /// How many members the roster has.
  public var count: Int { tallies.count }

  /// What a member's activities come to.
  ///
  /// - Parameter member: The place in the roster, below `count`.
  public subscript(member: Roster.Index) -> MemberTally { tallies[member] }

  /// Counts activities.
  ///
  /// - Parameter activities: In any order; their members' places are below `count`.
  public mutating func add(_ activities: [PackedActivity]) { add(activities[...]) }

  /// Counts activities.
  ///
  /// - Parameter activities: In any order; their members' places are below `count`.
  public mutating func add(_ activities: ArraySlice<PackedActivity>) {
    for activity in activities {
      tallies[Int(activity.member)].add(
        distance: Int(activity.distance), movingTime: Int(activity.movingTime),
        elapsedTime: Int(activity.elapsedTime), elevation: Int(activity.elevation))
    }
  }

  /// Counts what another tally of the same roster counted.
  ///
  /// - Parameter other: A tally of the same roster.
  /// - Complexity: O(members).
  public mutating func merge(_ other: RosterTally) {
    for member in tallies.indices { tallies[member].merge(other.tallies[member]) }
  }

  /// What all activities come to.
  ///
  /// - Complexity: O(members).
  public var total: MemberTally { tallies.reduce(into: .zero) { $0.merge($1) } }
}
