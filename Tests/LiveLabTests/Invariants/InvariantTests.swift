// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The invariants of a connection")
struct InvariantTests {
  @Test("each is broken by a mutant, and none by the client that ships", arguments: brokenInvariants.indices)
  func broken(position: Int) throws {
    let (invariant, subject, text, sends) = brokenInvariants[position]
    let schedule = try FaultSchedule(reading: text)
    var world = SessionWorld()
    if let sends { world.phone.sends = sends }
    func breached<Subject: ClientUnderTest>(_ type: Subject.Type) throws -> InvariantSet {
      try checked(type, schedule, seeds: 1...20, world: world).breached
    }
    let variant = try #require(LiveVariant.all.first { $0.name == subject }).type
    #expect(try breached(variant).contains(invariant), "\(subject) in \(text)")
    #expect(try breached(LiveConnection.self).all.isEmpty)
  }

  @Test("all are among those broken, except the one that takes many clients")
  func complete() {
    #expect(brokenInvariants.map(\.0) == Invariant.allCases.filter { $0 != .spreadReturns })
  }

  @Test(
    "a breach has lengths in thousandths of a second, finer where two would read alike",
    arguments: [
      (
        .tooSoon(.milliseconds(20), atLeast: .milliseconds(100)),
        "after 0.02 s, where it may come after 0.1 s at the earliest"
      ),
      (.tooLate(.forever, atMost: .seconds(10)), "not within 10 s, but never"),
      (
        .tooSoon(Interval(nanoseconds: 100_000_000), atLeast: Interval(nanoseconds: 100_000_300)),
        "after 0.1 s, where it may come after 0.1000003 s at the earliest"
      ),
      (
        .tooLate(Interval(nanoseconds: 10_000_400_000), atMost: .seconds(10)),
        "not within 10 s, but after 10.0004 s or never"
      ),
      (
        .tooLate(Interval(nanoseconds: 15_065_752_504), atMost: .seconds(10)),
        "not within 10 s, but after 15.065 s or never"
      ),
    ] as [(Breach.Finding, String)])
  func lengths(finding: Breach.Finding, text: String) { #expect("\(finding)" == text) }

  @Test("returns are spread while no more than three in four of 32 fall within a quarter of a second, ends included")
  func herd() {
    func maximum(_ milliseconds: [Int64]) -> Int {
      ReturnSpread(afterLoss: milliseconds.map { .milliseconds($0) }).maximum
    }
    #expect([[], [0, 250, 500], [0, 251, 502], [0, 100, 200, 300, 330, 440]].map(maximum) == [0, 2, 1, 4])
    func isSpread(together: Int) -> Bool {
      let others = (together..<ReturnSpread.size).map { Interval.seconds(Int64($0)) }
      return ReturnSpread(afterLoss: Array(repeating: .zero, count: together) + others).isSpread
    }
    #expect(isSpread(together: 24) && !isSpread(together: 25))
  }
}

@Suite("The client that ships, in schedules near the bounds of the invariants")
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
    // The ping's answer comes in a short sleep.
    "live/1 for=2m; 20s latency for=100s added=1s jitter=0s; 31500ms sleep for=9500ms",
    // A short sleep after a long one: the link was dropped without being asked again.
    "live/1 for=15m33s; 0s no-pongs for=1s; 1s sleep for=20s; 21s reset; 21s sleep for=12s",
    // Asleep until just before the uptime that proves a connection.
    "live/1 for=15m23s; 1s close code=3000 delay=0s; 2s half-open; 2s expired-credentials for=21s refreshable=yes; "
      + "2s sleep for=10s",
  ]

  /// Settings under which it does other things, all of them allowed.
  static let settings: [(name: String, change: @Sendable (inout ConnectionSettings) -> Void)] = [
    ("usual", { _ in }), ("leaves in background", { $0.background = .disconnect(after: .seconds(5)) }),
    ("rests in background", { $0.background = .makeNoAttempts }), ("resumes nothing", { $0.resumesStream = false }),
    ("never suspends slowly", { $0.suspendedCadence = nil }),
    ("proven by time alone", { $0.proof.byAcknowledgement = false }),
    ("proven late", { $0.proof.minimumUptime = .seconds(60) }), ("no heartbeat", { $0.heartbeat.interval = nil }),
    ("small outbox", { $0.outbox.count = 5 }),
    ("patient in background", { $0.background = .disconnect(after: .seconds(100)) }),
  ]

  @Test("breaks no invariant, whatever its settings", arguments: settings.indices)
  func innocent(index: Int) throws {
    let (name, change) = Self.settings[index]
    var settings = ConnectionSettings()
    change(&settings)
    for sends in [Interval.seconds(3), .seconds(600)] {
      var world = SessionWorld()
      (world.phone.sends, world.server.publishes) = (sends, sends)
      var session = try Session<LiveConnection, InvariantChecker>(
        settings: settings, world: world, observer: InvariantChecker())
      for text in Self.schedules {
        let schedule = try FaultSchedule(reading: text)
        session.observer = InvariantChecker()
        for seed in 1...8 as ClosedRange<UInt32> { try session.run(schedule, seed: seed) }
        #expect(session.observer.breach == nil, "\(name): \(text)")
      }
    }
  }
}

