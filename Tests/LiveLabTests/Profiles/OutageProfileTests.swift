// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Reporting
import Testing

@testable import LiveLab

@Suite("Profiles of outages")
struct OutageProfileTests {
  /// The faults of many sessions of a profile, one after the other.
  private func schedules(_ profile: OutageProfile, count: UInt32 = 300) throws -> [FaultSchedule] {
    try (1...count).map { try profile.schedule(seed: $0 &* 2_654_435_761) }
  }

  @Test(
    "a session has no contradictions, reads back from its text and goes on until the limit of its last outage",
    arguments: OutageProfile.all)
  func sessions(profile: OutageProfile) throws {
    for schedule in try schedules(profile) {
      #expect(try FaultSchedule(schedule.faults, duration: schedule.duration, limit: schedule.limit) == schedule)
      #expect(try FaultSchedule(reading: schedule.description) == schedule)
      #expect(schedule.faults.count <= profile.maxFaults && schedule.faults.contains { $0.fault.breaks })
      #expect(schedule.limit == profile.limit && schedule.duration >= profile.session)
      let end = Instant.zero + schedule.duration
      let last = schedule.faults.map(\.end).filter { $0 < end }.max() ?? .zero
      #expect(last + profile.limit < end)
    }
  }

  @Test("the variants of an outage come as often as the profile states")
  func shares() throws {
    let faults = try schedules(OutageProfile.named("server-restart"), count: 2_500).flatMap(\.faults).map(\.fault)
    let restarts = faults.filter { $0.kind == .restart }
    func share(_ departures: [Fault.Departure], history: String, numbers: String) throws -> Double {
      let wanted = try departures.map {
        try TimedFault(reading: "restart how=\($0) history=\(history) numbers=\(numbers)").fault
      }
      return Double(restarts.count { wanted.contains($0) }) / Double(restarts.count)
    }
    // Five standard deviations of the share of 3 000 outages and more.
    #expect(abs(try share([.killed], history: "kept", numbers: "kept") - 0.18) < 0.035)
    #expect(abs(try share(Fault.Departure.allCases, history: "lost", numbers: "kept") - 0.05) < 0.02)
    #expect(abs(try share(Fault.Departure.allCases, history: "lost", numbers: "lost") - 0.05) < 0.02)
    #expect(try share(Fault.Departure.allCases, history: "kept", numbers: "lost") == 0)
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

  @Test("every parameter of a built-in profile changes the sessions", arguments: ProfileTemplate.all)
  func parameters(template: ProfileTemplate) throws {
    for (parameter, `default`) in template.parameters {
      let standard = `default`.minimum
      let minimum = parameter.range.lowerBound
      let other = Spread(standard > minimum ? max(minimum, standard - 1 - standard / 2) : standard + 1)
      let changed = try template.profile(changed: [parameter.name: other])
      #expect(try schedules(changed, count: 100) != schedules(template.profile(), count: 100), "\(parameter.name)")
    }
  }

  @Test("a range yields all its values equally often, its ends included")
  func spread() throws {
    var random = try SessionRandom(seed: 7)
    var counts = [Int](repeating: 0, count: 5)
    for _ in 0..<5_000 { counts[Int(Spread(10, 18).draw(using: &random, step: 2) - 10) / 2] += 1 }
    let areAlike = counts.allSatisfy { abs($0 - 1_000) < 142 }
    #expect(areAlike, "\(counts)")
    #expect(Spread(4).draw(using: &random) == 4)
  }

  @Test(
    "a limit is the sum of what the recommended settings and the profile's ranges need",
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
  func limits(name: String, seconds: Int64) throws {
    #expect(try OutageProfile.named(name).limit == .seconds(seconds))
  }

  @Test(
    "the help states exactly what a session draws, and the limit with its parts",
    arguments: [
      "1..3 outages, the first after 1m..5m, each other 1m..5m after the limit of the one before; "
        + "50% offline for=20s; 50% black-hole for=20s. Back in time within 16 s: 10 s for an attempt that hangs, "
        + "4 s of waiting at most before attempt 3, and 2 s to open the connection and resume the stream.",
      "2..4 outages, the first after 1m..3m, each other 1m..3m after the limit of the one before; "
        + "always latency added=100ms..400ms jitter=100ms..600ms; "
        + "always burst-loss enter=2% leave=30% good=0% bad=60%; always bandwidth rate=8000..40000; "
        + "40% black-hole for=5s..25s; 30% reset; 30% half-open",
      "1 outage, after 1m..5m; 70% 3..6 times 5s..1m30s apart: offline for=2s..20s + network-change 0s..2s "
        + "afterwards in 25%; 30% 3..6 times 5s..1m30s apart: black-hole for=2s..20s + network-change 0s..2s "
        + "afterwards in 25%",
      "half-open at 5m..1h in 80% + sleep for=5h..9h + network-change 100ms..3s afterwards in 30%",
      "3.5% restart for=2s..30s how=graceful history=lost numbers=lost + shedding for=3s..10s",
      "63% restart for=2s..30s how=graceful history=kept + shedding",
    ])
  func definitions(text: String) { #expect(OutageProfile.definitions.contains { $0.contains(text) }) }
}

@Suite("Profiles that cannot succeed")
struct FeasibilityTests {
  /// The faults of a profile with a limit of 30 s, and why no client can be back; nil where one may be.
  struct Case: CustomTestStringConvertible, Sendable {
    let faults: String
    let limit: String
    let always: String
    let why: String?
    let change: @Sendable (inout ConnectionSettings) -> Void

    init(
      _ faults: String, limit: String = "30s", always: String = "[]", _ why: String? = nil,
      change: @escaping @Sendable (inout ConnectionSettings) -> Void = { _ in }
    ) {
      (self.faults, self.limit, self.always, self.why, self.change) = (faults, limit, always, why, change)
    }

    var testDescription: String { faults }
  }

  private static let endless = "holds to the end of the session, and no attempt succeeds meanwhile"
  private static let final = "after which the client stays closed, as it must"
  private static let busy = "reset, {kind: refusal, for: 5s..10s, status: 503, retry-after: 60s..90s}"
  // Detected within 40 s, ten waits of 1, 2, 4, 8, 16 and five times 30 s, ten attempts of 10 s: 321 s.
  private static let hole = "{kind: black-hole, for: 6m}"

  static let cases = [
    // A fault that blocks to the end of the session.
    Case("{kind: restart, for: forever, how: killed}", "restart how=killed history=kept \(endless)"),
    Case("reset, {kind: refusal, for: forever, status: 403}", "refusal status=403 \(endless)"),
    Case(
      "reset", always: "[captive-portal]",
      "captive-portal holds for the whole session, and no attempt succeeds meanwhile"),
    Case("reset", always: "[no-pongs]"),
    // A refusal that every client meets, and none may outlive.
    Case("reset, {kind: refusal, for: 10s, status: 403}", "the handshake is answered by 403, \(final)"),
    Case("{kind: close, code: 1002}", "the server closes by 1002, \(final)"),
    Case("reset, {kind: redirect, for: 10s, to: plain}", "redirected"),
    Case("reset, {kind: redirect, for: 10s, to: plain}") { $0.isSecure = false },
    Case("reset, {kind: expired-credentials, for: 10s, refreshable: no}", "credentials"),
    Case("reset, {kind: expired-credentials, for: 10s}"),
    // One that is over before the first attempt must come, or before the loss is noticed; one in half of the outages;
    // one without a loss.
    Case("reset, {kind: refusal, for: 500ms, status: 403}"), Case("half-open, {kind: refusal, for: 20s, status: 403}"),
    Case("reset, {kind: refusal, for: 10s, status: 403, chance: 50%}"), Case("{kind: refusal, for: 10s, status: 403}"),
    // A server that asks for a wait longer than its refusals and the limit together.
    Case(
      busy,
      "the server asks the client to stay away for at least 1m, which is over 50s after its refusals are at the "
        + "earliest, and the limit is 30s"),
    Case(busy, limit: "50s"), Case(busy) { $0.refusalRules.longestWait = .seconds(20) },
    Case("reset, {kind: shedding, for: 10s, share: 100%, retry-after: 1m}", "stay away"),
    Case("reset, {kind: shedding, for: 10s, share: 99%, retry-after: 1m}"),
    // An outage that outlasts all attempts, without a sign when it is over.
    Case(
      hole,
      "black-hole lasts for at least 6m, and the client's attempts are exhausted after 5m21s at the latest; "
        + "none comes afterwards without a hint"
    ) { $0.suspendedCadence = nil },
    Case(hole, "doubtful: black-hole lasts for at least 6m"),
    Case(hole, "then one comes every 5m or so, and the limit is 30s"), Case(hole, limit: "450s"),
    Case("{kind: offline, for: 6m}") { $0.suspendedCadence = nil },
    Case("{kind: black-hole, for: 5m..6m}") { $0.suspendedCadence = nil },
    Case(hole) { $0.backoff.maximumAttempts = nil },
  ]

  @Test("are found, with the reason", arguments: cases)
  func found(one: Case) throws {
    let yaml = "{name: own, limit: \(one.limit), always: \(one.always), faults: [\(one.faults)]}"
    let field = try ScenarioDocument(yaml: "it: \(yaml)", file: "test.yaml").root.member("it")
    var settings = ConnectionSettings()
    one.change(&settings)
    let profile = try ProfileReader.profiles(#require(field))[0]
    let why: String? =
      switch profile.feasibility(under: settings) {
      case .possible: nil
      case .doubtful(let why): "doubtful: \(why)"
      case .cannotSucceed(let why): why
      }
    #expect(one.why.map { why?.contains($0) == true } ?? (why == nil), "\(why ?? "possible")")
  }

  @Test("are not among the built-in ones", arguments: OutageProfile.all)
  func builtIn(profile: OutageProfile) {
    #expect(profile.feasibility(under: ConnectionSettings()) == .possible)
  }
}
