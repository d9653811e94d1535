// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Standings")
struct StandingsTests {
  private let ann = ByHand.member("Ann")
  private let ben = ByHand.member("Ben")
  private let cleo = ByHand.member("Cleo")
  private let dora = ByHand.member("Dora")

  @Test("speeds that differ by less than a double's precision have different ranks, and equal ratios tie")
  func exactSpeeds() throws {
    var (slow, fast, same) = (MemberTally.zero, MemberTally.zero, MemberTally.zero)
    let great = 1 << 60
    slow.add(distance: great, movingTime: great + 1, elapsedTime: 0, elevation: 0)
    fast.add(distance: great + 1, movingTime: great + 2, elapsedTime: 0, elevation: 0)
    same.add(distance: 3 * great + 3, movingTime: 3 * great + 6, elapsedTime: 0, elevation: 0)
    let speeds = try [slow, fast, same].map { try #require($0.averageSpeed()) }
    #expect(speeds[0].value == speeds[1].value)
    #expect(speeds[0] < speeds[1])
    #expect(speeds[1] == speeds[2])
  }

  @Test("the average speed is distance over time, and the mean of rides if that is asked for")
  func speedKinds() {
    let rides = [ByHand.ride(ann, kilometres: 60, minutes: 120), ByHand.ride(ann, kilometres: 10, minutes: 60)]
    let stats = ByHand.week(rides).tally[ann]
    #expect(ClubDisplay.speed(stats.averageSpeed()) == "23.3 km/h")
    #expect(ClubDisplay.speed(stats.averageSpeed(.meanOfRides)) == "20.0 km/h")
    #expect(stats.averageSpeed(.meanOfRides) == Ratio(8333 + 2777, over: 200))
    let other = [ByHand.ride(ben, kilometres: 42, minutes: 120)]
    let (total, mean) = (
      ClubWeek(WeekTally(rides + other)), ClubWeek(WeekTally(rides + other), speed: .meanOfRides)
    )
    #expect(total.standings(by: .speed).first?.stats.member == ann)
    #expect(mean.standings(by: .speed).first?.stats.member == ben)
  }

  @Test("a share of nothing is not a number")
  func shares() throws {
    let week = ByHand.week([
      ByHand.ride(ann, kilometres: 1), ByHand.ride(ben, kilometres: 2), ByHand.ride(ben),
    ])
    #expect(try #require(week.share(of: ann, .distance)).tenthsOfPercent == 333)
    #expect(try #require(week.share(of: ben, .rides)).tenthsOfPercent == 667)
    let climbing = try #require(week.share(of: ann, .elevation))
    #expect(climbing.fraction == nil)
    #expect(climbing.tenthsOfPercent == nil)
    #expect(try #require(week.share(of: cleo, .distance)).tenthsOfPercent == 0)
  }

  @Test("the club's totals have trends of their own, and an unknown week before has none")
  func totals() throws {
    let last = [ByHand.ride(ann, kilometres: 50), ByHand.ride(cleo, kilometres: 50, climbing: 100)]
    let week = ByHand.week([ByHand.ride(ann, kilometres: 90), ByHand.ride(ben, kilometres: 30)], after: last)
    #expect(ClubMetric.allCases.map { week.totals.value(of: $0) } == [1_200_000, 2, 2, 0])
    #expect(ClubMetric.allCases.map { week.trend(of: $0)?.direction } == [.up, .flat, .flat, .gone])
    #expect(week.trend(of: .distance)?.percentage == 20)
    #expect([ann, ben, cleo].map { week.trend(of: $0, .distance)?.direction } == [.up, .new, .gone])
    #expect(week.gone.map(\.member) == [cleo])
    #expect(ByHand.week(last).trend(of: .distance) == nil)
    #expect(ByHand.week(last).trend(of: ann, .distance) == nil)
  }
}

@Suite("Trends")
struct TrendTests {
  @Test(
    "a trend follows the change, and a change of exactly the threshold is flat",
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
