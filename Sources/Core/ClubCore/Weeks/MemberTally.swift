// SPDX-License-Identifier: Apache-2.0

/// Sums of some activities of one member: only integers, so that the result does not depend on the order.
///
/// Lengths are decimetres, times seconds. Tallies with `merge` and `zero` are a commutative monoid.
public struct MemberTally: Hashable, Sendable {
  /// The number of activities.
  public private(set) var activities = 0
  /// The total distance in decimetres.
  public private(set) var distance = 0
  /// The total time in motion, in seconds.
  public private(set) var movingTime = 0
  /// The total time from start to end, in seconds.
  public private(set) var elapsedTime = 0
  /// The total climb in decimetres.
  public private(set) var elevation = 0
  /// The distance of the longest activity, in decimetres.
  public private(set) var longest = 0
  /// The sum of the activities' average speeds, each in integer millimetres per second.
  public private(set) var speeds = 0
  /// The number of activities with a speed, that is with a distance and a moving time.
  public private(set) var timed = 0
  /// The time in motion of activities with a distance, in seconds: an hour of gymnastics makes nobody slower.
  public private(set) var distanceTime = 0

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

  /// Counts an activity by its quantities: decimetres, seconds in motion, seconds from start to end, and decimetres of
  /// climb.
  public mutating func add(distance: Int, movingTime: Int, elapsedTime: Int, elevation: Int) {
    // Wrapping addition: it does not overflow for 9 * 10^9 activities of the largest length.
    activities &+= 1
    self.distance &+= distance
    self.movingTime &+= movingTime
    self.elapsedTime &+= elapsedTime
    self.elevation &+= elevation
    longest = max(longest, distance)
    guard movingTime > 0, distance > 0 else { return }
    distanceTime &+= movingTime
    speeds &+= distance &* 100 / movingTime
    timed &+= 1
  }

  /// Adds the activities of another tally.
  public mutating func merge(_ other: MemberTally) {
    activities &+= other.activities
    distance &+= other.distance
    movingTime &+= other.movingTime
    elapsedTime &+= other.elapsedTime
    elevation &+= other.elevation
    longest = max(longest, other.longest)
    speeds &+= other.speeds
    timed &+= other.timed
    distanceTime &+= other.distanceTime
  }
}
