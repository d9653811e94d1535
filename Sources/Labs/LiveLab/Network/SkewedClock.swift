// SPDX-License-Identifier: GPL-3.0-or-later

/// A phone's clock, which may run fast or slow, and never backwards. Whole nanoseconds.
struct SkewedClock {
  private var anchor: Int64 = 0
  private var reading: Int64 = 0
  private(set) var millionths: Int64 = 0

  /// What the clock says at a moment of the world, not before the last change of its speed.
  @inline(__always)
  func reading(at world: Int64) -> Int64 {
    let passed = world &- anchor
    if millionths == 0 { return reading &+ passed }
    // In two parts, because a month times a million does not fit; cut downwards, also for a slow clock.
    let rest = passed % 1_000_000 &* millionths
    return reading &+ passed &+ passed / 1_000_000 &* millionths &+ (rest < 0 ? rest &- 999_999 : rest) / 1_000_000
  }

  /// The first moment of the world at which the clock says no less than that.
  @inline(__always)
  func world(at wanted: Int64) -> Int64 {
    let passed = wanted &- reading
    if passed <= 0 { return anchor }
    if millionths == 0 { return passed >= .max - anchor ? .max : anchor &+ passed }
    return skewedWorld(passed)
  }

  @inline(never)
  private func skewedWorld(_ passed: Int64) -> Int64 {
    let speed = 1_000_000 &+ millionths
    let (whole, rest) = passed.quotientAndRemainder(dividingBy: speed)
    // A clock that all but stands reaches some readings in centuries.
    guard whole < Int64.max / 4_000_000 else { return .max }
    return anchor &+ whole &* 1_000_000 &+ (rest &* 1_000_000 &+ speed &- 1) / speed
  }

  /// Changes the speed from now on.
  mutating func set(millionths: Int64, at world: Int64) {
    reading = reading(at: world)
    anchor = world
    self.millionths = max(-999_999, millionths)
  }
}
