// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Trends")
struct TrendTests {
  @Test(
    "the change decides, and a change of exactly the threshold is flat",
    arguments: [
      (0, 5, Trend.Direction.new, nil), (5, 0, .gone, -1000), (0, 0, .flat, nil), (100, 100, .flat, 0),
      (100, 110, .flat, 100), (1000, 1101, .up, 101), (100, 90, .flat, -100), (1000, 899, .down, -101),
      (3, 4, .up, 333), (3, 2, .down, -333), (8, 9, .up, 125), (2000, 2001, .flat, 1), (2000, 1999, .flat, -1),
      (.max, .max, .flat, 0), (.max, 1, .down, -1000),
    ] as [(Int, Int, Trend.Direction, Int?)])
  func directions(last: Int, this: Int, direction: Trend.Direction, tenths: Int?) {
    let trend = Trend.of(this: Ratio(this), last: Ratio(last))
    #expect(trend.direction == direction)
    #expect(trend.tenthsOfPercent == tenths)
    #expect((trend.percentage == nil) == (last == 0))
  }

  @Test("the percentage is (this - last) / last * 100")
  func percentage() {
    #expect(Trend.of(this: Ratio(3), last: Ratio(4)).percentage == -25)
    #expect(Trend.of(this: Ratio(9, over: 2), last: Ratio(3, over: 2)).percentage == 200)
    #expect(Trend.of(this: nil, last: Ratio(4)).direction == .gone)
    #expect(Trend.of(this: Ratio(4), last: nil).direction == .new)
  }

  @Test("the threshold is a parameter; with zero every change counts and equal weeks are flat")
  func threshold() throws {
    let (none, twenty) = try (
      #require(Trend.Threshold(tenthsOfPercent: 0)), #require(Trend.Threshold(tenthsOfPercent: 200))
    )
    #expect(Trend.of(this: Ratio(1_000_001), last: Ratio(1_000_000), threshold: none).direction == .up)
    #expect(Trend.of(this: Ratio(7), last: Ratio(7), threshold: none).direction == .flat)
    #expect(Trend.of(this: Ratio(120), last: Ratio(100), threshold: twenty).direction == .flat)
    #expect(Trend.of(this: Ratio(79), last: Ratio(100), threshold: twenty).direction == .down)
    #expect(Trend.Threshold(tenthsOfPercent: -1) == nil)
  }

  @Test("ratios of the greatest numbers neither trap nor mistake the direction")
  func greatest() throws {
    let (more, less) = try (#require(Ratio(.max, over: .max - 1)), #require(Ratio(.max - 1, over: .max)))
    let none = try #require(Trend.Threshold(tenthsOfPercent: 0))
    #expect(Trend.of(this: more, last: less, threshold: none).direction == .up)
    #expect(Trend.of(this: less, last: more, threshold: none).direction == .down)
    #expect(Trend.of(this: more, last: less, threshold: .tenPercent).direction == .flat)
    let huge = try #require(Trend.Threshold(tenthsOfPercent: .max))
    #expect(Trend.of(this: more, last: Ratio(1, over: .max), threshold: huge).direction == .up)
    #expect(Trend.of(this: more, last: less, threshold: huge).direction == .flat)
    #expect(Trend.of(this: Ratio(.max), last: Ratio(1, over: .max)).tenthsOfPercent == .max)
  }

  @Test("the gap of two ratios is exact where it fits", arguments: [(7, 2, 4, 3), (1, 3, 1, 3), (0, 1, 5, 4)])
  func gaps(a: Int, b: Int, c: Int, d: Int) throws {
    let (first, second) = try (#require(Ratio(a, over: b)), #require(Ratio(c, over: d)))
    #expect(first.gap(to: second) == Ratio(abs(a * d - c * b), over: b * d))
    #expect(second.gap(to: first) == first.gap(to: second))
  }

  @Test("rounding takes halves up")
  func rounding() throws {
    #expect(try #require(Ratio(5, over: 2)).rounded() == 3)
    #expect(try #require(Ratio(7, over: 3)).rounded() == 2)
    #expect(Ratio(.max).rounded(times: 1000) == .max)
    #expect(Ratio(-1, over: 2) == nil)
    #expect(Ratio(1, over: 0) == nil)
  }
}
