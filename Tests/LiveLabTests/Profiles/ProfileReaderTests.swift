// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("Profiles in scenarios")
struct ProfileReaderTests {
  @Test("a name is one of the built-in profiles")
  func names() throws {
    #expect(try ProfileReading.profiles(" [tunnel, lift]").map(\.name) == ["tunnel", "lift"])
    #expect(try ProfileReading.profiles(" night") == [OutageProfile.named("night")])
  }

  @Test("a built-in profile can have other values and another name")
  func changed() throws {
    let profiles = try ProfileReading.profiles(
      " - tunnel\n - {profile: tunnel, name: long tunnel, length: 2m..5m, known: 1, limit: 1m, outages: 3}")
    let changed = try #require(profiles.last)
    #expect(changed.name == "long tunnel" && changed.limit == .seconds(60) && changed.outages == Spread(3))
    let faults = try changed.schedule(seed: 3).faults
    #expect(faults.count == 3)
    let allKnown = faults.allSatisfy { $0.fault.kind == .offline }
    let allLong = faults.allSatisfy { $0.lasting >= .seconds(120) && $0.lasting <= .seconds(300) }
    #expect(allKnown && allLong)
  }

  @Test("a profile is composed of faults, whose values are numbers or ranges")
  func composed() throws {
    let yaml = """
       - name: cellar
         limit: 20s
         session: 90m
         outages: 1..3
         always: [{kind: latency, added: 20ms..50ms}]
         faults:
           - {kind: idle-cut, at: 1s, for: forever, idle-cut-after: 50s, silent: yes}
           - {kind: restart, for: 5s..20s, how: killed}
           - {kind: shedding, after: 0s, for: 5s, share: 50%, chance: 0.5}
           - reset
      """
    let profile = try #require(try ProfileReading.profiles(yaml).first)
    #expect(profile.name == "cellar" && profile.limit == .seconds(20) && profile.session == .seconds(5_400))
    #expect(profile.always.map(\.kind) == [.latency])
    let patterns = try #require(profile.variants.first).patterns
    #expect(patterns.map(\.kind) == [.idleCut, .restart, .shedding, .reset])
    #expect(patterns.map(\.anchor) == [.begin, .begin, .previous, .begin])
    #expect(patterns.map(\.chance) == [1, 1, 0.5, 1])
    #expect(patterns[0].fault == "idle-cut after=50s silent=yes")
    #expect(patterns[1].fault == "restart how=killed")
    #expect(patterns[1].lasting == .seconds(5, 20))
    #expect(patterns[2].fault == "shedding share=0.5")
  }

  @Test("every value is written out, and reading that gives the same profiles")
  func resolved() throws {
    let written = """
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
    for yaml in ["", "profiles:\n\(written)\n"] {
      let one = try scenario("\(yaml)thresholds: [invariants.broken == 0]", of: SimulationTrial.self)
      let trial = try #require(one.plan as? SimulationTrial)
      #expect(try again(one, as: SimulationTrial.self).profiles == trial.profiles)
    }
  }

  @Test("an unknown profile, fault or key names the nearest")
  func nearest() throws {
    #expect(ProfileReading.problem(" [tunel]").contains("did you mean 'tunnel'?"))
    #expect(ProfileReading.problem(" - {profile: comute}").contains("did you mean 'commute'?"))
    #expect(ProfileReading.problem(" - {profile: tunnel, lenght: 5s}").contains("length"))
    #expect(
      ProfileReading.problem(" - {name: a, limit: 9s, faults: [{kind: ofline, for: 3s}]}")
        .contains("did you mean 'offline'?"))
    #expect(
      throws: LiveLabError.badValue(
        field: "profile", found: "'nihgt'",
        expected:
          "one of lift, tunnel, commute, stadium, server-restart, rolling-deploy, bad-wifi, night (did you mean "
          + "'night'?)")
    ) { try OutageProfile.named("nihgt") }
  }

  @Test(
    "what contradicts itself is refused in its place",
    arguments: [
      (" - {name: a, limit: 9s, faults: [{kind: reset, for: 3s}]}", "faults[1].for"),
      (
        " - {name: a, limit: 9s, faults: [{kind: reset, for: 3s}]}", "no for: reset happens at one moment"
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
      (" - {name: a, limit: 9s, always: [reset], faults: [reset]}", "happens at one moment"),
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
  func contradictions(yaml: String, hint: String) {
    let problem = ProfileReading.problem(yaml)
    #expect(problem.contains(hint), "\(problem)")
    #expect(problem.contains("s.yaml"), "\(problem)")
  }
}

extension FaultPattern {
  /// The fault of its least values.
  fileprivate var fault: Fault { extremes.least }
}

/// Reads profiles as a scenario does.
enum ProfileReading {
  static func profiles(_ yaml: String) throws -> [OutageProfile] {
    let document = try ScenarioDocument(yaml: "profiles:\n\(yaml)\n", file: "s.yaml")
    let field = try document.root.member("profiles")
    return try ProfileReader.profiles(#require(field))
  }

  /// What is said of profiles that are refused.
  static func problem(_ yaml: String) -> String {
    do {
      _ = try profiles(yaml)
      return "read"
    } catch {
      return "\(error)"
    }
  }
}