/// An invariant, the variant that breaks it, the schedule in which it does, and how often the app sends, where that
/// is not as often as usual. All but `spreadReturns`, which takes more than one client to break.
private let brokenInvariants: [(Invariant, String, String, Interval?)] = [
  (.oneSocket, "live-leaves-orphans", "live/1 for=15m; 1m half-open", nil),
  (.oneTimer, "live-reuses-timer-tags", "live/1 for=15m", nil),
  (.staleChangesNothing, "live-doubles-itself", "live/1 for=15m; 1s half-open", nil),
  (.nothingAfterClose, "live-returns-from-the-dead", "live/1 for=2s; 1s garbage code=1002", nil),
  (.everyAttemptEnds, "live-returns-from-the-dead", "live/1 for=2s; 1s garbage code=1002", nil),
  (.neverStuck, "live-leaks-the-lock", "live/1 for=30m; 0s black-hole for=3m", nil),
  (.attemptLimit, "live-never-suspends", "live/1 for=30m; 0s black-hole for=10m", nil),
  (.attemptFloor, "live-forgets-the-floor", "live/1 for=30m; 0s refused for=10m", nil),
  (.countedOnce, "live-resets-on-open", "live/1 for=15m; 0s reset", nil),
  (.resetWhenProven, "live-never-resets", "live/1 for=15m; 1m reset; 2m reset", nil),
  (
    .retryAfterHonoured, "live-ignores-retry-after", "live/1 for=15m; 0s refusal for=10s status=503 retry-after=1m", nil
  ),
  (.refreshedOnce, "live-loops-on-token", "live/1 for=15m; 0s refusal for=10s status=401", nil),
  (.halfOpenNoticed, "live-sends-no-pings", "live/1 for=15m; 1m half-open", nil),
  (.pongTimeoutAborts, "live-closes-politely", "live/1 for=15m; 1m half-open", nil),
  (.connectTimeout, "live-waits-for-the-kernel", "live/1 for=15m; 0s black-hole for=1m", nil),
  (.droppedForAReason, "live-keeps-connect-timeouts", "live/1 for=15m; 0s reset", nil),
  (.endsForAReason, "live-own-close-is-final", "live/1 for=15m; 1m half-open", nil),
  (.firstMessage, "live-drops-with-handshake", "live/1 for=15m", nil),
  (.messagesDelivered, "live-hides-gaps", "live/1 for=15m; 1m restart for=1s how=graceful history=lost", nil),
  (.deliveredOnce, "live-listens-again", "live/1 for=1h; 1m reset", nil),
  (.sentInOrder, "live-flushes-backwards", "live/1 for=15m; 1m refused for=1m; 1m reset", .seconds(1)),
  (.answeredOnce, "live-answers-twice", "live/1 for=15m", nil),
  (.acknowledgedIsStored, "live-flushes-backwards", "live/1 for=15m; 1m refused for=1m; 1m reset", .seconds(1)),
  (.queueBounds, "live-queues-without-end", "live/1 for=15m; 1m offline for=3m; 1m reset", .milliseconds(50)),
  (.statusAccurate, "live-announces-nothing", "live/1 for=15m", nil),
]
