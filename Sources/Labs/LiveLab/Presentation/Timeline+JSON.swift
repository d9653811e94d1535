// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension Timeline {
  /// Every step and every outage, with moments in nanoseconds.
  var json: JSONValue {
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
