// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import ClubLab

@Suite("Scenarios of load")
struct StressScenarioTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    let document = try ScenarioDocument(yaml: "name: Load\nkind: club.stress\n\(yaml)\n", file: "s.yaml")
    return try Scenario(document, kinds: [ClubStress.self])
  }

  private static let small = "members: 1500\nactivities: 20k\nweeks: 2\nshared-names: 0.05"

  @Test("every default is written out")
  func resolved() throws {
    let bare = try scenario("").resolved
    #expect(bare.contains("members: 100000\nactivities: 50000000\nweeks: 8\nshared-names: 0.001\n"))
  }

  @Test("measurements are exactly what the plan says will be measured, and thresholds evaluate them")
  func measures() throws {
    let one = try scenario(
      Self.small + "\nthresholds: [stress.membersWrong == 0, stress.weeksWrong == 0, stress.activities <= 10]")
    let result = try one.plan.run(on: ScenarioBench(workers: 2))
    #expect(result.measurements.map(\.measure) == one.plan.measures)
    #expect(Set(one.plan.measures.map(\.fullName)).count == one.plan.measures.count)
    #expect(one.evaluated(by: result.measurements).map(\.verdict) == [.holds, .holds, .fails])
  }

  @Test("the report has the throughput and the shares as figures, and the result has neither times nor memory")
  func report() throws {
    let result = try scenario(Self.small).plan.run(on: ScenarioBench(workers: 1))
    let blocks = try #require(result.document.sections.first).blocks.flatMap { block in
      if case .part(_, _, let blocks) = block { blocks } else { [block] }
    }
    let figures = blocks.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    #expect(Set(figures.map(\.id)) == ["stress-throughput", "stress-shares"])
    let text = result.document.text()
    #expect(text.contains("MiB") && text.contains("   1  "))
    #expect(!text.contains("speed-up"), "one worker shares with nobody")
    #expect(try scenario(Self.small).plan.run(on: ScenarioBench(workers: 2)).document.text().contains("speed-up"))
    #expect(text.contains("equals the ground truth"))
    #expect(!result.data.text.contains("MiB") && !result.data.text.contains("seconds\""))
  }

  @Test(
    "what a key does not mean is refused at its place",
    arguments: [
      ("members: 0", "s.yaml:3: members: found '0', expected a whole number, 1 to 10,000,000"),
      ("weeks: 2000", "expected a whole number, 1 to 1,040"),
      ("shared-names: 2", "s.yaml:3: shared-names: found '2', expected a number, 0 to 1"),
      ("members: 10", "members: found '10', expected at most 43245"),
      ("activities: 1e13", "s.yaml:3: activities: found '1e13', expected a whole number, 1 to"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"), ("member: 5", "did you mean 'members'?"),
      ("thresholds: [stress.memberWrong == 0]", "(did you mean 'stress.membersWrong'?)"),
    ])
  func refused(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test("what an interruption leaves is said to be incomplete")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let one = try scenario(Self.small + "\nthresholds: [stress.membersWrong == 0]")
    let result = try one.plan.run(on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(one.evaluated(by: result.measurements).map(\.verdict) == [.undecided])
  }
}
