// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What a trial of a feed came to, beside its thresholds.
struct ClubFeedVerdict {
  /// The scenario.
  let scenario: Scenario
  /// What came out.
  let outcome: ScenarioResult
  /// The thresholds beside what was found.
  let thresholds: [JudgedThreshold]

  /// Judges what came out.
  init(_ scenario: Scenario, _ outcome: ScenarioResult) {
    (self.scenario, self.outcome) = (scenario, outcome)
    thresholds = scenario.judged(by: outcome.measurements)
  }

  /// What all thresholds come to.
  var judgement: Judgement { .all(thresholds.map(\.judgement)) }

  /// The judgement in a sentence.
  var sentence: String {
    let count = thresholds.count
    let parts = [Judgement.fails, .undecided].compactMap { judgement -> String? in
      let wrong = thresholds.count { $0.judgement == judgement }
      return wrong > 0 ? "\(wrong) of \(count) thresholds \(judgement == .fails ? "failed" : "undecided")" : nil
    }
    let whole = count == 1 ? "1 threshold" : "all \(count) thresholds"
    return (outcome.isComplete ? judgement.rawValue.uppercased() : "INTERRUPTED") + ": "
      + (parts.isEmpty ? (count == 0 ? "nothing was asked" : whole) : parts.joined(separator: ", ")) + "."
  }

  /// The verdict in a format; nil where it has no such format.
  func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text:
      [outcome.text, table?.text ?? "", scenario.remarks.map { "note: \($0)\n" }.joined() + sentence + "\n"]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    case .csv: outcome.files.first { $0.name.hasSuffix(".csv") }?.content
    case .json: json.text
    default: nil
    }
  }

  /// The thresholds; of many only those that do not hold, since a threshold counts once for every fault.
  private var table: Table? {
    let shown = thresholds.count > 12 ? thresholds.filter { $0.judgement != .holds } : thresholds
    guard !shown.isEmpty else { return nil }
    let columns = ["judgement", "threshold", "found"] + (shown.contains { !$0.remedy.isEmpty } ? ["to decide it"] : [])
    var table = Table(columns.map { Table.Column($0) })
    for one in shown { table.add([one.judgement.rawValue, one.text, one.found, one.remedy]) }
    return table
  }

  private var json: JSONValue {
    [
      "kind": "club-feed", "version": .string(Version.current), "scenario": .string(scenario.name),
      "digest": .string(scenario.digest), "judgement": .string(judgement.rawValue),
      "isComplete": .bool(outcome.isComplete), "thresholds": .array(thresholds.map(\.json)), "result": outcome.data,
    ]
  }
}
