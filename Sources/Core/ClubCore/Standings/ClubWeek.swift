// SPDX-License-Identifier: Apache-2.0

/// A club's week: its members, its totals, and what both are against the week before.
public struct ClubWeek: Sendable {
  /// The sums of this week's activities.
  public let tally: WeekTally
  /// Last week's; nil where nothing is known of last week, which is not the same as a week of rest.
  public let previous: WeekTally?
  /// Every member with activities this week, by name.
  public let members: [MemberStats]
  /// This week's totals.
  public let totals: ClubTotals
  /// Last week's totals; nil where nothing is known of it.
  public let previousTotals: ClubTotals?
  /// From which change on a quantity goes up or down.
  public let threshold: Trend.Threshold
  /// Which average speed is meant.
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

  /// Who had activities last week and has none this week, with last week's quantities, by name.
  public var gone: [MemberStats] { previous?.entries.filter { tally[$0.member] == .zero } ?? [] }

  /// How a member moved against last week; nil where nothing is known of last week.
  public func trend(of member: MemberIdentity, _ metric: Metric) -> Trend? {
    guard let previous else { return nil }
    return .of(
      this: tally[member].value(of: metric, speed: speed), last: previous[member].value(of: metric, speed: speed),
      threshold: threshold)
  }

  /// How the club moved against last week; nil where nothing is known of last week.
  public func trend(of metric: ClubMetric) -> Trend? {
    guard let previousTotals else { return nil }
    return .of(
      this: Ratio(totals.value(of: metric)), last: Ratio(previousTotals.value(of: metric)), threshold: threshold)
  }

  /// A member's share of the club's total; nil for speed, of which there is no total.
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
  /// The sums over all members; the longest is the longest of anybody.
  public let tally: MemberTally
  /// How many members have activities.
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

/// A member's part of what the whole club did.
public struct ClubShare: Hashable, Sendable {
  /// The member's part, from zero to the whole.
  public let part: Int
  /// The club's whole, in the same unit.
  public let whole: Int

  /// The part over the whole, the nearest double; nil where the club has nothing to share: a share of nothing is no
  /// number, neither zero nor one.
  public var fraction: Double? { ratio?.value }

  /// The share in whole tenths of a percent, halves up; nil where the club has nothing to share.
  public var tenthsOfPercent: Int? { ratio?.rounded(times: 1000) }

  private var ratio: Ratio? { Ratio(part, over: whole) }
}

/// A member with the sums of the member's activities of a week.
public struct MemberStats: Hashable, Sendable {
  /// Whose activities they are.
  public let member: MemberIdentity
  /// The exact sums.
  public let tally: MemberTally
}

extension MemberTally {
  /// The average speed in decimetres per second, exactly; nil without any moving time.
  public func averageSpeed(_ kind: SpeedKind = .total) -> Ratio? {
    switch kind {
    case .total: Ratio(distance, over: movingTime)
    // The speeds are millimetres per second.
    case .meanOfRides: Ratio(speeds, over: timed * 100)
    }
  }

  /// Decimetres, activities or decimetres per second, exactly; nil for the speed of somebody without any moving time.
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
  /// The distance of all activities together, in decimetres.
  case distance
  case rides
  /// The average speed, in decimetres per second; `SpeedKind` says which average.
  case speed
  /// The climbing of all activities together, in decimetres.
  case elevation
}

/// Which average of several activities' speeds is meant.
public enum SpeedKind: String, CaseIterable, Hashable, Sendable {
  /// The distance of all activities over the moving time of all: a long ride weighs more than a short one. An activity
  /// without a moving time still counts with its distance.
  case total
  /// The unweighted mean of the activities' own speeds, each in whole millimetres per second, rounded down. Activities
  /// without a moving time have none and are left out.
  case meanOfRides
}
