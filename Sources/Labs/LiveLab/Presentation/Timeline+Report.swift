// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
public import Scenarios

extension Timeline {
  /// The session for a report: what the client said it was beside the truth, the outages, and every line of the text.
  ///
  /// - Parameter id: The name of the figure's file, without an ending, unique in the report.
  /// - Returns: The blocks, from above to below.
  public func reportBlocks(id: String) -> [ReportBlock] {
    [.paragraph("\(title). \(summary)")]
      + (findings.isEmpty ? [] : [.list(findings)]) + [.figure(figure(id: id))]
      + (outages.isEmpty ? [] : [.table(ReportTable(caption: "Every outage of the session.", outageTable))])
      + [
        .details(
          summary: "The session, event by event",
          [
            .table(
              ReportTable(
                caption: "What happened, what the client was told, what it did, and how it said it was.",
                table(TimelineRows(self, isWhole: false).rows)))
          ])
      ]
  }

  /// The phases over time as steps, and the truth as bars above them.
  private func figure(id: String) -> Figure {
    let lanes = TimelineLanes(self)
    let phases = LiveStatus.Phase.allCases.map { TimelineWords.text(of: $0) }
    let said = lanes.phases.flatMap { band in
      let y = Double(phases.firstIndex(of: band.name) ?? 0)
      return [Figure.Point(band.from.inSeconds, y), Figure.Point(band.to.inSeconds, y)]
    }
    let top = Double(phases.count)
    let truth = lanes.served.map { band in
      Figure.Series(
        band == lanes.served.first ? "served in truth" : "", style: .reference,
        points: [Figure.Point(band.from.inSeconds, top), Figure.Point(band.to.inSeconds, top)])
    }
    return Figure(
      id: id, title: "One session: \(title)",
      alternative: "What the client says it is over time, and above it when it was connected and current in truth. "
        + summary,
      x: Figure.Axis("seconds since the session began"),
      y: Figure.Axis("the client says", scale: .names(phases + ["served"])),
      series: [Figure.Series("the client says", style: .line, points: said)] + truth)
  }
}

extension Instant {
  /// Seconds since the beginning.
  fileprivate var inSeconds: Double { (self - .zero).seconds }
}
