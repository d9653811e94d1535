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

  @Test("every kind of mistake of a tally is found, for its member and for the club")
  func mistakes() throws {
    let run = try StressRun(Self.settings(), workers: 1)
    let evaluate = try StressComparison(names: run.nameNumbers())
    let week = try run.week(0, placing: evaluate.places, of: evaluate.roster.count)
    func finding(_ change: (inout [MemberTally]) -> Void) -> StressComparison.Finding {
      var (tallies, evaluate) = (week.tallies, evaluate)
      change(&tallies)
      return evaluate.compare(tallies, with: week.truth, inLastWeek: false)
    }
    let right = finding { _ in }
    #expect(right.membersWrong == 0 && right.isTotalRight && right.activeMembers > 1000)
    let first = try #require(week.tallies.firstIndex { $0.activities > 0 })
    let twice = finding { $0[first].add(distance: 1, movingTime: 1, elapsedTime: 1, elevation: 0) }
    #expect(twice.membersWrong == 1 && !twice.isTotalRight)
    let exchanged = finding { $0.swapAt(first, week.tallies.firstIndex(of: .zero) ?? 0) }
    #expect(exchanged.membersWrong == 2 && exchanged.isTotalRight)
  }

  @Test("an interrupt ends what comes before and after the weeks, too")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let run = try StressRun(Self.settings(), workers: 1, interrupt: interrupt)
    #expect(throws: Abandoned.self) { try run.nameNumbers() }
    #expect(throws: Abandoned.self) { try run.week(0, placing: [], of: 0) }
    #expect(throws: Abandoned.self) { try StressComparison(names: [1, 2], interrupt: interrupt) }
    #expect(throws: Abandoned.self) { try StressResult.Sample(of: run.club, interrupt: interrupt) }
  }
}

extension ClubStress {
  init(members: Int, activities: Int, weeks: Int = 8, sharedNames: Double = 0.001, seed: UInt64 = 1) {
    self.init()
    (self.members, self.activities, self.weeks) = (members, activities, weeks)
    (self.sharedNames, self.seed) = (sharedNames, seed)
  }
}
