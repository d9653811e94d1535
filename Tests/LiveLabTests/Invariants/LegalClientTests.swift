// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// Settings of the client that ships under which it does other things, all of them allowed.
enum OtherSettings: String, CaseIterable, CustomTestStringConvertible {
  case usual, leavesInBackground, restsInBackground, resumesNothing, neverSuspendsSlowly, provenByTimeAlone
  case provenLate, noHeartbeat, smallOutbox, patientInBackground

  var testDescription: String { rawValue }

  var settings: ConnectionSettings {
    var settings = ConnectionSettings()
    switch self {
    case .usual: break
    case .leavesInBackground: settings.background = .disconnect(after: .seconds(5))
    case .patientInBackground: settings.background = .disconnect(after: .seconds(100))
    case .restsInBackground: settings.background = .makeNoAttempts
    case .resumesNothing: settings.resumesStream = false
    case .neverSuspendsSlowly: settings.suspendedCadence = nil
    case .provenByTimeAlone: settings.proof.byAcknowledgement = false
    case .provenLate: settings.proof.minimumUptime = .seconds(60)
    case .noHeartbeat: settings.heartbeat.interval = nil
    case .smallOutbox: settings.outbox.count = 5
    }
    return settings
  }
}

@Suite("The client that ships, where the law is narrow")
struct LegalClientTests {
  static let schedules = [
    "live/1 for=20m; 1m background for=3m; 2m reset; 5m background for=2s; 6m background for=8m; 6m10s network-change",
    "live/1 for=20m; 0s refused for=8m; 4m network-change; 7m offline for=30s; 9m reset",
    "live/1 for=20m; 1m redirect for=1m to=secure; 1m reset; 5m redirect for=1m to=plain; 5m reset",
    "live/1 for=20m; 1m expired-credentials for=2m refreshable=yes; 1m reset; 8m expired-credentials for=2m; 8m reset",
    "live/1 for=20m; 1m expired-credentials for=2m refreshable=no; 1m reset",
    "live/1 for=20m; 1m refusal for=30s status=503 retry-after=2m; 1m reset; 9m close code=1013; 14m close code=1008",
    "live/1 for=20m; 1m restart for=2m how=vanished history=lost; 6m restart for=10s how=graceful history=kept",
    "live/1 for=20m; 1m sleep for=4m; 2m reset; 7m sleep for=20s; 7m30s sleep for=40s; 10m half-open; "
      + "10m5s sleep for=90s",
    "live/1 for=20m; 1m black-hole for=15s; 3m partition for=20s way=down; 5m partition for=5m way=up",
    "live/1 for=20m; 1m accept-then-close for=3m code=1011 after=9s resumes=yes; 1m reset; 9m garbage code=1002",
    "live/1 for=20m; 0s latency for=20m added=2s jitter=2s; 3m reset; 7m late-pongs for=3m delay=6s; 12m sleep for=35s",
    "live/1 for=20m; 1m offline for=6m; 3m background for=1m; 9m refused for=11m; 9m reset",
    "live/1 for=5m; 4m close code=1001 delay=90s; 4m59s reset",
  ]

  @Test("is accused of nothing, however it is set", arguments: OtherSettings.allCases)
  func innocent(other: OtherSettings) throws {
    for sends in [Interval.seconds(3), .seconds(600)] {
      var world = SessionWorld()
      (world.phone.sends, world.server.publishes) = (sends, sends)
      var session = try Session<LiveConnection, InvariantWatch>(
        settings: other.settings, world: world, witness: InvariantWatch())
      for text in Self.schedules {
        let schedule = try FaultSchedule(reading: text)
        session.witness = InvariantWatch()
        for seed in 1...8 as ClosedRange<UInt32> { try session.run(schedule, seed: seed) }
        #expect(session.witness.breach == nil, "\(text)")
      }
    }
  }
}

@Suite("A herd")
struct HerdCountTests {
  @Test("is counted in each quarter of a second, both its ends included")
  func window() {
    func most(_ milliseconds: [Int64]) -> Int { Herd(waits: milliseconds.map { .milliseconds($0) }).most }
    #expect(most([]) == 0)
    #expect(most([0, 250, 500]) == 2)
    #expect(most([0, 251, 502]) == 1)
    #expect(most([0, 100, 200, 300, 330, 440]) == 4)
  }

  @Test("is spread while no more than three in four return together")
  func bound() {
    func isSpread(together: Int) -> Bool {
      let others = (together..<Herd.size).map { Interval.seconds(Int64($0)) }
      return Herd(waits: Array(repeating: .zero, count: together) + others).isSpread
    }
    #expect(isSpread(together: 24) && !isSpread(together: 25))
  }
}
