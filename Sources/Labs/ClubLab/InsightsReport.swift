// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore
public import Reporting
public import Scenarios

public struct InsightsReport: Sendable {
  private let subject: Insights
  private let mode: InsightMode
  private let origin: [String]
  private let remarks: [String]
  /// The insights, most important first.
  private let insights: [Insight]

  /// `origin` names the sources of the weeks; `remarks` are notes for the reader, a sentence each.
  public init(_ subject: Insights, _ mode: InsightMode, origin: [String] = [], remarks: [String] = []) {
    (self.subject, self.mode, self.origin, self.remarks) = (subject, mode, origin, remarks)
    insights = subject.insights(mode)
  }

  private var name: String { subject.member.name.shown(subject.names) }

  public var document: Document {
    let perspective =
      switch mode {
      case .mine: ""
      case .top: ", against the top three"
      case .deep: ", in depth"
      }
    return Document(
      id: "club-insights", title: "\(name)'s week \(subject.week)\(perspective)",
      origin.map(ReportBlock.paragraph) + [.list(insights.map(\.sentence))] + remarks.map(ReportBlock.paragraph),
      data: data)
  }

  /// A row for each number of an insight, with the insight's sentence first.
  private var data: Table {
    Table(
      ["insight", "kind", "quantity", "value"],
      rows: insights.enumerated().flatMap { index, insight in
        ([("sentence", JSONValue.string(insight.sentence))] + numbers(of: insight.kind)).map { quantity, value in
          ["\(index + 1)", insight.kind.name, quantity, value.cell]
        }
      })
  }

  public var json: JSONValue {
    [
      "kind": "club-insights", "version": .string(Version.current), "member": .string(name),
      "week": .string(subject.week.description), "mode": .string(mode.rawValue),
      "weeksKnown": .array(subject.history.weeks.map { .string($0.week.description) }),
      "insights": .array(
        insights.map { insight in
          .object(
            [JSONMember("kind", .string(insight.kind.name)), JSONMember("sentence", .string(insight.sentence))]
              + numbers(of: insight.kind).map(JSONMember.init))
        }),
      "origin": .array(origin.map(JSONValue.string)), "remarks": .array(remarks.map(JSONValue.string)),
    ]
  }
}

extension InsightsReport {
  /// The numbers of an insight by name; lengths in kilometres unless the name states another unit.
  private func numbers(of kind: Insight.Kind) -> [(String, JSONValue)] {
    switch kind {
    case .onlyMember, .noPreviousWeek: []
    case .weekUnknown(let week): [("week", Self.json(week))]
    case .inactive(let last): [("lastActive", Self.json(last))]
    case .amount(let metric, let value, let share):
      Self.quantities(metric, [("value", value)])
        + [("share", share?.fraction.map { .rounded($0) } ?? .null)]
    case .longest(let decimetres): [("kilometres", .kilometres(decimetres))]
    case .rank(let metric, let rank, let among, let tied):
      [
        ("metric", .string(metric.rawValue)), ("rank", .integer(rank)), ("among", .integer(among)),
        ("tied", json(tied)),
      ]
    case .climbing(let this, let usual):
      [
        ("metresPerKilometre", .rounded(this.value)),
        ("usualMetresPerKilometre", .rounded(usual.value)),
      ]
    case .closing(let closing):
      [
        ("rank", .integer(closing.rank)), ("holders", json(closing.holders)),
        ("gapKilometres", .kilometres(closing.gap)), ("rides", .integer(closing.rides)),
        ("rideKilometres", .kilometres(closing.length)), ("habitKilometres", .kilometres(closing.habit)),
      ]
    case .nextRide(let length, let from, let to):
      [
        ("rideKilometres", .kilometres(length)), ("from", from.map(JSONValue.integer) ?? .null),
        ("to", .integer(to)),
      ]
    case .lead(let decimetres, let over): [("kilometres", .kilometres(decimetres)), ("over", json(over))]
    case .gap(let metric, let to, let rank, let mine, let theirs):
      Self.quantities(metric, [("mine", mine), ("theirs", theirs)])
        + [("to", .string(to.name.shown(subject.names))), ("rank", .integer(rank))]
    case .inTopThree(let rank): [("rank", .integer(rank))]
    case .noThird(let active): [("activeMembers", .integer(active))]
    case .strength(let metrics, let rank):
      [("metrics", .array(metrics.map { .string($0.rawValue) })), ("rank", .integer(rank))]
    case .gapToThird(let since, let then, let now):
      [
        ("since", Self.json(since)), ("thenKilometres", .kilometres(then)),
        ("nowKilometres", .kilometres(now)),
      ]
    case .weekOverWeek(let metric, let this, let last, let trend):
      Self.quantities(metric, [("this", this), ("last", last)])
        + [
          ("trend", .string(trend.direction.rawValue)),
          ("trendPercent", trend.tenthsOfPercent.map { .number(Double($0) / 10) } ?? .null),
        ]
    case .personalBest(let best):
      Self.quantities(best.record, [("value", best.value), ("before", best.before)])
        + [("week", Self.json(best.week)), ("weeksKnown", .integer(best.weeksKnown))]
    case .streak(let weeks, let isWhole): [("weeks", .integer(weeks)), ("isWhole", .bool(isWhole))]
    case .ranks(let ranks):
      [
        (
          "ranks",
          .array(ranks.map { ["week": Self.json($0.week), "rank": $0.rank.map(JSONValue.integer) ?? .null] })
        )
      ]
    case .againstUsual(let parts, let trend):
      [
        ("trend", .string(trend.direction.rawValue)), ("kilometres", .kilometres(parts.distance)),
        ("usualKilometres", .kilometres(parts.usual)),
        ("weeks", .integer(parts.weeks)), ("byRidesKilometres", .kilometres(parts.byRides)),
        ("byTimeKilometres", .kilometres(parts.byTime)), ("bySpeedKilometres", .kilometres(parts.bySpeed)),
      ]
    case .makingUp(let gap, let rides, let length):
      [
        ("gapKilometres", .kilometres(gap)), ("rides", .integer(rides)),
        ("rideKilometres", .kilometres(length)),
      ]
    case .constancy(let active, let known): [("active", .integer(active)), ("known", .integer(known))]
    }
  }

  private func json(_ members: [MemberIdentity]) -> JSONValue {
    .array(members.map { .string($0.name.shown(subject.names)) })
  }

  private static func json(_ week: Week?) -> JSONValue { week.map { .string($0.description) } ?? .null }

  private static func quantities(_ record: PersonalBest.Record, _ values: [(String, Ratio?)]) -> [(String, JSONValue)] {
    switch record {
    case .metric(let metric): quantities(metric, values)
    case .longest:
      [("metric", "longest"), ("unit", "km")] + values.map { ($0, $1.map { .number($0.value / 10_000) } ?? .null) }
    }
  }

  private static func quantities(_ metric: Metric, _ values: [(String, Ratio?)]) -> [(String, JSONValue)] {
    let (unit, factor, divisor) =
      switch metric {
      case .distance: ("km", 1.0, 10_000.0)
      case .rides: ("rides", 1, 1)
      case .speed: ("km/h", 36, 100)
      case .elevation: ("m", 1, 10)
      }
    return [("metric", .string(metric.rawValue)), ("unit", .string(unit))]
      + values.map { ($0, $1.map { .rounded($0.value * factor / divisor) } ?? .null) }
  }
}
