// SPDX-License-Identifier: Apache-2.0

/// The members of a week best first. A standing is made when it is asked for, so that the ranking of a large club takes
/// little memory.
public struct Ranking: Sendable {
  /// The club's week.
  public let week: ClubWeek
  /// What ranks.
  public let metric: Metric
  private let places: [(rank: Int?, index: Int)]

  init(_ week: ClubWeek, by metric: Metric) {
    (self.week, self.metric, places) = (week, metric, week.ranked(by: metric))
  }
}

extension Ranking: RandomAccessCollection {
  /// The place of the best, 0.
  public var startIndex: Int { 0 }
  /// How many members are ranked.
  public var endIndex: Int { places.count }

  /// The standing at a place.
  ///
  /// - Parameter position: The place from 0, below `endIndex`.
  public subscript(position: Int) -> Standing {
    let stats = week.members[places[position].index]
    return Standing(
      rank: places[position].rank, stats: stats, trend: week.trend(of: stats.member, metric),
      share: week.share(of: stats.tally, metric))
  }
}
