// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// One way that an outage can go: its faults, once or several times over.
package struct OutageCourse: Hashable, Sendable {
  /// How often it is drawn, beside the weights of the profile's other courses.
  package let weight: UInt32
  /// How many times its faults come.
  package let times: Spread
  /// How long after the end of one time the next begins, in nanoseconds.
  package let gap: Spread
  /// Its faults.
  package let patterns: [FaultPattern]

  /// A course.
  ///
  /// - Parameters:
  ///   - weight: How often it is drawn, beside the others.
  ///   - times: How many times its faults come.
  ///   - gap: How long after the end of one time the next begins, in nanoseconds.
  ///   - patterns: Its faults.
  package init(
    weight: UInt32 = 1, times: Spread = Spread(1), gap: Spread = Spread(0), _ patterns: [FaultPattern]
  ) {
    (self.weight, self.times, self.gap, self.patterns) = (weight, times, gap, patterns)
  }

  /// Lays its faults into a schedule.
  ///
  /// - Parameters:
  ///   - schedule: Where the faults go.
  ///   - start: When the outage begins.
  ///   - random: What is drawn from.
  /// - Returns: When the last fault that ends is over.
  func lay(into schedule: inout FaultSchedule, from start: Instant, using random: inout SessionRandom) -> Instant {
    var (begin, latest) = (start, start)
    for _ in 0..<times.draw(using: &random) {
      var previous = begin
      for pattern in patterns {
        guard pattern.chance == .all || random.happens(pattern.chance.share) else { continue }
        let at = (pattern.anchor == .begin ? begin : previous) + pattern.delay.time(using: &random)
        let lasting = pattern.lasting.time(using: &random)
        let timed = TimedFault(pattern.fault(using: &random), at: at, lasting: lasting)
        schedule.add(timed)
        // What holds for ever is over when the session is, however long that is.
        previous = pattern.isEndless ? at : timed.end
        latest = max(latest, previous)
      }
      begin = latest + gap.time(using: &random)
    }
    return latest
  }
}
