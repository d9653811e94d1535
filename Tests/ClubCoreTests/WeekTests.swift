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
    "what is no week is refused", arguments: ["2026-W54", "2025-W53", "2026-W00", "2026-47", "26-W1", "2026-W+1", ""])
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

@Suite("Tallies of packed activities")
struct RosterTallyTests {
  private static let names = ["Tom B.", "Sarah M.", "Jan K."]

  /// Some activities of the three, without a pattern.
  private static let activities: [Activity] = (0..<500).map { index in
    let parts = names[index * index % 7 % 3].split(separator: " ").map(String.init)
    return Activity(
      member: MemberIdentity(name: AthleteName(first: parts[0], last: parts[1])),
      distance: Length(decimetres: index * 7919 % 1_000_003) ?? .zero,
      movingTime: index % 9 == 0 ? 0 : index * 37 % 20_011,
      elapsedTime: index * 41 % 40_009, elevation: Length(decimetres: index * 31 % 10_007) ?? .zero)
  }

  private static func packed(in roster: inout Roster) -> [PackedActivity] {
    activities.map { activity in
      PackedActivity(
        member: UInt32(roster.index(of: activity.member)), distance: UInt32(activity.distance.decimetres),
        movingTime: UInt32(activity.movingTime), elapsedTime: UInt32(activity.elapsedTime),
        elevation: UInt32(activity.elevation.decimetres))
    }
  }

  @Test("packed activities come to what the activities come to, member by member")
  func same() {
    var roster = Roster()
    let packed = Self.packed(in: &roster)
    var tally = RosterTally(members: roster.count)
    tally.add(packed[...])
    let plain = WeekTally(Self.activities)
    #expect(WeekTally(tally, of: roster) == plain)
    #expect(tally.total == plain.total)
    for member in roster.members { #expect(roster.existingIndex(of: member).map { tally[$0] } == plain[member]) }
  }

  @Test("members of a roster who had no activities are nowhere in the week")
  func idle() {
    var roster = Roster()
    let packed = Self.packed(in: &roster)
    let idle = MemberIdentity(name: AthleteName(first: "Uwe", last: "Z."))
    _ = roster.index(of: idle)
    var tally = RosterTally(members: 4)
    tally.add(packed[...])
    let week = WeekTally(tally, of: roster)
    #expect(week.memberCount == 3)
    #expect(week.entries.map(\.member.name.description) == ["Jan K.", "Sarah M.", "Tom B."])
    #expect(week[idle] == .zero)
    #expect(week == WeekTally(Self.activities))
    var merged = WeekTally()
    merged.merge(week)
    #expect(merged.memberCount == 3 && merged == week)
  }

  @Test("the greatest activities that there may be are counted exactly")
  func greatest() {
    let most = PackedActivity(
      member: 0, distance: UInt32(Length.mostDecimetres), movingTime: 1,
      elapsedTime: UInt32(Activity.mostSeconds), elevation: UInt32(Length.mostDecimetres))
    var tally = RosterTally(members: 1)
    tally.add(Array(repeating: most, count: 1000)[...])
    #expect(tally[0].distance == 1000 * Length.mostDecimetres)
    #expect(tally[0].speeds == 1000 * Length.mostDecimetres * 100)
    #expect(tally[0].elapsedTime == 1000 * Activity.mostSeconds)
  }
}
