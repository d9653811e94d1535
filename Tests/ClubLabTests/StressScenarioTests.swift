// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import ExperimentTestSupport
import Reporting
import Scenarios
import Testing

@Suite("Scenarios of load")
struct StressScenarioTests {
  private static let small = "members: 1500\nactivities: 20k\nweeks: 2\nshared-names: 0.05"

  @Test("the core is right about every member and every week, and the report has the shares as a figure")
  func right() throws {
    let (result, found) = try outcome("club.stress", Self.small, among: Clubs.experiments)
    for name in ["membersWrong", "weeksWrong", "personsMisplaced", "sampleWrong"] {
      #expect(found["stress.\(name)"] == 0, "\(name)")
    }
    #expect(found["stress.sampleActivities"] ?? 0 > 5000 && found["stress.sharedNames"] ?? 0 > 10)
    #expect(found["stress.identities"] ?? 1500 < 1500)
    let (all, counted) = (found["stress.activities"] ?? 0, found["stress.counted"] ?? 0)
    #expect(abs(all - 20_000) < 2000 && counted < all && counted > all / 2)
    let blocks = try #require(result.document.sections.first).blocks.flatMap { block in
      if case .part(_, _, let blocks) = block { blocks } else { [block] }
    }
    let figures = blocks.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    #expect(figures.map(\.id) == ["stress-shares"])
    #expect(result.document.text().contains("equals the ground truth"))
  }

  @Test(
    "a bad value is refused at its place",
    arguments: [
      ("members: 0", "test.yaml:3: members: found '0', expected a whole number, 1 to 10,000,000"),
      ("weeks: 2000", "expected a whole number, 1 to 1,040"),
      ("shared-names: 2", "test.yaml:3: shared-names: found '2', expected a number, 0 to 1"),
      ("members: 10", "members: found '10', expected at most 43245"),
      ("activities: 1e13", "test.yaml:3: activities: found '1e13', expected a whole number, 1 to"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"), ("member: 5", "did you mean 'members'?"),
      ("thresholds: [stress.memberWrong == 0]", "(did you mean 'stress.membersWrong'?)"),
    ])
  func refused(yaml: String, problem: String) {
    let text = refusal("club.stress", yaml, among: Clubs.experiments)
    #expect(text.contains(problem), "\(text)")
  }
}
