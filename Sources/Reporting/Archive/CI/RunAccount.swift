// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting
package import Scenarios

/// What is told of a finished run outside its folder: on the terminal, in annotations, in a summary.
package struct RunAccount: Sendable {
  /// The scenario's file, as it was given.
  package let file: String
  /// The run's folder.
  package let folder: String
  /// Where its page lies.
  package let report: String
  /// What the scenario and its seed determined.
  package let document: ResultDocument
  /// Test cases beside the thresholds, for example one per property.
  package let cases: [JUnitReport.Case]
  /// All test cases, those of the thresholds first.
  package let suite: JUnitReport
  /// What the terminal shows of the result before the thresholds.
  package let text: String
  /// What everybody who looks at the result should know, in whole sentences.
  package let remarks: [String]
  /// The command that runs the scenario again.
  package let command: String
  /// How long it took, in seconds on the wall; `nil` where nobody looked.
  package let seconds: Double?

  /// An account of a run.
  package init(
    file: String, folder: String, report: String, document: ResultDocument, cases: [JUnitReport.Case] = [],
    suite: JUnitReport, text: String = "", remarks: [String] = [], command: String, seconds: Double? = nil
  ) {
    (self.file, self.folder, self.report, self.document) = (file, folder, report, document)
    (self.cases, self.suite, self.text, self.remarks) = (cases, suite, text, remarks)
    (self.command, self.seconds) = (command, seconds)
  }

  /// The account of a finished run.
  ///
  /// - Parameters:
  ///   - run: what came out.
  ///   - scenario: what ran.
  package init(_ run: FinishedRun, of scenario: Scenario) {
    let command = run.record.command
    self.init(
      file: scenario.file, folder: run.folder, report: run.report, document: run.document, cases: run.outcome.cases,
      suite: scenario.cases(run.document.thresholds, and: run.outcome.cases, command: command),
      text: run.outcome.text, remarks: run.remarks, command: command, seconds: run.record.wallSeconds)
  }

  /// The cases that failed or could not be judged, with what became of them in a line and in full.
  package var wrongCases: [(name: String, message: String, details: String)] {
    cases.compactMap { one in
      switch one.outcome {
      case .passed: nil
      case .failed(let message, let details), .broken(let message, let details): (one.name, message, details)
      }
    }
  }
}
