// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore
public import Reporting
public import Scenarios

/// The report of a club's week: its totals and the ranking of its members.
public struct WeekReport: Sendable {
  private let week: ClubWeek
  private let date: Week?
  private let metric: Metric
  private let names: NameStyle
  /// The requested number of members, best first; the totals are the whole club's.
  private let standings: Standings.SubSequence
  private let origin: [String]
  private let remarks: [String]
  private let signs: ClubSigns
  private let word: ActivityWord

  /// `origin` names the sources of the weeks; `remarks` are notes for the reader, a sentence each. `date` is the week
  /// where it is known.
  public init(
    _ week: ClubWeek, of date: Week? = nil, by metric: Metric = .distance, names: NameStyle = .short, top: Int = .max,
    word: ActivityWord = .ride, origin: [String] = [], remarks: [String] = [], signs: ClubSigns = .pictures
  ) {
    (self.week, self.metric, self.names, self.origin, self.signs) = (week, metric, names, origin, signs)
    (self.date, self.word) = (date, word)
    standings = week.standings(by: metric).prefix(top)
    let left = week.members.count - standings.count
    let gone = week.gone.map { $0.member.name.shown(names) }
    let suspicions = week.suspectedCollisions
    let odd = week.members.filter(Self.isImplausible).prefix(Self.maxListed).map { stats in
      "\(stats.member.name.shown(names)): \(ClubDisplay.distance(stats.tally.distance)) in "
        + "\(ClubDisplay.duration(stats.tally.distanceTime)) is not plausible; it counts as listed."
    }
    let oddities: String? =
      odd.isEmpty ? nil : odd.joined(separator: " ") + " A feed has distances in metres and times in seconds."
    self.remarks =
      remarks
      + [
        left > 0
          ? "\(left == 1 ? "1 more member is" : "\(NumberFormat.grouped(left)) more members are") left out; "
            + "the totals include them."
          : nil,
        oddities,
        gone.isEmpty ? nil : "Active last week, not this week: \(Self.listed(gone))",
      ].compactMap(\.self)
      + suspicions.prefix(Self.maxListed).map { $0.sentence(names: names) }
      + (suspicions.count > Self.maxListed
        ? [
          "\(NumberFormat.grouped(suspicions.count - Self.maxListed)) more names are suspect; "
            + "--format json lists all."
        ] : [])
  }

  private static let maxListed = 12

  /// Returns true if a week is above 100 km/h, or below 2 km/h over ten minutes or more: a feed with other units, or a
  /// mistake. Activities without a distance have no speed.
  private static func isImplausible(_ stats: MemberStats) -> Bool {
    let (metres, seconds) = (Double(stats.tally.distance) / 10, Double(stats.tally.distanceTime))
    return metres > 0 && seconds > 0 && (metres * 3.6 > 100 * seconds || (seconds >= 600 && metres * 3.6 < 2 * seconds))
  }

  private static func listed(_ names: [String]) -> String {
    names.count <= maxListed
      ? names.joined(separator: ", ")
      : names.prefix(maxListed).joined(separator: ", ")
        + " and \(NumberFormat.grouped(names.count - maxListed)) more"
  }

  public var document: Document {
    Document(
      id: "club-week",
      title: "The club's week\(date.map { " \($0)" } ?? ""), ranked by \(label(of: metric))",
      origin.map(ReportBlock.paragraph) + [.table(totals)] + (standings.isEmpty ? [] : [.table(members)])
        + remarks.map(ReportBlock.paragraph),
      data: data)
  }

  /// A metric in words: only cycling has rides.
  private func label(of metric: Metric) -> String { metric == .rides ? word.plural : metric.rawValue }

  private var totals: Table {
    let (last, trend) = week.previous == nil ? ([], []) : (["last week"], ["trend"])
    let times = [week.totals, week.previousTotals].map { $0.map { ClubDisplay.duration($0.tally.movingTime) } ?? "" }
    return Table(
      ["club"], numbers: ["this week"] + last, trend,
      rows: ClubMetric.allCases.map { metric in
        [
          metric == .activeMembers
            ? "active members" : metric == .elevation ? "climb" : metric == .rides ? word.plural : metric.rawValue,
          metric.shown(week.totals.value(of: metric)),
          week.previousTotals.map { metric.shown($0.value(of: metric)) } ?? "",
          week.trend(of: metric).map(signs.trend) ?? "",
        ]
      } + [["moving time"] + times])
  }

