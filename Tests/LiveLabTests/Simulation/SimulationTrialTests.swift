// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite struct SimulationTrialTests {
  /// The sessions that a scenario runs of each profile, and what its thresholds come to.
  private func outcome(_ yaml: String) throws -> (sessions: [Int], verdicts: [Verdict]) {
    let scenario = try scenario(yaml, of: SimulationTrial.self)
    let trial = try #require(scenario.plan as? SimulationTrial)
    let result = try trial.run(workers: 2)
    let measurements = trial.rows.measurements(in: result)
    return (result.findings.map(\.tally.sessions), scenario.evaluated(by: measurements).map(\.verdict))
  }

  @Test("clear cases end early")
  func early() throws {
    let found = try outcome("profiles: [lift]\nsessions: 100000")
    #expect(found.verdicts == [.holds, .holds] && found.sessions[0] < 20_000)
  }

  @Test("a run goes on until its own thresholds are decided, whatever the usual target is")
  func steered() throws {
    let usual = try outcome("profiles: [lift]\nsessions: 30k")
    let harder = try outcome("profiles: [lift]\nsessions: 30k\nthresholds: [reconnect.success >= 0.995 at 0.99]")
    #expect(harder.verdicts == [.holds])
    #expect(usual.sessions[0] < harder.sessions[0] && harder.sessions[0] < 30_000)
    let time = try outcome("profiles: [lift]\nsessions: 30k\nthresholds: [reconnect.median <= 60s at 0.99]")
    #expect(time.verdicts == [.holds] && time.sessions[0] <= usual.sessions[0])
  }

  @Test("what cannot be decided uses all sessions, and so does a run of which nothing sampled is asked")
  func usedUp() throws {
    let close = try outcome("profiles: [lift]\nsessions: 2000\nthresholds: [reconnect.success >= 0.999999 at 0.99]")
    #expect(close.sessions == [2_000] && close.verdicts == [.undecided])
    #expect(try outcome("profiles: [lift]\nsessions: 1500\nthresholds: [invariants.broken == 0]").sessions == [1_500])
  }

  @Test("sessions that a decided profile leaves are for the others, and no more are run than were written")
  func leftOver() throws {
    let found = try outcome(
      "profiles: [tunnel, lift]\nsessions: 6000\nthresholds:\n  - reconnect.success[tunnel] >= 0.5 at 0.99\n"
        + "  - reconnect.success[lift] >= 0.999999 at 0.99")
    #expect(found.sessions[0] < 3_000 && found.sessions.reduce(0, +) == 6_000)
  }

  @Test("a session is the same by itself as among others: its seed is all there is to it")
  func replay() throws {
    let trial = try SimulationTrial(["commute"])
    let profile = trial.profiles[0]
    func play(_ sessions: [Int]) throws -> ProfileTally {
      var player = try SimulatedSessions<LiveConnection>(
        profile, settings: trial.client.settings, generator: trial.generator)
      var tally = ProfileTally()
      for session in sessions {
        tally = ProfileTally()
        try player.play(session: session, seed: trial.seed(ofSession: session), into: &tally)
      }
      return tally
    }
    #expect(try play([17]) == play([3, 99, 17]))
  }

  @Test("sessions are shared evenly among the profiles, the first ones having what is left over")
  func shares() throws {
    let result = try SimulationTrial(["lift", "tunnel", "night"], sessions: 11).run(workers: 1)
    #expect(result.findings.map(\.tally.sessions) == [4, 4, 3])
  }

  @Test("a failure under a profile of one's own is shown by its schedule, which reads back as the same")
  func ownProfile() throws {
    var profile = try OutageProfile.named("lift")
    profile.name = "my lift"
    let command = SimulatedClient().command(seed: 5, profile: profile)
    let schedule = try profile.schedule(seed: 5)
    #expect(command == "assay live timeline --seed 5 --schedule '\(schedule)' --policy full-jitter")
  }
}

