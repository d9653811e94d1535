// SPDX-License-Identifier: GPL-3.0-or-later
public import Foundation
public import Scenarios

/// A run as the history remembers it.
public struct RecordedRun: Hashable, Sendable, Identifiable {
  /// What a run found, and what it was asked for.
  public struct Findings: Hashable, Sendable {
    /// What was measured, in the run's order.
    public let measurements: [Scenarios.Measurement]
    /// The thresholds, judged.
    public let thresholds: [JudgedThreshold]
    /// The scenario as resolved; `nil` where its text was not to be had.
    public let scenario: String?

    /// Findings.
    public init(measurements: [Scenarios.Measurement], thresholds: [JudgedThreshold], scenario: String?) {
      (self.measurements, self.thresholds, self.scenario) = (measurements, thresholds, scenario)
    }
  }

  /// Its number: counted up with every run and never used again.
  public let id: Int64
  /// What the scenario's file is called, without folder and ending.
  public let slug: String
  /// What people call the scenario.
  public let name: String
  /// The kind of scenario.
  public let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  public let digest: String
  /// What all its thresholds come to.
  public let judgement: Judgement
  /// How far it came.
  public let status: RunRecord.Status
  /// When it began, to the second.
  public let started: Date
  /// The number of its process.
  public let process: Int
  /// Seconds on the wall; `nil` where it did not come to an end.
  public let seconds: Double?
  /// The version of Assay.
  public let version: String
  /// The version of GSL.
  public let gsl: String
  /// Where it ran.
  public let machine: RunRecord.Machine
  /// How many workers shared the work.
  public let workers: Int
  /// Its folder, as the process can open it. A later run of the same scenario may have taken it over.
  public let folder: String
  /// The command, as a person would type it.
  public let command: String
}