  private var members: Table {
    let trends = week.previous == nil ? [] : ["trend"]
    let shares = metric == .speed ? "of the fastest" : "share of \(metric == .elevation ? "climb" : label(of: metric))"
    let numbers = ["distance", word == .activity ? "count" : word.plural, "speed", "climb", "moving", "longest"]
    return Table(
      columns: ["rank", "member"] + numbers + trends + [shares], numbers: Set(["rank"] + numbers),
      rows: standings.map { standing in
        let stats = standing.stats
        return [
          standing.rank.map(String.init) ?? ClubDisplay.nothing, stats.member.name.shown(names),
          ClubDisplay.distance(stats.tally.distance), NumberFormat.grouped(stats.tally.activities),
          ClubDisplay.speed(stats.tally.averageSpeed(week.speed)) + (Self.isImplausible(stats) ? " ?" : ""),
          ClubDisplay.elevation(stats.tally.elevation),
          ClubDisplay.duration(stats.tally.movingTime), ClubDisplay.distance(stats.tally.longest),
        ] + (trends.isEmpty ? [] : [standing.trend.map(signs.trend) ?? ""]) + [bar(of: standing)]
      })
  }

  /// A member's share as a bar with its percentage; for speed, which is not shared, relative to the fastest member.
  private func bar(of standing: Standing) -> String {
    let best = standings.first?.stats.tally.averageSpeed(week.speed)?.value ?? 0
    let own = standing.stats.tally.averageSpeed(week.speed)?.value
    let fraction = metric == .speed ? own.flatMap { best > 0 ? $0 / best : nil } : standing.share?.fraction
    guard let fraction else { return ClubDisplay.nothing }
    let percentage =
      metric == .speed
      ? NumberFormat.percent(fraction, decimals: 1)
      : ClubDisplay.percentage(standing.share?.tenthsOfPercent)
    // The greatest share fills the column.
    let greatest = metric == .speed ? 1 : standings.first?.share?.fraction ?? 1
    let (width, bar) = (12, signs.bar(greatest > 0 ? fraction / greatest : 0, width: 12))
    let gap = width - TerminalText.columns(of: bar) + 1 + max(0, 6 - percentage.count)
    return bar + String(repeating: " ", count: gap) + percentage
  }

  /// A row for each member, with full numbers.
  public var data: Table {
    Table(
      standings.first.map(quantities)?.map { .init($0.key) } ?? [],
      rows: standings.map { quantities(of: $0).map(\.value.cell) })
  }

  /// The week as JSON; keys that other programs rely on come first.
  public var json: JSONValue {
    let total = week.totals.tally
    return [
      "kind": "club-week", "version": .string(Version.current),
      "week": date.map { .string($0.description) } ?? .null,
      "club": [
        "distanceKilometres": .kilometres(total.distance), "rides": .integer(total.activities),
        "movingSeconds": .integer(total.movingTime), "elevationMetres": .number(Double(total.elevation) / 10),
        "activeMembers": .integer(week.totals.activeMembers),
        "longestKilometres": .kilometres(total.longest),
        "trends": week.previous == nil
          ? .null : .object(ClubMetric.allCases.map { JSONMember($0.rawValue, Self.json(week.trend(of: $0))) }),
      ],
      "members": .array(standings.map(member)),
      "gone": .array(week.gone.map { .string($0.member.name.shown(names)) }),
      "suspectedCollisions": .array(
        week.suspectedCollisions.map {
          ["name": .string($0.member.name.shown(names)), "reason": .string($0.sentence(names: names))]
        }),
      "rankedBy": .string(metric.rawValue), "averageSpeed": .string(week.speed.rawValue),
      "trendThresholdPercent": .number(Double(week.threshold.tenthsOfPercent) / 10),
      "origin": .array(origin.map(JSONValue.string)), "remarks": .array(remarks.map(JSONValue.string)),
    ]
  }

