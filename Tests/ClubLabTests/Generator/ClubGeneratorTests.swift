// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import ClubLab

@Suite("The generator of clubs")
struct ClubGeneratorTests {
  @Test("a seed gives one club, another seed another one")
  func seeds() throws {
    let shape = try ClubShape(members: 3000, weeks: 4)
    let (one, same, other) = (
      try ClubGenerator(shape, seed: 7), try ClubGenerator(shape, seed: 7), try ClubGenerator(shape, seed: 8)
    )
    let (members, others) = (try one.members(), try other.members())
    #expect(members == (try same.members()))
    #expect(members != others)
    for week in 0..<4 {
      let activities = try one.activities(inWeek: week, of: members)
      #expect(activities == (try same.activities(inWeek: week, of: members)))
      #expect(activities != (try other.activities(inWeek: week, of: others)))
    }
  }

  @Test("a block of a week is the same, whatever was read before")
  func anyOrder() throws {
    let club = try ClubGenerator(try ClubShape(members: 2500, weeks: 3), seed: 1)
    var reader = try club.reader()
    var fresh = try club.reader()
    let last = try reader.members(inBlock: 2)
    _ = try reader.members(inBlock: 0)
    let activities = try reader.activities(inWeek: 2, block: 2, of: last)
    #expect(!activities.isEmpty)
    #expect(try fresh.activities(inWeek: 2, block: 2, of: last) == activities)
    #expect(try fresh.members(inBlock: 2) == last)
    #expect(last.map(\.number) == Array(2048..<2500))
  }

  @Test("every activity lies in its week, belongs to a person who is there and able, and is one the core can hold")
  func plausible() throws {
    let shape = try ClubShape(members: 2000, weeks: 30, injuries: 0.05, newcomers: 0.5, leavers: 0.5)
    let club = try ClubGenerator(shape, seed: 3)
    let members = try club.members()
    for week in [0, 13, 29] {
      let activities = try club.activities(inWeek: week, of: members)
      #expect(activities.count > 1000)
      for one in activities {
        let member = members[Int(one.person)]
        #expect(member.isActive(in: week))
        #expect(WeekCalendar.utc.week(of: one.start(in: shape)) == shape.week(week))
        let activity = one.activity(of: member, in: shape, isDated: true)
        #expect(
          activity.distance.decimetres == Int(one.distance) && activity.elevation.decimetres == Int(one.elevation))
        #expect(activity.movingTime > 0 && activity.elapsedTime >= activity.movingTime)
        #expect(activity.elapsedTime <= Activity.mostSeconds)
      }
      #expect(activities.map(\.secondOfWeek) == activities.map(\.secondOfWeek).sorted())
    }
  }
}
