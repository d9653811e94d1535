// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import ClubLab

@Suite("The generator of clubs")
struct ClubGeneratorTests {
  @Test("a block of a week is the same, whatever was read before")
  func anyOrder() throws {
    let club = try ClubGenerator(ClubShape(members: 2500, weeks: 3), seed: 1)
    var reader = try ClubReader(club)
    var fresh = try ClubReader(club)
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
    let shape = ClubShape(members: 2000, weeks: 30, injuries: 0.05, newcomers: 0.5, leavers: 0.5)
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

@Suite("The shape of a club")
struct ClubShapeTests {
  @Test("the extremes of every value make a club: nobody does anything, everybody is injured, all share names")
  func extremes() throws {
    let idle = ClubShape(members: 30, weeks: 2, activitiesPerWeek: 0)
    let injured = ClubShape(members: 30, weeks: 2, injuries: 1, injuryWeeks: 1)
    for shape in [idle, injured] {
      let club = try ClubGenerator(shape, seed: 1)
      let members = try club.members()
      #expect(members.count == 30)
      #expect(try club.activities(inWeek: 0, of: members).isEmpty)
    }
    let busy = ClubShape(
      members: 3, weeks: 1, activitiesPerWeek: 1000, evenness: 1000, regularity: 0.05, seasonality: 0.9,
      otherSports: 0.5, speedCorrelation: -1, climbCorrelation: 1, injuries: 0, newcomers: 1, leavers: 1,
      commuters: 1, names: .distinct(shared: 1))
    let club = try ClubGenerator(busy, seed: 4)
    let members = try club.members()
    #expect(members.allSatisfy { $0.membership == 0..<1 })
    #expect(members.allSatisfy { $0.nameNumber != $0.number && (0..<3).contains($0.nameNumber) })
  }
}

@Suite("Names by number")
struct NameBookTests {
  @Test("three hundred thousand numbers have as many names, as the core tells names apart")
  func distinct() {
    let names = Set((0..<300_000).map(NameBook.name))
    #expect(names.count == 300_000)
  }

  @Test("a name is a listed one first, and two with a hyphen once the list is used up")
  func spelling() {
    #expect(NameBook.name(0).description == "Tom A.")
    #expect(NameBook.name(27).description == "Anna B.")
    let listed = NameBook.firstNames.count
    let beyond = listed * NameBook.initials
    #expect(NameBook.name(beyond - 1).description == "Zara Z.")
    #expect(NameBook.name(beyond).description == "Tom-Tom A.")
    #expect(NameBook.name(beyond + 26).description == "Tom-Anna A.")
    #expect(NameBook.firstName(listed * (listed + 1)) == "Tom-Tom-Tom")
  }
}
