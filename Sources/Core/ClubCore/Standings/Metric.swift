// SPDX-License-Identifier: Apache-2.0

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
