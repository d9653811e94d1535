// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import LiveCore
import Scenarios
import Testing

@testable import LiveLab

@Suite("Profiles of outages")
struct OutageProfileTests {
  /// The faults of many sessions of a profile, one after the other.
  private func schedules(_ profile: OutageProfile, count: UInt32 = 300) throws -> [FaultSchedule] {
    try (1...count).map { try profile.schedule(seed: $0 &* 2_654_435_761) }
  }

  private func faults(_ name: String, count: UInt32 = 300) throws -> [TimedFault] {
    try schedules(OutageProfile.named(name), count: count).flatMap(\.faults)
  }

  @Test("every session is free of contradictions, and is read back from its text", arguments: OutageProfile.all)
  func checked(profile: OutageProfile) throws {
    for schedule in try schedules(profile) {
      let again = try FaultSchedule(schedule.faults, duration: schedule.duration, limit: schedule.limit)
      #expect(again == schedule)
      #expect(try FaultSchedule(reading: schedule.description) == schedule)
      #expect(schedule.faults.count <= profile.mostFaults)
    }
  }

  @Test("a session goes on until the limit of its last outage is over", arguments: OutageProfile.all)
  func lasts(profile: OutageProfile) throws {
    for schedule in try schedules(profile) {
      #expect(schedule.limit == profile.limit && schedule.duration >= profile.session)
      let end = Instant.zero + schedule.duration
      let last = schedule.faults.map(\.end).filter { $0 < end }.max() ?? .zero
      #expect(last + profile.limit < end)
      #expect(schedule.faults.contains { $0.fault.breaks })
    }
  }

  @Test("lifts take 20 s, tunnels one to three minutes, nights hours")
  func lengths() throws {
    func range(_ name: String, _ kinds: Set<Fault.Kind>) throws -> ClosedRange<Double> {
      let lengths = try faults(name).filter { kinds.contains($0.fault.kind) }.map(\.lasting.seconds)
      return (lengths.min() ?? -1)...(lengths.max() ?? -1)
    }
    let lift = try range("lift", [.offline, .blackHole])
    #expect(lift == 20...20)
    let tunnel = try range("tunnel", [.offline, .blackHole])
    #expect(tunnel.lowerBound >= 60 && tunnel.lowerBound < 63 && tunnel.upperBound <= 180 && tunnel.upperBound > 177)
    let night = try range("night", [.sleep])
    #expect(night.lowerBound >= 5 * 3_600 && night.upperBound <= 9 * 3_600)
  }

  @Test("the ways that an outage can go come as often as the profile says")
  func shares() throws {
    // Five standard deviations of the share of 3 000 outages and more.
    let tunnels = try faults("tunnel", count: 2_500)
    let known = Double(tunnels.count { $0.fault.kind == .offline }) / Double(tunnels.count)
    #expect(abs(known - 0.7) < 0.042)
    let restarts = try faults("server-restart", count: 2_500).map(\.fault).filter { $0.kind == .restart }
    func share(_ faults: [Fault]) -> Double { Double(restarts.count { faults.contains($0) }) / Double(restarts.count) }
    let killed = share([
      "restart how=killed", "restart how=killed history=lost",
      "restart how=killed history=lost numbers=lost",
    ])
    #expect(abs(killed - 0.2) < 0.037)
    func share(history: String, numbers: String) -> Double {
      share(Fault.Departure.allCases.map { "restart how=\($0) history=\(history) numbers=\(numbers)" })
    }
    #expect(abs(share(history: "lost", numbers: "kept") - 0.05) < 0.02)
    #expect(abs(share(history: "lost", numbers: "lost") - 0.05) < 0.02)
    #expect(share(history: "kept", numbers: "lost") == 0)
  }

  @Test("a night ends on another network in three of ten, after the phone woke")
  func waking() throws {
    let nights = try schedules(OutageProfile.named("night"), count: 2_000).map(\.faults)
    let changed = nights.filter { $0.last?.fault.kind == .networkChange }
    // Of 2 000 nights, within five standard deviations of 20.5.
    #expect(abs(changed.count - 600) < 104)
    for night in changed {
      let sleep = try #require(night.first { $0.fault.kind == .sleep })
      let change = try #require(night.last)
      #expect(change.at > sleep.end && change.at - sleep.end <= .seconds(3))
    }
  }

  @Test("every parameter of a built-in profile changes what is drawn", arguments: ProfileTemplate.all)
  func parameters(template: ProfileTemplate) throws {
    for (parameter, usual) in template.parameters {
      let standard = usual.least
      let least = parameter.range.lowerBound
      let other = Spread(standard > least ? max(least, standard - 1 - standard / 2) : standard + 1)
      let changed = try template.profile(changed: [parameter.name: other])
      #expect(try schedules(changed, count: 100) != schedules(template.profile(), count: 100), "\(parameter.name)")
    }
  }

  @Test("a spread draws all its values alike, its ends included")
  func spread() throws {
    var random = try SessionRandom(seed: 7)
    var counts = [Int](repeating: 0, count: 5)
    for _ in 0..<5_000 { counts[Int(Spread(10, 18).draw(using: &random, step: 2) - 10) / 2] += 1 }
    let areAlike = counts.allSatisfy { abs($0 - 1_000) < 142 }
    #expect(areAlike, "\(counts)")
    #expect(Spread(4).draw(using: &random) == 4)
    #expect(Spread(4, 2) == Spread(4))
  }
}

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
    let finding = try #require(try trial.run(workers: 2).finding(of: trial.cells[0]))
    guard case .interval(let share, let low, _, _, _)? = finding.success else {
      Issue.record("there should be an interval")
      return
    }
    #expect(share > 0.99 && low >= 0.95, "\(share), at least \(low)")
    #expect(finding.tally.brokenSessions == 0, "\(finding.tally.failures.breaches)")
  }
}

