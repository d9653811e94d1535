// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Pages
package import Reporting
package import Scenarios

package struct ScenarioRunner: Sendable {
  private let root: String
  private let command: String
  private let context: RunContext
  private let gsl: String
  private let build: RunRecord.Build
  private let baseline: BaselineRun?
  private let part: ShardPlan

  package init(
    root: String = "Results/runs", command: String, context: RunContext, gsl: String,
    build: RunRecord.Build = RunRecord.Build(), baseline: BaselineRun? = nil, part: ShardPlan = ShardPlan()
  ) {
    (self.root, self.command, self.context) = (root, command, context)
    (self.gsl, self.build) = (gsl, build)
    (self.baseline, self.part) = (baseline, part)
  }

  /// Runs a scenario, evaluates it and writes its folder.
  ///
  /// From the beginning the folder has a record of the run and its start, which can be read after the process was
  /// killed. Files of an earlier complete run stay until all those of this one are written. Finished blocks are kept in
  /// a checkpoint until the result is written.
  package func run(_ scenario: Scenario) throws -> FinishedRun {
    var record = RunRecord(
      status: .incomplete, started: Self.now, assay: Version.current, gsl: gsl, command: command,
      workers: context.workers.count, process: Int(getpid()), machine: .current, build: build,
      isTimed: scenario.isTimed, part: part.shard?.description)
    let stopwatch = Stopwatch()
    var writer = try begin(scenario, record)
    defer { writer.release() }
    let begun = Result { () throws(CheckpointError) in try self.checkpoint(of: scenario, in: writer.folder) }
    let checkpoint = try? begun.get()
    do {
      let outcome = try scenario.run(on: context.keeping(checkpoint))
      if part.shard != nil, checkpoint?.hasSections == false { throw ArchiveError.indivisible(kind: scenario.kind) }
      if part.isMerge, !outcome.isComplete { record.part = "merge" }
      if !outcome.isComplete || part.shard != nil { checkpoint?.finish() }
      let failure: Int32 = if case .failure(.unwritable(_, let code)) = begun { code } else { checkpoint?.failure ?? 0 }
      if failure != 0 {
        record.remarks.append("No checkpoint could be kept: \(SystemCause.message(of: failure)).")
      }
      if !writer.isInPlace {
        writer = try begin(scenario, record)
        record.remarks.append("The run's folder was removed during the run and was created again.")
      }
      stopwatch.stop(&record, as: outcome.isComplete ? .complete : .interrupted)
      var finished = try finish(scenario, outcome, record, writer)
      finished.open = checkpoint?.open
      if checkpoint != nil, !outcome.isComplete {
        finished.resumption = ShellLine.text(["assay", "resume", finished.folder])
      }
      return finished
    } catch {
      checkpoint?.finish()
      stopwatch.stop(&record, as: .failed)
      record.error = "\(error)"
      write(failure: record, of: scenario, writer)
      throw error
    }
  }

  /// Writes into the folder of a scenario's run that its process has ended.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - cause: the end of the process, in a sentence.
  ///   - report: the sample that was drawn and the command that draws it alone, in lines, if they are known.
  /// - Returns: the run as a summary shows it.
  package func ended(_ scenario: Scenario, by cause: String, report: String) -> BrokenRun {
    let folder = RunFolder(folder(of: scenario))
    if var record = try? folder.intact(.run, RunFile.init(contentsOf:))?.latest, record.status == .incomplete,
      let writer = try? RunWriter(of: scenario, in: folder)
    {
      defer { writer.release() }
      (record.status, record.ended) = (.failed, Self.now)
      record.error = report.isEmpty ? cause : "\(cause) \(report.replacing("\n", with: " "))"
      write(failure: record, of: scenario, writer)
    }
    return BrokenRun(scenario, by: cause, report: report, command: command)
  }

  private func write(failure record: RunRecord, of scenario: Scenario, _ writer: RunWriter) {
    let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil).failed
    if writer.isInPlace {
      // If this cannot be written either, the folder still states that the run is incomplete, which is true.
      try? writer.fail(record, report: page.html(), junit: scenario.failure(record).text)
    }
  }

  /// The folder of a scenario's run.
  package func folder(of scenario: Scenario) -> String {
    part.folder ?? RunFolder(of: scenario, in: root, shard: part.shard).path
  }

  private func begin(_ scenario: Scenario, _ record: RunRecord) throws(ArchiveError) -> RunWriter {
    let writer = try RunWriter(of: scenario, in: RunFolder(folder(of: scenario)))
    let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil).unfinished
    try writer.begin(record, report: page.html())
    return writer
  }

  /// Begins a checkpoint, with the blocks that are known already.
  private func checkpoint(of scenario: Scenario, in folder: RunFolder) throws(CheckpointError) -> Checkpoint {
    let header = CheckpointHeader(scenario, gsl: gsl, build: build, shard: part.shard)
    return try Checkpoint(folder.path(.checkpoint), header: header.text, records: part.records, share: part.share)
  }

  private func finish(
    _ scenario: Scenario, _ outcome: ScenarioResult, _ unwritten: RunRecord, _ writer: RunWriter
  ) throws(ArchiveError) -> FinishedRun {
    let document = ResultDocument(outcome, of: scenario, against: baseline, gsl: gsl, build: build)
    // A shard's report is not read on its own.
    let drawings = Drawings(of: part.shard == nil ? outcome.document.sections : [])
    var record = unwritten
    if let kept = outcome.isComplete ? writer.earlier?.keeping(beside: document, of: record.build) : nil {
      record.remarks.insert(kept.remark, at: 0)
    }
    record.remarks += drawings.remarks
    let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil)
      .finished(document, outcome.document.sections).html(pictures: drawings.pictures)
    let suite = scenario.cases(document.thresholds, and: outcome.cases, command: command, record.suiteInfo)
    if outcome.isComplete {
      let others = try Self.further(outcome.files, in: writer.folder) + drawings.files
      record = try writer.complete(record, document, report: page, junit: suite.text, others: others)
    } else {
      record = try writer.interrupt(record, document, report: page, junit: suite.text)
    }
    let report = writer.folder.path(outcome.isComplete ? .report : writer.unfinishedReport)
    return FinishedRun(
      file: scenario.file, folder: writer.folder.path, report: report, document: document, record: record,
      outcome: outcome, suite: suite)
  }

  /// The result's further files; none may replace one of the run's.
  private static func further(
    _ files: [ScenarioResult.File], in folder: RunFolder
  ) throws(ArchiveError) -> [(name: String, text: String)] {
    try files.map { file throws(ArchiveError) in
      guard RunFolder.isFree(file.name) else { throw .reservedName(name: file.name, folder: folder.path) }
      return (file.name, file.content)
    }
  }

  fileprivate static var now: Date { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) }
}

