// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios

extension Timeline {
  /// The session as a report. With `isWhole`, every step has a line; otherwise pings and pongs without news share one.
  func document(isWhole: Bool, origin: [String]) -> Document {
    let events = ReportBlock.part(
      "Event by event", [.table(Self.lines(TimelineRows(self, isWhole: isWhole).rows))])
    return Document(
      id: "live-timeline", title: title, head + [events, .list(origin)],
      data: Table(records: steps.map(data)))
  }

  /// The session as a part of another report.
  var blocks: [ReportBlock] {
    let maximum = 400
    let rows = TimelineRows(self, isWhole: false).rows
    let cut = rows.count > maximum ? "The first \(maximum) of \(NumberFormat.grouped(rows.count)) lines." : ""
    let events = ReportBlock.table(Self.lines(Array(rows.prefix(maximum))), caption: cut)
    return [.paragraph(title)] + head + [.details(summary: "The session, event by event", [events])]
  }

  private var head: [ReportBlock] {
    [.paragraph(summary)] + (findings.isEmpty ? [] : [.list(findings)])
      + [.figure(TimelineFigure(self).figure(id: "live-session"))]
      + (outages.isEmpty ? [] : [.table(outageTable, caption: "Every outage of the session")])
  }

  var summary: String {
    let share = result.duration > .zero ? result.served.seconds / result.duration.seconds : 0
    return "\(TimelineClock.text(of: result.duration)), of which connected and current "
      + "\(NumberFormat.percent(share, decimals: 2)); \(NumberFormat.counted(outages.count, "outage")), "
      + "\(NumberFormat.counted(result.attempts, "attempt")), \(result.pings) pings."
  }

  private var outageTable: Table {
    let numbers = ["detected after, s", "back", "since possible, s", "attempts"]
    func seconds(_ length: Interval) -> String { NumberFormat.fixed(length.seconds, decimals: 3) }
    return Table(
      columns: ["outage", "began", "because of"] + numbers, numbers: Set(["outage", "began"] + numbers),
      rows: outages.enumerated().map { index, outage in
        [
          "\(index + 1)", TimelineClock.text(of: outage.began),
          outage.fault.map { TimelineWords.fault($0, of: schedule) }
            ?? (outage.began == .zero ? "first connection" : "no fault"),
          outage.noticed == .never ? "never" : seconds(outage.noticed - outage.began),
          outage.ended == .never ? "never" : TimelineClock.text(of: outage.ended),
          outage.timeToReturn.map(seconds) ?? (isUnrecoverable(outage) ? "not possible" : "not back"),
          "\(outage.attempts)",
        ]
      })
  }

  /// The lines for people: `~` marks changes of the network and the server, `!` a broken invariant.
  private static func lines(_ rows: [TimelineRows.Row]) -> Table {
    Table(
      [], numbers: ["moment"], ["what happened", "client does", "client's status"],
      rows: rows.map { row in
        let happened = row.world.isEmpty ? row.delivered : "\(row.isBreach ? "!" : "~") \(row.world)"
        return [TimelineClock.text(of: row.moment), happened, row.does, row.status]
      })
  }
}

extension Timeline {
  /// All steps and outages, with times in nanoseconds.
  var data: JSONValue {
    [
      "schedule": .string("\(schedule)"),
      "result": [
        "nanoseconds": Self.number(result.duration.nanoseconds),
        "servedNanoseconds": Self.number(result.served.nanoseconds),
        "attempts": .unsigned(result.attempts), "opened": .unsigned(result.opened), "pings": .unsigned(result.pings),
        "events": .unsigned(result.events), "outages": .array(outages.map(Self.data)),
      ],
      "breach": breach.map { .string("\($0)") } ?? .null,
      "steps": .array(steps.map(data)),
    ]
  }

  private func data(_ step: Step) -> JSONValue {
    var members = [
      JSONMember("worldNanoseconds", Self.number(step.moment.world.nanoseconds)),
      JSONMember("clientNanoseconds", Self.number(step.moment.client.nanoseconds)),
    ]
    switch step.event {
    case .changed(let change):
      members.append(JSONMember("changed", .string(TimelineWords.text(of: change, in: schedule))))
    case .delivered(let event):
      members.append(JSONMember("told", .string(TimelineWords.text(of: event))))
      members.append(JSONMember("does", .array(step.effects.map { .string(TimelineWords.text(of: $0)) })))
    }
    if let status = step.status {
      members.append(JSONMember("phase", .string("\(status.phase)")))
      members.append(JSONMember("status", .string(TimelineWords.text(of: status, shifted: step.shift))))
    }
    return .object(members)
  }

  private static func data(_ outage: Outage) -> JSONValue {
    [
      "fault": outage.fault.map { .integer($0) } ?? .null,
      "beganNanoseconds": number(outage.began.nanoseconds), "noticedNanoseconds": moment(outage.noticed),
      "possibleNanoseconds": moment(outage.possible), "endedNanoseconds": moment(outage.ended),
      "attempts": .integer(outage.attempts),
    ]
  }

