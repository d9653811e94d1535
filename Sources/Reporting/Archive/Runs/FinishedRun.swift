// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// A run that came to its end, or was ended early, with everything written.
package struct FinishedRun: Sendable {
  /// Its folder.
  package let folder: String
  /// The result, or what was known when the run was ended early; its thresholds have their lines.
  package let document: ResultDocument
  /// When, where and how fast.
  package let record: RunRecord
  /// What came out, with what only reports show.
  package let outcome: ScenarioResult
  /// What everybody who looks at the result should know, in whole sentences.
  package let remarks: [String]
  /// Where its page lies.
  package let report: String

  /// A run that came to its end, or was ended early.
  package init(
    folder: String, document: ResultDocument, record: RunRecord, outcome: ScenarioResult, remarks: [String],
    report: String
  ) {
    (self.folder, self.document, self.record) = (folder, document, record)
    (self.outcome, self.remarks, self.report) = (outcome, remarks, report)
  }
}
