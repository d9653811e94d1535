// SPDX-License-Identifier: Apache-2.0

/// What made a week's distance differ from the usual one: the number of rides, their length in time, and their speed.
/// The parts add up to the difference exactly.
public struct WeekDecomposition: Hashable, Sendable {
  /// This week's distance, in decimetres.
  public let distance: Int
  /// The usual week's: the mean of the earlier weeks in which the member was active, in decimetres, rounded.
  public let usual: Int
  /// How many earlier weeks the usual one is the mean of.
  public let weeks: Int
  /// What the number of rides contributes, in decimetres.
  public let byRides: Int
  /// What the moving time of a ride contributes, in decimetres.
  public let byTime: Int
  /// What the speed contributes, in decimetres.
  public let bySpeed: Int
}
