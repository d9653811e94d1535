// SPDX-License-Identifier: Apache-2.0
import ClubCore
import CoreDates
import Foundation
import Testing

@Suite("Weeks")
struct WeekTests {
  @Test(
    "weeks have the names of ISO 8601 around new years",
    arguments: [
      ("2026-11-16", "2026-W47"), ("2026-11-22", "2026-W47"), ("2020-12-31", "2020-W53"), ("2021-01-03", "2020-W53"),
      ("2021-01-04", "2021-W01"), ("2024-12-30", "2025-W01"), ("1970-01-01", "1970-W01"), ("1969-12-28", "1969-W52"),
    ])
  func names(date: String, week: String) throws {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let day = CivilDate(year: parts[0], month: parts[1], dayOfMonth: parts[2])
    #expect(day.description == date)
    #expect(CivilDate(day: day.day) == day)
    #expect(Week(containingDay: day.day).description == week)
    #expect(try #require(Week(week)) == Week(containingDay: day.day))
  }

  @Test(
    "a text that is not a week is refused",
    arguments: ["2026-W54", "2025-W53", "2026-W00", "2026-47", "26-W1", "2026-W+1", ""])
  func refused(text: String) {
    #expect(Week(text) == nil)
  }

  @Test("a week with a change of the clocks is an hour shorter or longer")
  func changesOfTheClocks() throws {
    let calendar = WeekCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    let hours = ["2026-W12", "2026-W13", "2026-W43", "2026-W44"].compactMap { Week($0) }.map { week in
      (calendar.start(of: week.next).seconds - calendar.start(of: week).seconds) / 3600
    }
    #expect(hours == [168, 167, 169, 168])
  }

  @Test(
    "every moment lies in the week that begins before it and ends behind it",
    arguments: [
      "GMT", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "Asia/Beirut",
    ])
  func momentsLieInTheirWeeks(zone: String) throws {
    let calendar = WeekCalendar(timeZone: try #require(TimeZone(identifier: zone)))
    for step in 0..<20_000 {
      let moment = Moment(seconds: 1_200_000_000 + step * 30_011)
      let week = calendar.week(of: moment)
      #expect(calendar.start(of: week) <= moment && moment < calendar.start(of: week.next))
    }
  }
}

@Suite("Tallies by places in a roster")
struct RosterTallyTests {
  @Test("sums by place equal the sums of the activities, and members without activities are not in the week")
  func indices() {
    let members = [ByHand.member("Tom", "B."), ByHand.member("Sarah"), ByHand.member("Jan", "K.")]
    let rides = (0..<100).map { ByHand.ride(members[$0 * $0 % 7 % 3], kilometres: $0, minutes: $0 % 9) }
    var (roster, tallies) = (Roster(), [MemberTally](repeating: .zero, count: 3))
    for ride in rides { tallies[roster.index(of: ride.member)].add(ride) }
    let idle = ByHand.member("Uwe", "Z.")
    _ = roster.index(of: idle)
    let week = WeekTally(tallies, of: roster)
    #expect(week == WeekTally(rides) && week.memberCount == 3 && week[idle] == .zero)
    #expect(week.entries.map(\.member.name.description) == ["Jan K.", "Sarah M.", "Tom B."])
    var merged = WeekTally()
    merged.merge(week)
    #expect(merged.memberCount == 3 && merged == week)
  }

  @Test("the greatest possible activities are counted exactly")
  func greatest() {
    var tally = MemberTally.zero
    for _ in 0..<1000 {
      tally.add(
        distance: Length.maxDecimetres, movingTime: 1, elapsedTime: Activity.maxSeconds,
        elevation: Length.maxDecimetres)
    }
    #expect(tally.distance == 1000 * Length.maxDecimetres)
    #expect(tally.speeds == 1000 * Length.maxDecimetres * 100)
    #expect(tally.elapsedTime == 1000 * Activity.maxSeconds)
  }
}
