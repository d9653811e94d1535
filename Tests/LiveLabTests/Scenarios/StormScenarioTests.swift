// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("Scenarios of storms")
struct StormScenarioTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    let document = try ScenarioDocument(yaml: "name: Storm\nkind: live.storm\n\(yaml)\n", file: "s.yaml")
    return try Scenario(document, kinds: [StormPlan.kind])
  }

  private func plan(_ yaml: String) throws -> StormPlan { try #require(try scenario(yaml).plan as? StormPlan) }

  private static let everyKey = """
    clients: 20k
    outage: 2500ms
    capacity: 1000/s
    burst: 200ms
    shed: {retry-after: 5s}
    noticed: 100ms
    failing: 20ms
    cadence: 60s
    watched: 5m
    policies: [full-jitter, socket.io]
    attempts: 3
    random: {generator: taus2, seed: 9}
    """

  @Test("what is not said is the usual storm of the usual policies")
  func defaults() throws {
    #expect(try plan("").comparison == StormComparison(StormSettings()))
  }

  @Test("what is said is what is played")
  func whatIsSaid() throws {
    var settings = StormSettings()
    (settings.clients, settings.outage, settings.capacity) = (20_000, .milliseconds(2_500), 1_000)
    (settings.burst, settings.shedding) = (.milliseconds(200), .unavailable(retryAfter: .seconds(5)))
    (settings.detectionWindow, settings.attemptTimeout) = (.milliseconds(100), .milliseconds(20))
    (settings.suspendedCadence, settings.horizon) = (SlowCadence(every: .seconds(60)), .seconds(300))
    (settings.generator, settings.seed) = ("taus2", 9)
    #expect(
      try plan(Self.everyKey).comparison
        == StormComparison(settings, policies: ["full-jitter", "socket.io"], attempts: 3))
  }

  @Test(
    "every default is written out, and reading that gives the same plan",
    arguments: [
      "", everyKey, "shed: unavailable\ncadence: none\ncapacity: 500/s", "capacity: unlimited", "outage: 1.000001s",
    ])
  func resolved(yaml: String) throws {
    let one = try scenario(yaml)
    let again = try Scenario(ScenarioDocument(yaml: one.resolved, file: "again.yaml"), kinds: [StormPlan.kind])
    #expect(again.resolved == one.resolved && again.digest == one.digest)
    #expect(try #require(again.plan as? StormPlan) == #require(one.plan as? StormPlan))
  }

  @Test(
    "what a key does not mean is refused with its line and field, what was found, and what was expected",
    arguments: [
      ("clients: 0", "s.yaml:3: clients: found '0', expected a whole number, 1 to 10000000"),
      ("outage: soon", "s.yaml:3: outage: found 'soon', expected a length of time such as 30s, 250ms or 5m"),
      ("outage: 10s\nnoticed: 20s", "s.yaml:4: noticed: found 20.0 s, expected 0 s to the outage's length"),
      ("capacity: 5000/d", "s.yaml:3: capacity: found '5000/d', expected handshakes a second such as 5000/s"),
      (
        "capacity: 2/s",
        "s.yaml:3: capacity: found '2/s', expected one that goes with burst: 0.1 s at 2/s, which is less than one"
      ),
      ("outage: 100ms", "s.yaml:3: outage: found '100ms', expected one that goes with noticed: 0.2 s is not 0 s to"),
      ("policies: []", "s.yaml:3: policies: found a list, expected at least one policy"),
      ("shed: dropped", "s.yaml:3: shed: found 'dropped', expected one of refused, unavailable"),
      (
        "clients: 9\nshed: {retry-after: 5s}",
        "s.yaml:4: shed: found a mapping, expected a capacity beside it: a server"
      ),
      ("shed: unavailable\ncapacity: unlimited", "s.yaml:3: shed: found 'unavailable', expected a capacity beside it"),
      ("policies: [full-jitter, full]", "s.yaml:3: policies[2]: found 'full' twice, expected each policy once"),
      ("policies: [eqal-jitter]", "did you mean 'equal-jitter'?"),
      ("attempts: 0", "s.yaml:3: attempts: found '0'"),
      ("cadance: none", "cadence"),
    ])
  func refused(yaml: String, message: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect("\(error)".contains(message), "\(error)")
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
        - storm.back99[reconnecting-websocket] <= 3600
        - storm.back99[exponential] in 1.3..1.4
      """)
    let result = try scenario.plan.run(on: ScenarioBench(workers: 2))
    #expect(result.isComplete)
    let judged = scenario.judged(by: result.measurements)
    #expect(judged.map { $0.judgement == .holds } == [true, true, true, false, true])
    #expect(result.measurements.count == 3 * StormMeasure.all.count)
    #expect(Set(result.measurements.map(\.measure)) == Set(scenario.plan.measures))
  }

  @Test("a report tells the recommendation, and how many tried when")
  func report() throws {
    let findings = try plan("clients: 3000\npolicies: [full-jitter, exponential]").comparison.run(workers: 2)
    let report = StormReport(findings)
    let recommendation = try #require(findings.recommendation)
    #expect(report.text.contains("For this storm: full-jitter."))
    #expect(report.costs == recommendation.costs && report.text.contains("  - \(recommendation.costs[0])"))
    #expect(report.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(report.attemptsFigure.series.map(\.style) == [.line, .points])
    // A figure of the first minute says how long the attempts go on.
    let end = (findings.findings.map(\.result.attemptsAfter.count).max() ?? 0) / 10
    let isCut = report.attemptsFigure.x.title.contains("; attempts go on to ")
    #expect(isCut == (end >= 60) && report.attemptsFigure.alternative.contains("It ends after ") == isCut)
    #expect(report.rendered(as: .markdown)?.contains("| full-jitter |") == true)
    #expect(report.rendered(as: .svg) == nil)
    let rows = report.bins.rows.filter { $0[0] == "exponential" }
    #expect(rows.reduce(0) { $0 + (Int($1[2]) ?? 0) } == findings.findings[1].result.attempts)
    #expect(rows.reduce(0) { $0 + (Int($1[3]) ?? 0) } == 3_000)
    let peak = report.attemptsFigure.series[1].points.filter { $0.x > 0 && $0.y.isFinite }.map(\.y).max()
    #expect(peak == 3_000)
    #expect(report.backFigure.series.allSatisfy { $0.points.last?.y ?? 0 > 98 })
    #expect(report.rendered(as: .json)?.contains("\"recommended\": \"full-jitter\"") == true)
  }

  @Test("whatever the number of workers, the bytes are the same")
  func workers() throws {
    let plan = try plan("clients: 40k\ncapacity: 2000/s\npolicies: [full-jitter, equal-jitter]")
    let texts = try [1, 2, 7].map { workers in
      let result = try plan.run(on: ScenarioBench(workers: workers))
      return [result.data.text, result.text] + result.files.map(\.content)
    }
    #expect(texts[1] == texts[0] && texts[2] == texts[0])
  }
}
