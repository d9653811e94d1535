// SPDX-License-Identifier: GPL-3.0-or-later

/// A quantity over time: a number of waiting customers, a stock, machines that stand still.
///
///     let broken = shop.level()
///     broken.value += 1
///     print(broken.mean, broken.maximum, broken.share { $0 >= 3 })
public final class Level {
  /// The present value: a finite number. Any other is an error of the run.
  public var value: Double {
    get { current }
    set {
      guard check(newValue) else { return }
      pass()
      current = newValue
    }
  }

  private var current: Double
  let clock: SimulationClock
  /// The beginning of the measurement, and of the present value.
  private var (begin, since) = (0.0, 0.0)
  private var area = 0.0
  /// The time at each whole number from 0, and at all others.
  private var times: [Double] = []
  private var others: [Double: Double] = [:]

  init(_ value: Double, _ clock: SimulationClock) {
    (current, self.clock) = (value, clock)
    (begin, since) = (clock.now, clock.now)
    if !check(value) { current = 0 }
  }

  private func check(_ value: Double) -> Bool {
    if abs(value) < .infinity { return true }
    clock.refuse(.badNumber(value, "a level", expected: "a finite number"))
    return false
  }

  /// Adds the time for which the present value has lasted.
  private func pass() {
    let lasted = clock.now - since
    guard lasted > 0 else { return }
    since = clock.now
    area += lasted * current
    if current >= 0, current < 4096, current == current.rounded(.down) {
      let index = Int(current)
      if index >= times.count { times.append(contentsOf: repeatElement(0, count: index + 1 - times.count)) }
      times[index] += lasted
    } else {
      others[current, default: 0] += lasted
    }
  }

  /// Begins the measurement again, with the present value.
  func restart() {
    (begin, since, area) = (clock.now, clock.now, 0)
    (times, others) = ([], [:])
  }

  /// The mean over the time since the beginning or the end of the warm-up; the present value where no time has passed.
  public var mean: Double {
    pass()
    return since > begin ? area / (since - begin) : current
  }

  /// The largest value in that time that lasted.
  public var maximum: Double { histogram.last?.value ?? current }

  /// The share of that time for which a condition on the value holds.
  public func share(where holds: (Double) -> Bool) -> Double {
    histogram.reduce(0) { $0 + (holds($1.value) ? $1.share : 0) }
  }

  /// The share of that time at each value, in the order of the values.
  public var histogram: [(value: Double, share: Double)] {
    pass()
    let whole = since - begin
    guard whole > 0 else { return [(current, 1)] }
    return
      (times.enumerated().filter { $0.element > 0 }.map { (Double($0.offset), $0.element) } + others.map { ($0, $1) })
      .sorted { $0.0 < $1.0 }.map { ($0.0, $0.1 / whole) }
  }
}
