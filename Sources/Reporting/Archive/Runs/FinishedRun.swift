// SPDX-License-Identifier: GPL-3.0-or-later
public import Scenarios

/// A run that came to its end, or was ended early, with everything written.
public struct FinishedRun: Sendable {
  /// Its folder.
  public let folder: String
  /// The result, or what was known when the run was ended early; its thresholds have their lines.
  public let document: ResultDocument
  /// When, where and how fast.
  public let record: RunRecord
  /// What came out, with what only reports show.
  public let outcome: ScenarioResult
  /// What everybody who looks at the result should know, in whole sentences.
  public let remarks: [String]
  /// Where its page lies.
  public let report: String

  /// A run that came to its end, or was ended early.
  public init(
    folder: String, document: ResultDocument, record: RunRecord, outcome: ScenarioResult, remarks: [String],
    report: String
  ) {
    (self.folder, self.document, self.record) = (folder, document, record)
    (self.outcome, self.remarks, self.report) = (outcome, remarks, report)
  }
}
