// SPDX-License-Identifier: GPL-3.0-or-later
public import Foundation

/// A run as `run.json` keeps it: when, where and how fast it was; nothing of it is determined by the scenario.
public struct RunRecord: Hashable, Sendable {
  /// How far a run has come.
  public enum Status: String, CaseIterable, Hashable, Sendable {
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
  public struct Machine: Hashable, Sendable {
    /// The host's name.
    public var host: String
    /// The operating system with its version.
    public var system: String
    /// For example `x86_64`.
    public var architecture: String
    /// The cores that the system shows.
    public var cores: Int

    /// A machine.
    public init(host: String, system: String, architecture: String, cores: Int) {
      (self.host, self.system, self.architecture, self.cores) = (host, system, architecture, cores)
    }
  }

  /// How far it has come.
  public var status: Status
  /// When it began, to the second.
  public var started: Date
  /// When it ended, to the second; `nil` while it is incomplete.
  public var ended: Date?
  /// Seconds on the wall.
  public var wallSeconds: Double?
  /// Seconds of the processor, workers together.
  public var cpuSeconds: Double?
  /// The version of Assay.
  public var assay: String
  /// The version of GSL.
  public var gsl: String
  /// The command, as a person would type it.
  public var command: String
  /// How many workers shared the work.
  public var workers: Int
  /// The number that the system gave the process.
  public var process: Int
  /// Where it ran.
  public var machine: Machine
  /// What it ended with, where it failed; empty otherwise.
  public var error: String
  /// What everybody who looks at the result should know, in whole sentences.
  public var remarks: [String]
  /// The files that it wrote, by name.
  public var files: [String]

  /// A record.
  public init(
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
