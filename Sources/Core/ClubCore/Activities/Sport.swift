// SPDX-License-Identifier: Apache-2.0

/// What somebody did, by the service's own word: `Ride`, `GravelRide`, `TrailRun`. Words that came after this was
/// written are kept as they are.
public struct Sport: Hashable, Sendable {
  /// The service's word.
  public let name: String

  /// The sport of the service's word, such as `Ride`.
  public init(_ name: String) {
    self.name = name
  }

  /// An ordinary ride.
  public static let ride = Sport("Ride")
  /// An ordinary run.
  public static let run = Sport("Run")

  /// Everything that counts as cycling: rides on roads, trails and rollers, with a motor's help or by hand.
  public static let cycling: [Sport] = [
    "Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide", "VirtualRide", "Handcycle",
    "Velomobile",
  ].map(Sport.init)

  /// Everything that counts as running, whose speed people read in minutes per kilometre.
  public static let running: [Sport] = ["Run", "TrailRun", "VirtualRun"].map(Sport.init)

  /// Whether it counts as cycling.
  public var isCycling: Bool { Self.cycling.contains(self) }
}

extension Sport: CustomStringConvertible {
  /// The service's word.
  public var description: String { name }
}

/// Which activities count.
public enum SportFilter: Hashable, Sendable {
  /// Those of `Sport.cycling`.
  case cycling
  /// Every activity.
  case all
  /// Those of some sports.
  case only(Set<Sport>)

  /// Whether activities of a sport count.
  public func admits(_ sport: Sport) -> Bool {
    switch self {
    case .cycling: sport.isCycling
    case .all: true
    case .only(let sports): sports.contains(sport)
    }
  }
}
