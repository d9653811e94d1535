// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
package import Scenarios

/// The earlier run that relative thresholds compare with.
package struct BaselineRun: Sendable {
  /// The name that the user gave.
  private let name: String
  private let run: RecordedRun
  private let findings: RecordedRun.Findings

  /// A run by its folder, or by a name that the history knows (see `History.run(named:)`).
  ///
  /// - Parameters:
  ///   - name: the folder or the name.
  ///   - history: opens the history if the name is no folder.
  /// - Throws: `ArchiveError` if there is no such run or it was not completed, and the errors of opening the history.
  package init(named name: String, history: () throws -> History) throws {
    self.name = name
    if FileKind(behind: name) == .folder {
      let stored = StoredRun(RunFolder(name))
      guard let document = stored.document, let record = stored.completed else {
        throw ArchiveError.baseline(
          found: "'\(name)', a folder without a complete run",
          expected: "the folder of one, with result.json and run.json")
      }
      run = RecordedRun(document, record, folder: name)
      findings = RecordedRun.Findings(
        measurements: document.measurements, thresholds: document.thresholds,
        scenario: stored.folder.text(.scenario))
    } else {
      let history = try history()
      run = try history.run(named: name)
      findings = try history.findings(of: run)
    }
    guard run.status == .complete else {
      throw ArchiveError.baseline(
        found: "'\(name)', a run that is \(run.status.rawValue)",
        expected: "a complete one, since an early end invalidates sampled measurements")
    }
  }

  /// Checks before anything runs that every relative threshold has a comparable baseline.
  ///
  /// - Throws: `ArchiveError.baseline` if there is none, if it is of another kind or lacks a measure of a threshold,
  ///   and if no threshold needs it.
  package static func check(_ baseline: BaselineRun?, for scenarios: [Scenario]) throws(ArchiveError) {
    let relative = scenarios.filter { !$0.relativeThresholds.isEmpty }
    guard let baseline else {
      guard let first = relative.first, let threshold = first.relativeThresholds.first else { return }
      throw .baseline(
        found: "none",
        expected: "an earlier run for the threshold '\(threshold.text)', for example --baseline \(first.slug)")
    }
    guard !relative.isEmpty else {
      throw .baseline(
        found: "'\(baseline.name)', and no threshold that is relative to it",
        expected: "one, for example 'wins >= baseline - 1%'")
    }
    for scenario in relative { try baseline.check(for: scenario) }
  }

  private func check(for scenario: Scenario) throws(ArchiveError) {
    guard run.kind == scenario.kind else {
      throw .baseline(
        found: "'\(name)', a run of kind \(run.kind)",
        expected: "one of kind \(scenario.kind), such as an earlier run of \(scenario.slug)")
    }
    let known = findings.measurements.map(\.measure.fullName)
    for measure in scenario.relativeMeasures where !known.contains(measure.fullName) {
      let nearest = Spelling.nearest(to: measure.fullName, among: known).map { "; the nearest is '\($0)'" } ?? ""
      throw .baseline(
        found: "'\(name)', which has not measured '\(measure.fullName)'\(nearest)", expected: "a run that has")
    }
  }

  func baseline(
    of outcome: ScenarioResult, _ scenario: Scenario, gsl: String, build: RunRecord.Build
  ) -> Baseline {
    let record = RunRecord(
      status: outcome.isComplete ? .complete : .interrupted, started: run.started, assay: Version.current, gsl: gsl,
      command: "", workers: 1, machine: .current, build: build)
    let document = ResultDocument(
      slug: scenario.slug, name: scenario.name, kind: scenario.kind, digest: scenario.digest, thresholds: [],
      measurements: [], data: .null)
    let relation = RunComparison.relation(
      (run, findings),
      (
        RecordedRun(document, record, folder: ""),
        RecordedRun.Findings(measurements: [], thresholds: [], scenario: scenario.resolved)
      ))
    return Baseline(name, findings.measurements, relation: relation)
  }

  /// The identity of the run, for `result.json`.
  var json: JSONValue {
    [
      "slug": .string(run.slug), "digest": .string(run.digest), "assay": .string(run.assay),
      "started": .string(RunRecord.text(of: run.started)),
    ]
  }
}
