// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Reporting

extension InsightsReport {
  /// A line a number of an insight: `insight,kind,quantity,value`, the sentence first.
  var csv: String {
    var table = Table(["insight", "kind", "quantity", "value"].map { Table.Column($0) })
    for (place, insight) in insights.enumerated() {
      for (quantity, value) in [("sentence", JSONValue.string(insight.sentence))] + numbers(of: insight.kind) {
        table.add(["\(place + 1)", insight.kind.name, quantity, value.cell])
      }
    }
    return table.csv
  }

  /// The whole report.
  var json: JSONValue {
    [
      "kind": "club-insights", "version": .string(Version.current), "member": .string(name),
      "week": .string(subject.week.description), "mode": .string(mode.rawValue),
      "weeksKnown": .array(subject.history.weeks.map { .string($0.week.description) }),
      "insights": .array(
        insights.map { insight in
          .object(
            [JSONMember("kind", .string(insight.kind.name)), JSONMember("sentence", .string(insight.sentence))]
              + numbers(of: insight.kind).map(JSONMember.init))
        }),
      "origin": .array(origin.map(JSONValue.string)), "remarks": .array(remarks.map(JSONValue.string)),
    ]
  }
}

extension JSONValue {
  /// The value in a cell of a table: texts as they are, lists behind one another.
  fileprivate var cell: String {
    switch self {
    case .string(let text): text
    case .array(let values): values.map(\.cell).joined(separator: "; ")
    case .object(let members): members.map(\.value.cell).joined(separator: " ")
    case .null: ""
    default: String(text.dropLast())
    }
  }
}
