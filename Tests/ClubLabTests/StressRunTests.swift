// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import MonteCarlo
import Testing

@testable import ClubLab

@Suite("A club under load")
struct StressRunTests {
  private static func settings(seed: UInt64 = 3) -> ClubStress {
    ClubStress(members: 3000, activities: 60_000, weeks: 3, sharedNames: 0.02, seed: seed)
  }

  private func run(_ settings: ClubStress, workers: Workers = 2) throws -> StressResult {
    try StressRun(settings, workers: workers).run()
  }

  @Test("the core is right about every member and every week")
  func right() throws {
    let result = try run(Self.settings())
    #expect(result.membersWrong == 0 && result.weeksWrong == 0 && result.personsMisplaced == 0)
    #expect(result.sample.wrong == 0 && result.sample.activities > 5000)
    #expect(result.weeks.count == 3)
    #expect(abs(result.activities - 60_000) < 6000)
    #expect(result.counted < result.activities && result.counted > result.activities / 2)
    #expect(result.identities < 3000 && result.collisions.real > 10)
  }

  @Test("slices of members come to the same as all at once")
  func slices() throws {
    let settings = Self.settings()
    let invention = try StressLoad(settings, workers: 2)
    let places = (0..<UInt32(3000)).map(\.self)
    let whole = try invention.week(1, of: 0..<3, placing: places)
    let parts = try [0..<1, 1..<3].map { try invention.week(1, of: $0, placing: places) }
    #expect(parts.flatMap(\.sums) == whole.sums)
    #expect(parts.reduce(0) { $0 + $1.generated } == whole.generated)
    #expect(Set(parts.flatMap(\.activities)) == Set(whole.activities))
    var (one, several) = (RosterTally(members: 3000), RosterTally(members: 3000))
    one.add(whole.activities[...])
    for part in parts { several.add(part.activities[...]) }
    #expect(one == several)
  }

  @Test("every kind of mistake of a tally is found, for its member and for the club")
  func mistakes() throws {
    let invention = try StressLoad(Self.settings(), workers: 1)
    let names = try invention.nameNumbers()
    let evaluate = try StressComparison(names: names)
    let slice = try invention.week(0, of: 0..<3, placing: evaluate.places)
    func finding(_ activities: [PackedActivity]) -> StressComparison.Finding {
      var (tally, evaluate) = (RosterTally(members: evaluate.roster.count), evaluate)
      tally.add(activities[...])
      return evaluate.compare(tally, with: slice.sums, inLastWeek: false)
    }
    let right = finding(slice.activities)
    #expect(right.membersWrong == 0 && right.isTotalRight && right.activeMembers > 1000)
    let lost = finding(Array(slice.activities.dropFirst()))
    #expect(lost.membersWrong == 1 && !lost.isTotalRight)
    let twice = finding(slice.activities + slice.activities.prefix(1))
    #expect(twice.membersWrong == 1 && !twice.isTotalRight)
    let first = slice.activities[0]
    let stranger = PackedActivity(
      member: (first.member + 1) % UInt32(evaluate.roster.count), distance: first.distance,
      movingTime: first.movingTime,
      elapsedTime: first.elapsedTime, elevation: first.elevation)
    let exchanged = finding([stranger] + slice.activities.dropFirst())
    #expect(exchanged.membersWrong == 2 && exchanged.isTotalRight)
    let slower = PackedActivity(
      member: first.member, distance: first.distance, movingTime: first.movingTime + 1,
      elapsedTime: first.elapsedTime, elevation: first.elevation)
    #expect(finding([slower] + slice.activities.dropFirst()).membersWrong == 1)
  }

  @Test("lanes count the same, however many there are, and are empty once merged", arguments: [1, 2, 5])
  func lanes(workers: Int) throws {
    let invention = try StressLoad(Self.settings(), workers: 1)
    let slice = try invention.week(2, of: 0..<3, placing: (0..<UInt32(3000)).map(\.self))
    let lanes = TallyLanes(members: 3000, runner: try BlockRunner(workers: workers))
    lanes.add(slice.activities)
    lanes.add(Array(slice.activities.prefix(17)))
    var plain = RosterTally(members: 3000)
    plain.add(slice.activities[...])
    plain.add(slice.activities.prefix(17))
    #expect(lanes.merged() == plain)
    #expect(lanes.merged() == RosterTally(members: 3000))
  }

  @Test("an interrupt ends what comes before and after the weeks, too")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let settings = Self.settings()
    let load = try StressLoad(settings, workers: 1, interrupt: interrupt)
    #expect(throws: Abandoned.self) { try load.nameNumbers() }
    #expect(throws: Abandoned.self) { try load.week(0, of: load.slices[0], placing: []) }
    #expect(throws: Abandoned.self) { try StressComparison(names: [1, 2], interrupt: interrupt) }
    #expect(throws: Abandoned.self) { try StressResult.Sample(of: load.club, interrupt: interrupt) }
  }
}

extension ClubStress {
  init(members: Int, activities: Int, weeks: Int = 8, sharedNames: Double = 0.001, seed: UInt64 = 1) {
    self.init()
    (self.members, self.activities, self.weeks) = (members, activities, weeks)
    (self.sharedNames, self.seed) = (sharedNames, seed)
  }
}
