// SPDX-License-Identifier: Apache-2.0

/// A member's rank in the club.
public struct Standing: Hashable, Sendable {
  /// The rank by standard competition ranking, "1, 2, 2, 4", from 1; `nil` for a member without a speed in a ranking by
  /// speed.
  public let rank: Int?
  /// The member's week.
  public let stats: MemberStats
  /// The member's trend against last week; `nil` if last week is unknown.
  public let trend: Trend?
  /// The member's share of the club's total; `nil` for speed, which has no total.
  public let share: ClubShare?
}

extension ClubWeek {
  /// Every member with activities this week, best first, members of one rank by name.
  ///
  /// Values are compared exactly, as integers and ratios of integers. In a ranking by speed, members without a speed
  /// come last, without a rank; a member without distance has the last rank by distance.
  ///
  /// - Complexity: O(n log n) for n members.
  public func standings(by metric: Metric) -> Standings { Standings(self, by: metric) }

  /// A member's rank from 1; `nil` without activities this week, and without a speed in a ranking by speed.
  ///
  /// - Complexity: O(members).
  public func rank(of member: MemberIdentity, by metric: Metric) -> Int? {
    let own = tally[member]
    guard own.activities > 0, let value = own.value(of: metric, speed: speed) else { return nil }
    return 1 + members.count { $0.tally.value(of: metric, speed: speed).map { $0 > value } ?? false }
  }
}

/// The members of a week, best first. A standing is created on access, so that the ranking of a large club takes little
/// memory.
public struct Standings: Sendable, RandomAccessCollection {
  private let week: ClubWeek
  private let metric: Metric
  private let places: [(rank: Int?, index: Int)]

  init(_ week: ClubWeek, by metric: Metric) {
    (self.week, self.metric) = (week, metric)
    let values = week.members.map { $0.tally.value(of: metric, speed: week.speed) }
    let order = values.indices.sorted { left, right in
      switch (values[left], values[right]) {
      case (let mine?, let others?): mine == others ? left < right : mine > others
      case (nil, nil): left < right
      case (let mine, _): mine != nil
      }
    }
    var (places, rank) = ([(rank: Int?, index: Int)](), 0)
    places.reserveCapacity(order.count)
    for (position, index) in order.enumerated() {
      if position == 0 || values[index] != values[order[position - 1]] { rank = position + 1 }
      places.append((values[index] == nil ? nil : rank, index))
    }
    self.places = places
  }

  /// The index of the best, 0.
  public var startIndex: Int { 0 }
  /// The number of ranked members.
  public var endIndex: Int { places.count }

  /// The standing at an index from 0 to below `endIndex`.
  public subscript(position: Int) -> Standing {
    let stats = week.members[places[position].index]
    return Standing(
      rank: places[position].rank, stats: stats, trend: week.trend(of: stats.member, metric),
      share: week.share(of: stats.tally, metric))
  }
}
