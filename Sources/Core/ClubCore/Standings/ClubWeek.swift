// SPDX-License-Identifier: Apache-2.0

/// A club's week: its members, its totals, and the comparison with the week before.
public struct ClubWeek: Sendable {
  /// The sums of this week's activities.
  public let tally: WeekTally
  /// The sums of last week; `nil` if unknown, which differs from a week without activities.
  public let previous: WeekTally?
  /// Every member with activities this week, by name.
  public let members: [MemberStats]
  /// This week's totals.
  public let totals: ClubTotals
  /// Last week's totals; `nil` if unknown.
  public let previousTotals: ClubTotals?
  /// The least relative change that counts as up or down.
  public let threshold: Trend.Threshold
  /// The kind of average speed.
  public let speed: SpeedKind

  /// A club's week.
  ///
  /// - Complexity: O(n log n) for n members.
  public init(
    _ tally: WeekTally, previous: WeekTally? = nil, threshold: Trend.Threshold = .tenPercent, speed: SpeedKind = .total
  ) {
    (self.tally, self.previous, self.threshold, self.speed) = (tally, previous, threshold, speed)
    members = tally.entries
    totals = ClubTotals(tally)
    previousTotals = previous.map { ClubTotals($0) }
  }

  /// Members with activities last week and none this week, with last week's quantities, by name.
  public var gone: [MemberStats] { previous?.entries.filter { tally[$0.member] == .zero } ?? [] }

  /// The member's trend against last week; `nil` if last week is unknown.
  public func trend(of member: MemberIdentity, _ metric: Metric) -> Trend? {
    guard let previous else { return nil }
    return .of(
      this: tally[member].value(of: metric, speed: speed), last: previous[member].value(of: metric, speed: speed),
      threshold: threshold)
  }

  /// The club's trend against last week; `nil` if last week is unknown.
  public func trend(of metric: ClubMetric) -> Trend? {
    guard let previousTotals else { return nil }
    return .of(
      this: Ratio(totals.value(of: metric)), last: Ratio(previousTotals.value(of: metric)), threshold: threshold)
  }

  /// A member's share of the club's total; `nil` for speed, which has no total.
  public func share(of member: MemberIdentity, _ metric: Metric) -> ClubShare? {
    share(of: tally[member], metric)
  }

  func share(of tally: MemberTally, _ metric: Metric) -> ClubShare? {
    switch metric {
    case .distance: ClubShare(part: tally.distance, whole: totals.tally.distance)
    case .rides: ClubShare(part: tally.activities, whole: totals.tally.activities)
    case .elevation: ClubShare(part: tally.elevation, whole: totals.tally.elevation)
    case .speed: nil
    }
  }
}

/// A quantity of a whole club; lengths are decimetres.
public enum ClubMetric: String, CaseIterable, Hashable, Sendable {
  case distance
  case rides
  case activeMembers
  case elevation
}

/// The sums of a whole club's week.
public struct ClubTotals: Hashable, Sendable {
  /// The sums over all members; `longest` is the longest activity of all.
  public let tally: MemberTally
  /// The number of members with activities.
  public let activeMembers: Int

  init(_ tally: WeekTally) {
    (self.tally, activeMembers) = (tally.total, tally.memberCount)
  }

  /// One of the totals.
  public func value(of metric: ClubMetric) -> Int {
    switch metric {
    case .distance: tally.distance
    case .rides: tally.activities
    case .activeMembers: activeMembers
    case .elevation: tally.elevation
    }
  }
}

/// A member's part of the club's total.
public struct ClubShare: Hashable, Sendable {
  /// The member's part, from 0 to the whole.
  public let part: Int
  /// The club's whole, in the same unit.
  public let whole: Int

  /// The part over the whole, as the nearest double; `nil` if the whole is 0, because the share is then undefined.
  public var fraction: Double? { ratio?.value }

  /// The share in integer tenths of a percent, halves up; `nil` if the whole is 0.
  public var tenthsOfPercent: Int? { ratio?.rounded(times: 1000) }

  private var ratio: Ratio? { Ratio(part, over: whole) }
}

/// A member with the sums of the activities of a week.
public struct MemberStats: Hashable, Sendable {
  /// The member.
  public let member: MemberIdentity
  /// The exact sums.
  public let tally: MemberTally
}

extension MemberTally {
  /// The exact average speed in decimetres per second; `nil` without an activity that has a distance and a moving time.
  public func averageSpeed(_ kind: SpeedKind = .total) -> Ratio? {
    switch kind {
    case .total: Ratio(distance, over: distanceTime)
    // The speeds are millimetres per second.
    case .meanOfRides: Ratio(speeds, over: timed * 100)
    }
  }

  /// The exact value in decimetres, activities or decimetres per second; `nil` for the speed if there is none.
  public func value(of metric: Metric, speed kind: SpeedKind = .total) -> Ratio? {
    switch metric {
    case .distance: Ratio(distance)
    case .rides: Ratio(activities)
    case .speed: averageSpeed(kind)
    case .elevation: Ratio(elevation)
    }
  }
}

/// A quantity by which members are compared.
public enum Metric: String, CaseIterable, Hashable, Sendable {
  /// The total distance, in decimetres.
  case distance
  case rides
  /// The average speed, in decimetres per second; `SpeedKind` selects the average.
  case speed
  /// The total climb, in decimetres.
  case elevation
}

/// The kind of average over the speeds of several activities.
public enum SpeedKind: String, CaseIterable, Hashable, Sendable {
  /// The total distance over the moving time of the activities with a distance: a long ride weighs more than a short
  /// one. The distance of an activity without a moving time still counts.
  case total
  /// The unweighted mean of the activities' speeds, each in integer millimetres per second, rounded down. Activities
  /// without a distance or a moving time are left out.
  case meanOfRides
}