  private static func moment(_ moment: Instant) -> JSONValue { moment == .never ? .null : number(moment.nanoseconds) }

  private static func number(_ nanoseconds: Int64) -> JSONValue { .integer(Int(nanoseconds)) }
}

/// A timeline as a figure: the client's status as steps, and above it the truth, the faults and its attempts, around
/// the session's worst outage.
struct TimelineFigure {
  /// A lasting state; for the client's status, its phase.
  private struct Band {
    let from: Instant
    let to: Instant
    var phase: LiveStatus.Phase?
  }

  private var faults: [Band] = []
  private var served: [Band] = []
  private var phases: [Band] = []
  private var attempts: [Instant] = []

  private let timeline: Timeline
  /// The section shown: around an outage, or everything without one.
  private let from: Instant
  private let to: Instant
  private let outage: Outage?

  /// The phases from bottom to top: better ones are higher.
  private static let order: [LiveStatus.Phase] = [
    .closed, .disconnected, .suspended, .waiting, .connecting, .connected,
  ]

  init(_ timeline: Timeline) {
    self.timeline = timeline
    let end = timeline.end
    // The longest of the outages that began after the session did; an unfinished one counts to the end.
    outage = timeline.outages.filter { $0.began > .zero }.max {
      min(end, $0.ended) - $0.began < min(end, $1.ended) - $1.began
    }
    if let outage {
      let over = min(end, outage.ended)
      let margin = max(.seconds(5), Interval(nanoseconds: (over - outage.began).nanoseconds / 10))
      from = outage.began - .zero > margin ? outage.began + (.zero - margin) : .zero
      to = min(end, over + margin)
    } else {
      (from, to) = (.zero, end)
    }
    collect(until: end)
  }

  private mutating func collect(until end: Instant) {
    var servedSince: Instant?
    var phase: (LiveStatus.Phase, since: Instant)?
    for step in timeline.steps {
      let now = step.moment.world
      if case .changed(.faultBegan(let position)) = step.event, timeline.schedule.faults.indices.contains(position) {
        faults.append(Band(from: now, to: max(now, min(timeline.schedule.faults[position].end, end))))
      }
      if case .changed(.served(let isServed)) = step.event {
        if let since = servedSince, !isServed { served.append(Band(from: since, to: now)) }
        servedSince = isServed ? servedSince ?? now : nil
      }
      attempts += step.effects.compactMap { if case .open = $0 { now } else { nil } }
      if let next = step.status?.phase, next != phase?.0 {
        if let (last, since) = phase { phases.append(Band(from: since, to: now, phase: last)) }
        phase = (next, now)
      }
    }
    if let since = servedSince { served.append(Band(from: since, to: end)) }
    if let (last, since) = phase { phases.append(Band(from: since, to: end, phase: last)) }
  }

  func figure(id: String) -> Figure {
    let seen = phases.filter(isShown)
    let rows = Self.order.filter { phase in seen.contains { $0.phase == phase } }
    let said = seen.flatMap { band in
      let y = Double(rows.firstIndex { $0 == band.phase } ?? 0)
      return [Figure.Point(seconds(band.from), y), Figure.Point(seconds(band.to), y)]
    }
    let top = Double(rows.count)
    let tries = attempts.filter { from <= $0 && $0 <= to }.map { Figure.Point(seconds($0), top) }
    let what =
      outage.map { "the outage that began after \(NumberFormat.fixed(($0.began - .zero).seconds, decimals: 1)) s" }
      ?? "the whole session"
    return Figure(
      id: id, title: "One session: \(timeline.title)",
      alternative: "The client's status over time, as steps, and above it when it attempted to connect, when it "
        + "was really connected and current and when faults lasted; shown is \(what). \(timeline.summary)",
      x: Figure.Axis("seconds since the session began"),
      y: Figure.Axis(
        "client and truth",
        scale: .names(rows.map { "\($0)" } + ["attempts", "served in truth", "faults"])),
      // The client's line is between the two references, since their dashes would look alike next to each other.
      series: [
        Figure.Series("the truth", style: .reference, points: bars(served, at: top + 1)),
        Figure.Series("the client says", style: .line, points: said),
        Figure.Series("a fault lasts", style: .reference, points: bars(faults, at: top + 2)),
        Figure.Series("an attempt", style: .points, points: tries),
      ])
  }

  /// The visible parts of some bands, as one line that is broken between them.
  private func bars(_ bands: [Band], at y: Double) -> [Figure.Point] {
    let minimum = Interval(nanoseconds: (to - from).nanoseconds / 100)
    return bands.filter(isShown).flatMap { band in
      // Very short bands are widened so that they are visible.
      let end = max(band.to, min(to, band.from + minimum))
      return [Figure.Point(seconds(band.from), y), Figure.Point(seconds(end), y), Figure.Point(seconds(end), .nan)]
    }
  }

  private func isShown(_ band: Band) -> Bool { band.to >= from && band.from <= to }

  /// Seconds since the session began, clamped to the section shown.
  private func seconds(_ moment: Instant) -> Double { (min(to, max(from, moment)) - .zero).seconds }
}
