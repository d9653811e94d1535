// SPDX-License-Identifier: Apache-2.0

/// What an activity is known by from one fetch to the next: everything the feed says about it but its title, which
/// owners change, its number for races and workouts, which they change too, and its start, which most feeds lack.
///
/// Several activities may have one fingerprint: a commuter who types in the same ride every morning has many.
public struct ActivityFingerprint: Hashable, Sendable {
  let member: MemberIdentity
  let sport: Sport
  let distance: Length
  let movingTime: Int
  let elapsedTime: Int
  let elevation: Length
  // Made once: names are hashed far more slowly than numbers, and an entry is looked up at every observation.
  private let digest: Int

  /// The fingerprint of an activity.
  public init(_ activity: Activity) {
    (member, sport, distance) = (activity.member, activity.sport, activity.distance)
    (movingTime, elapsedTime, elevation) = (activity.movingTime, activity.elapsedTime, activity.elevation)
    var hasher = Hasher()
    hasher.combine(member)
    hasher.combine(distance)
    hasher.combine(movingTime)
    hasher.combine(elapsedTime)
    digest = hasher.finalize()
  }

  /// Whether both say the same.
  public static func == (left: ActivityFingerprint, right: ActivityFingerprint) -> Bool {
    left.digest == right.digest && left.distance == right.distance && left.movingTime == right.movingTime
      && left.elapsedTime == right.elapsedTime && left.elevation == right.elevation && left.sport == right.sport
      && left.member == right.member
  }

  /// Feeds what was made once.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
