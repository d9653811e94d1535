// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Standings")
struct StandingsTests {
  private let ann = ByHand.member("Ann")
  private let ben = ByHand.member("Ben")
  private let cleo = ByHand.member("Cleo")
  private let dora = ByHand.member("Dora")

  @Test("equal members share a rank, the next rank is left out, and ties stand by name")
  func competitionRanking() {
    let week = ByHand.week([
      ByHand.ride(dora, kilometres: 30), ByHand.ride(cleo, kilometres: 50), ByHand.ride(ben, kilometres: 50),
      ByHand.ride(ann, kilometres: 20), ByHand.ride(ann, kilometres: 60),
    ])
    let standings = week.standings(by: .distance)
    #expect(standings.map(\.rank) == [1, 2, 2, 4])
    #expect(standings.map(\.stats.member) == [ann, ben, cleo, dora])
    #expect([ann, ben, cleo, dora].map { week.rank(of: $0, by: .distance) } == [1, 2, 2, 4])
    #expect(week.rank(of: ByHand.member("Nobody"), by: .distance) == nil)
  }

  @Test("speeds that differ by less than a double can say still rank apart, and equal ratios tie")
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

  @Test("who has no moving time has no speed and no rank by it, and stands last by name")
  func withoutSpeed() {
    let week = ByHand.week([
      ByHand.ride(ben, kilometres: 30), ByHand.ride(ann, kilometres: 1), ByHand.ride(cleo, kilometres: 10, minutes: 60),
    ])
    let standings = week.standings(by: .speed)
    #expect(standings.map(\.rank) == [1, nil, nil])
    #expect(standings.map(\.stats.member) == [cleo, ann, ben])
    #expect(week.rank(of: ann, by: .speed) == nil)
    #expect(week.share(of: cleo, .speed) == nil)
  }

  @Test("the average speed is distance over time, and the mean of rides only by name")
  func speedKinds() {
    let rides = [ByHand.ride(ann, kilometres: 60, minutes: 120), ByHand.ride(ann, kilometres: 10, minutes: 60)]
    let stats = ByHand.week(rides)[ann]
    #expect(ClubDisplay.speed(stats.averageSpeed()) == "23.3 km/h")
    #expect(ClubDisplay.speed(stats.averageSpeed(.meanOfRides)) == "20.0 km/h")
    #expect(stats.averageSpeed(.meanOfRides) == Ratio(8333 + 2777, over: 200))
    #expect(stats.averageSpeedKilometresPerHour() == 70 / 3.0)
    let other = [ByHand.ride(ben, kilometres: 42, minutes: 120)]
    let (total, mean) = (
      ClubWeek(WeekTally(rides + other)), ClubWeek(WeekTally(rides + other), speed: .meanOfRides)
    )
    #expect(total.standings(by: .speed).first?.stats.member == ann)
    #expect(mean.standings(by: .speed).first?.stats.member == ben)
  }

  @Test("a share of nothing is no number")
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

  @Test("a ranking has the standings one by one, and its best are those of all")
  func ranking() {
    let week = ByHand.week((1...30).map { ByHand.ride(ByHand.member("Ann\($0)"), kilometres: $0 / 3) })
    let ranking = week.ranking(by: .distance)
    #expect(Array(ranking) == week.standings(by: .distance))
    #expect(ranking.prefix(4).map(\.rank) == [1, 2, 2, 2])
    #expect(ranking.last?.rank == 29)
  }

  @Test("small clubs rank as counting who is better says, in every metric", arguments: 0..<300)
  func counted(seed: Int) {
    let club = SmallClub(seed: UInt64(seed))
    let rides = club.weeks.first { $0.week == club.week }?.activities ?? []
    let week = ClubWeek(WeekTally(rides))
    for metric in Metric.allCases {
      let standings = week.standings(by: metric)
      #expect(standings.count == club.active(club.week).count)
      for standing in standings {
        let better = standings.count { other in
          guard let own = standing.stats.value(of: metric), let value = other.stats.value(of: metric) else {
            return false
          }
          return value.numerator * own.denominator > own.numerator * value.denominator
        }
        #expect(standing.rank == (standing.stats.value(of: metric) == nil ? nil : better + 1))
        #expect(standing.rank == week.rank(of: standing.stats.member, by: metric))
      }
    }
    #expect(week.standings(by: .distance) == ByHand.week(rides.reversed()).standings(by: .distance))
  }
}
