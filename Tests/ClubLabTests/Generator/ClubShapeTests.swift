// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import ClubLab

@Suite("The shape of a club")
struct ClubShapeTests {
  @Test("a value that no club has is refused by name, with what it was and what it may be")
  func refused() {
    #expect(throws: ClubLabError.badShape(field: "members", found: "0", expected: "1 to 10000000")) {
      try ClubShape(members: 0)
    }
    #expect(throws: ClubLabError.badShape(field: "weeks", found: "1041", expected: "1 to 1040")) {
      try ClubShape(weeks: 1041)
    }
    #expect(throws: ClubLabError.badShape(field: "evenness", found: "nan", expected: "0.05 to 1000.0")) {
      try ClubShape(evenness: .nan)
    }
    #expect(throws: ClubLabError.badShape(field: "shared names", found: "1.5", expected: "0.0 to 1.0")) {
      try ClubShape(names: .distinct(shared: 1.5))
    }
    #expect(throws: ClubLabError.badShape(field: "first names", found: "0", expected: "1 to 1000000")) {
      try ClubShape(names: .list(firstNames: 0))
    }
  }

  @Test("the extremes of every value make a club: nobody does anything, everybody is injured, all share names")
  func extremes() throws {
    let idle = try ClubShape(members: 30, weeks: 2, activitiesPerWeek: 0)
    let injured = try ClubShape(members: 30, weeks: 2, injuries: 1, injuryWeeks: 1)
    for shape in [idle, injured] {
      let club = try ClubGenerator(shape, seed: 1)
      let members = try club.members()
      #expect(members.count == 30)
      #expect(try club.activities(inWeek: 0, of: members).isEmpty)
    }
    let busy = try ClubShape(
      members: 3, weeks: 1, activitiesPerWeek: 1000, evenness: 1000, regularity: 0.05, seasonality: 0.9,
      otherSports: 0.5, speedCorrelation: -1, climbCorrelation: 1, injuries: 0, newcomers: 1, leavers: 1,
      commuters: 1, names: .distinct(shared: 1))
    let club = try ClubGenerator(busy, seed: 4)
    let members = try club.members()
    #expect(members.allSatisfy { $0.membership == 0..<1 })
    #expect(members.allSatisfy { $0.nameNumber != $0.number && (0..<3).contains($0.nameNumber) })
  }
}
