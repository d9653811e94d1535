// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import LeagueLab

@Suite("Scenarios of seasons")
struct LeagueScenarioTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    let document = try ScenarioDocument(yaml: "name: Seasons\nkind: league-seasons\n\(yaml)\n", file: "s.yaml")
    return try Scenario(document, kinds: LeagueScenarios.kinds)
  }

  private static let small = "teams: 5\nweeks: 4\nseasons: 5000\nconfidence: 0.99"

  @Test("every default is written out, and reading that gives the same scenario")
  func resolved() throws {
    let bare = try scenario("")
    #expect(bare.resolved.contains("teams: 12\nweeks: 14\nmean: 110\n") && bare.resolved.contains("seasons: 100000\n"))
    for one in [bare, try scenario(Self.small + "\nties: 0\nrandom: {seed: 9, generator: taus2}")] {
      let again = try Scenario(
        ScenarioDocument(yaml: one.resolved, file: "again.yaml"), kinds: LeagueScenarios.kinds)
      #expect(again.resolved == one.resolved && again.digest == one.digest)
    }
  }

  @Test("the result is the same at any number of workers, and another with another seed")
  func sameAtAnyNumberOfWorkers() throws {
    let plan = try scenario(Self.small).plan
    func determined(_ result: ScenarioResult) -> String {
      JSONValue.array(result.measurements.map(\.json) + [result.data]).text + result.files.map(\.content).joined()
    }
    let one = try plan.run(on: ScenarioBench(workers: 1))
    for workers in [2, 4] {
      let other = try plan.run(on: ScenarioBench(workers: workers))
      #expect(determined(other) == determined(one))
      #expect(other.sections == one.sections)
    }
    let elsewhere = try scenario(Self.small + "\nrandom: {seed: 2}").plan.run(on: ScenarioBench(workers: 1))
    #expect(determined(elsewhere) != determined(one))
  }

  @Test("measurements are exactly what the plan says will be measured")
  func measures() throws {
    let plan = try scenario(Self.small).plan
    let result = try plan.run(on: ScenarioBench(workers: 1))
    #expect(result.measurements.map(\.measure) == plan.measures)
    #expect(Set(plan.measures.map(\.fullName)).count == plan.measures.count)
    #expect(plan.measures.count == 4 * 14 + 6)
    #expect(plan.measures.allSatisfy { !$0.meaning.contains("%") })
  }

  @Test("thresholds ask for a week, for every week, or for the end of the season")
  func thresholds() throws {
    let one = try scenario(
      Self.small
        + "\nthresholds: ['power.bestIsFirst[week 4] >= 25% at 0.99', 'power.rankOfBest < 5 at 0.99',"
        + " 'record.varianceFromStrength > 0.9 at 0.99']")
    let judged = one.judged(by: try one.plan.run(on: ScenarioBench(workers: 2)).measurements)
    #expect(judged.map(\.judgement) == [.holds, .holds, .holds, .holds, .holds, .fails])
  }

  @Test(
    "what a key does not mean is refused at its place",
    arguments: [
      ("teams: 1", "s.yaml:3: teams: found '1', expected 2 to 64"), ("weeks: 0", "expected 1 to 100"),
      ("mean: 2000", "s.yaml:3: mean: found '2000', expected -1000 to 1000 points"),
      ("strength: 0", "strength: found '0', expected above 0 and at most 1000 points"),
      ("ties: 2", "ties: found '2', expected a probability, 0 to 1"), ("seasons: 1", "expected a whole number, 2 to"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"), ("rounds: 5", "rounds: unknown key"),
      ("thresholds: ['power.bestIsFist > 0.1 at 0.9']", "(did you mean 'power.bestIsFirst'?)"),
      ("thresholds: ['power.bestIsFirst[week 15] > 0.1 at 0.9']", "which is not measured"),
    ])
  func refused(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test("figures compare the power ranking with plain record week by week, each point within its interval")
  func figures() throws {
    let result = try scenario(Self.small).plan.run(on: ScenarioBench(workers: 1))
    let blocks = try #require(result.sections.first).blocks.flatMap { block in
      if case .part(_, _, let blocks) = block { blocks } else { [block] }
    }
    let figures = blocks.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    #expect(figures.map(\.id) == ["best-is-first", "rank-correlation", "misled", "rank-origins"])
    for figure in figures {
      #expect(figure.series.map(\.name) == ["power ranking", "plain record"])
      #expect(figure.series.allSatisfy { $0.points.count == (figure.id == "rank-origins" ? 3 : 4) })
      let points = figure.series.flatMap(\.points)
      #expect(points.allSatisfy { $0.interval?.contains($0.y) == true })
    }
  }

  @Test("what an interruption leaves is said to be incomplete")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let one = try scenario(Self.small + "\nthresholds: ['power.bestIsFirst[week 4] >= 25% at 0.99']")
    let result = try one.plan.run(on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(one.judged(by: result.measurements).map(\.judgement) == [.undecided])
  }
}
