// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What the members of an invented club do.
package enum ClubSport: UInt8, CaseIterable, Hashable, Sendable {
  case ride, gravelRide, mountainBikeRide, eBikeRide, virtualRide
  case run, trailRun, walk, hike, swim, workout

  /// The sports that happen on a bicycle in the open, the usual one first.
  static let bikes: [ClubSport] = [.ride, .gravelRide, .mountainBikeRide, .eBikeRide]
  /// What cyclists do beside cycling, the usual first.
  static let others: [ClubSport] = [.run, .walk, .hike, .trailRun, .swim, .workout]

  /// The sport by the service's word.
  package var sport: Sport { Self.words[Int(rawValue)] }

  private static let words = [
    "Ride", "GravelRide", "MountainBikeRide", "EBikeRide", "VirtualRide", "Run", "TrailRun", "Walk", "Hike", "Swim",
    "Workout",
  ].map(Sport.init)

  /// Whether it counts as cycling.
  package var isCycling: Bool { rawValue <= Self.virtualRide.rawValue }

  /// What a sport's activities are like for a person without habits.
  package struct Profile: Hashable, Sendable {
    /// The median distance in metres; 0 for a sport that covers none.
    package let distance: Double
    /// The standard deviation of the distance's natural logarithm; of the time's, where there is no distance.
    package let distanceDeviation: Double
    /// The median speed in metres per second.
    package let speed: Double
    /// The standard deviation of the speed's natural logarithm.
    package let speedDeviation: Double
    /// The median climb in metres for every kilometre.
    package let climb: Double
    /// The standard deviation of the climb's natural logarithm, besides what follows from the distance.
    package let climbDeviation: Double
  }

  /// What its activities are like for a person without habits.
  package var profile: Profile { Self.profiles[Int(rawValue)] }

  /// The speed of a workout turns its median of 45 minutes into a distance that nobody covers.
  private static let profiles: [Profile] = [
    (32_000, 0.50, 6.9, 0.12, 8), (38_000, 0.45, 5.6, 0.13, 11), (22_000, 0.45, 4.2, 0.16, 20),
    (26_000, 0.45, 5.8, 0.12, 9), (27_000, 0.35, 8.2, 0.10, 9), (8_000, 0.42, 2.9, 0.10, 6),
    (10_000, 0.45, 2.4, 0.14, 22), (5_000, 0.45, 1.4, 0.10, 5), (11_000, 0.45, 1.1, 0.14, 40),
    (1_800, 0.35, 0.8, 0.10, 0), (0, 0.40, 1, 0, 0),
  ].map {
    Profile(distance: $0, distanceDeviation: $1, speed: $2, speedDeviation: $3, climb: $4, climbDeviation: 0.5)
  }

  /// The median time in seconds of a sport without distance.
  static let workoutTime = 2700.0
}
