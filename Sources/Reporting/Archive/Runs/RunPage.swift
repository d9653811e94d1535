// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Pages
internal import Reporting
internal import Scenarios

/// The page of a run, at each stage of it.
struct RunPage {
  let scenario: Scenario
  let record: RunRecord
  /// Whether an earlier complete result lies beside the page.
  let hasEarlier: Bool

  /// The page of a run that has begun. It stays as it is when the run is killed, so it says what to do then.
  var unfinished: ReportPage {
    page(
      notice: "This run has not come to its end. It began on \(RunRecord.text(of: record.started)) on "
        + "\(record.machine.host) as process \(record.process); if that is gone, it was killed, and the command below "
        + "runs it again.\(kept)")
  }

  /// The page of a run that ended with an error.
  var failed: ReportPage {
    page(notice: "This run ended with an error: \(record.error)\(kept)")
  }

  /// The page of a run that came to its end, or was ended early.
  func finished(_ document: ResultDocument, _ thresholds: [JudgedThreshold], _ sections: [ReportSection]) -> ReportPage
  {
    let end =
      document.isComplete
      ? ""
      : "This is not the result: the run was ended early, by request, and this is what was known by then. What needs "
        + "a number of samples that is fixed beforehand is undecided.\(kept)"
    return page(
      judgement: document.isComplete ? document.judgement : nil,
      notice: ([end] + record.remarks).filter { !$0.isEmpty }.joined(separator: " "), thresholds: thresholds,
      sections: sections, samples: document.measurements.compactMap(\.samples))
  }

  private var kept: String {
    hasEarlier ? " The result of an earlier complete run is kept beside this page, in result.json and report.html." : ""
  }

  private func page(
    judgement: Judgement? = nil, notice: String, thresholds: [JudgedThreshold] = [], sections: [ReportSection] = [],
    samples: [Int] = []
  ) -> ReportPage {
    ReportPage(
      title: scenario.name, judgement: judgement, notice: notice, thresholds: thresholds, sections: sections,
      scenario: scenario.resolved, command: record.command, facts: facts(samples))
  }

  private func facts(_ samples: [Int]) -> [ReportPage.Fact] {
    let machine = record.machine
    let facts = [
      ("Kind", "\(scenario.kind.name): \(scenario.kind.summary)"),
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
      ("GSL", record.gsl),
    ]
    return facts.compactMap { name, value in value.map { ReportPage.Fact(name, $0) } }
  }

  private static func seconds(_ value: Double) -> String { "\(NumberFormat.fixed(value, decimals: 2)) s" }

  /// How many samples measurements rest on: one number where it is the same for all.
  private static func range(_ samples: [Int]) -> String? {
    guard let least = samples.min(), let most = samples.max() else { return nil }
    let highest = NumberFormat.grouped(most)
    return least == most ? highest : "\(NumberFormat.grouped(least)) to \(highest), by measurement"
  }
}
