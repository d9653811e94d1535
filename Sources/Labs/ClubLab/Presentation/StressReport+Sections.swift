// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

extension StressReport {
  /// The run as a section of a report: whether the core was right, how fast it was, and the last week.
  package var reportSections: [ReportSection] {
    let curve: [ReportBlock] =
      result.effort.curve.isEmpty
      ? [] : [.figure(throughputFigure), .table(ReportTable(caption: "Throughput by size of club", throughput))]
    return [
      ReportSection(
        id: "club-stress", title: heading,
        blocks: [
          .paragraph(verdict),
          .part(
            title: "Was the core right?", judgement: nil,
            [.table(ReportTable(caption: "Every week, as the core counted it", weeks)), .list(collisions)]),
          .part(
            title: "How fast was it?", judgement: nil,
            curve + [.table(ReportTable(caption: "What this run cost, on this machine", cost))]),
          .part(
            title: "The last week", judgement: nil,
            [
              .figure(sharesFigure),
              .table(ReportTable(caption: "The ten who went farthest", leaderboard(.pictures))),
            ]),
        ])
    ]
  }

  private var collisions: [String] {
    let names = result.collisions
    return [
      "\(NumberFormat.grouped(result.settings.members)) persons are \(NumberFormat.grouped(result.identities)) members "
        + "by name; behind \(NumberFormat.grouped(names.real)) names several persons had activities in the last week, "
        + "and nobody can part them by a feed without tokens.",
      "The core suspects \(NumberFormat.grouped(names.suspected)) names of the last week, "
        + "\(NumberFormat.grouped(names.suspectedRightly)) of them rightly. Under more activities than a person can "
        + "have in a week, single persons look like several, too.",
    ]
  }

  /// What the run cost.
  var cost: Table {
    let effort = result.effort
    var table = Table([Table.Column("what"), Table.Column("how much", .right)])
    let seconds = { (value: Double) in NumberFormat.fixed(value, decimals: 3) + " s" }
    table.add(["workers", "\(effort.workers)"])
    table.add(["inventing the activities", seconds(effort.generating)])
    table.add(["counting them", seconds(effort.counting)])
    table.add(["comparing with the truth", seconds(effort.comparing)])
    table.add(["counted in a second of one core", Self.millions(effort.perCoreSecond(result.counted))])
    table.add(["most memory resident", "\(NumberFormat.grouped(effort.peakMemory >> 20)) MiB"])
    return table
  }

  /// Activities a second against members.
  var throughput: Table {
    var table = Table([
      Table.Column("members", .right), Table.Column("one worker, a second", .right),
      Table.Column("\(result.effort.workers) workers", .right), Table.Column("times as fast", .right),
    ])
    for point in result.effort.curve {
      table.add([
        NumberFormat.grouped(point.members), Self.millions(point.alone), Self.millions(point.together),
        NumberFormat.fixed(point.speedUp, decimals: 2),
      ])
    }
    return table
  }

  private var throughputFigure: Figure {
    let curve = result.effort.curve
    let ends = [curve.first, curve.last].compactMap(\.self).map { point in
      "\(Self.millions(point.alone)) a second with \(NumberFormat.grouped(point.members)) members"
    }
    return Figure(
      id: "stress-throughput", title: "Throughput against members",
      alternative: "Lines over the number of members: how many activities are counted in a second by one worker and "
        + "by all. One worker counts \(ends.joined(separator: ", ")).",
      x: Figure.Axis("members", scale: .logarithmic), y: Figure.Axis("million activities a second"),
      series: [
        Figure.Series(
          "one worker", style: .line, points: curve.map { Figure.Point(Double($0.members), $0.alone / 1e6) }),
        Figure.Series(
          "\(result.effort.workers) workers", style: .line,
          points: curve.map { Figure.Point(Double($0.members), $0.together / 1e6) }),
      ])
  }

  private var sharesFigure: Figure {
    let shares = shares
    let first = shares.first.map { "\($0.name) has \(NumberFormat.share($0.percentage, decimals: 3, of: 100))%." } ?? ""
    return Figure(
      id: "stress-shares", title: "Shares of the club's distance",
      alternative: "Bars: the shares of the club's distance of the last week that the ten farthest have. \(first)",
      x: Figure.Axis("member", scale: .names(shares.map(\.name))), y: Figure.Axis("share of the distance, %"),
      series: [
        Figure.Series(
          "", style: .bars, points: shares.enumerated().map { Figure.Point(Double($0), $1.percentage) })
      ])
  }

  private static func millions(_ value: Double) -> String { NumberFormat.fixed(value / 1e6, decimals: 1) + " M" }
}
