// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import Reporting

extension Timeline {
  /// The timeline in a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: Colours, for text.
  ///   - isWhole: Whether every step has a line; otherwise pings and pongs that say nothing new share one. CSV and JSON
  ///     have every step always.
  /// - Returns: The text, with a line end behind it; nil for a format that it does not have.
  package func rendered(
    as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false), isWhole: Bool = false
  ) -> String? {
    switch format {
    case .text: text(style, isWhole)
    case .markdown: markdown(isWhole)
    case .csv: table(TimelineRows(self, isWhole: true).rows).csv
    case .json: json.text
    case .svg: svg
    case .png, .junit: nil
    }
  }

  /// What came of the session, in a sentence.
  var summary: String {
    let share = result.duration > .zero ? result.served.seconds / result.duration.seconds : 0
    let count = outages.count
    return "\(TimelineClock.text(of: result.duration)), of which connected and current "
      + "\(NumberFormat.share(share * 100, decimals: 2, of: 100))%; \(count) \(count == 1 ? "outage" : "outages"), "
      + "\(result.attempts) \(result.attempts == 1 ? "attempt" : "attempts"), \(result.pings) pings."
  }

  /// The outages, a line each.
  var outageTable: Table {
    var table = Table([
      Table.Column("outage", .right), Table.Column("began", .right), Table.Column("because of"),
      Table.Column("noticed after", .right), Table.Column("back", .right), Table.Column("since possible", .right),
      Table.Column("attempts", .right),
    ])
    for (index, outage) in outages.enumerated() {
      let isBack = outage.ended != .never
      table.add([
        "\(index + 1)", TimelineClock.text(of: outage.began),
        outage.fault < 0
          ? outage.began == .zero ? "first connection" : "no fault"
          : TimelineWords.fault(outage.fault, of: schedule),
        outage.noticed == .never ? "never" : TimelineClock.text(of: outage.noticed - outage.began),
        isBack ? TimelineClock.text(of: outage.ended) : "never",
        outage.timeToReturn.map { TimelineClock.text(of: $0) }
          ?? (isHopeless(outage) ? "not possible" : "not back"),
        "\(outage.attempts)",
      ])
    }
    return table
  }

  /// Every line as a table, each kind of happening in a column of its own.
  func table(_ rows: [TimelineRows.Row]) -> Table {
    var table = Table([
      Table.Column("moment", .right), Table.Column("network and server"), Table.Column("client is told"),
      Table.Column("client does"), Table.Column("client's status"),
    ])
    for row in rows { table.add([TimelineClock.text(of: row.moment), row.world, row.told, row.does, row.status]) }
    return table
  }

  private func text(_ style: TerminalStyle, _ isWhole: Bool) -> String {
    let rows = TimelineRows(self, isWhole: isWhole).rows
    // What happens in the world stands across the columns of the client, so that lines stay short.
    var table = Table([
      Table.Column("moment", .right), Table.Column("client is told"), Table.Column("client does"),
      Table.Column("client's status"),
    ])
    for row in rows {
      table.add([TimelineClock.text(of: row.moment)] + (row.world.isEmpty ? [row.told, row.does, row.status] : []))
    }
    let lines = table.text.split(separator: "\n")
    let body = zip(lines.dropFirst(2), rows).map { line, row in
      guard !row.world.isEmpty else { return String(line) }
      let colour = row.isBreach ? Self.breachColour : Self.worldColour
      return "\(line)  " + style.inked("\(row.isBreach ? "!" : "~") \(row.world)", in: colour)
    }
    let heading = [style.bold(title)] + origin + [summary] + findings
    let parts = [heading, lines.prefix(2).map(String.init) + body].map { $0.map { "\($0)\n" }.joined() }
    return parts.joined(separator: "\n") + (outages.isEmpty ? "" : "\n\(outageTable.text)")
  }

  private func markdown(_ isWhole: Bool) -> String {
    let lines = ["# \(MarkdownText.plain(title))"] + (origin + [summary] + findings).map(MarkdownText.plain)
    return lines.map { "\($0)\n" }.joined(separator: "\n")
      + (outages.isEmpty ? "" : "\n## Outages\n\n\(outageTable.markdown)")
      + "\n## Event by event\n\n" + table(TimelineRows(self, isWhole: isWhole).rows).markdown
  }

  private static let worldColour = Colour(0xE69F00)
  private static let breachColour = Colour(0xD55E00)
}
