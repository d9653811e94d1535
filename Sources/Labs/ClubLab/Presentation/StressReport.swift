// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
package import Reporting

/// What a club under load came to, ready to be written as text, Markdown, CSV or JSON.
package struct StressReport: Sendable {
  /// What came out.
  package let result: StressResult
  /// The best of the last week by distance.
  private let leaders: [Standing]

  /// The report of a result.
  package init(_ result: StressResult) {
    self.result = result
    leaders = Array(result.lastWeek.standings(by: .distance).prefix(10))
  }

  /// The report in a format; nil for a picture, which there is none of.
  ///
  /// - Parameters:
  ///   - format: The format. Only text and Markdown say how long it took.
  ///   - signs: Arrows and medals, for text; Markdown always has pictures.
  /// - Returns: The text, with a line end behind it.
  package func rendered(as format: ReportFormat, signs: ClubSigns = .pictures) -> String? {
    let parts = [weeks, cost, throughput, leaderboard(signs)].filter { !$0.rows.isEmpty }
    switch format {
    case .text: return "\(heading)\n\(verdict)\n" + parts.map { "\n\($0.text)" }.joined()
    case .markdown:
      return ["# \(heading)\n", verdict + "\n"].joined(separator: "\n") + parts.map { "\n\($0.markdown)" }.joined()
    case .csv: return weeks.csv
    case .json: return json.text
    case .svg, .png, .junit: return nil
    }
  }

  /// Whether everything was the truth.
  package var isRight: Bool {
    result.membersWrong == 0 && result.weeksWrong == 0 && result.personsMisplaced == 0 && result.sample.wrong == 0
  }
}

extension StressReport {
  var heading: String {
    "\(NumberFormat.grouped(result.settings.members)) members, \(NumberFormat.grouped(result.activities)) activities, "
      + "\(result.weeks.count) \(result.weeks.count == 1 ? "week" : "weeks")"
  }

  /// What the comparison with the truth says, in a sentence.
  var verdict: String {
    isRight
      ? "Every member's and every week's integers are the truth's; so are those of "
        + "\(NumberFormat.grouped(result.sample.activities)) activities that went through the feed's own format."
      : "Not the truth: \(NumberFormat.grouped(result.membersWrong)) members, \(result.weeksWrong) weeks, "
        + "\(NumberFormat.grouped(result.personsMisplaced)) misplaced persons, \(result.sample.wrong) of the sample."
  }

  /// Week by week, by the core, with what is wrong.
  var weeks: Table {
    var table = Table([
      Table.Column("week"), Table.Column("activities", .right), Table.Column("counted", .right),
      Table.Column("active members", .right), Table.Column("distance", .right), Table.Column("climb", .right),
      Table.Column("wrong", .right),
    ])
    for week in result.weeks {
      table.add([
        "\(week.week)", NumberFormat.grouped(week.activities), NumberFormat.grouped(week.counted),
        NumberFormat.grouped(week.activeMembers),
        "\(NumberFormat.grouped(week.total.distance / 10_000)) km",
        "\(NumberFormat.grouped(week.total.elevation / 10_000)) km",
        NumberFormat.grouped(week.membersWrong + (week.isTotalRight ? 0 : 1)),
      ])
    }
    return table
  }

  /// The best of the last week.
  func leaderboard(_ signs: ClubSigns) -> Table {
    var table = Table([
      Table.Column("rank", .right), Table.Column("member"), Table.Column("distance", .right),
      Table.Column("rides", .right), Table.Column("speed", .right), Table.Column("share", .right),
      Table.Column("trend"),
    ])
    for standing in leaders {
      let stats = standing.stats
      table.add([
        standing.rank.map(signs.rank) ?? ClubDisplay.nothing, stats.member.name.shown(),
        ClubDisplay.distance(stats.tally.distance), NumberFormat.grouped(stats.rides),
        ClubDisplay.speed(stats.averageSpeed()),
        standing.share?.fraction.map { NumberFormat.share($0 * 100, decimals: 3, of: 100) + "%" }
          ?? ClubDisplay.nothing,
        standing.trend.map(signs.trend) ?? "",
      ])
    }
    return table
  }

  /// Who was best, for figures.
  var shares: [(name: String, percentage: Double)] {
    leaders.compactMap { standing in
      standing.share?.fraction.map { (standing.stats.member.name.shown(), $0 * 100) }
    }
  }

  /// What `result.json` keeps: only what the settings determine.
  var data: JSONValue {
    [
      "weeks": .array(
        result.weeks.map { week in
          [
            "week": .string("\(week.week)"), "activities": .integer(week.activities),
            "counted": .integer(week.counted), "activeMembers": .integer(week.activeMembers),
            "distanceDecimetres": .integer(week.total.distance), "movingSeconds": .integer(week.total.movingTime),
            "elapsedSeconds": .integer(week.total.elapsedTime),
            "elevationDecimetres": .integer(week.total.elevation),
            "longestDecimetres": .integer(week.total.longest), "membersWrong": .integer(week.membersWrong),
            "isTotalRight": .bool(week.isTotalRight),
          ]
        })
    ]
  }

  private var json: JSONValue {
    let settings = result.settings
    return [
      "kind": "club-stress", "version": .string(Version.current), "members": .integer(settings.members),
      "activities": .integer(result.activities), "counted": .integer(result.counted),
      "seed": .unsigned(settings.seed), "generator": .string(settings.generator),
      "identities": .integer(result.identities), "personsMisplaced": .integer(result.personsMisplaced),
      "membersWrong": .integer(result.membersWrong), "weeksWrong": .integer(result.weeksWrong),
      "sampleActivities": .integer(result.sample.activities), "sampleWrong": .integer(result.sample.wrong),
      "result": data,
    ]
  }
}
