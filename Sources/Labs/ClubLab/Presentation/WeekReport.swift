// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
package import Reporting

/// A club's week, ready to be written as text, Markdown, CSV or JSON.
package struct WeekReport: Sendable {
  /// The week.
  package let week: ClubWeek
  /// What ranks the members.
  package let metric: Metric
  /// How much of a member's name is shown.
  package let names: NameStyle
  /// The members, best first; those who were asked for.
  package let standings: Ranking.SubSequence
  /// What the week was read from, a sentence each.
  package let origin: [String]
  private let given: [String]

  /// The report of a week.
  ///
  /// - Parameters:
  ///   - week: The week.
  ///   - metric: What ranks the members.
  ///   - names: How much of a member's name is shown.
  ///   - top: How many members are listed, the best first; all where nothing is said. The totals are the whole club's.
  ///   - origin: What the week was read from, a sentence each.
  ///   - remarks: What a reader should know before believing the numbers, a sentence each.
  package init(
    _ week: ClubWeek, by metric: Metric = .distance, names: NameStyle = .short, top: Int = .max,
    origin: [String] = [], remarks: [String] = []
  ) {
    (self.week, self.metric, self.names, self.origin) = (week, metric, names, origin)
    (standings, given) = (week.ranking(by: metric).prefix(top), remarks)
  }

  /// What a reader should know before believing the numbers, a sentence each.
  package var remarks: [String] { given + ownRemarks }

  /// The report in a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: Colours, for text.
  ///   - signs: Bars, arrows and medals, for text; Markdown always has pictures.
  /// - Returns: The report; nil for a picture, which there is none of.
  package func rendered(
    as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false), signs: ClubSigns = .pictures
  ) -> String? {
    switch format {
    case .text: text(style, signs)
    case .markdown: markdown
    case .csv: csv
    case .json: json
    case .svg, .png, .junit: nil
    }
  }

  /// What the numbers themselves give reason to remark.
  private var ownRemarks: [String] {
    let left = week.members.count - standings.count
    let gone = week.gone.map { $0.member.name.shown(names) }
    return [
      left > 0
        ? "\(left == 1 ? "1 more member is" : "\(NumberFormat.grouped(left)) more members are") left out; "
          + "the totals are everybody's."
        : nil,
      gone.isEmpty ? nil : "Active last week, not this week: \(Self.listed(gone))",
    ].compactMap(\.self) + listed(week.suspectedCollisions)
  }

  /// The first suspicions; the JSON has all of them.
  private func listed(_ suspicions: [SuspectedCollision], most: Int = 12) -> [String] {
    let left = suspicions.count - most
    return suspicions.prefix(most).map { $0.sentence(names: names) }
      + (left > 0 ? ["\(NumberFormat.grouped(left)) more names are suspect; --format json lists all."] : [])
  }

  /// A list of names that stays a line.
  static func listed(_ names: [String], most: Int = 12) -> String {
    names.count <= most
      ? names.joined(separator: ", ")
      : names.prefix(most).joined(separator: ", ") + " and \(NumberFormat.grouped(names.count - most)) more"
  }
}

extension WeekReport {
  private var heading: String { "The club's week, ranked by \(metric.rawValue)" }

  private func text(_ style: TerminalStyle, _ signs: ClubSigns) -> String {
    let remarks = remarks
    let notes = remarks.isEmpty ? "" : "\n" + remarks.map { "\($0)\n" }.joined()
    return style.bold(heading) + "\n" + origin.map { "\($0)\n" }.joined() + "\n" + totals(style, signs).text
      + (standings.isEmpty ? "" : "\n" + members(style, signs).text) + notes
  }

  private var markdown: String {
    let (style, remarks) = (TerminalStyle(isColoured: false), remarks)
    let notes = remarks.isEmpty ? "" : "\n" + remarks.map { "- \(MarkdownText.plain($0))\n" }.joined()
    return "# \(heading)\n\n" + origin.map { "\(MarkdownText.plain($0))\n" }.joined() + "\n## The club\n\n"
      + totals(style, .pictures).markdown
      + (standings.isEmpty ? "" : "\n## The members\n\n" + members(style, .pictures, isMarkdown: true).markdown) + notes
  }

