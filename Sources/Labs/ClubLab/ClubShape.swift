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

  var members = 40
  var weeks = 12
  var firstWeek = usualFirstWeek
  /// Activities of a member in a week, on average over members and the year.
  var activitiesPerWeek = 2.5
  /// How alike the members' own means are: the shape of the gamma distribution that they follow. With 0.8
  /// a tenth of the members does a third of everything; their squared coefficient of variation is 1 over it.
  var evenness = 0.8
  /// How regular a member is from week to week: the negative binomial's number of successes. The variance
  /// of a week's count of mean m is m + m^2 / regularity.
  var regularity = 2.5
  /// The share of a week's activities that the season adds in July and takes in January.
  var seasonality = 0.4
  /// The mean share of activities that are not cycling.
  var otherSports = 0.2
  /// The correlation of an activity's speed with its distance, both in logarithms, for one person and sport.
  var speedCorrelation = 0.3
  /// The correlation of how hilly an activity is with its distance, likewise.
  var climbCorrelation = 0.4
  /// The chance that an able member gets injured in a week.
  var injuries = 0.01
  /// How many weeks an injury takes on average.
  var injuryWeeks = 3.0
  /// The share of members who join after the first week.
  var newcomers = 0.15
  /// The share of members who leave before the last week.
  var leavers = 0.1
  /// The share of members who ride to work.
  var commuters = 0.2
  var names = Names.list(firstNames: 150)
  /// Whether the feed tells members of one name apart.
  var hasTokens = false

  /// The Monday of the week is 2026-01-05.
  static let usualFirstWeek = Week(containingDay: CivilDate(year: 2026, month: 1, dayOfMonth: 5).day)

  func week(_ index: Int) -> Week { firstWeek.advanced(by: index) }

  func extended(by before: Int, _ after: Int) -> ClubShape {
    var shape = self
    (shape.weeks, shape.firstWeek) = (before + weeks + after, firstWeek.advanced(by: -before))
    return shape
  }
}
