// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import MonteCarlo
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("Percentiles that are asked for")
struct PercentileTests {
  private static let sessions = "profiles: [lift, tunnel]\nsessions: 300\nend: all\n"

  private func trial(_ scenario: Scenario) throws -> SimulationTrial {
    try #require(scenario.plan as? SimulationTrial)
  }

  @Test("an option asks for any number of them, however they are written")
  func option() throws {
    for texts in [["99.9,50,95"], ["50", "95%", "p99.9"]] {
      #expect(try typed(["percentiles": texts], as: SimulationTrial.self).percentiles == [50, 95, 99.9])
      #expect(try typed(["percentiles": texts], as: StormComparison.self).percentiles == [50, 95, 99.9])
    }
  }

  @Test("a threshold asks for its own; who asks for none has the scenario as it was")
  func threshold() throws {
    let asked = try scenario(
      Self.sessions + "thresholds: [reconnect.p95 <= 60s at 0.9, reconnect.p99 <= 60s at 0.9]", of: SimulationTrial.self
    )
    #expect(asked.resolved.contains("percentiles: [95]"))
    #expect(try trial(asked).percentiles == [95] && again(asked, as: SimulationTrial.self).percentiles == [95])
    let plain = try scenario(Self.sessions + "thresholds: [reconnect.p99 <= 60s at 0.9]", of: SimulationTrial.self)
    #expect(!plain.resolved.contains("percentiles"))
    let added = try Set(trial(asked).measures.map(\.fullName)).subtracting(trial(plain).measures.map(\.fullName))
    #expect(added == ["reconnect.p95[lift]", "reconnect.p95[tunnel]"])
  }

  @Test("a percentile lies between its neighbours, in an interval that is open where too few sessions bound it")
  func measured() throws {
    let scenario = try scenario(
      Self.sessions + "percentiles: [50, 95, 99.99]\nthresholds: [reconnect.p50 <= 1000s at 0.9]",
      of: SimulationTrial.self)
    let result = try scenario.plan.run(on: ScenarioBench(workers: 2))
    func found(_ name: String) throws -> (value: Double, low: Double, high: Double) {
      let measurement = try #require(result.measurements.first { $0.measure.fullName == "reconnect.\(name)[tunnel]" })
      guard case .interval(let value, let low, let high, _, _) = measurement.value else {
        throw ReportingError.unknownFormat(found: name, expected: "an interval")
      }
      return (value, low, high)
    }
    let all = try ["median", "p50", "p90", "p95", "p99", "p99.99"].map(found)
    #expect(all[0] == all[1])
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.value <= $1.value && $0.low <= $1.low && $0.high <= $1.high })
    #expect(all.allSatisfy { $0.low <= $0.value && $0.value <= $0.high })
    #expect(try found("p99.99").high == .infinity)
    #expect(scenario.evaluated(by: result.measurements).allSatisfy { $0.verdict == .holds })
    let text = result.document.text(width: 1_000)
    #expect(text.contains(#/\nprofile +median, s +p90, s +p95, s +p99, s +p99\.99, s\n/#), "\(text)")
  }

  @Test("of a storm they are counted, from the least client that makes up the share")
  func storm() throws {
    let scenario = try scenario(
      "clients: 100\npolicies: [full-jitter]\nthresholds: ['storm.back7 <= 1000s', 'storm.back97.5[full-jitter] >= 0']",
      of: StormComparison.self)
    let plan = try #require(scenario.plan as? StormComparison)
    #expect(plan.percentiles == [7, 97.5])
    let result = try #require(plan.run(workers: 1).findings.first).result
    // 0.07 of 100 is a hair more than 7 where numbers are binary.
    var returns: [Int] = []
    for (millisecond, count) in result.tally.backMilliseconds.enumerated() {
      returns += Array(repeating: millisecond, count: Int(count))
    }
    #expect(result.back(share: 0.07) == returns[6] && result.back(share: Percentile.share(97.5)) == returns[97])
    let measured = try plan.run(on: ScenarioBench(workers: 1))
    #expect(measured.measurements.count == StormComparison.rows.count + 2)
    #expect(scenario.evaluated(by: measured.measurements).allSatisfy { $0.verdict == .holds })
    let text = measured.document.text(width: 1_000)
    #expect(text.contains(#/policy +7% back, s +50% back, s +95% back, s +97\.5% back, s +99% back, s +100% back, s /#))
  }

  @Test(
    "what is no percentile is refused",
    arguments: [
      "percentiles: [95, 95]", "percentiles: 100", "percentiles: 0", "percentiles: nan", "percentiles: '95,'",
      "percentiles: -5", "percentiles: 99.99999", "percentiles: {a: 1}",
    ])
  func refused(yaml: String) {
    let text = refusal(yaml, of: SimulationTrial.self)
    #expect(text.contains("expected percentiles, each once, 0.0001 to 99.9999, such as 50,95,99.9"), "\(text)")
  }

  @Test("a threshold on what is no percentile is refused by the names that there are")
  func unknown() {
    for name in ["reconnect.p100", "reconnect.p", "reconnect.p0x5", "reconnect.pp95"] {
      let text = refusal("thresholds: ['\(name) <= 3 at 0.99']", of: SimulationTrial.self)
      #expect(text.contains("found '\(name)', which is not measured, expected one of reconnect.success"), "\(text)")
    }
  }
}