@Suite("What a profile draws, in words")
struct ProfileDefinitionTests {
  @Test("is exact, with the shares of its variants")
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
}

@Suite("Profiles that cannot succeed")
struct FeasibilityTests {
  private func feasibility(
    _ faults: String, limit: String = "30s", always: String = "[]",
    change: (inout ConnectionSettings) -> Void = { _ in }
  ) throws -> Feasibility {
    let yaml = " - {name: own, limit: \(limit), always: \(always), faults: [\(faults)]}"
    var settings = ConnectionSettings()
    change(&settings)
    return try #require(try ProfileReading.profiles(yaml).first).feasibility(under: settings)
  }

  private func why(_ feasibility: Feasibility) -> String {
    switch feasibility {
    case .possible: "possible"
    case .doubtful(let why): "doubtful: \(why)"
    case .cannotSucceed(let why): why
    }
  }

  @Test("every built-in profile can succeed", arguments: OutageProfile.all)
  func builtIn(profile: OutageProfile) {
    #expect(profile.feasibility(under: ConnectionSettings()) == .possible)
  }

  @Test("what blocks to the end of the session cannot succeed")
  func endless() throws {
    let said = "holds to the end of the session, and no attempt succeeds meanwhile"
    #expect(
      why(try feasibility("{kind: restart, for: forever, how: killed}"))
        == "restart how=killed history=kept \(said)")
    #expect(
      why(try feasibility("reset, {kind: refusal, for: forever, status: 403}")) == "refusal status=403 \(said)")
    #expect(
      why(try feasibility("reset", always: "[captive-portal]"))
        == "captive-portal holds for the whole session, and no attempt succeeds meanwhile")
    #expect(try feasibility("reset", always: "[no-pongs]") == .possible)
  }

  @Test("a refusal that a client meets for certain and may not outlive")
  func forGood() throws {
    let said = "after which the client stays closed, as it must"
    #expect(
      why(try feasibility("reset, {kind: refusal, for: 10s, status: 403}"))
        == "the handshake is answered by 403, \(said)")
    #expect(why(try feasibility("{kind: close, code: 1002}")) == "the server closes by 1002, \(said)")
    #expect(why(try feasibility("reset, {kind: redirect, for: 10s, to: plain}")).contains("redirected"))
    #expect(
      why(try feasibility("reset, {kind: expired-credentials, for: 10s, refreshable: no}")).contains("credentials"))
    #expect(try feasibility("reset, {kind: redirect, for: 10s, to: plain}") { $0.isSecure = false } == .possible)
    #expect(try feasibility("reset, {kind: expired-credentials, for: 10s}") == .possible)
  }

  @Test("one that it may never meet proves nothing")
  func perhaps() throws {
    // Over before the first attempt must come; before the loss is noticed; in half of the outages only; no loss at all.
    #expect(try feasibility("reset, {kind: refusal, for: 500ms, status: 403}") == .possible)
    #expect(try feasibility("half-open, {kind: refusal, for: 20s, status: 403}") == .possible)
    #expect(try feasibility("reset, {kind: refusal, for: 10s, status: 403, chance: 50%}") == .possible)
    #expect(try feasibility("{kind: refusal, for: 10s, status: 403}") == .possible)
  }

  @Test("a wait that the server asks for, longer than its refusals and the limit together")
  func forcedWait() throws {
    let refusals = "reset, {kind: refusal, for: 5s..10s, status: 503, retry-after: 60s..90s}"
    #expect(
      why(try feasibility(refusals))
        == "the server asks the client to stay away for at least 1m, which is over 50s after its refusals are at the "
        + "earliest, and the limit is 30s")
    #expect(try feasibility(refusals, limit: "50s") == .possible)
    #expect(try feasibility(refusals) { $0.refusalRules.longestWait = .seconds(20) } == .possible)
    #expect(
      why(try feasibility("reset, {kind: shedding, for: 10s, share: 100%, retry-after: 1m}")).contains("stay away"))
    #expect(try feasibility("reset, {kind: shedding, for: 10s, share: 99%, retry-after: 1m}") == .possible)
  }

  @Test("an outage that outlasts all attempts, without a sign when it is over")
  func exhausted() throws {
    // Detected within 40 s, ten waits of 1, 2, 4, 8, 16 and five times 30 s, ten attempts of 10 s: 321 s.
    let hole = "{kind: black-hole, for: 6m}"
    let none: (inout ConnectionSettings) -> Void = { $0.suspendedCadence = nil }
    #expect(
      why(try feasibility(hole, change: none))
        == "black-hole lasts for 6m at the least, and the client's attempts are exhausted after 5m21s at the latest; "
        + "none comes afterwards without a hint")
    #expect(why(try feasibility(hole)).hasSuffix("then one comes every 5m or so, and the limit is 30s"))
    #expect(why(try feasibility(hole)).hasPrefix("doubtful: "))
    #expect(try feasibility(hole, limit: "450s") == .possible)
    #expect(try feasibility("{kind: offline, for: 6m}", change: none) == .possible)
    #expect(try feasibility("{kind: black-hole, for: 5m..6m}", change: none) == .possible)
    #expect(try feasibility(hole) { $0.backoff.maximumAttempts = .max } == .possible)
  }
}
