// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LeagueLab
import Reporting
import Scenarios
import Testing

@Suite("The experiment league.seasons")
struct SeasonsTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    try ExperimentTestSupport.scenario("league.seasons", yaml, among: Leagues.experiments.map { $0.runnable })
  }

  private static let small = "teams: 5\nweeks: 4\nseasons: 5000\nconfidence: 0.99"

  private func result(_ yaml: String = small) throws -> ScenarioResult {
    try scenario(yaml).plan.run(on: RunContext(workers: 1))
  }

  @Test("thresholds bound a week, every week, or the end of the season")
  func thresholds() throws {
    let one = try scenario(
      Self.small
        + "\nthresholds: ['power.bestIsFirst[week 4] >= 25% at 0.99', 'power.rankOfBest < 5 at 0.99',"
        + " 'record.varianceFromStrength > 0.9 at 0.99']")
    let evaluated = one.evaluated(by: try one.plan.run(on: RunContext(workers: 2)).measurements)
    #expect(evaluated.map(\.verdict) == [.holds, .holds, .holds, .holds, .holds, .fails])
  }

  @Test(
    "a bad value is refused at its place",
    arguments: [
      ("teams", "1", "a whole number, 2 to 64"), ("teams", "twelve", "a whole number, 2 to 64"),
      ("weeks", "0", "a whole number, 1 to 100"), ("weeks", "-3", "a whole number, 1 to 100"),
      ("mean", "2000", "a number, -1000 to 1000"), ("mean", "nan", "a number, -1000 to 1000"),
      ("deviation", "-1", "a number, 0 to 1000"), ("strength", "0", "a number, above 0 and below 1000"),
      ("ties", "2", "a number, 0 to 1"), ("seasons", "0", "a whole number, 1 to 10,000,000,000"),
      ("seasons", "1.5", "a whole number, 1 to 10,000,000,000"),
      ("confidence", "1", "a number, above 0 and below 1"),
    ])
  func refused(key: String, value: String, expected: String) {
    let text = refusal("league.seasons", "\(key): \(value)", among: Leagues.experiments.map { $0.runnable })
    #expect(text == "test.yaml:3: \(key): found '\(value)', expected \(expected).")
  }

  @Test(
    "unknown words suggest the closest match",
    arguments: [
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"), ("rounds: 5", "rounds: unknown key"),
      ("thresholds: ['power.bestIsFist > 0.1 at 0.9']", "(did you mean 'power.bestIsFirst'?)"),
      ("thresholds: ['power.bestIsFirst[week 15] > 0.1 at 0.9']", "which is not measured"),
    ])
  func unknown(yaml: String, problem: String) {
    let text = refusal("league.seasons", yaml, among: Leagues.experiments.map { $0.runnable })
    #expect(text.contains(problem), "\(text)")
  }

  @Test("the report names the league, the seasons and the confidence, and has a row a week")
  func text() throws {
    let document = try result("teams: 4\nweeks: 3\nseasons: 100\nconfidence: 0.99").document
    for text in [document.text(width: 1000), document.markdown] {
      #expect(text.contains("100 seasons; each interval holds individually at 0.99 confidence."))
      #expect(text.contains("4 teams play 3 weeks. Weekly scores: "))
      #expect(text.contains("mean 110, deviation 25 around the team's strength, which deviates by 10; ties 0.5%."))
      #expect(text.split(separator: "\n").count { $0.contains("±") } == 3 + 3 + 3)
    }
  }

  @Test("CSV holds every estimate with its interval and its sample count")
  func data() throws {
    let result = try result("teams: 4\nweeks: 3\nseasons: 100\nconfidence: 0.99")
    let csv = try #require(result.document.csv)
    let lines = csv.split(separator: "\n")
    #expect(lines.first == "measure,label,unit,estimate,low,high,confidence,samples")
    #expect(lines.dropFirst().first?.hasPrefix("power.bestIsFirst,week 1,") == true)
    #expect(lines.count == 1 + 3 * 14 + 6)
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = fields[3...5].compactMap { Double($0) }
      #expect(numbers.count == 3 && numbers[1] <= numbers[0] && numbers[0] <= numbers[2], "\(line)")
      #expect(fields[6...] == ["0.99", "100"])
    }
  }

  @Test("figures compare the power ranking with plain record week by week, each point within its interval")
  func figures() throws {
    let blocks = try result().document.sections.flatMap(\.blocks).flatMap { block in
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
}
