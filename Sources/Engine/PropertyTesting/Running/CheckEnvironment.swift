// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo

/// What surrounds a check without changing what it finds: who may stop it, who watches it, which clock it reads.
public struct CheckEnvironment: Sendable {
  /// Looked at between blocks of cases; blocks in hand are finished and counted.
  public var interrupt: Interrupt?
  /// Told about the cases of every finished block.
  public var progress: ProgressMeter?
  /// Told about every case before it is judged, for a host that outlives this process.
  public var journal: (any CaseJournal)?
  /// Tells the time since some fixed moment, to find out whether drawing takes longer than judging; nil for no such
  /// finding.
  public var clock: (@Sendable () -> Duration)?

  /// Surroundings without anybody but a clock.
  public init() {
    let start = ContinuousClock.now
    clock = { start.duration(to: .now) }
  }
}
