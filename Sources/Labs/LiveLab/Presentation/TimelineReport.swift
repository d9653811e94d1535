// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import Reporting
package import Scenarios

extension Timeline {
  /// The timeline in a format; nil for pictures and build servers' cases. CSV and JSON have every step; text and
  /// Markdown only where `isWhole`: otherwise pings and pongs that say nothing new share a line.
  package func rendered(
    as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false), isWhole: Bool = false
  ) -> String? {
    switch format {
    case .text: text(style, isWhole)
    case .markdown: markdown(isWhole)
    case .csv: table(TimelineRows(self, isWhole: true).rows).csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  /// What the client said next to the truth, around the worst outage.
  package var figure: Figure { TimelineFigure(self).figure(id: "live-session") }

  /// What came of the session, in a sentence.
  var summary: String {
    let share = result.duration > .zero ? result.served.seconds / result.duration.seconds : 0
    let count = outages.count
    return "\(TimelineClock.text(of: result.duration)), of which connected and current "
      + "\(NumberFormat.share(share * 100, decimals: 2, of: 100))%; \(count) \(count == 1 ? "outage" : "outages"), "
      + "\(result.attempts) \(result.attempts == 1 ? "attempt" : "attempts"), \(result.pings) pings."
  }

  /// How many lines of a session a report shows; the command shows the others.
  private static let mostReported = 400

  /// The session for a report: what the client said it was next to the truth, the outages, and the lines of the text.
  var reportBlocks: [ReportBlock] {
    let rows = TimelineRows(self, isWhole: false).rows
    let cut =
      rows.count > Self.mostReported
      ? " The first \(Self.mostReported) of \(NumberFormat.grouped(rows.count)) lines." : ""
    return [.paragraph("\(title). \(summary)")]
      + (findings.isEmpty ? [] : [.list(findings)]) + [.figure(figure)]
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

  private var outageTable: Table {
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
          ?? (isUnrecoverable(outage) ? "not possible" : "not back"),
        "\(outage.attempts)",
      ])
    }
    return table
  }

  /// Every line as a table, each kind of happening in a column of its own.
  private func table(_ rows: [TimelineRows.Row]) -> Table {
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

extension Timeline {
  /// Every step and every outage, with moments in nanoseconds.
  private var json: JSONValue {
    [
      "kind": "live-timeline", "version": .string(Version.current), "title": .string(title),
      "origin": .array(origin.map { .string($0) }), "schedule": .string("\(schedule)"),
      "result": [
        "nanoseconds": Self.number(result.duration.nanoseconds), "served": Self.number(result.served.nanoseconds),
        "attempts": .unsigned(result.attempts), "opened": .unsigned(result.opened), "pings": .unsigned(result.pings),
        "events": .unsigned(result.events),
        "outages": .array(outages.map(Self.json)),
      ],
      "breach": breach.map { .string("\($0)") } ?? .null,
      "steps": .array(steps.map(json)),
    ]
  }

  private func json(_ step: Step) -> JSONValue {
    var members = [
      JSONMember("world", Self.number(step.moment.world.nanoseconds)),
      JSONMember("client", Self.number(step.moment.client.nanoseconds)),
    ]
    switch step.happening {
    case .changed(let change):
      members.append(JSONMember("changed", .string(TimelineWords.text(of: change, in: schedule))))
    case .told(let event):
      members.append(JSONMember("told", .string(TimelineWords.text(of: event))))
      members.append(JSONMember("does", .array(step.effects.map { .string(TimelineWords.text(of: $0)) })))
    }
    if let status = step.status {
      members.append(JSONMember("phase", .string(TimelineWords.text(of: status.phase))))
      members.append(JSONMember("status", .string(TimelineWords.text(of: status, shifted: step.shift))))
    }
    return .object(members)
  }

  private static func json(_ outage: Outage) -> JSONValue {
    [
      "fault": outage.fault < 0 ? .null : .integer(outage.fault), "began": number(outage.began.nanoseconds),
      "noticed": moment(outage.noticed), "possible": moment(outage.possible), "ended": moment(outage.ended),
      "attempts": .integer(outage.attempts),
    ]
  }

  private static func moment(_ moment: Instant) -> JSONValue {
    moment == .never ? .null : number(moment.nanoseconds)
  }

  private static func number(_ nanoseconds: Int64) -> JSONValue { .integer(Int(nanoseconds)) }
}