extension Stopwatch {
  fileprivate func stop(_ record: inout RunRecord, as status: RunRecord.Status) {
    record.status = status
    record.ended = ScenarioRunner.now
    (record.wallSeconds, record.cpuSeconds) = (wallSeconds, cpuSeconds)
  }
}

private struct RunPage {
  let scenario: Scenario
  let record: RunRecord
  /// True if an earlier complete result is next to the page.
  let hasEarlier: Bool

  /// The page of a run that has begun. It stays if the run is killed, so it explains what to do then.
  var unfinished: ReportPage {
    page(
      notice: "This run is not complete. It began on \(RunRecord.text(of: record.started)) on \(record.machine.host) "
        + "as process \(record.process); if that process is gone, it was killed. 'assay resume' with this folder "
        + "continues it, and the command below runs it again.\(kept)")
  }

  var failed: ReportPage {
    page(notice: "This run ended with an error: \(record.error)\(kept)")
  }

  func finished(_ document: ResultDocument, _ sections: [ReportSection]) -> ReportPage {
    let end =
      document.isComplete
      ? ""
      : "This is not the result: the run was ended early, by request, and these are its partial results. Thresholds "
        + "that need a number of samples fixed beforehand are undecided.\(kept)"
    return page(
      verdict: document.isComplete ? document.verdict : nil,
      notice: ([end] + record.remarks).filter { !$0.isEmpty }.joined(separator: " "),
      thresholds: document.thresholds, sections: sections, samples: document.measurements.compactMap(\.samples))
  }

  private var kept: String {
    hasEarlier
      ? " The result of an earlier complete run is kept next to this page, in result.json and report.html." : ""
  }

  private func page(
    verdict: Verdict? = nil, notice: String, thresholds: [EvaluatedThreshold] = [], sections: [ReportSection] = [],
    samples: [Int] = []
  ) -> ReportPage {
    ReportPage(
      title: scenario.name, verdict: verdict, notice: notice, thresholds: thresholds, sections: sections,
      scenario: scenario.resolved, command: record.command, facts: facts(samples))
  }

  private func facts(_ samples: [Int]) -> [ReportPage.Fact] {
    let machine = record.machine
    let facts = [
      ("Kind", "\(scenario.kind): \(type(of: scenario.plan).summary)"),
      ("Scenario", "\(scenario.slug), digest \(scenario.digest)"),
      ("Seed", scenario.seed),
      ("Samples", Self.range(samples)),
      ("Began", RunRecord.text(of: record.started)),
      ("Ended", record.ended.map(RunRecord.text)),
      ("Time", record.wallSeconds.map { Self.seconds($0) }),
      ("Processor time", record.cpuSeconds.map { Self.seconds($0) }),
      ("Workers", String(record.workers)),
      ("Machine", "\(machine.host), \(machine.architecture), \(machine.cores) cores"),
      ("System", machine.system),
      ("Assay", record.assay),
      ("GSL", record.gsl), ("Commit", record.build.commit == nil ? nil : record.build.commitText),
    ]
    return facts.compactMap { name, value in value.map { ReportPage.Fact(name, $0) } }
  }

  private static func seconds(_ value: Double) -> String { "\(NumberFormat.fixed(value, decimals: 2)) s" }

  private static func range(_ samples: [Int]) -> String? {
    guard let minimum = samples.min(), let maximum = samples.max() else { return nil }
    let highest = NumberFormat.grouped(maximum)
    return minimum == maximum ? highest : "\(NumberFormat.grouped(minimum)) to \(highest), by measurement"
  }
}

