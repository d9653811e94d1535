// SPDX-License-Identifier: Apache-2.0

/// The weeks of a club that are known, the latest last. A week that is missing is unknown, which is not the same as a
/// week of rest.
public struct ClubHistory: Sendable {
  /// A week with what its activities come to.
  public struct Entry: Sendable {
    /// The week.
    public let week: Week
    /// What its activities come to.
    public let tally: WeekTally
  }

  /// The weeks, ascending, each once.
  public private(set) var weeks: [Entry] = []
  private var tallies: [Week: WeekTally] = [:]

  /// Weeks in any order; what comes for one week in several parts counts together.
  ///
  /// - Parameter weeks: Each week with what its activities come to.
  public init(_ weeks: some Sequence<(Week, WeekTally)>) {
    for (week, tally) in weeks { tallies[week, default: WeekTally()].merge(tally) }
    self.weeks = tallies.map { Entry(week: $0.key, tally: $0.value) }.sorted { $0.week < $1.week }
  }

  /// What a week's activities come to; nil for a week that is not known.
  public subscript(week: Week) -> WeekTally? { tallies[week] }
}
