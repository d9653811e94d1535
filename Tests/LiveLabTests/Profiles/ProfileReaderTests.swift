// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import LiveLab
import Reporting
import Scenarios
import Testing

@Suite("Profiles in scenarios")
struct ProfileReaderTests {
  private func profiles(_ yaml: String) throws -> [OutageProfile] {
    let field = try ScenarioDocument(yaml: "profiles:\n\(yaml)\n", file: "test.yaml").root.member("profiles")
    return try ValueType<[OutageProfile]>.profiles.read(#require(field))
  }

  @Test("a name is one of the built-in profiles")
  func names() throws {
    #expect(try profiles(" [tunnel, lift]").map(\.name) == ["tunnel", "lift"])
    #expect(try profiles(" night") == [OutageProfile.named("night")])
  }

  @Test("a built-in profile can have other values and another name; its limit follows them unless one is given")
  func changed() throws {
    let changed = try profiles(
      """
       - {profile: tunnel, name: long tunnel, length: 2m..5m, known: 1, limit: 1m, outages: 3}
       - {profile: lift, name: tall, length: 10s..30s}
       - {profile: server-restart, name: busy, shedding: 20s}
      """)
    // A lift of 30 s leaves time for another attempt that hangs, and so the next wait is 8 s and not 4.
    #expect(changed.map(\.name) == ["long tunnel", "tall", "busy"])
    #expect(changed.map(\.limit) == [.seconds(60), .seconds(20), .seconds(56)])
    #expect(changed[0].reason == "60 s, as requested.")
    let faults = try changed[0].schedule(seed: 3).faults
    #expect(faults.map(\.fault.kind) == [.offline, .offline, .offline])
    let allLong = faults.allSatisfy { $0.lasting >= .seconds(120) && $0.lasting <= .seconds(300) }
    #expect(allLong)
  }

  @Test("a profile is composed of faults, whose values are numbers or ranges")
  func composed() throws {
    let found = try Outcome(
      "live.simulate",
      """
      sessions: 2
      profiles:
        name: cellar
        limit: 20s
        session: 90m
        outages: 1..3
        always: [{kind: latency, added: 20ms..50ms}]
        faults:
          - {kind: idle-cut, at: 1s, for: forever, idle-cut-after: 50s, silent: yes}
          - {kind: restart, for: 5s..20s, how: killed}
          - {kind: shedding, after: 0s, for: 5s, share: 50%, chance: 0.5}
          - reset
      """)
    let drawn =
      "1..3 outages, the first after 1m..5m, each other 1m..5m after the limit of the one before; "
      + "always latency added=20ms..50ms jitter=0s; idle-cut for=744h after=50s silent=yes at 1s + "
      + "restart for=5s..20s how=killed history=kept + shedding for=5s share=50% afterwards in 50% + reset"
    #expect(found.data.contains("\"profile\": \"cellar\",") && found.data.contains("\"limitSeconds\": 20,"))
    #expect(found.data.contains("\"drawn\": \"\(drawn)\""), "\(found.data)")
  }

  @Test("every value is written out, and reads back as the same profiles", arguments: ["", resolved])
  func written(yaml: String) throws {
    let first = try scenario("live.simulate", "\(yaml)thresholds: [invariants.broken == 0]")
    _ = try again(first)
    for value in ["session: 1h", "name: mine", "12.5%", "name-not-found-after: 5s"] where !yaml.isEmpty {
      #expect(first.resolved.contains(value), "\(first.resolved)")
    }
  }

  private static let resolved = """
    profiles:
      - commute
      - {profile: server-restart, name: mine, down: 1m, killed: 40%, limit: 50s, first: 1s..2s}
      - name: own
        limit: 20s
        times: 2..4
        gap: 1s..2s
        always: [{kind: burst-loss, enter: 1%, leave: 20%..30%}, no-pongs, {kind: idle-cut, after: 45s}]
        faults:
          - {kind: refusal, for: 5s, status: 503, retry-after: 1s..2s}
          - {kind: refusal, at: 10s, for: 5s, status: 502}
          - {kind: close, code: 1012, after: 250ms, chance: 12.5%}
          - {kind: name-not-found, for: 1s..2s, name-not-found-after: 5s}
          - {kind: clock-skew, for: forever, millionths: -200}

    """

  @Test(
    "a bad profile is refused in its place, with the closest match",
    arguments: [
      (" [tunel]", "did you mean 'tunnel'?"), (" - {profile: comute}", "did you mean 'commute'?"),
      (" - {profile: tunnel, lenght: 5s}", "length"),
      (" - {name: a, limit: 9s, faults: [{kind: ofline, for: 3s}]}", "did you mean 'offline'?"),
      (" - {name: a, limit: 9s, faults: [{kind: reset, for: 3s}]}", "faults[1].for"),
      (
        " - {name: a, limit: 9s, faults: [{kind: reset, for: 3s}]}", "no for: reset is momentary"
      ),
      (" - {name: a, limit: 9s, faults: [{kind: offline}]}", "faults[1].for"),
      (" - {name: a, limit: 9s, faults: [{kind: offline, for: 5}]}", "with its unit: '5s' is 5s, '5ms' is 5ms"),
      (" - {name: a, limit: 9s, faults: []}", "at least one fault"),
      (" - {name: ' ', limit: 9s, faults: [reset]}", "profiles[1].name: found ' '"),
      (" - {name: 'a ', limit: 9s, faults: [reset]}", "blanks between them"),
      (" - {name: a, limit: 744h, faults: [reset]}", "less than the longest session, 744h"),
      (" - {profile: tunnel, limit: 800h}", "profiles[1].limit"),
      (" - {name: a, limit: 9s, faults: [offline]}", "{kind: offline, for: …}"),
      (" - {name: a, limit: 9s, faults: [{kind: offline, for: 0s}]}", "faults[1].for"),
      (" - {name: a, limit: 9s, faults: [{kind: offline, for: 9s..3s}]}", "3s..9s"),
      (" - {name: a, limit: 9s, faults: [{kind: reset, at: 3s, after: 1s}]}", "either at"),
      (" - {name: a, limit: 9s, faults: [{kind: reset, chance: 0}]}", "one share above 0"),
      (" - {name: a, limit: 9s, faults: [{kind: close, code: 1006}]}", "faults[1].code"),
      (" - {name: a, limit: 9s, faults: [{kind: loss, for: 3s, share: 120%}]}", "faults[1].share"),
      (" - {name: a, limit: 9s, faults: [{kind: loss, for: 3s}]}", "faults[1].share"),
      (
        " - {name: a, limit: 9s, faults: [{kind: burst-loss, for: 3s, enter: 5%, leave: 0..5%}]}",
        "faults[1].leave"
      ),
      (" - {name: a, limit: 9s, faults: [{kind: refusal, for: 3s, status: 301}]}", "`redirect`"),
      (" - {name: a, limit: 9s, always: [reset], faults: [reset]}", "reset is momentary"),
      (" - {name: a, limit: 9s, times: 100, outages: 3, faults: [reset]}", "at most 255 faults"),
      (" - {name: a, faults: [reset]}", "limit"),
      (" - {name: tunnel, limit: 9s, faults: [reset]}", "write `profile: tunnel`"),
      (" - {limit: 9s, faults: [reset]}", "name"),
      (" - {profile: tunnel, limit: 0s}", "one time above 0"),
      (" - {profile: tunnel, pause: forever}", "a time that ends"),
      (" - {profile: server-restart, killed: 60%, vanished: 50%}", "they are 110%"),
      (" [tunnel, tunnel]", "of another name"),
      (" []", "at least one profile"),
    ])
  func refused(yaml: String, hint: String) {
    let problem = refusal("live.simulate", "profiles:\n\(yaml)")
    #expect(problem.contains(hint) && problem.contains("test.yaml"), "\(problem)")
  }
}
