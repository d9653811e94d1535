// SPDX-License-Identifier: Apache-2.0

/// The club's standings as a table that sorts by any column in either direction.
public struct StandingsTable: Sendable {
  /// What a table is sorted by.
  public enum Column: String, CaseIterable, Hashable, Sendable {
    /// The member's name.
    case name
    /// The distance together.
    case distance
    /// How many activities.
    case rides
    /// Seconds in motion together.
    case movingTime
    /// The average speed.
    case speed
    /// The climbing together.
    case elevation
    /// The longest activity.
    case longest
    /// The change against last week of the metric that ranks, in percent.
    case trend
  }

  /// Which end comes first.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// The least first; names from A.
    case ascending
    /// The greatest first.
    case descending

    /// The other direction.
    public var reversed: Direction { self == .ascending ? .descending : .ascending }
  }

  /// What ranks the members.
  public let metric: Metric
  /// The rows in their present order.
  public private(set) var rows: [Standing]
  /// Which average speed is meant.
  private let speed: SpeedKind

  /// A club's standings, best first.
  ///
  /// - Parameters:
  ///   - week: The club's week.
  ///   - metric: What ranks the members.
  public init(_ week: ClubWeek, by metric: Metric = .distance) {
    (self.metric, speed, rows) = (metric, week.speed, week.standings(by: metric))
  }

  /// Sorts the rows. Rows that do not differ in the column keep the order that they have, in either direction, so that
  /// sorting by one column and then by another sorts by both; who has nothing in the column comes last in both
  /// directions.
  ///
  /// - Parameters:
  ///   - column: What sorts.
  ///   - direction: Which end comes first.
  public mutating func sort(by column: Column, _ direction: Direction) {
    rows = sorted(by: column, direction)
  }

  /// The rows sorted as `sort(by:_:)` does.
  ///
  /// - Parameters:
  ///   - column: What sorts.
  ///   - direction: Which end comes first.
  /// - Returns: The rows in their new order.
  public func sorted(by column: Column, _ direction: Direction) -> [Standing] {
    let rows = rows
    func ordered<Key>(_ keys: [Key?], _ precedes: (Key, Key) -> Bool) -> [Standing] {
      rows.indices.sorted { left, right in
        switch (keys[left], keys[right]) {
        case (nil, nil): return left < right
        case (nil, _): return false
        case (_, nil): return true
        case (let mine?, let others?):
          let (before, behind) = direction == .ascending ? (mine, others) : (others, mine)
          // The place decides between equals, because the library promises no stable sort.
          return precedes(before, behind) || (!precedes(behind, before) && left < right)
        }
      }
      .map { rows[$0] }
    }
    switch column {
    case .name: return ordered(rows.map(\.stats.member)) { $0.precedes($1) }
    case .trend: return ordered(rows.map { $0.trend?.percentage }, <)
    case .distance: return ordered(rows.map(\.stats.tally.distance), <)
    case .rides: return ordered(rows.map(\.stats.tally.activities), <)
    case .movingTime: return ordered(rows.map(\.stats.tally.movingTime), <)
    case .speed: return ordered(rows.map { $0.stats.averageSpeed(speed) }, <)
    case .elevation: return ordered(rows.map(\.stats.tally.elevation), <)
    case .longest: return ordered(rows.map(\.stats.tally.longest), <)
    }
  }
}
