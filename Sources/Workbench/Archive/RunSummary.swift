// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import MonteCarlo
package import Reporting
package import Scenarios

/// The summary of several runs: one verdict, and every evaluated threshold.
package struct RunSummary: Sendable {
  package let runs: [FinishedRun]
  /// The scenarios that ended with an error, or that could not be read.
  package let broken: [BrokenRun]
  /// The number of runs planned: more than the finished ones after an interruption or an early end.
  package let wanted: Int

  package init(_ runs: [FinishedRun], broken: [BrokenRun] = [], wanted: Int) {
    (self.runs, self.broken, self.wanted) = (runs, broken, wanted)
  }

  package var verdict: Verdict { broken.isEmpty ? .all(runs.map(\.document.verdict)) : .fails }

  package var isComplete: Bool { runs.count + broken.count == wanted && runs.allSatisfy(\.document.isComplete) }

  package var headline: String {
    let thresholds = runs.flatMap(\.document.thresholds)
    var parts: [String] = []
    let unread = broken.contains(where: \.isInput)
    if !broken.isEmpty {
      let names = Set(broken.map { TerminalText.harmless($0.suite.name) }).sorted().joined(separator: ", ")
      parts.append(
        unread
          ? "\(NumberFormat.counted(broken.count, "error")) in the input (\(names))"
          : "\(broken.count) of \(NumberFormat.counted(wanted, "scenario")) ended with an error (\(names))")
    }
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
    if broken.isEmpty || unread { parts.append(NumberFormat.counted(wanted, "scenario")) }
    let early = runs.count { !$0.document.isComplete }
    if early > 0 { parts.append("\(early) ended early") }
    let left = wanted - runs.count - (unread ? 0 : broken.count)
    if left > 0 { parts.append("\(left) not run") }
    let head =
      unread
      ? "BAD INPUT"
      : isComplete || verdict == .fails
        ? thresholds.isEmpty && broken.isEmpty ? "COMPLETE" : verdict.rawValue.uppercased() : "INCOMPLETE"
    return "\(head): \(parts.joined(separator: ", "))."
  }

  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text:
      (runs.map { $0.printed ?? $0.text(withReport: true) } + broken.map { $0.text + "\n" }).joined(separator: "\n")
        + headline + "\n"
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .junit: JUnitReport.text(of: runs.map(\.suite) + broken.map(\.suite))
    default: nil
    }
  }
}

extension RunSummary {
  package var markdown: String {
    MarkdownText.shown(
      "## Assay: \(MarkdownText.plain(headline))\n\n"
        + (runs.map(Self.section) + broken.map(\.markdown)).joined(separator: "\n"))
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
    return Table(records: rows + broken.map(\.row)).csv
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
      "errors": .array(broken.map(\.json)),
    ]
  }
}

/// A scenario that ended with an error, such as a trap in a sample, or that could not be read.
package struct BrokenRun: Sendable {
  /// The scenario's file, as it was given; empty if the error is about none.
  package let file: String
  /// True if the input is bad, so that nothing was run.
  let isInput: Bool
  private let title: String
  /// The error, in a sentence.
  private let cause: String
  /// Lines that help to find it: the sample that was drawn, and commands.
  private let details: String
  let suite: JUnitReport

  /// An error of a scenario's run.
  package init(_ scenario: Scenario, by cause: String, report: String, command: String) {
    let again = ["Run again: \(command)"]
    self.init(
      file: scenario.file, isInput: false, title: scenario.name, cause: cause,
      details: ((report.isEmpty ? [] : [report]) + again).joined(separator: "\n"), slug: scenario.slug)
  }

  /// An error of the input.
  package init(badInput error: any Error, in file: String?) {
    let slug = URL(fileURLWithPath: file ?? "").deletingPathExtension().lastPathComponent
    self.init(
      file: file ?? "", isInput: true, title: file ?? "The command line", cause: "\(error)", details: "",
      slug: file == nil ? "input" : slug)
  }

  private init(file: String, isInput: Bool, title: String, cause: String, details: String, slug: String) {
    (self.file, self.isInput, self.title, self.cause, self.details) = (file, isInput, title, cause, details)
    let one = JUnitReport.Case(
      name: isInput ? "read" : "run", group: slug,
      outcome: .broken(message: cause, details: details.isEmpty ? cause : "\(cause)\n\(details)"))
    suite = JUnitReport(
      name: slug, cases: [one], JUnitReport.SuiteInfo(began: Date(), host: RunRecord.Machine.current.host, seconds: 0))
  }

  /// The error on a terminal.
  package var text: String { (["error: \(title): \(cause)", details].filter { !$0.isEmpty }).joined(separator: "\n") }

  package var annotation: GitHubAnnotation {
    GitHubAnnotation(
      .error, file: file.isEmpty ? nil : file, title: "Ended with an error: \(title)",
      message: [cause, details].filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  fileprivate var markdown: String {
    "### \(MarkdownText.plain(title)): \(isInput ? "bad input" : "ended with an error")\n\n"
      + MarkdownText.block([cause, details].filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  fileprivate var json: JSONValue {
    ["file": .string(file), "error": .string(cause), "details": .string(details)]
  }

  fileprivate var row: JSONValue { ["file": .string(file), "verdict": "error", "found": .string(cause)] }
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

  /// Its text with the report if another process has played it.
  var printed: String?

  package var remarks: [String] { record.remarks }

  var wrongCases: [(name: String, message: String, details: String, location: JUnitReport.Place?)] {
    outcome.wrongCases
  }

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
    let locations = ["folder: \(folder)", "report: \(report)"].map { TerminalText.harmless($0) + "\n" }
    parts.append((remarks.map { wrapped("note: \($0)") } + locations).joined())
    return TerminalText.withoutCommands(parts.joined(separator: "\n"))
  }
}

/// The facts that a summary needs of a run in another process, in addition to the files in its folder.
package struct PlayedRun: Codable, Sendable {
  private let folder: String
  private let report: String
  private let isComplete: Bool
  private let cases: [JUnitReport.Case]
  private let text: String
  private let resumption: String?

  package init(_ run: FinishedRun) {
    (folder, report, isComplete) = (run.folder, run.report, run.document.isComplete)
    (cases, text, resumption) = (run.outcome.cases, run.text(withReport: true), run.resumption)
  }

  /// The run, from its folder.
  ///
  /// - Throws: `ArchiveError` if the folder is not as the other process has left it.
  package func finished(_ scenario: Scenario) throws(ArchiveError) -> FinishedRun {
    let location = RunFolder(folder)
    let document = try ResultDocument(contentsOf: location.path(isComplete ? .result : .partial))
    let record = try RunFile(contentsOf: location.path(.run)).latest
    let outcome = ScenarioResult(
      measurements: document.measurements, data: document.data, cases: cases, isComplete: isComplete)
    var run = FinishedRun(
      file: scenario.file, folder: folder, report: report, document: document, record: record, outcome: outcome,
      suite: scenario.cases(document.thresholds, and: cases, command: record.command, record.suiteInfo))
    (run.resumption, run.printed) = (resumption, text)
    return run
  }
}
