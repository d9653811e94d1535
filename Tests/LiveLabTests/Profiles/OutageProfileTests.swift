// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Profiles of outages")
struct OutageProfileTests {
  /// The faults of many sessions of a profile, one after the other.
  private func schedules(_ profile: OutageProfile, count: UInt32 = 300) throws -> [FaultSchedule] {
    var random = try SessionRandom(seed: 1)
    var schedules: [FaultSchedule] = []
    for seed in 1...count {
      try random.reseed(seed &* 2_654_435_761)
      schedules.append(profile.schedule(using: &random))
    }
    return schedules
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
      let outages = schedule.faults.filter { $0.at > .zero }
      #expect(outages.count { $0.fault.breaks } <= profile.mostBreaks)
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

  @Test("one source gives one session, whatever was drawn before into the same memory", arguments: OutageProfile.all)
  func repeatable(profile: OutageProfile) throws {
    var random = try SessionRandom(seed: 1)
    var schedule = FaultSchedule()
    for seed in [5, 9, 5] as [UInt32] {
      try random.reseed(seed)
      profile.draw(into: &schedule, using: &random)
      var fresh = try SessionRandom(seed: seed)
      #expect(profile.schedule(using: &fresh) == schedule)
    }
  }

  @Test("times are drawn in whole milliseconds, so that a replay is easily read")
  func milliseconds() throws {
    for profile in OutageProfile.all {
      let times = try schedules(profile, count: 50).flatMap(\.faults).flatMap {
        [$0.at.nanoseconds, $0.lasting.nanoseconds]
      }
      let areWhole = times.allSatisfy { $0 % 1_000_000 == 0 }
      #expect(areWhole, "\(profile.name)")
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
    let known = Double(tunnels.count { $0.fault == .offline }) / Double(tunnels.count)
    #expect(abs(known - 0.7) < 0.042)
    let restarts = try faults("server-restart", count: 2_500).map(\.fault).filter { $0.kind == .restart }
    func share(_ faults: [Fault]) -> Double { Double(restarts.count { faults.contains($0) }) / Double(restarts.count) }
    let killed = share([
      .restart(.killed, keepsHistory: true), .restart(.killed, keepsHistory: false),
      .restart(.killed, keepsHistory: false, keepsNumbers: false),
    ])
    #expect(abs(killed - 0.2) < 0.037)
    func forgotten(keepsNumbers: Bool) -> Double {
      share(Fault.Departure.allCases.map { .restart($0, keepsHistory: false, keepsNumbers: keepsNumbers) })
    }
    #expect(abs(forgotten(keepsNumbers: true) - 0.05) < 0.02 && abs(forgotten(keepsNumbers: false) - 0.05) < 0.02)
    #expect(share(Fault.Departure.allCases.map { .restart($0, keepsHistory: true, keepsNumbers: false) }) == 0)
  }

  @Test("a night ends on another network in three of ten, after the phone woke")
  func waking() throws {
    let nights = try schedules(OutageProfile.named("night"), count: 2_000).map(\.faults)
    let changed = nights.filter { $0.last?.fault == .networkChange }
    #expect(abs(Double(changed.count) / 2_000 - 0.3) < 0.052)
    for night in changed {
      let sleep = try #require(night.first { $0.fault == .sleep })
      let change = try #require(night.last)
      #expect(change.at > sleep.end && change.at - sleep.end <= .seconds(3))
    }
  }

  @Test("every parameter of a built-in profile changes what is drawn", arguments: ProfileTemplate.all)
  func parameters(template: ProfileTemplate) throws {
    for parameter in template.parameters {
      let standard = parameter.standard.least
      let other = Spread(standard > parameter.range.lowerBound ? standard - 1 - standard / 2 : standard + 1)
      let changed = template.profile(changed: [parameter.name: other])
      #expect(try schedules(changed, count: 100) != schedules(template.standard, count: 100), "\(parameter.name)")
    }
  }

  @Test(
    "a profile says what it stands for, why its limit is what it is, and its name once", arguments: OutageProfile.all)
  func words(profile: OutageProfile) {
    #expect(profile.meaning.hasSuffix(".") && profile.reason.hasSuffix("."))
    #expect(OutageProfile.names.count { $0 == profile.name } == 1)
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
