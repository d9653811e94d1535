// SPDX-License-Identifier: GPL-3.0-or-later
public import Foundation

/// `run.json`: when, where and how fast a run was; nothing of it is determined by the scenario.
public struct RunRecord: Hashable, Sendable, Codable {
  /// How far a run has come.
  public enum Status: String, Hashable, Sendable, Codable {
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
  public struct Machine: Hashable, Sendable, Codable {
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
  /// When it began.
  public var started: Date
  /// When it ended; `nil` while it is incomplete.
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
  /// Where it ran.
  public var machine: Machine

  /// A record.
  public init(
    status: Status, started: Date, ended: Date? = nil, wallSeconds: Double? = nil, cpuSeconds: Double? = nil,
    assay: String, gsl: String, command: String, workers: Int, machine: Machine
  ) {
    (self.status, self.started, self.ended) = (status, started, ended)
    (self.wallSeconds, self.cpuSeconds) = (wallSeconds, cpuSeconds)
    (self.assay, self.gsl, self.command, self.workers, self.machine) = (assay, gsl, command, workers, machine)
  }
}
