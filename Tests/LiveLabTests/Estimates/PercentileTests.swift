// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveLab
import Reporting
import Scenarios
import Testing

@Suite("Percentiles that are asked for")
struct PercentileTests {
  private static let sessions = "profiles: [lift, tunnel]\nsessions: 300\nend: all\n"

  @Test(
    "an option asks for any number of them, however they are written",
    arguments: [["99.9,50,95"], ["50", "95%", "p99.9"]])
  func option(texts: [String]) throws {
    let settings = try typed(["percentiles": texts], as: SimulationTrial.self).settings
    #expect(settings.first { $0.key == "percentiles" }?.value.yamlInline == "[50, 95, 99.9]")
  }

  @Test("a threshold asks for its own; without one, no percentile is added")
  func threshold() throws {
    let asked = try scenario(
      "live.simulate", Self.sessions + "thresholds: [reconnect.p95 <= 60s at 0.9, reconnect.p99 <= 60s at 0.9]")
    #expect(asked.resolved.contains("percentiles: [95]"))
    _ = try again(asked)
    let plain = try scenario("live.simulate", Self.sessions + "thresholds: [reconnect.p99 <= 60s at 0.9]")
    #expect(!plain.resolved.contains("percentiles"))
    let added = Set(asked.plan.measures.map(\.fullName)).subtracting(plain.plan.measures.map(\.fullName))
    #expect(added == ["reconnect.p95[lift]", "reconnect.p95[tunnel]"])
  }

  @Test("a percentile lies between its neighbours; its interval has no upper end where too few sessions bound it")
  func measured() throws {
    let found = try Outcome(
      "live.simulate",
      Self.sessions + "percentiles: [50, 95, 99.99]\nthresholds: [reconnect.p50 <= 1000s at 0.9]")
    let all = try ["median", "p50", "p90", "p95", "p99", "p99.99"].map { name in
      let measurement = try #require(found["reconnect.\(name)[tunnel]"])
      guard case .interval(let value, let low, let high, _, _) = measurement.value else {
        throw ReportingError.unknownFormat(found: name, expected: "an interval")
      }
      return (value: value, low: low, high: high)
    }
    #expect(all[0] == all[1])
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.value <= $1.value && $0.low <= $1.low && $0.high <= $1.high })
    #expect(all.allSatisfy { $0.low <= $0.value && $0.value <= $0.high })
    #expect(all.last?.high == .infinity)
    #expect(found.verdicts.allSatisfy { $0 == .holds })
    #expect(found.text.contains(#/\nprofile +median, s +p90, s +p95, s +p99, s +p99\.99, s\n/#), "\(found.text)")
  }

  @Test("of a storm they are counted: the moment of the first client that makes up the share")
  func storm() throws {
    // All come at once: 7 are accepted at 2.1 s, the next 8 s later. In binary numbers 7% of 100 is a hair more than 7.
    let found = try Outcome(
      "live.storm",
      """
      clients: 100
      outage: 5s
      detection-window: 0s
      capacity: 7/s
      burst: 1s
      policies: [exponential]
      thresholds: ['storm.back7 <= 2.1s', 'storm.back7.5[exponential] > 2.1s', 'storm.back97.5[exponential] >= 0']
      """)
    #expect(found.verdicts == [.holds, .holds, .holds])
    #expect(found.scenario.resolved.contains("percentiles: [7, 7.5, 97.5]"))
    #expect(found.text.contains(#/policy +7% back, s +7\.5% back, s +50% back, s +95% back, s +97\.5% back, s /#))
  }

  @Test(
    "percentiles out of range, twice or of another form are refused",
    arguments: [
      "percentiles: [95, 95]", "percentiles: 100", "percentiles: 0", "percentiles: nan", "percentiles: '95,'",
      "percentiles: -5", "percentiles: 99.99999", "percentiles: {a: 1}",
    ])
  func refused(yaml: String) {
    let text = refusal("live.simulate", yaml)
    #expect(text.contains("expected percentiles, each once, 0.0001 to 99.9999, such as 50,95,99.9"), "\(text)")
  }

  @Test("a threshold on a percentile that does not exist is refused with the names that do")
  func unknown() {
    for name in ["reconnect.p100", "reconnect.p", "reconnect.p0x5", "reconnect.pp95"] {
      let text = refusal("live.simulate", "thresholds: ['\(name) <= 3 at 0.99']")
      #expect(text.contains("found '\(name)', which is not measured, expected one of reconnect.success"), "\(text)")
    }
  }
}
