// SPDX-License-Identifier: Apache-2.0

/// What a tally needs of an activity, in twenty bytes, for those who count them by the million: the member by the place
/// in a roster, and no sport, because only those that count are packed.
public struct PackedActivity: Hashable, Sendable {
  /// The member's place in a roster.
  public let member: UInt32
  /// Decimetres, at most `Length.mostDecimetres`.
  public let distance: UInt32
  /// Seconds in motion, at most `Activity.mostSeconds`.
  public let movingTime: UInt32
  /// Seconds from start to end, at most `Activity.mostSeconds`.
  public let elapsedTime: UInt32
  /// Decimetres of climbing, at most `Length.mostDecimetres`.
  public let elevation: UInt32

  /// An activity by its quantities.
  ///
  /// - Parameters:
  ///   - member: The member's place in a roster.
  ///   - distance: Decimetres.
  ///   - movingTime: Seconds in motion.
  ///   - elapsedTime: Seconds from start to end.
  ///   - elevation: Decimetres of climbing.
  public init(member: UInt32, distance: UInt32, movingTime: UInt32, elapsedTime: UInt32, elevation: UInt32) {
    (self.member, self.distance, self.movingTime) = (member, distance, movingTime)
    (self.elapsedTime, self.elevation) = (elapsedTime, elevation)
  }

  /// An activity of a member whose place is known; its sport does not matter any more.
  ///
  /// - Parameters:
  ///   - activity: The activity.
  ///   - member: The place of its member in a roster, below 2^32.
  public init(_ activity: Activity, of member: Roster.Index) {
    self.init(
      member: UInt32(member), distance: UInt32(activity.distance.decimetres), movingTime: UInt32(activity.movingTime),
      elapsedTime: UInt32(activity.elapsedTime), elevation: UInt32(activity.elevation.decimetres))
  }
}
