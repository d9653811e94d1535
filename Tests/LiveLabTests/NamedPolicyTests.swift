// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import MonteCarlo
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("A backoff policy of one's own")
struct NamedPolicyTests {
  private static let line = "base=500ms cap=20s factor=1.5 jitter=equal attempts=12"

  private func storm(_ texts: [String]) throws -> StormComparison {
    try typed(["policies": texts], as: StormComparison.self)
  }

  @Test("is LiveCore's own, by option, by a line of a file and by a mapping, next to those of the catalogue")
  func doors() throws {
    var mine = Backoff()
    (mine.base, mine.cap, mine.factor) = (.milliseconds(500), .seconds(20), 1.5)
    (mine.jitter, mine.maximumAttempts) = (.equal, 12)
    let expected = [NamedPolicy("grpc", try #require(Backoff.named("grpc"))), NamedPolicy("mine", mine)]
    #expect(try storm(["grpc", "name=mine \(Self.line)"]).policies == expected)
    for yaml in [
      "policies: [grpc, 'name=mine \(Self.line)']",
      "policies:\n  - grpc\n  - {attempts: 12, name: mine, base: 500ms, cap: 20s, factor: 1.5, jitter: equal}",
    ] {
      let plan = try scenario(yaml, of: StormComparison.self).plan
      #expect(try #require(plan as? StormComparison).policies == expected)
    }
    #expect(try typed(["policy": [Self.line]], as: SimulationTrial.self).client.settings.backoff == mine)
  }

  @Test("without a name is named after its values, and what is left out is as LiveCore has it")
  func label() throws {
    #expect(try storm([Self.line]).policies.map(\.name) == ["own-500ms-20s-100ms-1.5-equal-12"])
    #expect(try storm(["attempts=3"]).policies.map(\.name) == ["own-1s-30s-100ms-2-full-3"])
  }

  @Test("attempts may be unlimited, and read back so")
  func unlimited() throws {
    let policy = try #require(try storm(["attempts=unlimited"]).policies.first)
    #expect(policy.backoff.maximumAttempts == 1_000_000 && policy.text.hasSuffix("attempts=unlimited"))
    #expect(try storm([policy.text]).policies == [policy])
  }

  @Test(
    "every jitter reads back as written",
    arguments: ["none", "equal", "full", "decorrelated", "above-base", "0.2", "7%"])
  func jitter(text: String) throws {
    let first = try scenario("policies: ['jitter=\(text)', 'name=b jitter=\(text) cap=1d']", of: StormComparison.self)
    #expect(try again(first, as: StormComparison.self) == #require(first.plan as? StormComparison))
  }

  @Test("labels what is measured of it")
  func measured() throws {
    let scenario = try scenario(
      """
      clients: 500
      policies: [exponential, 'name=mine jitter=none attempts=2', 'jitter=none floor=0s']
      thresholds: ['storm.gaveUp[mine] == 500', 'storm.gaveUp[own-1s-30s-0s-2-none-10] == 0', 'storm.back == 500']
      """, of: StormComparison.self)
    let result = try scenario.plan.run(on: ScenarioBench(workers: 1))
    let evaluated = scenario.evaluated(by: result.measurements)
    #expect(evaluated.count == 5 && evaluated.allSatisfy { $0.verdict == .holds }, "\(evaluated)")
    // Nothing but the floor differs, which no wait of a policy without jitter meets.
    let peaks = result.measurements.filter { $0.measure.name == "storm.peak" }.map(\.value)
    #expect(peaks[0] == peaks[2])
  }

  @Test("is named whole in the command that shows a session again")
  func replay() throws {
    let client = try typed(["policy": [Self.line]], as: SimulationTrial.self).client
    let command = client.command(seed: 5, profile: try OutageProfile.named("lift"))
    let line = "base=500ms cap=20s floor=100ms factor=1.5 jitter=equal attempts=12"
    #expect(command == "assay live timeline --seed 5 lift --policy '\(line)'")
    #expect(try typed(["policy": [line]], as: TimelineSession.self).policy == client.policy)
  }

  @Test(
    "is refused with the value's name, what was found and what was expected",
    arguments: [
      ("bse=1s", "--policy.bse: unknown key; did you mean 'base'?"),
      ("base=5x", "--policy.base: found '5x', expected a length of time, 1ms to 1d."),
      ("base=", "--policy.base: found nothing, expected a length of time, 1ms to 1d."),
      ("base=0s", "--policy.base: found '0s'"), ("base=99999999999999999999d", "--policy.base: found '9999"),
      ("cap=-1s", "--policy.cap: found '-1s'"), ("cap=366d", "--policy.cap: found '366d', expected a length of time"),
      ("base=40s", "--policy.base: found 40 s while cap is 30 s, expected no more than that."),
      (
        "cap=500ms",
        "--policy.base: found 1 s, as it is unless stated, while cap is 0.5 s, expected no more than that."
      ),
      ("floor=2s", "--policy.floor: found 2 s while the longest first wait is "),
      ("factor=0.5", "--policy.factor: found '0.5', expected a number, 1 to 100."),
      ("factor=nan", "--policy.factor: found 'nan'"), ("factor=inf", "--policy.factor: found 'inf'"),
      ("factor=1e999", "--policy.factor: found '1e999'"),
      ("attempts=0", "--policy.attempts: found '0', expected a whole number, 1 to 999,999, or unlimited."),
      ("attempts=9223372036854775808", "--policy.attempts: found '9223372036854775808'"),
      ("jitter=ful", "or a share to either side such as 20% (did you mean 'full'?)."),
      ("jitter=120%", "--policy.jitter: found '120%', expected one of none, equal, full"),
      ("base=1s base=2s", "each of name, base, cap, floor, factor, jitter, attempts at most once."),
      ("base=1s cap", "--policy: found 'base=1s cap', expected words of a key, = and a value"),
      ("name=grpc base=2s", "--policy.name: found 'grpc', expected a name of letters"),
      ("name=a] base=2s", "--policy.name: found 'a]', expected a name of letters"),
      ("{base: [1s]}", "--policy.base: found a list, expected a length of time"),
      ("{bse: 1s}", "--policy.bse: unknown key; did you mean 'base'?"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: ReportingError.self) { try storm([text]) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("is refused where two have one name, and where the client could not follow it")
  func contradictions() {
    let twice = refusal("policies: ['name=a base=2s', 'name=a base=3s']", of: StormComparison.self)
    #expect(twice.contains("policies: found a list, expected policies of different names: two are named 'a'"))
    for text in [
      refusal("policy: cap=10m", of: SimulationTrial.self), refusal("policy: cap=10m", of: TimelineSession.self),
    ] {
      #expect(text.contains("test.yaml:3: policy: found 'cap=10m', expected a policy that the client can follow: "))
      #expect(text.contains("while backoff.cap is 600 s"), "\(text)")
    }
  }

  @Test("whatever numbers it has, a storm of it ends")
  func extremes() throws {
    for text in [
      "base=1ms cap=1ms floor=0s factor=1 jitter=full attempts=1", "base=1d cap=1d factor=100 jitter=decorrelated",
      "base=1ms cap=1d floor=0s factor=100 jitter=100% attempts=50", "base=1d cap=1d floor=0s jitter=above-base",
    ] {
      var storm = try storm([text])
      (storm.settings.clients, storm.settings.horizon) = (20, .seconds(60))
      #expect(try storm.run(workers: 1).isComplete, "\(text)")
    }
  }
}