@Suite("live.simulate as an experiment")
struct SimulationExperimentTests {
  private func refusal(_ yaml: String) -> String { ExperimentTestSupport.refusal(yaml, of: SimulationTrial.self) }

  private func plan(_ yaml: String) throws -> SimulationTrial {
    try #require(try scenario(yaml, of: SimulationTrial.self).plan as? SimulationTrial)
  }

  @Test("thresholds on success, times and invariants are evaluated, each profile by itself where none is named")
  func thresholds() throws {
    let scenario = try scenario(
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
      """, of: SimulationTrial.self)
    let result = try scenario.plan.run(on: ScenarioBench(workers: 2))
    let evaluated = scenario.evaluated(by: result.measurements)
    #expect(evaluated.map(\.verdict) == [.holds, .holds, .holds, .holds, .fails, .holds])
    #expect(result.isComplete)
    #expect(result.files.map(\.name) == ["return-times.csv"])
  }

  @Test("a fault that never took effect leaves a run undecided and is named, whatever else holds")
  func noEffect() throws {
    let scenario = try scenario(
      """
      profiles: [lift, {name: idle, limit: 20s, faults: [{kind: refused, after: 60s, lasting: 5s}]}]
      sessions: 600
      thresholds: [invariants.broken == 0]
      """, of: SimulationTrial.self)
    let found = scenario.evaluated(by: try scenario.plan.run(on: ScenarioBench(workers: 2)).measurements)
    #expect(found.map(\.verdict) == [.holds, .undecided])
    #expect(found.last?.text == "faults.effect[idle/refused] >= 1")
  }

  @Test(
    "of a session's faults those that took effect are known from those that did not",
    arguments: [
      ("reset", true), ("half-open", true), ("network-change", true), ("offline for=20s", true),
      ("black-hole for=3m", true), ("sleep for=60s", true), ("refused for=20s", false),
      ("captive-portal for=20s", false),
    ])
  func effects(fault: String, tookEffect: Bool) throws {
    let scenario = try scenario("schedule: live/1 for=20m; 5m \(fault)", of: TimelineSession.self)
    let measurements = try scenario.plan.run(on: ScenarioBench(workers: 1)).measurements
    let effects = measurements.filter { $0.measure.name == "faults.effect" }.map(\.value)
    #expect(effects == [.count(tookEffect ? 1 : 0, undecided: tookEffect ? 0 : 1)])
    #expect(scenario.evaluated(by: measurements).contains { $0.verdict == .undecided } == !tookEffect)
  }

  @Test(
    "what is out of range, unknown or contradicts is refused in its place",
    arguments: [
      ("profiles: [tunel]", "did you mean 'tunnel'?"), ("profiles: [lift, lift]", "test.yaml:3: profiles[2]: found"),
      ("subject: live-knows-no-jiter", "did you mean 'live-knows-no-jitter'?"),
      ("policy: full-jiter", "did you mean 'full-jitter'?"), ("sesions: 3", "sessions"),
      ("sessions: 1", "test.yaml:3: sessions: found '1', expected a whole number, 2 to 1,000,000,000"),
      ("sessions: 3", "test.yaml:3: sessions: found '3', expected two for each profile at the least, 16"),
      ("target: 1", "test.yaml:3: target: found '1', expected a number, above 0 and below 1"),
      ("confidence: 0.2", "test.yaml:3: confidence: found '0.2', expected a number, above 0.5 and below 1"),
      (
        "profiles: [{name: cellar, limit: 20s, faults: [{kind: black-hole, lasting: forever}]}]",
        "no client can succeed"
      ),
      (
        "profiles:\n  - lift\n  - name: cellar\n    limit: 20s\n    faults: [{kind: black-hole, lasting: forever}]",
        "test.yaml:5: profiles[2]: found a mapping, expected a profile in which a client can succeed; in 'cellar'"
      ),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal(yaml)
    #expect(text.contains(message), "\(text)")
  }

  @Test(
    "shares lie from 0 to 1, and no sample shows all or nothing",
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
