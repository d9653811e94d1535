// SPDX-License-Identifier: Apache-2.0

/// What is worth saying about one member's week.
public struct Insights: Sendable {
  /// The weeks known.
  public let history: ClubHistory
  /// The week that is looked at; later ones are as if they were not known.
  public let week: Week
  /// Whose week it is.
  public let member: MemberIdentity
  /// Which average speed is meant.
  public let speed: SpeedKind
  /// From which change on a quantity goes up or down.
  public let threshold: Trend.Threshold
  /// How names are shown.
  public let names: NameStyle
  /// The club's week; nil for a week that is not known.
  let club: ClubWeek?

  /// Looks at a member's week.
  ///
  /// - Parameters:
  ///   - history: The weeks known.
  ///   - week: The week that is looked at; later ones are as if they were not known.
  ///   - member: Whose week it is.
  ///   - speed: Which average speed is meant.
  ///   - threshold: From which change on a quantity goes up or down.
  ///   - names: How names are shown.
  public init(
    history: ClubHistory, week: Week, member: MemberIdentity, speed: SpeedKind = .total,
    threshold: Trend.Threshold = .tenPercent, names: NameStyle = .short
  ) {
    (self.history, self.week, self.member) = (history, week, member)
    (self.speed, self.threshold, self.names) = (speed, threshold, names)
    club = history[week].map {
      ClubWeek($0, previous: history[week.previous], threshold: threshold, speed: speed)
    }
  }

  /// What is worth saying, the most important first.
  ///
  /// - Parameter mode: From whose side.
  /// - Returns: At least one insight.
  public func insights(_ mode: InsightMode) -> [Insight] {
    guard let club else {
      return [Insight(.weekUnknown(week), "Nothing is known of the week \(week).")]
    }
    return amounts(club)
  }

  private func amounts(_ club: ClubWeek) -> [Insight] {
    let stats = club[member]
    guard stats.rides > 0 else { return [Insight(.inactive(lastActive: nil), "No rides this week.")] }
    return Metric.allCases.compactMap { metric in
      stats.value(of: metric, speed: speed).map { value in
        Insight(
          .amount(metric, value: value, share: club.share(of: member, metric)), "\(metric.shown(value)).")
      }
    }
  }
}
