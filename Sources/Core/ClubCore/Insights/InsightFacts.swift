// SPDX-License-Identifier: Apache-2.0

/// A number or a name behind an insight, in the unit that its name says.
public struct InsightFact: Hashable, Sendable {
  /// What a fact is.
  public enum Value: Hashable, Sendable {
    /// A count or a rank.
    case whole(Int)
    /// A quantity.
    case number(Double)
    /// A word, such as a week or a direction.
    case text(String)
    /// Names or words in order.
    case list([String])
    /// Nothing there, such as the speed of somebody without a moving time.
    case none
  }

  /// What the fact is about, such as `gapKilometres`.
  public let name: String
  /// The fact.
  public let value: Value

  init(_ name: String, _ value: Value) {
    (self.name, self.value) = (name, value)
  }
}

extension Insight.Kind {
  /// What is said, in one word, such as `weekOverWeek`.
  public var name: String {
    switch self {
    case .weekUnknown: "weekUnknown"
    case .inactive: "inactive"
    case .amount: "amount"
    case .longest: "longest"
    case .onlyMember: "onlyMember"
    case .rank: "rank"
    case .noPreviousWeek: "noPreviousWeek"
    case .weekOverWeek: "weekOverWeek"
    case .personalBest: "personalBest"
    case .streak: "streak"
    case .closing: "closing"
    case .nextRide: "nextRide"
    case .lead: "lead"
    case .gap: "gap"
    case .inTopThree: "inTopThree"
    case .noThird: "noThird"
    case .strength: "strength"
    case .ranks: "ranks"
    case .gapToThird: "gapToThird"
    case .againstUsual: "againstUsual"
    case .makingUp: "makingUp"
    case .climbing: "climbing"
    case .constancy: "constancy"
    }
  }

  /// The numbers behind the sentence, in kilometres, metres of climbing, kilometres per hour and percent.
  public var facts: [InsightFact] {
    switch self {
    case .weekUnknown(let week): [.init("week", .text("\(week)"))]
    case .inactive(let last): [.init("lastActive", Self.value(last.map { .text("\($0)") }))]
    case .amount(let metric, let value, let share):
      [Self.fact(metric), Self.fact("value", metric, value)]
        + (share.map { [Self.fact(percent: "sharePercent", $0.fraction.map { $0 * 100 })] } ?? [])
    case .longest(let length): [Self.fact("longest", length)]
    case .onlyMember, .noPreviousWeek: []
    case .rank(let metric, let rank, let among, let tied):
      [
        Self.fact(metric), .init("rank", .whole(rank)), .init("among", .whole(among)), Self.fact("tiedWith", tied),
      ]
    case .weekOverWeek(let metric, let this, let last, let trend):
      [Self.fact(metric), Self.fact("this", metric, this), Self.fact("last", metric, last)] + Self.facts(trend)
    case .personalBest(let best): Self.facts(best)
    case .streak(let weeks, let isWhole):
      [.init("weeks", .whole(weeks)), .init("extent", .text(isWhole ? "whole" : "at least"))]
    case .closing, .nextRide, .lead, .gap, .inTopThree, .noThird, .strength, .ranks, .gapToThird: comparisonFacts
    case .againstUsual, .makingUp, .climbing, .constancy: usualFacts
    }
  }

  private var comparisonFacts: [InsightFact] {
    switch self {
    case .closing(let closing):
      [
        .init("rank", .whole(closing.rank)), Self.fact("holders", closing.holders), Self.fact("gap", closing.gap),
        .init("rides", .whole(closing.rides)), Self.fact("length", closing.length),
        Self.fact("habit", closing.habit),
      ]
    case .nextRide(let length, let from, let to):
      [Self.fact("length", length), .init("from", Self.value(from.map { .whole($0) })), .init("to", .whole(to))]
    case .lead(let gap, let others): [Self.fact("lead", gap), Self.fact("over", others)]
    case .gap(let metric, let leader, let rank, let mine, let theirs):
      [
        Self.fact(metric), Self.fact("to", [leader]), .init("rank", .whole(rank)),
        Self.fact("mine", metric, mine), Self.fact("theirs", metric, theirs),
        Self.fact(percent: "percent", Trend.of(this: mine, last: theirs).percentage),
      ]
    case .inTopThree(let rank): [.init("rank", .whole(rank))]
    case .noThird(let active): [.init("activeMembers", .whole(active))]
    case .strength(let metrics, let rank):
      [.init("metrics", .list(metrics.map(\.rawValue))), .init("rank", .whole(rank))]
    case .ranks(let ranks):
      ranks.map { .init("\($0.week)", Self.value($0.rank.map { .whole($0) })) }
    case .gapToThird(let since, let then, let now):
      [.init("since", .text("\(since)")), Self.fact("then", then), Self.fact("now", now)]
    default: []
    }
  }

  private var usualFacts: [InsightFact] {
    switch self {
    case .againstUsual(let parts, let trend):
      [
        Self.fact("distance", parts.distance), Self.fact("usual", parts.usual), .init("weeks", .whole(parts.weeks)),
        Self.fact("byRides", parts.byRides), Self.fact("byTime", parts.byTime), Self.fact("bySpeed", parts.bySpeed),
      ] + Self.facts(trend)
    case .makingUp(let gap, let rides, let length):
      [Self.fact("gap", gap), .init("rides", .whole(rides)), Self.fact("length", length)]
    case .climbing(let this, let usual):
      [
        .init("thisMetresPerKilometre", .number(this.value * 1000)),
        .init("usualMetresPerKilometre", .number(usual.value * 1000)),
      ]
    case .constancy(let active, let known): [.init("active", .whole(active)), .init("known", .whole(known))]
    default: []
    }
  }

  private static func facts(_ trend: Trend) -> [InsightFact] {
    [.init("direction", .text(trend.direction.rawValue)), fact(percent: "percent", trend.percentage)]
  }

  private static func facts(_ best: PersonalBest) -> [InsightFact] {
    let (name, metric): (String, Metric) =
      switch best.record {
      case .metric(let metric): (metric.rawValue, metric)
      case .longest: ("longest", .distance)
      }
    return [
      .init("record", .text(name)), fact("value", metric, best.value), fact("before", metric, best.before),
      .init("week", .text("\(best.week)")), .init("weeksKnown", .whole(best.weeksKnown)),
    ]
  }

  private static func value(_ value: InsightFact.Value?) -> InsightFact.Value { value ?? .none }

  private static func fact(_ metric: Metric) -> InsightFact { .init("metric", .text(metric.rawValue)) }

  private static func fact(percent name: String, _ value: Double?) -> InsightFact {
    .init(name, Self.value(value.map { .number($0) }))
  }

  private static func fact(_ name: String, _ decimetres: Int) -> InsightFact {
    .init("\(name)Kilometres", .number(Double(decimetres) / 10_000))
  }

  private static func fact(_ name: String, _ members: [MemberIdentity]) -> InsightFact {
    .init(name, .list(members.map(MemberLookup.label)))
  }

  private static func fact(_ name: String, _ metric: Metric, _ value: Ratio?) -> InsightFact {
    switch metric {
    case .distance: .init("\(name)Kilometres", Self.value(value.map { .number($0.value / 10_000) }))
    case .rides: .init(name, Self.value(value.map { .whole($0.rounded()) }))
    case .speed: .init("\(name)KilometresPerHour", Self.value(value.map { .number($0.value * 0.36) }))
    case .elevation: .init("\(name)Metres", Self.value(value.map { .number($0.value / 10) }))
    }
  }
}
