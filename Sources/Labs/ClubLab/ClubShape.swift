// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import CoreDates

/// A generated club: its size, its length, and how far its members' habits differ.
struct ClubShape: Hashable, Sendable {
  /// Where names come from.
  enum Names: Hashable, Sendable {
    /// Everybody draws one of so many first names, 1 to 10^6, the frequent ones more often, and an initial: names meet
    /// by the birthday effect.
    case list(firstNames: Int)
    /// Everybody has a name of their own, but this share of the members, 0 to 1, who bear the name of somebody else.
    case distinct(shared: Double)
  }

  let members: Int
  private(set) var weeks: Int
  private(set) var firstWeek: Week
  /// Activities of a member in a week, on average over members and the year.
  let activitiesPerWeek: Double
  /// How alike the members' own means are: the shape of the gamma distribution that they follow. With 0.8
  /// a tenth of the members does a third of everything; their squared coefficient of variation is 1 over it.
  let evenness: Double
  /// How regular a member is from week to week: the negative binomial's number of successes. The variance
  /// of a week's count of mean m is m + m^2 / regularity.
  let regularity: Double
  /// The share of a week's activities that the season adds in July and takes in January.
  let seasonality: Double
  /// The mean share of activities that are not cycling.
  let otherSports: Double
  /// The correlation of an activity's speed with its distance, both in logarithms, for one person and sport.
  let speedCorrelation: Double
  /// The correlation of how hilly an activity is with its distance, likewise.
  let climbCorrelation: Double
  /// The chance that an able member gets injured in a week.
  let injuries: Double
  /// How many weeks an injury takes on average.
  let injuryWeeks: Double
  /// The share of members who join after the first week.
  let newcomers: Double
  /// The share of members who leave before the last week.
  let leavers: Double
  /// The share of members who ride to work.
  let commuters: Double
  let names: Names
  /// Whether the feed tells members of one name apart.
  let hasTokens: Bool

  /// The Monday of the week is 2026-01-05.
  static let usualFirstWeek = Week(containingDay: CivilDate(year: 2026, month: 1, dayOfMonth: 5).day)

  init(
    members: Int = 40, weeks: Int = 12, firstWeek: Week = usualFirstWeek, activitiesPerWeek: Double = 2.5,
    evenness: Double = 0.8, regularity: Double = 2.5, seasonality: Double = 0.4, otherSports: Double = 0.2,
    speedCorrelation: Double = 0.3, climbCorrelation: Double = 0.4, injuries: Double = 0.01, injuryWeeks: Double = 3,
    newcomers: Double = 0.15, leavers: Double = 0.1, commuters: Double = 0.2,
    names: Names = .list(firstNames: 150), hasTokens: Bool = false
  ) throws(ClubLabError) {
    try require(members, "members", in: 1...10_000_000)
    try require(weeks, "weeks", in: 1...1040)
    try require(firstWeek.number, "first week", in: 0...10_000)
    try require(activitiesPerWeek, "activities per week", in: 0...1000)
    try require(evenness, "evenness", in: 0.05...1000)
    try require(regularity, "regularity", in: 0.05...1000)
    try require(seasonality, "seasonality", in: 0...0.9)
    try require(otherSports, "other sports", in: 0...0.5)
    try require(speedCorrelation, "speed correlation", in: -1...1)
    try require(climbCorrelation, "climb correlation", in: -1...1)
    try require(injuries, "injuries", in: 0...1)
    try require(injuryWeeks, "injury weeks", in: 1...52)
    try require(newcomers, "newcomers", in: 0...1)
    try require(leavers, "leavers", in: 0...1)
    try require(commuters, "commuters", in: 0...1)
    switch names {
    case .list(let firstNames): try require(firstNames, "first names", in: 1...1_000_000)
    case .distinct(let shared): try require(shared, "shared names", in: 0...1)
    }
    (self.members, self.weeks, self.firstWeek) = (members, weeks, firstWeek)
    (self.activitiesPerWeek, self.evenness, self.regularity) = (activitiesPerWeek, evenness, regularity)
    (self.seasonality, self.otherSports) = (seasonality, otherSports)
    (self.speedCorrelation, self.climbCorrelation) = (speedCorrelation, climbCorrelation)
    (self.injuries, self.injuryWeeks) = (injuries, injuryWeeks)
    (self.newcomers, self.leavers, self.commuters) = (newcomers, leavers, commuters)
    (self.names, self.hasTokens) = (names, hasTokens)
  }

  func week(_ index: Int) -> Week { firstWeek.advanced(by: index) }

  func extended(by before: Int, _ after: Int) -> ClubShape {
    var shape = self
    (shape.weeks, shape.firstWeek) = (before + weeks + after, firstWeek.advanced(by: -before))
    return shape
  }
}

/// A value that no club or service can have.
package enum ClubLabError: Error, Hashable, Sendable, CustomStringConvertible {
  case badShape(field: String, found: String, expected: String)

  package var description: String {
    switch self {
    case .badShape(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}

func require<Value: Comparable>(
  _ value: Value, _ field: String, in range: ClosedRange<Value>, _ unit: String = ""
) throws(ClubLabError) {
  guard !range.contains(value) else { return }
  let expected = "\(range.lowerBound) to \(range.upperBound)" + (unit.isEmpty ? "" : " \(unit)")
  throw .badShape(field: field, found: "\(value)", expected: expected)
}
