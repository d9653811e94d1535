// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What really happened: an activity with its person and its moment.
package struct TrueActivity: Hashable, Sendable {
  /// The person, by `ClubMember.number`.
  package let person: UInt32
  /// The week, counted from the club's first week.
  package let week: UInt16
  /// What was done.
  package let sport: ClubSport
  /// Whether it was the way to work or back.
  package let isCommute: Bool
  /// Seconds since the week began, by UTC.
  package internal(set) var secondOfWeek: UInt32
  /// Decimetres.
  package let distance: UInt32
  /// Seconds in motion.
  package let movingTime: UInt32
  /// Seconds from start to end.
  package let elapsedTime: UInt32
  /// Decimetres of climbing.
  package let elevation: UInt32

  /// When it started.
  ///
  /// - Parameter shape: The club's, which knows its first week.
  /// - Returns: The moment, to the second.
  package func start(in shape: ClubShape) -> Moment {
    Moment(seconds: shape.week(Int(week)).monday * 86_400 + Int(secondOfWeek))
  }

  /// When it ended.
  ///
  /// - Parameter shape: The club's, which knows its first week.
  /// - Returns: The moment, to the second.
  package func end(in shape: ClubShape) -> Moment { start(in: shape).adding(seconds: Int(elapsedTime)) }

  /// The activity as the core knows it.
  ///
  /// - Parameters:
  ///   - member: The person who did it.
  ///   - shape: The club's.
  ///   - isDated: Whether the feed tells when it started.
  /// - Returns: The activity under the title that the service gives by itself: `Morning Ride`.
  package func activity(of member: ClubMember, in shape: ClubShape, isDated: Bool = false) -> Activity {
    Activity(
      member: member.identity(hasToken: shape.hasTokens), title: title, sport: sport.sport,
      distance: Length(decimetres: Int(distance)) ?? .zero, movingTime: Int(movingTime),
      elapsedTime: Int(elapsedTime), elevation: Length(decimetres: Int(elevation)) ?? .zero,
      start: isDated ? start(in: shape) : nil)
  }

  /// The title that the service gives by itself, for example `Morning Ride`.
  package var title: String {
    let part =
      switch secondOfWeek % 86_400 / 3600 {
      case 4..<11: "Morning"
      case 11..<14: "Lunch"
      case 14..<18: "Afternoon"
      case 18..<22: "Evening"
      default: "Night"
      }
    return "\(part) \(Self.nouns[Int(sport.rawValue)])"
  }

  private static let nouns = [
    "Ride", "Gravel Ride", "Mountain Bike Ride", "E-Bike Ride", "Virtual Ride", "Run", "Trail Run", "Walk", "Hike",
    "Swim", "Workout",
  ]
}