  private func member(_ standing: Standing) -> JSONValue {
    let trends = Metric.allCases.map { metric in
      JSONMember(metric.rawValue, Self.json(week.trend(of: standing.stats.member, metric)))
    }
    return .object(quantities(of: standing) + [JSONMember("trends", week.previous == nil ? .null : .object(trends))])
  }

  private func quantities(of standing: Standing) -> [JSONMember] {
    let (tally, trend) = (standing.stats.tally, standing.trend)
    let speed = tally.averageSpeed(week.speed).map { JSONValue.rounded($0.value * 0.36) }
    return [
      JSONMember("rank", standing.rank.map(JSONValue.integer) ?? .null),
      JSONMember("name", .string(standing.stats.member.name.shown(names))),
      JSONMember("distanceKilometres", .kilometres(tally.distance)),
      JSONMember("rides", .integer(tally.activities)), JSONMember("movingSeconds", .integer(tally.movingTime)),
      JSONMember("elevationMetres", .number(Double(tally.elevation) / 10)),
      JSONMember("averageSpeedKilometresPerHour", speed ?? .null),
      JSONMember("longestKilometres", .kilometres(tally.longest)),
      JSONMember("share", standing.share?.fraction.map { .rounded($0) } ?? .null),
      JSONMember("trend", trend.map { .string($0.direction.rawValue) } ?? .null),
      JSONMember("trendPercent", trend.map(Self.percentage) ?? .null),
    ]
  }

  private static func json(_ trend: Trend?) -> JSONValue {
    guard let trend else { return .null }
    return ["direction": .string(trend.direction.rawValue), "percent": percentage(trend)]
  }

  private static func percentage(_ trend: Trend) -> JSONValue {
    trend.tenthsOfPercent.map { .number(Double($0) / 10) } ?? .null
  }
}

extension ClubMetric {
  fileprivate func shown(_ value: Int) -> String {
    switch self {
    case .distance: ClubDisplay.distance(value)
    case .rides, .activeMembers: NumberFormat.grouped(value)
    case .elevation: ClubDisplay.elevation(value)
    }
  }
}

extension JSONValue {
  /// A number rounded to six decimals, so that decimal quantities are printed as such.
  static func rounded(_ value: Double) -> JSONValue { .number((value * 1_000_000).rounded() / 1_000_000) }

  static func kilometres(_ decimetres: Int) -> JSONValue { .number(Double(decimetres) / 10_000) }

  /// The value in a table cell: texts unchanged, lists joined.
  var cell: String {
    switch self {
    case .string(let text): text
    case .array(let values): values.map(\.cell).joined(separator: "; ")
    case .object(let members): members.map(\.value.cell).joined(separator: " ")
    case .null: ""
    default: String(text.dropLast())
    }
  }
}

/// Bars and arrows, or plain letters where a terminal does not show them.
public enum ClubSigns: Hashable, Sendable {
  /// Symbols: `↑`, `█▌`.
  case pictures
  /// Letters: `up`, `###`.
  case letters

  /// Chooses pictures if the locale is encoded in UTF-8 and the terminal is not dumb. The locale is the first of
  /// `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty, as in POSIX.
  public init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let encoding = locale.lowercased().filter { $0 != "-" }
    self = encoding.contains("utf8") && environment["TERM"] != "dumb" ? .pictures : .letters
  }

  /// A bar for a share of `width` columns; any share above zero is visible.
  func bar(_ share: Double, width: Int) -> String {
    guard share > 0 else { return "" }
    let full = min(share, 1) * Double(width)
    switch self {
    case .letters: return String(repeating: "#", count: max(1, Int(full + 0.5)))
    case .pictures:
      let eighths = max(1, Int(full * 8 + 0.5))
      return String(repeating: "█", count: eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    }
  }

  /// The direction of a trend and, if known, its percentage.
  func trend(_ trend: Trend) -> String {
    let arrows: [Trend.Direction: String] = self == .pictures ? [.up: "↑", .down: "↓", .flat: "→"] : [:]
    let sign = arrows[trend.direction] ?? trend.direction.rawValue
    guard trend.direction != .gone, let tenths = trend.tenthsOfPercent else { return sign }
    return "\(sign) \(tenths < 0 ? "" : "+")\(ClubDisplay.percentage(tenths))"
  }
}
