// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Reporting
internal import Scenarios

extension FeedReport {
  /// The trial as a section of a report: accuracy by fault, what is unknowable, requests, and a leaderboard.
  var reportSections: [ReportSection] {
    [
      ReportSection(
        id: "club-feed", title: heading,
        blocks: [
          .list(origin),
          .part(
            title: "Rides in their weeks", judgement: nil,
            [
              .figure(accuracyFigure),
              table(
                "Rides whose week can be known, by fault; ranks are by distance, and all rides count", accuracy),
            ]),
          .part(
            title: "What nobody could know, and why", judgement: nil,
            [table("Rides of the judged weeks beside those above, by fault and reason", unknown)]),
          .part(
            title: "Requests against the budget", judgement: nil,
            [.figure(requestsFigure), table("What the service counted by itself; \(budget)", requests)]),
          .part(
            title: "The last week, as the ledger tells it", judgement: nil,
            [
              table(
                "The last judged week of the first season with \(result.findings.last?.variant.name ?? "none") of the "
                  + "faults", leaderboard)
            ]),
        ])
    ]
  }

  private func table(_ caption: String, _ table: Table) -> ReportBlock {
    .table(ReportTable(caption: caption, table))
  }

  /// The limits, and what the table's shorter headings mean.
  var budget: String {
    let service = result.trial.setting.service
    return
      "allowed are \(service.perDay) a day and \(service.perQuarterHour) a quarter of an hour, and too soon is what "
      + "came before Retry-After said"
  }

  /// The ten who went farthest, with shares and trends.
  var leaderboard: Table {
    var table = Table([
      Table.Column("rank", .right), Table.Column("member"), Table.Column("distance", .right),
      Table.Column("rides", .right), Table.Column("share", .right), Table.Column("trend"),
    ])
    for standing in result.week.standings(by: .distance).prefix(10) {
      let stats = standing.stats
      let share = standing.share?.fraction ?? 0
      table.add([
        standing.rank.map(ClubSigns.pictures.rank) ?? ClubDisplay.nothing, stats.member.name.shown(),
        ClubDisplay.distance(stats.tally.distance), "\(stats.rides)",
        ClubSigns.pictures.bar(share, width: 20) + " " + NumberFormat.share(share * 100, decimals: 1, of: 100) + "%",
        standing.trend.map(ClubSigns.pictures.trend) ?? "",
      ])
    }
    return table
  }

  /// Rides in the right week by fault.
  var accuracyFigure: Figure {
    byFault(
      "feed-right-week", "Rides in the right week", "share of the rides that can be known, %", .rightWeek, scale: 100,
      meaning: "the share of rides in the right week, of those whose week can be known")
  }

  /// Requests a day by fault.
  var requestsFigure: Figure {
    byFault(
      "feed-requests", "Requests a day", "requests a day", .requests, scale: 1,
      meaning: "the requests a day, where the budget has \(result.trial.setting.service.perDay)")
  }

  private func byFault(
    _ id: String, _ title: String, _ axis: String, _ quantity: FeedQuantity, scale: Double, meaning: String
  ) -> Figure {
    let points = result.findings.enumerated().compactMap { index, finding in
      finding.estimate(of: quantity).map { estimate in
        Figure.Point(
          Double(index), estimate.mean * scale,
          interval: (estimate.interval.lowerBound * scale)...(estimate.interval.upperBound * scale))
      }
    }
    let last = result.findings.last.map { "\($0.variant.name) of the faults it is \(cell($0, quantity))" } ?? ""
    return Figure(
      id: id, title: title,
      alternative: "Dots with intervals, one for each fault alone, none of them and all: \(meaning). With \(last).",
      x: Figure.Axis("faults", scale: .names(result.findings.map(\.variant.name))), y: Figure.Axis(axis),
      series: [Figure.Series("", style: .points, points: points)])
  }
}
