// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The speed of a soak's clock, which clients and proxy use, as a multiple of the machine's.
///
/// All intervals are those of production, in the real and the simulated world; only times of the machine and of the
/// kernel are converted.
struct TimeScale: Hashable, Sendable {
  let factor: Int64

  init(_ factor: Int) { self.factor = Int64(max(1, factor)) }

  /// An interval of the clients' time in the machine's time.
  func real(_ interval: Interval) -> Interval { Interval(nanoseconds: interval.nanoseconds / factor) }

  /// An interval of the machine's time in the clients' time.
  func own(_ interval: Interval) -> Interval { interval * factor }
}
