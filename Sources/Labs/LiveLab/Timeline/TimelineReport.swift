// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios

extension Timeline {
  /// The session as a person reads it. Where `isWhole`, every step has a line; otherwise pings and pongs that say
  /// nothing new share one.
  func document(isWhole: Bool, origin: [String]) -> Document {
    let events = ReportBlock.part(
      title: "Event by event", judgement: nil,
      [.table(ReportTable(caption: "", Self.lines(TimelineRows(self, isWhole: isWhole).rows)))])
    return Document(
      id: "live-timeline", title: title, head + [events, .list(origin)],
      data: Self.columns(TimelineRows(self, isWhole: true).rows))
  }

  /// The session as a part of another report.
  var blocks: [ReportBlock] {
    let most = 400
    let rows = TimelineRows(self, isWhole: false).rows
    let cut = rows.count > most ? "The first \(most) of \(NumberFormat.grouped(rows.count)) lines." : ""
    let events = ReportBlock.table(ReportTable(caption: cut, Self.lines(Array(rows.prefix(most)))))
    return [.paragraph(title)] + head + [.details(summary: "The session, event by event", [events])]
  }

  private var head: [ReportBlock] {
    [.paragraph(summary)] + (findings.isEmpty ? [] : [.list(findings)])
      + [.figure(TimelineFigure(self).figure(id: "live-session"))]
      + (outages.isEmpty ? [] : [.table(ReportTable(caption: "Every outage of the session", outageTable))])
  }

  /// What came of the session, in a sentence.
  var summary: String {
    let share = result.duration > .zero ? result.served.seconds / result.duration.seconds : 0
    let count = outages.count
    return "\(TimelineClock.text(of: result.duration)), of which connected and current "
      + "\(NumberFormat.share(share * 100, decimals: 2, of: 100))%; \(count) \(count == 1 ? "outage" : "outages"), "
      + "\(result.attempts) \(result.attempts == 1 ? "attempt" : "attempts"), \(result.pings) pings."
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

  /// The lines for people: `~` marks what happened to the network and the server, `!` a broken invariant.
  private static func lines(_ rows: [TimelineRows.Row]) -> Table {
    var table = Table([
      Table.Column("moment", .right), Table.Column("what happened"), Table.Column("client does"),
      Table.Column("client's status"),
    ])
    for row in rows {
      let happened = row.world.isEmpty ? row.told : "\(row.isBreach ? "!" : "~") \(row.world)"
      table.add([TimelineClock.text(of: row.moment), happened, row.does, row.status])
    }
    return table
  }

  /// The lines for programs, each kind of happening in a column of its own.
  private static func columns(_ rows: [TimelineRows.Row]) -> Table {
    var table = Table([
      Table.Column("moment", .right), Table.Column("network and server"), Table.Column("client is told"),
      Table.Column("client does"), Table.Column("client's status"),
    ])
    for row in rows { table.add([TimelineClock.text(of: row.moment), row.world, row.told, row.does, row.status]) }
    return table
  }
}

extension Timeline {
  /// Every step and every outage, with moments in nanoseconds.
  var data: JSONValue {
    [
      "schedule": .string("\(schedule)"),
      "result": [
        "nanoseconds": Self.number(result.duration.nanoseconds), "served": Self.number(result.served.nanoseconds),
        "attempts": .unsigned(result.attempts), "opened": .unsigned(result.opened), "pings": .unsigned(result.pings),
        "events": .unsigned(result.events), "outages": .array(outages.map(Self.data)),
      ],
      "breach": breach.map { .string("\($0)") } ?? .null,
      "steps": .array(steps.map(data)),
    ]
  }

  private func data(_ step: Step) -> JSONValue {
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

  private static func data(_ outage: Outage) -> JSONValue {
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
