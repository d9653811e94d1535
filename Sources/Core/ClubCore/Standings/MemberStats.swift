// SPDX-License-Identifier: Apache-2.0

/// A member's week in the quantities that people read.
public struct MemberStats: Hashable, Sendable {
  /// The member.
  public let member: MemberIdentity
  /// The exact sums behind the quantities.
  public let tally: MemberTally

  /// A member's week.
  public init(member: MemberIdentity, tally: MemberTally) {
    (self.member, self.tally) = (member, tally)
  }

  /// Kilometres together.
  public var distanceKilometres: Double { Double(tally.distance) / 10_000 }

  /// How many activities.
  public var rides: Int { tally.activities }

  /// Seconds in motion together.
  public var movingTime: Int { tally.movingTime }

  /// Metres of climbing together.
  public var elevationMetres: Double { Double(tally.elevation) / 10 }

  /// Kilometres of the longest activity.
  public var longestKilometres: Double { Double(tally.longest) / 10_000 }

  /// The average speed, exactly; nil without any moving time.
  public func averageSpeed(_ kind: SpeedKind = .total) -> Ratio? { tally.averageSpeed(kind) }

  /// The average speed in kilometres per hour, the nearest double; nil without any moving time.
  public func averageSpeedKilometresPerHour(_ kind: SpeedKind = .total) -> Double? {
    averageSpeed(kind).map { $0.value * 0.36 }
  }

  /// What members are compared by, exactly; nil for the speed of somebody without any moving time.
  ///
  /// - Parameters:
  ///   - metric: What is compared.
  ///   - kind: Which average speed is meant.
  /// - Returns: Decimetres, activities or decimetres per second.
  public func value(of metric: Metric, speed kind: SpeedKind = .total) -> Ratio? {
    tally.value(of: metric, speed: kind)
  }
}

extension MemberTally {
  /// The average speed in decimetres per second, exactly; nil without any moving time.
  public func averageSpeed(_ kind: SpeedKind = .total) -> Ratio? {
    switch kind {
    case .total: Ratio(distance, over: movingTime)
    // The speeds are millimetres per second.
    case .meanOfRides: Ratio(speeds, over: timed * 100)
    }
  }

  /// What members are compared by, exactly; nil for the speed of somebody without any moving time.
  ///
  /// - Parameters:
  ///   - metric: What is compared.
  ///   - kind: Which average speed is meant.
  /// - Returns: Decimetres, activities or decimetres per second.
  public func value(of metric: Metric, speed kind: SpeedKind = .total) -> Ratio? {
    switch metric {
    case .distance: Ratio(distance)
    case .rides: Ratio(activities)
    case .speed: averageSpeed(kind)
    case .elevation: Ratio(elevation)
    }
  }
}

/// What members are compared by.
public enum Metric: String, CaseIterable, Hashable, Sendable {
  /// The distance of all activities together, in decimetres.
  case distance
  /// How many activities.
  case rides
  /// The average speed, in decimetres per second; `SpeedKind` says which average.
  case speed
  /// The climbing of all activities together, in decimetres.
  case elevation
}

/// Which average of several activities' speeds is meant.
public enum SpeedKind: String, CaseIterable, Hashable, Sendable {
  /// The distance of all activities over the moving time of all: a long ride weighs more than a short one. An activity
  /// without a moving time still counts with its distance.
  case total
  /// The unweighted mean of the activities' own speeds, each in whole millimetres per second, rounded down. Activities
  /// without a moving time have none and stand aside.
  case meanOfRides
}
