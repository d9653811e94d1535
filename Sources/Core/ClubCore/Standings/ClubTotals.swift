// SPDX-License-Identifier: Apache-2.0

/// What a whole club is measured by.
public enum ClubMetric: String, CaseIterable, Hashable, Sendable {
  /// The distance of everybody together, in decimetres.
  case distance
  /// How many activities.
  case rides
  /// How many members have activities.
  case activeMembers
  /// The climbing of everybody together, in decimetres.
  case elevation
}

/// What a whole club's week comes to.
public struct ClubTotals: Hashable, Sendable {
  /// The sums over all members; the longest is the longest of anybody.
  public let tally: MemberTally
  /// How many members have activities.
  public let activeMembers: Int

  /// What a club's week comes to.
  ///
  /// - Complexity: O(members).
  public init(_ tally: WeekTally) {
    (self.tally, activeMembers) = (tally.total, tally.memberCount)
  }

  /// One of the totals.
  ///
  /// - Returns: Decimetres, activities or members.
  public func value(of metric: ClubMetric) -> Int {
    switch metric {
    case .distance: tally.distance
    case .rides: tally.activities
    case .activeMembers: activeMembers
    case .elevation: tally.elevation
    }
  }
}
