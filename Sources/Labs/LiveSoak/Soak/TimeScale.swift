// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// How many times as fast as the machine's clock the clock of a soak goes, by which clients and proxy live.
///
/// All intervals are those of production, in both worlds, the real and the simulated; only what is about the machine or
/// left to the kernel is converted.
struct TimeScale: Hashable, Sendable {
  let factor: Int64

  init(_ factor: Int) { self.factor = Int64(max(1, factor)) }

  /// A length of the clients' time as it passes on the machine's clock.
  func real(_ interval: Interval) -> Interval { Interval(nanoseconds: interval.nanoseconds / factor) }

  /// A length of the machine's time as the clients' own.
  func own(_ interval: Interval) -> Interval { interval * factor }
}
