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

  @Test(
    "a length that is not a number is zero, and one that is too long is the longest",
    arguments: [
      (Double.nan, Interval.zero), (.infinity, .forever), (-.infinity, Interval(nanoseconds: .min)), (1e300, .forever),
    ])
  func oddSeconds(seconds: Double, expected: Interval) {
    #expect(Interval(seconds: seconds) == expected)
  }

  @Test("never plus any length is never")
  func never() {
    #expect(Instant.never + .seconds(-5) == .never)
    #expect(Instant(nanoseconds: 5) - Instant(nanoseconds: 7) == Interval(nanoseconds: -2))
    #expect(Instant.zero + .seconds(1) < Instant.never)
  }

  private static let edges: [Int64] = [.min, .min + 1, -3_000_000_000, -2, -1, 0, 1, 2, 3_000_000_000, .max - 1, .max]

  @Test("sums, differences and products are exact or saturate")
  func saturation() {
    for left in Self.edges {
      for right in Self.edges {
        let (one, other) = (Interval(nanoseconds: left), Interval(nanoseconds: right))
        #expect((one + other).nanoseconds == Int64(clamping: Int128(left) + Int128(right)), "\(left) + \(right)")
        #expect((one - other).nanoseconds == Int64(clamping: Int128(left) - Int128(right)), "\(left) - \(right)")
        #expect((one * right).nanoseconds == Int64(clamping: Int128(left) * Int128(right)), "\(left) * \(right)")
        #expect((one < other) == (left < right))
      }
    }
  }

  @Test("moments move and compare like their nanoseconds, and none is later than never")
  func moments() {
    for left in Self.edges where left != .max {
      for right in Self.edges {
        let moment = Instant(nanoseconds: left)
        let moved = moment + Interval(nanoseconds: right)
        #expect(moved.nanoseconds == Int64(clamping: Int128(left) + Int128(right)))
        #expect((Instant(nanoseconds: right) - moment).nanoseconds == Int64(clamping: Int128(right) - Int128(left)))
        #expect(moment < .never && (moment < Instant(nanoseconds: right)) == (left < right))
      }
    }
  }

  @Test("seconds are cut towards zero, and saturate at the bounds")
  func cut() {
    #expect(Interval(seconds: 1.999_999_999_9) == Interval(nanoseconds: 1_999_999_999))
    #expect(Interval(seconds: -1.999_999_999_9) == Interval(nanoseconds: -1_999_999_999))
    #expect(Interval(seconds: 0x1p63 / 1e9) == .forever)
    #expect(Interval(seconds: -0x1p63 / 1e9) == Interval(nanoseconds: .min))
    #expect(Interval.seconds(.max) == .forever && Interval.milliseconds(.min) == Interval(nanoseconds: .min))
  }
}
