// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Pages
internal import Reporting
package import Scenarios

/// Runs scenarios, each into its folder.
package struct ScenarioRunner: Sendable {
  /// The folder of all runs.
  package let root: String
  /// What a person types to run it again.
  package let command: String
  /// The workers, the interrupt and the progress display.
  package let bench: ScenarioBench
  /// What draws the figures; `nil` where it is not installed.
  package let gnuplot: Gnuplot?
  /// The version of GSL.
  package let gsl: String

  /// A runner.
  package init(
    root: String = "Results/runs", command: String, bench: ScenarioBench, gnuplot: Gnuplot?, gsl: String
  ) {
    (self.root, self.command, self.bench) = (root, command, bench)
    (self.gnuplot, self.gsl) = (gnuplot, gsl)
  }

  /// Runs a scenario, judges it and writes its folder.
  ///
  /// From the beginning the folder says what runs there and since when, so that it can be read after the process was
  /// killed. Files of an earlier complete run stay until all those of this one are written.
  ///
  /// - Parameter scenario: what to run.
  /// - Returns: what came out.
  /// - Throws: `ArchiveError` where the folder cannot be written; else what the scenario's kind throws. The folder says
  ///   so too, as far as it can.
  package func run(_ scenario: Scenario) throws -> FinishedRun {
    var record = RunRecord(
      status: .incomplete, started: Self.now, assay: Version.current, gsl: gsl, command: command,
      workers: bench.workers, process: Int(getpid()), machine: .current)
    let stopwatch = Stopwatch()
    var writer = try begin(scenario, record)
    defer { writer.release() }
    do {
      let outcome = try scenario.plan.run(on: bench)
      record.remarks = scenario.remarks
      if !writer.isInPlace {
        writer = try begin(scenario, record)
        record.remarks.append("The run's folder was removed while it went on; it was made anew.")
      }
      stopwatch.stop(&record, as: outcome.isComplete ? .complete : .interrupted)
      return try finish(scenario, outcome, record, writer)
    } catch {
      stopwatch.stop(&record, as: .failed)
      record.error = "\(error)"
      let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil).failed
      let cases = scenario.failure(record.error, command: command)
      if writer.isInPlace {
        // Where this cannot be written either, the folder goes on saying that the run is incomplete, which is true.
        try? writer.fail(record, report: page.html { _ in nil }, junit: cases.text)
      }
      throw error
    }
  }

  private func begin(_ scenario: Scenario, _ record: RunRecord) throws(ArchiveError) -> RunWriter {
    let writer = try RunWriter(of: scenario, in: root)
    let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil).unfinished
    try writer.begin(record, report: page.html { _ in nil })
    return writer
  }

  private func finish(
    _ scenario: Scenario, _ outcome: ScenarioResult, _ unwritten: RunRecord, _ writer: RunWriter
  ) throws(ArchiveError) -> FinishedRun {
    let thresholds = scenario.judged(by: outcome)
    let document = ResultDocument(
      slug: scenario.slug, name: scenario.name, kind: scenario.kind.name, digest: scenario.digest,
      thresholds: thresholds, measurements: outcome.measurements, data: outcome.data, isComplete: outcome.isComplete)
    let drawings = Drawings(of: outcome.sections, by: gnuplot)
    var record = unwritten
    if let kept = outcome.isComplete ? writer.earlier?.keeping(besides: document) : nil {
      record.remarks.insert(kept.remark, at: 0)
    }
    record.remarks += drawings.remarks
    let page = RunPage(scenario: scenario, record: record, hasEarlier: writer.earlier != nil)
      .finished(document, thresholds, outcome.sections).html { drawings.inline[$0] }
    let cases = scenario.cases(thresholds, and: outcome.cases, command: command).text
    if outcome.isComplete {
      let others = try Self.further(outcome.files, in: writer.folder) + drawings.files
      record = try writer.complete(record, document, report: page, junit: cases, others: others)
    } else {
      record = try writer.interrupt(record, document, report: page, junit: cases)
    }
    let report = writer.folder.path(outcome.isComplete ? .report : writer.unfinishedReport)
    return FinishedRun(
      folder: writer.folder.path, document: document, record: record, outcome: outcome, remarks: record.remarks,
      report: report)
  }

  /// The result's own files, none of which may take the place of the run's.
  private static func further(
    _ files: [ScenarioResult.File], in folder: RunFolder
  ) throws(ArchiveError) -> [(name: String, text: String)] {
    var others: [(name: String, text: String)] = []
    for file in files {
      guard RunFolder.isFree(file.name) else { throw .reservedName(name: file.name, folder: folder.path) }
      others.append((file.name, file.content))
    }
    return others
  }

  /// The time, to the second, as records keep it.
  fileprivate static var now: Date { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) }
}

extension Stopwatch {
  /// Writes into a record when and how its run ended.
  fileprivate func stop(_ record: inout RunRecord, as status: RunRecord.Status) {
    record.status = status
    record.ended = ScenarioRunner.now
    (record.wallSeconds, record.cpuSeconds) = (wallSeconds, cpuSeconds)
  }
}
