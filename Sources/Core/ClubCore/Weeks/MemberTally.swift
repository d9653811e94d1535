// SPDX-License-Identifier: Apache-2.0

/// Sums of some activities of one member: integers only, so that every order of adding gives the same bits.
///
/// Lengths are decimetres, times seconds. Tallies with `merge` and `zero` are a commutative monoid.
public struct MemberTally: Hashable, Sendable {
  /// How many activities.
  public private(set) var activities = 0
  /// Decimetres together.
  public private(set) var distance = 0
  /// Seconds in motion together.
  public private(set) var movingTime = 0
  /// Seconds from start to end together.
  public private(set) var elapsedTime = 0
  /// Decimetres of climbing together.
  public private(set) var elevation = 0
  /// Decimetres of the longest activity.
  public private(set) var longest = 0
  /// The sum of the activities' own average speeds, each in whole millimetres per second.
  public private(set) var speeds = 0
  /// How many activities have a speed, that is a moving time.
  public private(set) var timed = 0

  /// No activities.
  public static let zero = MemberTally()

  /// No activities.
  public init() {}

  /// Counts an activity.
  public mutating func add(_ activity: Activity) {
    add(
      distance: activity.distance.decimetres, movingTime: activity.movingTime, elapsedTime: activity.elapsedTime,
      elevation: activity.elevation.decimetres)
  }

  /// Counts an activity by its quantities alone: decimetres, seconds in motion and from start to end, and decimetres of
  /// climbing.
  package mutating func add(distance: Int, movingTime: Int, elapsedTime: Int, elevation: Int) {
    // Wrapping: nothing wraps within 9 * 10^9 activities of the greatest length that an activity may have.
    activities &+= 1
    self.distance &+= distance
    self.movingTime &+= movingTime
    self.elapsedTime &+= elapsedTime
    self.elevation &+= elevation
    longest = max(longest, distance)
    guard movingTime > 0 else { return }
    speeds &+= distance &* 100 / movingTime
    timed &+= 1
  }

  /// Counts what another tally counted.
  public mutating func merge(_ other: MemberTally) {
    activities &+= other.activities
    distance &+= other.distance
    movingTime &+= other.movingTime
    elapsedTime &+= other.elapsedTime
    elevation &+= other.elevation
    longest = max(longest, other.longest)
    speeds &+= other.speeds
    timed &+= other.timed
  }
}

/// Sums of packed activities by the members' places in one roster: no name is looked at while they are counted.
///
/// Tallies of one roster with `merge` and the empty tally are a commutative monoid, so every thread can have its own.
public struct RosterTally: Hashable, Sendable {
  private(set) var tallies: [MemberTally]

  /// No activities of so many members.
  public init(members: Int) {
    tallies = Array(repeating: .zero, count: members)
  }

  /// The sums of the member at a place.
  public subscript(member: Roster.Index) -> MemberTally { tallies[member] }

  /// Counts activities in any order.
  public mutating func add(_ activities: ArraySlice<PackedActivity>) {
    for activity in activities {
      tallies[Int(activity.member)].add(
        distance: Int(activity.distance), movingTime: Int(activity.movingTime),
        elapsedTime: Int(activity.elapsedTime), elevation: Int(activity.elevation))
    }
  }

  /// Adds what another tally of the same roster has.
  public mutating func merge(_ other: RosterTally) {
    for member in tallies.indices { tallies[member].merge(other.tallies[member]) }
  }

  /// All members together.
  public var total: MemberTally { tallies.reduce(into: .zero) { $0.merge($1) } }
}

/// The part of an activity that a tally needs, in twenty bytes, for those who count them by the million: the member by
/// the place in a roster, and no sport, because only those that count are packed.
public struct PackedActivity: Hashable, Codable, Sendable {
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

  /// An activity of the member of an index: decimetres, seconds, seconds and decimetres.
  public init(member: UInt32, distance: UInt32, movingTime: UInt32, elapsedTime: UInt32, elevation: UInt32) {
    (self.member, self.distance, self.movingTime) = (member, distance, movingTime)
    (self.elapsedTime, self.elevation) = (elapsedTime, elevation)
  }
}