  /// What the club did together.
  private func totals(_ style: TerminalStyle, _ signs: ClubSigns) -> Table {
    var columns = [Table.Column("club"), Table.Column("this week", .right)]
    if week.previous != nil { columns += [Table.Column("last week", .right), Table.Column("trend")] }
    var table = Table(columns)
    for metric in ClubMetric.allCases {
      table.add([
        metric.title, metric.shown(week.totals.value(of: metric)),
        week.previousTotals.map { metric.shown($0.value(of: metric)) } ?? "",
        week.trend(of: metric).map { coloured($0, style, signs) } ?? "",
      ])
    }
    let times = [week.totals, week.previousTotals].map { $0.map { ClubDisplay.duration($0.tally.movingTime) } ?? "" }
    table.add(["moving time"] + times)
    return table
  }

  /// The ranking.
  private func members(_ style: TerminalStyle, _ signs: ClubSigns, isMarkdown: Bool = false) -> Table {
    let hasTrends = week.previous != nil
    var table = Table(
      [
        Table.Column("rank", .right), Table.Column("member"), Table.Column("distance", .right),
        Table.Column("rides", .right), Table.Column("speed", .right), Table.Column("climb", .right),
        Table.Column("moving", .right), Table.Column("longest", .right),
      ] + (hasTrends ? [Table.Column("trend")] : [])
        + [Table.Column(metric == .speed ? "of the fastest" : "share of \(metric.title)")])
    for standing in standings {
      let stats = standing.stats
      let name = stats.member.name.shown(names)
      let shownName = isMarkdown ? MarkdownText.plain(name) : name
      table.add(
        [
          standing.rank.map(signs.rank) ?? ClubDisplay.nothing,
          (standing.rank ?? .max) <= 3 ? style.bold(shownName) : shownName,
          ClubDisplay.distance(stats.tally.distance), NumberFormat.grouped(stats.rides),
          ClubDisplay.speed(stats.averageSpeed(week.speed)), ClubDisplay.elevation(stats.tally.elevation),
          ClubDisplay.duration(stats.movingTime), ClubDisplay.distance(stats.tally.longest),
        ] + (hasTrends ? [standing.trend.map { coloured($0, style, signs) } ?? ""] : [])
          + [bar(of: standing, style, signs)])
    }
    return table
  }

  /// A member's share as a bar with its percentage; for speed, which is not shared, the part of the fastest one's.
  private func bar(of standing: Standing, _ style: TerminalStyle, _ signs: ClubSigns) -> String {
    let best = standings.first?.stats.averageSpeed(week.speed)?.value ?? 0
    let own = standing.stats.averageSpeed(week.speed)?.value
    let fraction = metric == .speed ? own.flatMap { best > 0 ? $0 / best : nil } : standing.share?.fraction
    guard let fraction else { return ClubDisplay.nothing }
    let percentage =
      metric == .speed
      ? NumberFormat.share(fraction * 100, decimals: 1, of: 100) + "%"
      : ClubDisplay.percentage(standing.share?.tenthsOfPercent)
    // Bars of a club's shares are compared with the greatest of them, which fills the column.
    let greatest = metric == .speed ? 1 : standings.first?.share?.fraction ?? 1
    let bar = signs.bar(greatest > 0 ? fraction / greatest : 0, width: Self.barWidth)
    let gap = String(repeating: " ", count: Self.barWidth - TerminalText.columns(of: bar))
    return style.inked(bar, in: Self.barColour) + gap + " "
      + String(repeating: " ", count: max(0, 6 - percentage.count))
      + percentage
  }

  private func coloured(_ trend: Trend, _ style: TerminalStyle, _ signs: ClubSigns) -> String {
    let text = signs.trend(trend)
    return switch trend.direction {
    case .up, .new: style.inked(text, in: Colour(0x009E73))
    case .down, .gone: style.inked(text, in: Colour(0xD55E00))
    case .flat: style.faint(text)
    }
  }

  private static let barWidth = 12
  private static let barColour = Colour(0xE69F00)
}

extension Metric {
  /// What people call it.
  var title: String { self == .elevation ? "climb" : rawValue }
}

extension ClubMetric {
  /// What people call it.
  var title: String {
    switch self {
    case .distance: "distance"
    case .rides: "rides"
    case .activeMembers: "active members"
    case .elevation: "climb"
    }
  }

  /// A total as people read it.
  func shown(_ value: Int) -> String {
    switch self {
    case .distance: ClubDisplay.distance(value)
    case .rides, .activeMembers: NumberFormat.grouped(value)
    case .elevation: ClubDisplay.elevation(value)
    }
  }
}
