// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Reporting

extension WeekReport {
  /// A line a member, numbers in full.
  var csv: String {
    // Line by line: a table of a large club would be many times the text.
    var text = CSV.line([
      "rank", "name", "distanceKilometres", "rides", "movingSeconds", "elevationMetres",
      "averageSpeedKilometresPerHour", "longestKilometres", "share", "trend", "trendPercent",
    ])
    text.reserveCapacity((standings.count + 2) * 96)
    for standing in standings {
      let stats = standing.stats
      text += CSV.line([
        standing.rank.map(String.init) ?? "", stats.member.name.shown(names),
        NumberFormat.shortest(stats.distanceKilometres), "\(stats.rides)", "\(stats.movingTime)",
        NumberFormat.shortest(stats.elevationMetres),
        Self.speed(stats, week.speed).map(NumberFormat.shortest) ?? "",
        NumberFormat.shortest(stats.longestKilometres),
        standing.share?.fraction.map { NumberFormat.shortest(JSONValue.rounded($0)) } ?? "",
        standing.trend?.direction.rawValue ?? "",
        standing.trend.flatMap(Self.percentage).map(NumberFormat.shortest) ?? "",
      ])
    }
    return text
  }

  /// The whole report; the keys that other programs rely on come first.
  var json: String {
    let total = week.totals.tally
    let frame: JSONValue = [
      "kind": "club-week", "version": .string(Version.current),
      "club": [
        "distanceKilometres": .number(Double(total.distance) / 10_000), "rides": .integer(total.activities),
        "movingSeconds": .integer(total.movingTime), "elevationMetres": .number(Double(total.elevation) / 10),
        "activeMembers": .integer(week.totals.activeMembers),
        "longestKilometres": .number(Double(total.longest) / 10_000),
        "trends": week.previous == nil
          ? .null : .object(ClubMetric.allCases.map { JSONMember($0.rawValue, Self.json(week.trend(of: $0))) }),
      ],
      "members": .array([]),
      "gone": .array(week.gone.map { .string($0.member.name.shown(names)) }),
      "suspectedCollisions": .array(
        week.suspectedCollisions.map {
          ["name": .string($0.member.name.shown(names)), "reason": .string($0.sentence(names: names))]
        }),
      "rankedBy": .string(metric.rawValue), "averageSpeed": .string(week.speed.rawValue),
      "trendThresholdPercent": .number(Double(week.threshold.tenthsOfPercent) / 10),
      "origin": .array(origin.map(JSONValue.string)), "remarks": .array(remarks.map(JSONValue.string)),
    ]
    return frame.text(filling: "members", with: standings.lazy.map(json))
  }

  private func json(_ standing: Standing) -> JSONValue {
    let stats = standing.stats
    let trends = Metric.allCases.map { metric in
      JSONMember(metric.rawValue, Self.json(week.trend(of: stats.member, metric)))
    }
    return [
      "name": .string(stats.member.name.shown(names)), "rank": standing.rank.map(JSONValue.integer) ?? .null,
      "distanceKilometres": .number(stats.distanceKilometres), "rides": .integer(stats.rides),
      "movingSeconds": .integer(stats.movingTime), "elevationMetres": .number(stats.elevationMetres),
      "averageSpeedKilometresPerHour": Self.speed(stats, week.speed).map(JSONValue.number) ?? .null,
      "trend": standing.trend.map { .string($0.direction.rawValue) } ?? .null,
      "trendPercent": standing.trend.flatMap(Self.percentage).map(JSONValue.number) ?? .null,
      "share": standing.share?.fraction.map { .number(JSONValue.rounded($0)) } ?? .null,
      "longestKilometres": .number(stats.longestKilometres),
      "trends": week.previous == nil ? .null : .object(trends),
    ]
  }

  private static func json(_ trend: Trend?) -> JSONValue {
    guard let trend else { return .null }
    return [
      "direction": .string(trend.direction.rawValue), "percent": percentage(trend).map(JSONValue.number) ?? .null,
    ]
  }

  /// A trend's percentage to a tenth.
  private static func percentage(_ trend: Trend) -> Double? { trend.tenthsOfPercent.map { Double($0) / 10 } }

  /// Kilometres per hour to six decimals: a decimal that a speed is by its nature is printed as that.
  private static func speed(_ stats: MemberStats, _ kind: SpeedKind) -> Double? {
    stats.averageSpeedKilometresPerHour(kind).map(JSONValue.rounded)
  }
}
