// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What a server can still accept: tokens that come at a steady rate, up to a depth, one for each handshake. Whole
/// numbers throughout: a rate of one a second gains a billionth of a token in a nanosecond.
struct TokenBucket {
  private let rate: Int64
  private let depth: Int64
  /// What fills an empty bucket, so that no product overflows.
  private let filling: Int64
  private var level: Int64
  private var moment: Int64

  /// A full bucket.
  ///
  /// - Parameters:
  ///   - settings: Whose capacity it is.
  ///   - moment: When it is full, in nanoseconds.
  init(_ settings: StormSettings, fullAt moment: Int64) {
    rate = Int64(settings.capacity)
    depth = settings.depth
    filling = settings.burst.nanoseconds
    (level, self.moment) = (depth, moment)
  }

  /// Takes a token where there is one.
  ///
  /// - Parameter now: In nanoseconds, no sooner than before.
  /// - Returns: Whether there was one.
  mutating func take(at now: Int64) -> Bool {
    let passed = now - moment
    level = passed >= filling ? depth : min(depth, level + passed * rate)
    moment = now
    guard level >= StormSettings.token else { return false }
    level -= StormSettings.token
    return true
  }
}