/// The figures of a report, drawn: once for the page, whose captions have the titles, and once as files.
private struct Drawings {
  /// The pictures of the page, by figure; for one that could not be drawn the page shows its data.
  private(set) var pictures: [Figure: FigurePicture] = [:]
  private(set) var files: [(name: String, text: String)] = []
  /// The figures that could not be drawn and why, in whole sentences.
  private(set) var remarks: [String] = []

  init(of sections: [ReportSection]) {
    var names: Set<String> = []
    for figure in sections.figures where pictures[figure] == nil {
      do {
        let picture = try FigurePicture(figure)
        pictures[figure] = picture
        files.append((Self.free(figure.id, among: &names), picture.file))
      } catch {
        remarks.append("The figure '\(figure.title)' is shown as a table: \(error)")
      }
    }
  }

  /// The file of a figure; several figures of one name are distinguished by numbers.
  private static func free(_ id: String, among names: inout Set<String>) -> String {
    var (name, count) = (id, 1)
    while !names.insert(name).inserted {
      count += 1
      name = "\(id)-\(count)"
    }
    return "\(RunFolder.Name.figures.rawValue)/\(name).svg"
  }
}

extension Experiment {
  fileprivate var seed: String? { Self.parameters.first { $0.option == "seed" }?.write(self)?.yamlInline }
}

extension Scenario {
  var seed: String? { plan.seed }

  /// One case for each threshold, then those of the result. An undecided one counts as an error: it has not passed, and
  /// a skipped case would be overlooked.
  package func cases(
    _ thresholds: [EvaluatedThreshold], and others: [JUnitReport.Case], command: String,
    _ suiteInfo: JUnitReport.SuiteInfo
  ) -> JUnitReport {
    let texts = Dictionary(grouping: thresholds, by: \.text)
    let cases = thresholds.map { threshold in
      let isUnique = texts[threshold.text]?.count == 1
      let message = "\(threshold.verdict): found \(threshold.found)"
      let outcome: JUnitReport.Outcome =
        switch threshold.verdict {
        case .holds, .unasked: .passed
        case .fails: .failed(message: message, details: details(of: threshold, command: command))
        case .undecided: .undecided(message: message, details: details(of: threshold, command: command))
        }
      return JUnitReport.Case(
        name: isUnique ? threshold.text : "\(threshold.text) (\(threshold.measurement))", group: slug, outcome: outcome)
    }
    return JUnitReport(name: slug, cases: cases + others, suiteInfo)
  }

  fileprivate func failure(_ record: RunRecord) -> JUnitReport {
    let details = lines([
      ("file", file), ("error", record.error), ("seed", seed ?? ""), ("to run it again", record.command),
    ])
    let run = JUnitReport.Case(
      name: "run", group: slug, outcome: .broken(message: record.error, details: details))
    return JUnitReport(name: slug, cases: [run], record.suiteInfo)
  }

  private func details(of threshold: EvaluatedThreshold, command: String) -> String {
    lines([
      ("threshold", threshold.text), ("file", "\(file):\(threshold.line)"), ("found", threshold.found),
      ("it would be decided by", threshold.advice), ("source", threshold.source), ("seed", seed ?? ""),
      ("to run it again", command),
    ])
  }

  private func lines(_ facts: [(name: String, value: String)]) -> String {
    facts.filter { !$0.value.isEmpty }.map { "\($0.name): \($0.value)\n" }.joined()
  }
}

extension Scenario {
  /// The evaluated thresholds, undecided where an early end would make a verdict invalid.
  ///
  /// The interval of a proportion or a mean is valid for a number of samples that was fixed beforehand. If a run is
  /// ended early, that number depends on the user's patience or on the duration of trials, and so perhaps on their
  /// results. Such thresholds are then undecided, whatever the figures are. Exact figures and counts are evaluated,
  /// since a count includes its undecided part, and so are interval measures, which an experiment gives after an early
  /// end only if they are valid at any stopping time.
  func evaluated(by outcome: ScenarioResult, against baseline: Baseline? = nil) -> [EvaluatedThreshold] {
    let evaluated =
      evaluated(by: outcome.measurements, against: baseline) + [outcome.unanswered].compactMap(\.self)
    guard !outcome.isComplete else { return evaluated }
    let planned = outcome.measurements.filter(\.needsPlannedSamples).map(\.measure.fullName)
    return evaluated.map { planned.contains($0.measurement) ? $0.voided : $0 }
  }
}

extension Scenarios.Measurement {
  /// True if its interval is valid only for a number of samples that was fixed beforehand.
  fileprivate var needsPlannedSamples: Bool {
    switch value {
    case .proportion, .mean: true
    case .exact, .count, .interval: false
    }
  }
}

extension EvaluatedThreshold {
  fileprivate var voided: EvaluatedThreshold {
    EvaluatedThreshold(
      text: text, measurement: measurement, source: source, line: line, verdict: .undecided,
      found: "\(found), invalid after an early end: the planned number of samples was not reached",
      advice: "a run that is not interrupted", errorProbability: 0)
  }
}
