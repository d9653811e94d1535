// SPDX-License-Identifier: Apache-2.0

/// One activity of a club's feed. The feed gives neither an id nor, as a rule, a date.
public struct Activity: Hashable, Sendable {
  /// Who did it.
  public var member: MemberIdentity
  /// Its title, as its owner wrote it; owners rename.
  public var title: String
  /// What was done.
  public var sport: Sport
  /// How far.
  public var distance: Length
  /// Seconds in motion, 0 to `mostSeconds`.
  public var movingTime: Int
  /// Seconds from start to end, 0 to `mostSeconds`. May be far longer than the moving time: a watch that was not
  /// stopped for two days has been seen.
  public var elapsedTime: Int
  /// How far up.
  public var elevation: Length
  /// The service's number for a race, a workout, a long run; nil where it says none.
  public var workoutType: Int?
  /// When it started, where the feed says so.
  public var start: Moment?

  /// The longest time of one activity, in seconds: a little over three years.
  public static let mostSeconds = 100_000_000

  /// An activity.
  ///
  /// - Parameters:
  ///   - member: Who did it.
  ///   - title: Its title.
  ///   - sport: What was done.
  ///   - distance: How far.
  ///   - movingTime: Seconds in motion, 0 to `mostSeconds`.
  ///   - elapsedTime: Seconds from start to end, 0 to `mostSeconds`.
  ///   - elevation: How far up.
  ///   - workoutType: The service's number for races and workouts.
  ///   - start: When it started, where that is known.
  public init(
    member: MemberIdentity, title: String = "", sport: Sport = .ride, distance: Length, movingTime: Int,
    elapsedTime: Int, elevation: Length = .zero, workoutType: Int? = nil, start: Moment? = nil
  ) {
    (self.member, self.title, self.sport, self.distance) = (member, title, sport, distance)
    (self.movingTime, self.elapsedTime, self.elevation) = (movingTime, elapsedTime, elevation)
    (self.workoutType, self.start) = (workoutType, start)
  }

  /// The average speed in millimetres per second, rounded down; nil for an activity that took no time.
  public var speed: Int? { movingTime > 0 ? distance.decimetres * 100 / movingTime : nil }
}
