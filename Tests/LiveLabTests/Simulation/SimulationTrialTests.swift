// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveLab
import Reporting
import Scenarios
import Testing

@Suite("live.simulate as an experiment")
struct SimulationTrialTests {
  private func refusal(_ yaml: String) -> String { LiveLabTests.refusal("live.simulate", yaml) }

  private func simulate(_ yaml: String) throws -> Outcome { try Outcome("live.simulate", yaml) }

  /// How many sessions each profile had.
  private func sessions(_ outcome: Outcome) -> [Int] {
    outcome.data.matches(of: #/"limitReason": [^\n]+\n +"sessions": (\d+)/#).compactMap { Int($0.1) }
  }

  @Test("a run whose thresholds are clear ends early")
  func early() throws {
    let found = try simulate("profiles: [lift]\nsessions: 100000")
    #expect(found.verdicts == [.holds, .holds] && sessions(found)[0] < 20_000)
  }

  @Test("a run goes on until its own thresholds are decided, whatever the default target is")
  func steered() throws {
    let `default` = try simulate("profiles: [lift]\nsessions: 30k")
    let harder = try simulate("profiles: [lift]\nsessions: 30k\nthresholds: [reconnect.success >= 0.995 at 0.99]")
    #expect(harder.verdicts == [.holds])
    #expect(sessions(`default`)[0] < sessions(harder)[0] && sessions(harder)[0] < 30_000)
    let time = try simulate("profiles: [lift]\nsessions: 30k\nthresholds: [reconnect.median <= 60s at 0.99]")
    #expect(time.verdicts == [.holds] && sessions(time)[0] <= sessions(`default`)[0])
  }

  @Test("a threshold that cannot be decided uses all sessions, and so does a run without a threshold on samples")
  func usedUp() throws {
    let close = try simulate("profiles: [lift]\nsessions: 2000\nthresholds: [reconnect.success >= 0.999999 at 0.99]")
    #expect(sessions(close) == [2_000] && close.verdicts == [.undecided])
    #expect(try sessions(simulate("profiles: [lift]\nsessions: 1500\nthresholds: [invariants.broken == 0]")) == [1_500])
  }

  @Test("the profiles have equally many sessions, and the run ends when the thresholds of all of them are decided")
  func together() throws {
    func found(_ share: String) throws -> [Int] {
      try sessions(
        simulate(
          "profiles: [tunnel, lift]\nsessions: 6000\nthresholds:\n  - reconnect.success[tunnel] >= 0.5 at 0.99\n"
            + "  - reconnect.success[lift] >= \(share) at 0.99"))
    }
    #expect(try found("0.999999") == [3_000, 3_000])
    let early = try found("0.5")
    #expect(early[0] == early[1] && early[0] < 3_000)
  }

  @Test("a run ends when an interval has a half-width")
  func halfWidth() throws {
    let found = try simulate("profiles: [lift]\nsessions: 30k\nhalf-width: reconnect.success=0.01")
    #expect(sessions(found)[0] < 30_000)
    let interval = try #require(found["reconnect.success[lift]"]).interval(at: 0.99)
    #expect(interval.upperBound - interval.lowerBound <= 0.02)
  }

  @Test("sessions are shared evenly among the profiles; the first ones have the remainder")
  func shares() throws {
    #expect(try sessions(simulate("profiles: [lift, tunnel, night]\nsessions: 11")) == [4, 4, 3])
  }

  @Test("a failure under a profile of one's own is shown by its schedule, which breaks the same invariant")
  func ownProfile() throws {
    let found = try simulate(
      "profiles: [{profile: tunnel, name: my tunnel}]\nsubject: live-sends-no-pings\nsessions: 40\nend: all")
    let pattern = #/(half-open-noticed at .*)\n\nShown by:\nassay live timeline --seed (\d+) --schedule '(.*)' --subj/#
    let (_, breach, seed, schedule) = try #require(found.text.firstMatch(of: pattern)).output
    let shown = try Outcome(
      "live.timeline", "schedule: '\(schedule)'\nsubject: live-sends-no-pings\nrandom: {seed: \(seed)}")
    #expect(shown.text.contains("Broken: \(breach). "))
  }

  @Test("thresholds on success, times and invariants are evaluated, each profile by itself where none is named")
  func thresholds() throws {
    let found = try simulate(
      """
      profiles: [lift, tunnel]
      sessions: 6000
      end: all
      thresholds:
        - reconnect.success >= 0.95 at 0.99
        - reconnect.success[tunnel] >= 0.95 at 0.99
        - reconnect.median[lift] <= 10s at 0.99
        - reconnect.p99[lift] <= 1ms at 0.99
        - invariants.broken == 0
      """)
    #expect(found.verdicts == [.holds, .holds, .holds, .holds, .fails, .holds])
    #expect(found.result.isComplete && found.result.files.map(\.name) == ["return-times.csv"])
  }

  @Test("a fault that never took effect leaves a run undecided and is named, whatever else holds")
  func noEffect() throws {
    let found = try simulate(
      """
      profiles: [lift, {name: idle, limit: 20s, faults: [{kind: refused, after: 60s, for: 5s}]}]
      sessions: 600
      thresholds: [invariants.broken == 0]
      """)
    #expect(found.verdicts == [.holds, .undecided])
    let last = found.scenario.evaluated(by: found.result.measurements).last
    #expect(last?.text == "faults.effect[idle/refused] >= 1")
  }

  @Test(
    "a session counts which of its faults took effect",
    arguments: [
      ("reset", true), ("half-open", true), ("network-change", true), ("offline for=20s", true),
      ("black-hole for=3m", true), ("sleep for=60s", true), ("refused for=20s", false),
      ("captive-portal for=20s", false),
    ])
  func effects(fault: String, markEffective: Bool) throws {
    let found = try Outcome("live.timeline", "schedule: live/1 for=20m; 5m \(fault)")
    let effects = found.result.measurements.filter { $0.measure.name == "faults.effect" }.map(\.value)
    #expect(effects == [.count(markEffective ? 1 : 0, undecided: markEffective ? 0 : 1)])
    #expect(found.verdicts.contains(.undecided) == !markEffective)
  }

  @Test("several policies are tried by the same draws, each as if alone, and a table compares them by profile")
  func policies() throws {
    let names = ["full-jitter", "grpc"]
    let both = try simulate(
      "profiles: [lift, tunnel]\npolicy: [\(names.joined(separator: ", "))]\nsessions: 1200\nend: all")
    for name in names {
      let alone = try simulate("profiles: [lift, tunnel]\npolicy: \(name)\nsessions: 600\nend: all")
      for one in alone.result.measurements {
        guard let label = one.measure.label else { continue }
        let found = try #require(both["\(one.measure.name)[\(label), \(name)]"], "\(one.measure.fullName)")
        // The intervals share their error among twice as many.
        #expect(found.estimate == one.estimate && found.samples == one.samples, "\(one.measure.fullName)")
      }
    }
    let attempts = names.map { both["reconnect.attemptsPerHour[tunnel, \($0)]"]?.estimate ?? .nan }
    #expect(attempts.allSatisfy { $0 > 1 } && attempts[0] != attempts[1])
    let tables = Array(both.tables.dropFirst().prefix(2))
    #expect(tables.allSatisfy { $0.columns.map(\.title) == ["profile"] + names })
    #expect(tables[1].rows.map { $0[0] } == ["lift", "tunnel"])
    #expect(tables[1].rows[1].dropFirst() == attempts.map { NumberFormat.fixed($0, decimals: 2) }[...])
  }

  @Test("a threshold names one policy under one profile, or is evaluated for all")
  func policyThresholds() throws {
    let found = try simulate(
      """
      profiles: [tunnel]
      policy: [full-jitter, none]
      sessions: 3000
      thresholds:
        - 'reconnect.success[tunnel, full-jitter] >= 0.5 at 0.99'
        - reconnect.success <= 1 at 0.99
        - 'reconnect.attemptsPerHour[tunnel, none] > 1'
      """)
    #expect(found.verdicts == [.holds, .holds, .holds, .holds])
  }

  @Test("one policy is written by itself, several as a list, and both read back")
  func writtenPolicies() throws {
    for yaml in ["policy: grpc", "policy: [grpc, 'name=mine base=2s cap=20s']", "policy: {base: 2s, cap: 20s}"] {
      let first = try scenario("live.simulate", "profiles: [lift]\n\(yaml)")
      _ = try again(first)
      #expect(first.resolved.contains("\npolicy: grpc\n") == (yaml == "policy: grpc"))
    }
  }

  @Test("the schema knows every key of an outage of one's own, and of its faults; the help explains them")
  func schema() throws {
    let schema = try #require(SimulationTrial.parameters.first { $0.key == "profiles" }).schema.text
    for key in [
      "limit", "session", "first", "outages", "pause", "faults", "times", "gap", "ways", "share", "always", "kind",
      "at", "after", "for", "chance", "retry-after", "accept-then-close-after", "profile", "length",
    ] { #expect(schema.contains("\"\(key)\":"), "\(key)") }
    #expect(!schema.contains("lasting"))
    for key in ["limit", "faults", "chance"] { #expect(SimulationTrial.discussion.contains("\(key): "), "\(key)") }
  }

  @Test(
    "a value that is out of range, unknown or contradictory is refused with its line and key",
    arguments: [
      ("profiles: [tunel]", "did you mean 'tunnel'?"), ("profiles: [lift, lift]", "test.yaml:3: profiles[2]: found"),
      ("subject: live-knows-no-jiter", "did you mean 'live-knows-no-jitter'?"),
      ("policy: full-jiter", "did you mean 'full-jitter'?"), ("sesions: 3", "sessions"),
      ("sessions: 0", "test.yaml:3: sessions: found '0', expected a whole number, 1 to 10,000,000,000"),
      ("target: 1", "test.yaml:3: target: found '1', expected a number, above 0 and below 1"),
      ("confidence: 1", "test.yaml:3: confidence: found '1', expected a number, above 0 and below 1"),
      ("policy: [grpc, 'name=mine base=2s', 'name=mine base=3s']", "two are named 'mine'"),
      (
        "profiles:\n  - lift\n  - name: cellar\n    limit: 20s\n    faults: [{kind: black-hole, for: forever}]",
        "test.yaml:5: profiles[2]: found a mapping, expected a profile in which a client can succeed; in 'cellar'"
      ),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal(yaml)
    #expect(text.contains(message), "\(text)")
  }

  @Test(
    "a threshold on a share lies from 0 to 1; that it is all or nothing cannot be shown by samples",
    arguments: [
      ("reconnect.success[lift] >= 1.5 at 0.99", "found '1.5', expected a share from 0 to 1"),
      ("reconnect.success[lift] >= 1 at 0.99", "expected a number below 1: no number of samples shows"),
      ("reconnect.p99[lift] <= 60s at 0.99", "accepted"), ("reconnect.success[lift] >= 95% at 0.99", "accepted"),
    ])
  func shares(threshold: String, answer: String) {
    let text = refusal("profiles: [lift]\nthresholds: ['\(threshold)']")
    #expect(text.contains(answer), "\(text)")
  }
}
