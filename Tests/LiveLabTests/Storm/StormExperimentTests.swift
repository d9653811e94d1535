// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import MonteCarlo
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("live.storm as an experiment")
struct StormExperimentTests {
  private func plan(_ yaml: String) throws -> StormComparison {
    try #require(try scenario(yaml, of: StormComparison.self).plan as? StormComparison)
  }
  @Test(
    "what a key does not mean is refused with its line and field, what was found, and what was expected",
    arguments: [
      ("clients: 0", "test.yaml:3: clients: found '0', expected a whole number, 1 to 10,000,000"),
      ("outage: soon", "test.yaml:3: outage: found 'soon', expected a length of time, 1ms to 1d"),
      (
        "outage: 10s\ndetection-window: 20s",
        "test.yaml:4: detection-window: found '20s', expected no more than the outage"
      ),
      ("outage: 100ms", "test.yaml:3: outage: found '100ms', expected no more than the outage"),
      ("capacity: 5000/d", "test.yaml:3: capacity: found '5000/d', expected a rate"),
      ("capacity: 2/s", "test.yaml:3: capacity: found '2/s', expected time enough for one handshake"),
      ("policies: []", "test.yaml:3: policies: found a list, expected 1 or more of"),
      ("shed: dropped", "test.yaml:3: shed: found 'dropped', expected one of refused, unavailable"),
      ("clients: 9\nshed: unavailable", "test.yaml:4: shed: found 'unavailable', expected a capacity with it"),
      ("retry-after: 5s", "test.yaml:3: retry-after: found '5s', expected 'unavailable' for shed"),
      ("policies: [full-jitter, full]", "test.yaml:3: policies[2]: found 'full', expected each value once"),
      ("policies: [eqal-jitter]", "did you mean 'equal-jitter'?"),
      ("attempts: 0", "test.yaml:3: attempts: found '0'"),
      ("cadence-spread: 2", "test.yaml:3: cadence-spread: found '2', expected a number, 0 to 1"),
      ("cadance: none", "cadence"), ("noticed: 100ms", "noticed: unknown key"),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal(yaml, of: StormComparison.self)
    #expect(text.contains(message), "\(text)")
  }

  @Test("thresholds ask for a measure of one policy")
  func thresholds() throws {
    let scenario = try scenario(
      """
      clients: 2000
      policies: [full-jitter, exponential, reconnecting-websocket]
      attempts: 5
      cadence: none
      thresholds:
        - storm.peak[full-jitter] <= 400
        - storm.peak[exponential] == 2000
        - storm.gaveUp[reconnecting-websocket] >= 1900
        - storm.back99[reconnecting-websocket] <= 3600s
        - storm.back99[exponential] in 1.3s..1.4s
      """, of: StormComparison.self)
    let result = try scenario.plan.run(on: RunContext(workers: 2))
    #expect(result.isComplete)
    let evaluated = scenario.evaluated(by: result.measurements)
    #expect(evaluated.map { $0.verdict == .holds } == [true, true, true, false, true])
    #expect(result.measurements.count == 3 * (StormComparison.rows.count + 1))
    #expect(Set(result.measurements.map(\.measure)) == Set(scenario.plan.measures))
  }

  @Test("the recommendation states how many storms of other seeds speak for it, and a threshold can ask for more")
  func certainty() throws {
    let scenario = try scenario(
      """
      clients: 2000
      outage: 10s
      capacity: 200/s
      policies: [full-jitter, exponential]
      storms: 8
      thresholds: ['storm.recommended[full-jitter] >= 60% at 0.95', 'storm.recommended[full-jitter] >= 99% at 0.95']
      """, of: StormComparison.self)
    let result = try scenario.plan.run(on: RunContext(workers: 2))
    // 0.05^(1/8) is 0.688.
    #expect(scenario.evaluated(by: result.measurements).map(\.verdict) == [.holds, .undecided])
    let text = result.document.text(width: 1_000)
    #expect(
      text.contains("of 7 more storms with other seeds recommend the same policy")
        && text.contains("at least 68% of all such storms"))
    let comparison = try #require(scenario.plan as? StormComparison)
    #expect(try comparison.run(workers: 1).votes == comparison.run(workers: 3).votes)
    var alone = comparison
    alone.storms = 1
    #expect(try alone.run(workers: 1).certainty.hasPrefix("This is from one storm"))
  }

  @Test("a report has the recommendation, and how many tried when")
  func report() throws {
    let findings = try plan("clients: 3000\npolicies: [full-jitter, exponential]").run(workers: 2)
    let report = StormReport(findings)
    let text = report.document.text()
    #expect(text.contains("For this storm full-jitter is recommended"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(report.attemptsFigure.series.map(\.style) == [.line, .points, .reference])
    let rows = report.bins.rows.filter { $0[0] == "exponential" }
    #expect(rows.reduce(0) { $0 + (Int($1[2]) ?? 0) } == findings.findings[1].result.attempts)
    #expect(rows.reduce(0) { $0 + (Int($1[3]) ?? 0) } == 3_000)
    let peak = report.attemptsFigure.series[1].points.filter { $0.x > 0 && $0.y.isFinite }.map(\.y).max()
    #expect(peak == 3_000)
    #expect(report.backFigure.series.allSatisfy { $0.points.last?.y ?? 0 > 98 })
    #expect(report.data.text.contains("\"recommended\": \"full-jitter\""))
  }

  @Test("the figures show the server's return, its capacity and one's thresholds, and end when all are back")
  func figures() throws {
    let scenario = try scenario(
      """
      clients: 1500
      capacity: 100/s
      policies: [full-jitter, exponential]
      thresholds:
        - storm.peak[full-jitter] <= 700
        - storm.back95 <= 120s
      """, of: StormComparison.self)
    let result = try scenario.run(on: RunContext(workers: 2))
    let figures = result.document.sections.flatMap(\.blocks).flatMap { block in
      if case .part(_, _, let inner) = block { inner } else { [block] }
    }.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    let (attempts, back) = (try #require(figures.first), try #require(figures.last))
    let lines = attempts.series.filter { $0.style == .reference }
    let names = ["the server's return", "capacity, 100 a second", "threshold storm.peak[full-jitter] <= 700"]
    #expect(lines.map(\.name) == names)
    #expect(lines.first?.points.map(\.x) == [0] && lines.dropFirst().flatMap(\.points).map(\.y) == [100, 700])
    #expect(attempts.description.contains("capacity, 100 a second; threshold storm.peak[full-jitter] <= 700"))
    #expect(back.series.last?.name == "threshold storm.back95 <= 120s" && back.series.last?.points.map(\.x) == [120])
    for series in back.series.dropLast() { #expect(series.points.last?.y == 100, "\(series.name)") }
  }
}
