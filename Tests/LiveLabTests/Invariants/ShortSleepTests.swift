// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

/// A client that takes no late ring of a timer for a sleep, unless it is as late as a pong may be.
private struct BelievesItsTimer: LiveSubject {
  private var connection: LiveConnection

  init(_ settings: ConnectionSettings) {
    var changed = settings
    changed.heartbeat.lateness = settings.heartbeat.pongTimeout
    connection = LiveConnection(changed)
  }

  var status: LiveStatus { connection.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    connection.handle(event, at: now, word: word, into: &effects)
  }
}

@Suite("A phone that sleeps for a few seconds while an answer is awaited")
struct ShortSleepTests {
  /// The ping goes out at 30 s and a bit, its answer takes two seconds and comes in the sleep.
  static let schedule = "live/1 for=2m; 20s latency for=100s added=1s jitter=0s; 31500ms sleep for=9500ms"

  private func invariants<Subject: LiveSubject>(_ type: Subject.Type) throws -> InvariantSet {
    var session = try Session<Subject, InvariantWatch>(witness: InvariantWatch())
    let schedule = try FaultSchedule(reading: Self.schedule)
    for seed in 1...40 as ClosedRange<UInt32> { try session.run(schedule, seed: seed) }
    return session.witness.breached
  }

  @Test("keeps its connection, whether the timer rings or the device speaks first")
  func kept() throws {
    var session = try Session<LiveConnection, InvariantWatch>(witness: InvariantWatch())
    let schedule = try FaultSchedule(reading: Self.schedule)
    for seed in 1...40 as ClosedRange<UInt32> {
      try session.run(schedule, seed: seed)
      #expect(session.result.attempts == 1, "seed \(seed)")
    }
    #expect(session.witness.breach == nil)
  }

  @Test("a client that drops a healthy link for it is noticed")
  func dropped() throws {
    #expect(try invariants(BelievesItsTimer.self).all == [.droppedForAReason])
  }
}
