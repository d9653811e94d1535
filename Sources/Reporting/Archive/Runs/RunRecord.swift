// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// A run as `run.json` keeps it: when, where and how fast it was; nothing of it is determined by the scenario.
package struct RunRecord: Hashable, Sendable {
  /// How far a run has come.
  package enum Status: String, CaseIterable, Hashable, Sendable {
    /// It is under way, or was killed.
    case incomplete
    /// Somebody asked for an early end.
    case interrupted
    /// Everything was done.
    case complete
    /// It ended with an error.
    case failed
  }

  /// Where it ran.
  package struct Machine: Hashable, Sendable {
    /// The host's name.
    package var host: String
    /// The operating system with its version.
    package var system: String
    /// For example `x86_64`.
    package var architecture: String
    /// The cores that the system shows.
    package var cores: Int

    /// A machine.
    package init(host: String, system: String, architecture: String, cores: Int) {
      (self.host, self.system, self.architecture, self.cores) = (host, system, architecture, cores)
    }
  }

  /// How far it has come.
  package var status: Status
  /// When it began, to the second.
  package var started: Date
  /// When it ended, to the second; `nil` while it is incomplete.
  package var ended: Date?
  /// Seconds on the wall.
  package var wallSeconds: Double?
  /// Seconds of the processor, workers together.
  package var cpuSeconds: Double?
  /// The version of Assay.
  package var assay: String
  /// The version of GSL.
  package var gsl: String
  /// The command, as a person would type it.
  package var command: String
  /// How many workers shared the work.
  package var workers: Int
  /// The number that the system gave the process.
  package var process: Int
  /// Where it ran.
  package var machine: Machine
  /// What it ended with, where it failed; empty otherwise.
  package var error: String
  /// What everybody who looks at the result should know, in whole sentences.
  package var remarks: [String]
  /// The files that it wrote, by name.
  package var files: [String]

  /// A record.
  package init(
    status: Status, started: Date, ended: Date? = nil, wallSeconds: Double? = nil, cpuSeconds: Double? = nil,
    assay: String, gsl: String, command: String, workers: Int, process: Int = 0, machine: Machine, error: String = "",
    remarks: [String] = [], files: [String] = []
  ) {
    (self.status, self.started, self.ended) = (status, started, ended)
    (self.wallSeconds, self.cpuSeconds) = (wallSeconds, cpuSeconds)
    (self.assay, self.gsl, self.command, self.workers) = (assay, gsl, command, workers)
    (self.process, self.machine) = (process, machine)
    (self.error, self.remarks, self.files) = (error, remarks, files)
  }
}
