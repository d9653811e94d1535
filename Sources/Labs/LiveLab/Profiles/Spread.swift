// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A whole number, or a range of them from which each session draws one, all equally likely.
package struct Spread: Hashable, Sendable {
  /// The least that is drawn.
  package let least: Int64
  /// The most that is drawn.
  package let most: Int64

  /// A range.
  ///
  /// - Parameters:
  ///   - least: The least that is drawn.
  ///   - most: The most that is drawn; what is below the least counts as the least.
  package init(_ least: Int64, _ most: Int64) { (self.least, self.most) = (least, max(least, most)) }

  /// Always the same.
  package init(_ value: Int64) { self.init(value, value) }

  /// Seconds, in nanoseconds.
  static func seconds(_ least: Int64, _ most: Int64) -> Spread {
    Spread(least * 1_000_000_000, most * 1_000_000_000)
  }

  static func seconds(_ value: Int64) -> Spread { seconds(value, value) }

  /// Milliseconds, in nanoseconds.
  static func milliseconds(_ least: Int64, _ most: Int64) -> Spread {
    Spread(least * 1_000_000, most * 1_000_000)
  }

  /// To the end of the session, however long that is.
  static let forever = Spread(FaultSchedule.longest.nanoseconds)

  /// Minutes, in nanoseconds.
  static func minutes(_ least: Int64, _ most: Int64) -> Spread { seconds(least * 60, most * 60) }

  /// Parts of a hundred, in millionths.
  static func percent(_ least: Int64, _ most: Int64) -> Spread { Spread(least * 10_000, most * 10_000) }

  /// Draws one.
  ///
  /// - Parameters:
  ///   - random: Where from; no word is used where there is only one value.
  ///   - step: What is drawn is the least and a multiple of this, so that times stay in milliseconds.
  /// - Returns: The number.
  @inlinable
  package func draw(using random: inout SessionRandom, step: Int64 = 1) -> Int64 {
    guard most > least else { return least }
    let steps = UInt64(bitPattern: most &- least) / UInt64(step)
    return least &+ Int64(bitPattern: random.below(steps &+ 1)) &* step
  }

  /// Draws a time in whole milliseconds.
  func time(using random: inout SessionRandom) -> Interval {
    Interval(nanoseconds: draw(using: &random, step: 1_000_000))
  }
}
