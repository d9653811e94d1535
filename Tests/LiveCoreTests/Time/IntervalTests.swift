// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Intervals and instants")
struct IntervalTests {
  @Test("seconds and milliseconds are whole nanoseconds")
  func units() {
    #expect(Interval.seconds(30).nanoseconds == 30_000_000_000)
    #expect(Interval.milliseconds(50) * 20 == .seconds(1))
    #expect(Interval(seconds: 1.25) == .milliseconds(1_250))
    #expect(Interval.milliseconds(-1_500).seconds == -1.5)
  }

  @Test("sums, differences and products end at the bounds instead of trapping")
  func bounds() {
    #expect(Interval.forever + .seconds(1) == .forever)
    #expect(Interval(nanoseconds: .min) - .seconds(1) == Interval(nanoseconds: .min))
    #expect(Interval.forever * -2 == Interval(nanoseconds: .min))
    #expect(Interval.zero - Interval(nanoseconds: .min) == .forever)
  }

  @Test(
    "what is no length of time is none, and what is too long is the longest",
    arguments: [
      (Double.nan, Interval.zero), (.infinity, .forever), (-.infinity, Interval(nanoseconds: .min)), (1e300, .forever),
    ])
  func oddSeconds(seconds: Double, expected: Interval) {
    #expect(Interval(seconds: seconds) == expected)
  }

  @Test("a moment that never comes does not come nearer")
  func never() {
    #expect(Instant.never + .seconds(-5) == .never)
    #expect(Instant(nanoseconds: 5) - Instant(nanoseconds: 7) == Interval(nanoseconds: -2))
    #expect(Instant.zero + .seconds(1) < Instant.never)
  }
}
