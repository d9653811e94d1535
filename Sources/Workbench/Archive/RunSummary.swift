// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
package import Reporting
package import Scenarios

/// The summary of several runs: one verdict, and every evaluated threshold.
package struct RunSummary: Sendable {
  package let runs: [FinishedRun]
  /// The number of runs planned: more than the finished ones after an interruption or an early end.
  package let wanted: Int

  package init(_ runs: [FinishedRun], wanted: Int) {
    (self.runs, self.wanted) = (runs, wanted)
  }

  package var verdict: Verdict { .all(runs.map(\.document.verdict)) }

  package var isComplete: Bool { runs.count == wanted && runs.allSatisfy(\.document.isComplete) }

  package var headline: String {
    let thresholds = runs.flatMap(\.document.thresholds)
    var parts: [String] = []
    for verdict in [Verdict.fails, .undecided] {
      let count = thresholds.count { $0.verdict == verdict }
      guard count > 0 else { continue }
      let slugs = runs.filter { run in run.document.thresholds.contains { $0.verdict == verdict } }
        .map { TerminalText.harmless($0.document.slug) }
      let verb = verdict == .undecided ? "undecided" : count == 1 ? "fails" : "fail"
      parts.append("\(count) of \(thresholds.count) thresholds \(verb) (\(slugs.joined(separator: ", ")))")
    }
    if parts.isEmpty {
      let count = thresholds.count
      parts.append(
        count == 0 ? "no thresholds" : count == 1 ? "1 threshold" : "all \(NumberFormat.grouped(count)) thresholds")
    }
    parts.append(NumberFormat.counted(wanted, "scenario"))
    let early = runs.count { !$0.document.isComplete }
    if early > 0 { parts.append("\(early) ended early") }
    if runs.count < wanted { parts.append("\(wanted - runs.count) not run") }
    let head =
      isComplete || verdict == .fails ? thresholds.isEmpty ? "COMPLETE" : verdict.rawValue.uppercased() : "INCOMPLETE"
    return "\(head): \(parts.joined(separator: ", "))."
  }

  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: runs.map { $0.text(withReport: true) }.joined(separator: "\n") + headline + "\n"
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .junit: JUnitReport.text(of: runs.map(\.suite))
    default: nil
    }
  }
}

extension RunSummary {
  package var markdown: String {
    MarkdownText.shown(
      "## Assay: \(MarkdownText.plain(headline))\n\n" + runs.map(Self.section).joined(separator: "\n"))
  }

  private static func section(of run: FinishedRun) -> String {
    let document = run.document
    let facts = [
      MarkdownText.code(run.file), MarkdownText.plain(document.kind), "digest \(document.digest)",
      run.record.wallSeconds.map { "\(NumberFormat.fixed($0, decimals: 1)) s" },
    ]
    var parts = [
      "### \(MarkdownText.plain(document.name)): \(run.heading)\n",
      facts.compactMap(\.self).joined(separator: ", ") + "\n",
    ]
    if !document.thresholds.isEmpty { parts.append(Table(document.thresholds).markdown) }
    parts += run.wrongCases.map { one in
      "**Fails:** \(MarkdownText.plain(one.name))\n\n"
        + MarkdownText.block(one.details.isEmpty ? one.message : one.details)
    }
    if !run.remarks.isEmpty { parts.append(run.remarks.map { "- \(MarkdownText.plain($0))\n" }.joined()) }
    parts.append("Run again: \(MarkdownText.code(run.record.command))\n")
    parts.append("Report: \(MarkdownText.code(run.report))\n")
    return parts.joined(separator: "\n")
  }

  private var csv: String {
    let rows = runs.flatMap { run in
      run.document.thresholds.map { one -> JSONValue in
        let members = [
          JSONMember("file", .string(run.file)), JSONMember("kind", .string(run.document.kind)),
          JSONMember("digest", .string(run.document.digest)),
        ]
        return if case .object(let more) = one.json { .object(members + more) } else { .object(members) }
      }
    }
    return Table(records: rows).csv
  }

  private var json: JSONValue {
    [
      "schema": .string(Schema.runs.text),
      "headline": .string(headline),
      "verdict": .string(verdict.rawValue),
      "complete": .bool(isComplete),
      "wanted": .integer(wanted),
      "runs": .array(
        runs.map { run in
          [
            "file": .string(run.file), "folder": .string(run.folder), "report": .string(run.report),
            "command": .string(run.record.command), "remarks": .array(run.remarks.map(JSONValue.string)),
            "result": run.document.json,
          ]
        }),
    ]
  }
}

/// A run that is complete or was ended early, with everything written.
package struct FinishedRun: Sendable {
  /// The scenario's file, as it was given.
  package let file: String
  package let folder: String
  /// The path of its page.
  package let report: String
  package let document: ResultDocument
  package let record: RunRecord
  /// The outcome, including parts that only reports show.
  package let outcome: ScenarioResult
  /// All test cases, those of the thresholds first.
  package let suite: JUnitReport
  /// The blocks left to other shards, or to a resumed run.
  package internal(set) var open: Checkpoint.OpenSection?
  /// The command that continues it; `nil` if nothing is left.
  package internal(set) var resumption: String?

  package var remarks: [String] { record.remarks }

  var wrongCases: [(name: String, message: String, details: String, place: JUnitReport.Place?)] { outcome.wrongCases }

  fileprivate var heading: String {
    guard document.isComplete || document.verdict == .fails else { return "incomplete" }
    return document.thresholds.isEmpty ? "complete" : document.verdict.rawValue
  }

  /// The run on a terminal: the verdict, the evaluated thresholds, the folder; and on request the report, or all of it
  /// with details and evidence.
  package func text(
    width: Int = 100, style: TerminalStyle = TerminalStyle(isColoured: false), withReport: Bool = false,
    isWhole: Bool = false
  ) -> String {
    func wrapped(_ text: String) -> String { TerminalText.lines(of: text, width: width).joined(separator: "\n") + "\n" }
    var parts = [style.verdicts(wrapped("\(heading): \(TerminalText.harmless(document.name))"))]
    if withReport, !outcome.document.sections.isEmpty {
      parts.append(outcome.document.text(width: width, style: style, isWhole: isWhole))
    } else {
      parts += wrongCases.map { one in
        "fails: \(TerminalText.harmless(one.name))\n"
          + (one.details.isEmpty ? wrapped(one.message) : TerminalText.harmless(one.details, keepingLineEnds: true))
      }
    }
    if !document.thresholds.isEmpty { parts.append(style.verdicts(Table(document.thresholds).text(width: width))) }
    let places = ["folder: \(folder)", "report: \(report)"].map { TerminalText.harmless($0) + "\n" }
    parts.append((remarks.map { wrapped("note: \($0)") } + places).joined())
    return TerminalText.withoutCommands(parts.joined(separator: "\n"))
  }
}
