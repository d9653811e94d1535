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
  public mutating func add(distance: Int, movingTime: Int, elapsedTime: Int, elevation: Int) {
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
