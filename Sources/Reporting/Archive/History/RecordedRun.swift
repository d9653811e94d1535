// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
package import Scenarios

/// A run as the history remembers it.
package struct RecordedRun: Hashable, Sendable, Identifiable {
  /// What a run found, and what it was asked for.
  package struct Findings: Hashable, Sendable {
    /// What was measured, in the run's order.
    package let measurements: [Scenarios.Measurement]
    /// The thresholds, judged.
    package let thresholds: [JudgedThreshold]
    /// The scenario as resolved; `nil` where its text was not to be had.
    package let scenario: String?

    /// Findings.
    package init(measurements: [Scenarios.Measurement], thresholds: [JudgedThreshold], scenario: String?) {
      (self.measurements, self.thresholds, self.scenario) = (measurements, thresholds, scenario)
    }
  }

  /// Its number: counted up with every run and never used again.
  package let id: Int64
  /// What the scenario's file is called, without folder and ending.
  package let slug: String
  /// What people call the scenario.
  package let name: String
  /// The kind of scenario.
  package let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  package let digest: String
  /// What all its thresholds come to.
  package let judgement: Judgement
  /// How far it came.
  package let status: RunRecord.Status
  /// When it began, to the second.
  package let started: Date
  /// The number of its process.
  package let process: Int
  /// Seconds on the wall; `nil` where it did not come to an end.
  package let seconds: Double?
  /// The version of Assay.
  package let version: String
  /// The version of GSL.
  package let gsl: String
  /// Where it ran.
  package let machine: RunRecord.Machine
  /// How many workers shared the work.
  package let workers: Int
  /// Its folder, as the process can open it. A later run of the same scenario may have taken it over.
  package let folder: String
  /// The command, as a person would type it.
  package let command: String
}
