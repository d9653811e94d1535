// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite struct SimulateScenarioTests {
  private func scenario(_ lines: String) throws -> Scenario {
    let text = "name: a test\nkind: live.simulate\n" + lines
    return try Scenario(ScenarioDocument(yaml: text, file: "test.yaml"), kinds: LiveScenarios.kinds)
  }

  private func refusal(_ lines: String) -> String {
    do {
      _ = try scenario(lines)
      return "accepted"
    } catch {
      return "\(error)"
    }
  }

  @Test("a scenario without any key of its kind tries the client that ships under every named outage")
  func defaults() throws {
    let plan = try #require(try scenario("").plan as? SimulatePlan)
    #expect(plan.trial.profiles == OutageProfile.all)
    #expect(plan.trial.client.variant.name == "production")
    #expect(plan.trial.endsWhenDecided)
  }

  @Test("what is written out reads back as the same plan, also with a profile of one's own")
  func resolved() throws {
    let first = try scenario(
      """
      profiles:
        - lift
        - {profile: tunnel, name: long tunnel, limit: 1m}
        - {name: cellar, limit: 20s, faults: [{kind: reset}]}
      policy: grpc
      sessions: 1000
      end: all
      thresholds: [invariants.broken == 0]
      """)
    let document = try ScenarioDocument(yaml: first.resolved, file: "again.yaml")
    let again = try Scenario(document, kinds: LiveScenarios.kinds)
    #expect(again.resolved == first.resolved)
    let plans = [first, again].compactMap { $0.plan as? SimulatePlan }
    #expect(plans[0].trial.profiles.map(\.name) == plans[1].trial.profiles.map(\.name))
    #expect(plans[1].trial.client.policy == "grpc")
  }

  @Test("thresholds on success, times and invariants are judged, each profile by itself where none is named")
  func thresholds() throws {
    let scenario = try scenario(
      """
      profiles: [lift, tunnel]
      sessions: 6000
      end: all
      thresholds:
        - reconnect.success >= 0.95 at 0.99
        - reconnect.success[tunnel] >= 0.95 at 0.99
        - reconnect.median[lift] <= 10 at 0.99
        - reconnect.p99[lift] <= 0.001 at 0.99
        - invariants.broken == 0
      """)
    let result = try scenario.plan.run(on: ScenarioBench(workers: 2))
    let judged = scenario.judged(by: result.measurements)
    #expect(judged.map(\.judgement) == [.holds, .holds, .holds, .holds, .fails, .holds])
    #expect(result.isComplete)
    #expect(result.sections.count == 1)
    #expect(result.files.map(\.name) == ["success.csv", "return-times.csv"])
  }

  @Test("every measure of a plan without an interruption is found, but for causes that began no outage")
  func measures() throws {
    let scenario = try scenario("profiles: [lift]\nsessions: 2000\n")
    let result = try scenario.plan.run(on: ScenarioBench(workers: 1))
    let found = Set(result.measurements.map(\.measure.fullName))
    let missing = scenario.plan.measures.map(\.fullName).filter { !found.contains($0) }
    #expect(missing.allSatisfy { $0.hasPrefix("reconnect.successAfter") })
  }

  @Test("an interrupted run leaves undecided what it cannot know")
  func interrupted() throws {
    let scenario = try scenario(
      "profiles: [lift]\nsessions: 5000\nthresholds: [reconnect.success >= 0.95 at 0.99, invariants.broken == 0]\n")
    let interrupt = Interrupt()
    interrupt.raise()
    let result = try scenario.plan.run(on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(scenario.judged(by: result.measurements).map(\.judgement) == [.undecided, .undecided])
  }

  @Test("misspelt profiles, subjects and policies are refused with the nearest name")
  func misspelt() {
    #expect(refusal("profiles: [tunel]\n").contains("did you mean 'tunnel'?"))
    #expect(refusal("subject: live-knows-no-jiter\n").contains("did you mean 'live-knows-no-jitter'?"))
    #expect(refusal("policy: full-jiter\n").contains("did you mean 'full-jitter'?"))
    #expect(refusal("sesions: 3\n").contains("sessions"))
  }

  @Test("a profile in which no client can succeed is refused in its place, and said to be so")
  func hopeless() {
    let text = refusal("profiles: [{name: cellar, limit: 20s, faults: [{kind: black-hole, lasting: forever}]}]\n")
    #expect(text.contains("test.yaml:3: profiles"))
    #expect(text.contains("no client can succeed"))
    let second = refusal(
      """
      profiles:
        - lift
        - name: cellar
          limit: 20s
          faults: [{kind: black-hole, lasting: forever}]

      """)
    #expect(second.contains("test.yaml:5: profiles[2]: found 'cellar', in which no client can succeed"))
  }

  @Test(
    "shares and chances lie from 0 to 1, and no sample shows all or nothing",
    arguments: [
      ("reconnect.success[lift] >= 1.5 at 0.99", "found '1.5', expected a share from 0 to 1"),
      ("reconnect.success[lift] <= -0.5 at 0.99", "found '-0.5', expected a share from 0 to 1"),
      ("reconnect.success[lift] >= 1 at 0.99", "expected a number below 1: no number of samples shows"),
      ("reconnect.p99[lift] <= 60 at 0.99", "accepted"),
      ("reconnect.success[lift] >= 95% at 0.99", "accepted"),
    ])
  func shares(threshold: String, answer: String) {
    let text = refusal("profiles: [lift]\nthresholds: ['\(threshold)']\n")
    #expect(text.contains(answer), "\(text)")
  }
}
