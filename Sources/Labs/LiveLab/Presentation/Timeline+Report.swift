// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
package import Scenarios

extension Timeline {
  /// How many lines of a session a report shows; the command shows the others.
  static let mostReported = 400

  /// The session for a report: what the client said it was beside the truth, the outages, and the lines of the text.
  ///
  /// - Parameter id: The name of the figure's file, without an ending, unique in the report.
  /// - Returns: The blocks, from above to below.
  package func reportBlocks(id: String) -> [ReportBlock] {
    let rows = TimelineRows(self, isWhole: false).rows
    let cut =
      rows.count > Self.mostReported
      ? " The first \(Self.mostReported) of \(NumberFormat.grouped(rows.count)) lines." : ""
    return [.paragraph("\(title). \(summary)")]
      + (findings.isEmpty ? [] : [.list(findings)]) + [.figure(TimelineFigure(self).figure(id: id))]
      + (outages.isEmpty ? [] : [.table(ReportTable(caption: "Every outage of the session.", outageTable))])
      + [
        .details(
          summary: "The session, event by event",
          [
            .table(
              ReportTable(
                caption: "What happened, what the client was told, what it did, and how it said it was.\(cut)",
                table(Array(rows.prefix(Self.mostReported)))))
          ])
      ]
  }
}
