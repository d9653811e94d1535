// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The limits of profiles")
struct ProfileLimitTests {
  @Test(
    "are what the recommended settings and the profile's own ranges add up to",
    arguments: [
      // A hanging attempt, the wait before the third, opening.
      ("lift", 10 + 4 + 2),
      // A hanging attempt, the longest wait, opening.
      ("tunnel", 10 + 30 + 2),
      // A hanging attempt, the wait before the fifth, opening.
      ("commute", 10 + 16 + 2),
      // A silent death, the first attempt and all its time, the wait before the second, opening over a slow way.
      ("stadium", 40 + 1 + 10 + 2 + 9), ("bad-wifi", 40 + 1 + 10 + 2 + 4),
      // Turned away, asked to stay away, the longest wait, opening.
      ("server-restart", 10 + 4 + 30 + 2),
      // Closed by 1012, away for 30 s, opening.
      ("rolling-deploy", 1 + 30 + 2),
      // The ping sent on waking, the first wait, opening.
      ("night", 10 + 1 + 2),
    ] as [(String, Int64)])
  func sums(name: String, seconds: Int64) throws {
    let profile = try OutageProfile.named(name)
    #expect(profile.limit == .seconds(seconds))
    #expect(profile.parts.reduce(.zero) { $0 + $1.time } == profile.limit)
  }

  @Test("are said with what each part of them is for")
  func reasons() throws {
    #expect(
      try OutageProfile.named("lift").reason
        == "10 s for an attempt that hangs, 4 s of waiting before attempt 3 at the most, and 2 s to open the "
        + "connection and resume the stream.")
  }

  @Test("follow the profile's own values, unless a scenario says another")
  func changed() throws {
    let profiles = try ProfileReading.profiles(
      " - {profile: lift, name: tall, length: 10s..30s}\n - {profile: lift, name: patient, limit: 1m}\n"
        + " - {profile: server-restart, name: busy, shedding: 20s}")
    // A lift of 30 s leaves time for another attempt that hangs, and so the next wait is 8 s and not 4.
    let limits: [Interval] = [.seconds(20), .seconds(60), .seconds(56)]
    #expect(profiles.map(\.limit) == limits)
    #expect(profiles.map(\.reason)[1] == "60 s, as it was asked for.")
  }

  @Test("leave the client that ships the time to be back in nearly every outage", arguments: OutageProfile.all)
  func fair(profile: OutageProfile) throws {
    let trial = try SimulationTrial([profile], sessions: 3_000, seed: 5)
    let finding = try #require(try trial.run(workers: 2).finding(of: profile.name))
    let success = try #require(finding.success)
    #expect(success.share > 0.99, "\(success)")
    #expect(finding.tally.brokenSessions == 0)
  }
}

@Suite("What a profile draws, in words")
struct ProfileDefinitionTests {
  @Test("is exact, with the shares of its courses")
  func definitions() throws {
    #expect(
      try OutageProfile.named("lift").definition
        == "1..3 outages, the first after 1m..5m, each other 1m..5m after the limit of the one before; "
        + "50% offline for=20s; 50% black-hole for=20s")
    #expect(
      try OutageProfile.named("stadium").definition
        == "2..4 outages, the first after 1m..3m, each other 1m..3m after the limit of the one before; "
        + "always latency added=100ms..400ms jitter=100ms..600ms; "
        + "always burst-loss enter=2% leave=30% good=0% bad=60%; always bandwidth rate=8000..40000; "
        + "40% black-hole for=5s..25s; 30% reset; 30% half-open")
    #expect(
      try OutageProfile.named("commute").definition
        == "1 outage, after 1m..5m; 70% 3..6 times 5s..1m30s apart: offline for=2s..20s + network-change 0s..2s "
        + "afterwards in 25%; 30% 3..6 times 5s..1m30s apart: black-hole for=2s..20s + network-change 0s..2s "
        + "afterwards in 25%")
    #expect(
      try OutageProfile.named("night").definition.hasSuffix(
        "half-open at 5m..1h in 80% + sleep for=5h..9h + network-change 100ms..3s afterwards in 30%"))
  }

  @Test("names what a restarted server forgets")
  func forgetting() throws {
    let definition = try OutageProfile.named("server-restart").definition
    #expect(
      definition.contains("3.5% restart for=2s..30s how=graceful history=lost numbers=lost + shedding for=3s..10s"))
    #expect(definition.contains("63% restart for=2s..30s how=graceful history=kept + shedding"))
  }

  @Test("comes with what the profile stands for and why its limit is what it is", arguments: OutageProfile.all)
  func paragraphs(profile: OutageProfile) {
    let paragraph = OutageProfile.definitions.first { $0.hasPrefix("\(profile.name): \(profile.meaning) ") }
    #expect(paragraph?.contains(profile.definition) == true && paragraph?.hasSuffix(profile.reason) == true)
  }
}
