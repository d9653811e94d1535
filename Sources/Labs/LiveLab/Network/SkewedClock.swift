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
    // In two parts, because a month times a million does not fit.
    return reading &+ passed &+ passed / 1_000_000 &* millionths &+ passed % 1_000_000 &* millionths / 1_000_000
  }

  /// The first moment of the world at which the clock says no less than that.
  @inline(__always)
  func world(at wanted: Int64) -> Int64 {
    let passed = wanted &- reading
    if passed <= 0 { return anchor }
    if millionths == 0 { return passed >= .max - anchor ? .max : anchor &+ passed }
    return slowWorld(wanted, passed)
  }

  @inline(never)
  private func slowWorld(_ wanted: Int64, _ passed: Int64) -> Int64 {
    let speed = 1_000_000 &+ millionths
    guard passed < Int64.max / 4 else { return .max }
    var moment = anchor &+ passed / speed &* 1_000_000 &+ passed % speed &* 1_000_000 / speed
    while reading(at: moment) < wanted { moment &+= 1 }
    return moment
  }

  /// Changes the speed from now on.
  mutating func set(millionths: Int64, at world: Int64) {
    reading = reading(at: world)
    anchor = world
    self.millionths = max(-999_999, millionths)
  }
}
