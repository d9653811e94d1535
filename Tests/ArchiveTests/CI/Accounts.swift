// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios

@testable import Archive

/// Runs made up for what is told of them.
enum Accounts {
  static func threshold(
    _ text: String, _ judgement: Judgement, line: Int = 7, source: String = "", remedy: String = ""
  ) -> JudgedThreshold {
    JudgedThreshold(
      text: text, measurement: "share", source: source, line: line, judgement: judgement, found: "0.93 | 0.91 to 0.95",
      remedy: remedy, errorProbability: 0.01)
  }

  static func run(
    _ thresholds: [JudgedThreshold], name: String = "A scenario", cases: [JUnitReport.Case] = [],
    remarks: [String] = [], isComplete: Bool = true
  ) -> RunAccount {
    let document = ResultDocument(
      slug: "one", name: name, kind: "counting", digest: "0123abcd", thresholds: thresholds, measurements: [],
      data: .null, isComplete: isComplete)
    return RunAccount(
      file: "Scenarios/one.yaml", folder: "Results/runs/one-0123abcd", report: "Results/runs/one-0123abcd/report.html",
      document: document, cases: cases, suite: JUnitReport(name: "one", cases: cases), text: "A text.\n",
      remarks: remarks, command: "assay run Scenarios/one.yaml", seconds: 1.25)
  }

  static let failingProperty = JUnitReport.Case(
    name: "league.rank: ranks, in order", group: "League",
    outcome: .failed(message: "falsified after 3 cases", details: "seed 7\nassay properties replay abc"))
}
