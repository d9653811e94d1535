// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What an invented club is like: its size, its length, and how far its members' habits differ.
package struct ClubShape: Hashable, Sendable {
  /// Where names come from.
  package enum Names: Hashable, Sendable {
    /// Everybody draws one of so many first names, 1 to 10^6, the frequent ones more often, and an initial: names meet
    /// by the birthday effect.
    case list(firstNames: Int)
    /// Everybody has a name of their own, but this share of the members, 0 to 1, who bear the name of somebody else.
    case distinct(shared: Double)
  }

  /// How many persons there are, 1 to 10^7.
  package let members: Int
  /// How many weeks, 1 to 1040.
  package let weeks: Int
  /// The first week.
  package let firstWeek: Week
  /// Activities of a member in a week, on average over members and the year, 0 to 1000.
  package let activitiesPerWeek: Double
  /// How alike the members' own means are: the shape of the gamma distribution that they follow, 0.05 to 1000. With
  /// 0.8 a tenth of the members does a third of everything; their squared coefficient of variation is 1 over it.
  package let evenness: Double
  /// How regular a member is from week to week: the negative binomial's number of successes, 0.05 to 1000. The
  /// variance of a week's count of mean m is m + m^2 / regularity.
  package let regularity: Double
  /// The share of a week's activities that the season adds in July and takes in January, 0 to 0.9.
  package let seasonality: Double
  /// The mean share of activities that are not cycling, 0 to 0.5.
  package let otherSports: Double
  /// The correlation of an activity's speed with its distance, both in logarithms, for one person and sport, -1 to 1.
  package let speedCorrelation: Double
  /// The correlation of how hilly an activity is with its distance, likewise, -1 to 1.
  package let climbCorrelation: Double
  /// The chance that an able member gets injured in a week, 0 to 1.
  package let injuries: Double
  /// How many weeks an injury takes on average, 1 to 52.
  package let injuryWeeks: Double
  /// The share of members who join after the first week, 0 to 1.
  package let newcomers: Double
  /// The share of members who leave before the last week, 0 to 1.
  package let leavers: Double
  /// The share of members who ride to work, 0 to 1.
  package let commuters: Double
  /// Where names come from.
  package let names: Names
  /// Whether the feed tells members of one name apart.
  package let hasTokens: Bool

  /// The Monday of the week is 2026-01-05.
  package static let usualFirstWeek = Week(containingDay: CivilDate(year: 2026, month: 1, dayOfMonth: 5).day)

  /// A club of forty over twelve weeks unless something else is wanted. The properties say what each value means.
  ///
  /// - Throws: `badShape` naming the first value that is out of its range.
  package init(
    members: Int = 40, weeks: Int = 12, firstWeek: Week = usualFirstWeek, activitiesPerWeek: Double = 2.5,
    evenness: Double = 0.8, regularity: Double = 2.5, seasonality: Double = 0.4, otherSports: Double = 0.2,
    speedCorrelation: Double = 0.3, climbCorrelation: Double = 0.4, injuries: Double = 0.01, injuryWeeks: Double = 3,
    newcomers: Double = 0.15, leavers: Double = 0.1, commuters: Double = 0.2,
    names: Names = .list(firstNames: 150), hasTokens: Bool = false
  ) throws(ClubLabError) {
    try Self.require(members, "members", in: 1...10_000_000)
    try Self.require(weeks, "weeks", in: 1...1040)
    try Self.require(firstWeek.number, "first week", in: 0...10_000)
    try Self.require(activitiesPerWeek, "activities per week", in: 0...1000)
    try Self.require(evenness, "evenness", in: 0.05...1000)
    try Self.require(regularity, "regularity", in: 0.05...1000)
    try Self.require(seasonality, "seasonality", in: 0...0.9)
    try Self.require(otherSports, "other sports", in: 0...0.5)
    try Self.require(speedCorrelation, "speed correlation", in: -1...1)
    try Self.require(climbCorrelation, "climb correlation", in: -1...1)
    try Self.require(injuries, "injuries", in: 0...1)
    try Self.require(injuryWeeks, "injury weeks", in: 1...52)
    try Self.require(newcomers, "newcomers", in: 0...1)
    try Self.require(leavers, "leavers", in: 0...1)
    try Self.require(commuters, "commuters", in: 0...1)
    switch names {
    case .list(let firstNames): try Self.require(firstNames, "first names", in: 1...1_000_000)
    case .distinct(let shared): try Self.require(shared, "shared names", in: 0...1)
    }
    (self.members, self.weeks, self.firstWeek) = (members, weeks, firstWeek)
    (self.activitiesPerWeek, self.evenness, self.regularity) = (activitiesPerWeek, evenness, regularity)
    (self.seasonality, self.otherSports) = (seasonality, otherSports)
    (self.speedCorrelation, self.climbCorrelation) = (speedCorrelation, climbCorrelation)
    (self.injuries, self.injuryWeeks) = (injuries, injuryWeeks)
    (self.newcomers, self.leavers, self.commuters) = (newcomers, leavers, commuters)
    (self.names, self.hasTokens) = (names, hasTokens)
  }

  /// The week of an index.
  ///
  /// - Parameter index: From 0.
  /// - Returns: The week, so many after the first one.
  package func week(_ index: Int) -> Week { firstWeek.advanced(by: index) }

  private static func require<Value: Comparable>(
    _ value: Value, _ field: String, in range: ClosedRange<Value>
  ) throws(ClubLabError) {
    guard range.contains(value) else {
      throw .badShape(field: field, found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
    }
  }
}
