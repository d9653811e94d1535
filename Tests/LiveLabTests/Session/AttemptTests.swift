// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import LiveLab
import Testing

/// Over a way without jitter every packet takes 25 ms, and so every moment is known beforehand.
var exactSilence: SessionWorld {
  var world = silence
  world.network.jitter = .zero
  return world
}

extension Played {
  /// Seconds from a moment on to the first event that fits.
  func wait(from moment: Double, _ fits: (LiveEvent) -> Bool) -> Double? {
    record.events.first { $0.at.seconds >= moment && fits($0.event) }.map { $0.at.seconds - moment }
  }

  /// When the client asked for connections, in seconds.
  var opens: [Double] {
    record.entries.compactMap { if case .effect(.open) = $0.entry { $0.at.seconds } else { nil } }
  }

  /// What the server said to refused handshakes.
  var refusals: [Refusal] { record.events.compactMap { if case .refused(_, let why) = $0.event { why } else { nil } } }
}

func isNear(_ found: Double?, _ expected: Double) -> Bool { found.map { abs($0 - expected) < 1e-4 } ?? false }

@Suite("An attempt")
struct AttemptDetailTests {
  /// A fault, and how an attempt fails under it; nil for a refusal. Then how long after the client asked it fails.
  static let failures: [(Fault, ConnectFailure?, Double)] = [
    ("name-not-found after=3s", .nameNotFound, 3), ("captive-portal", .notWebSocket, 0.15),
    ("insecure", .insecure, 0.1), ("refused", .connectionRefused, 0.2),
    ("restart how=killed", .connectionRefused, 0.2),
    ("refusal status=500", nil, 0.2),
  ]

  @Test("fails as the fault states, after its round trips, and succeeds when the fault is over", arguments: failures)
  func failure(fault: Fault, expected: ConnectFailure?, after: Double) throws {
    let played = try play([(fault, 99, 10), ("reset", 100, 0)], world: exactSilence)
    let open = try #require(played.opens.first { $0 > 100 })
    let wait = played.wait(from: open) {
      switch $0 {
      case .failed(_, let failure): failure == expected
      case .refused: expected == nil
      default: false
      }
    }
    #expect(isNear(wait, after))
    // As sockets do: an error, and then a close.
    let closed = played.wait(from: open + after) {
      if case .closed(_, let end) = $0 { end.origin == .network } else { false }
    }
    #expect(isNear(closed, 0.001))
    let outage = try #require(played.outages.first)
    #expect(outage.possible == .zero + .seconds(109))
    #expect(outage.ended > outage.possible && outage.ended != .never)
  }

  @Test("opens a connection in three round trips of name, TCP and TLS and one of the handshake")
  func opening() throws {
    #expect(isNear(try play(world: exactSilence).record.first { if case .opened = $0 { true } else { false } }, 0.2))
  }

  @Test("is turned away with the stated chance by a server that sheds load")
  func shedding() throws {
    let turnedAway = try (1...400).count { seed in
      try !play([("shedding share=0.3", 0, 2)], seconds: 2, seed: seed, world: silence)
        .refusals.isEmpty
    }
    // Of the first attempts 0.3, and of those that come again within two seconds once more: from 0.3 to 0.51. Five
    // standard deviations of the binomial law on either side.
    #expect((120 - 46...204 + 50).contains(turnedAway))
  }

  @Test("is closed as late as the fault states, after its opening or after its resumption")
  func acceptThenClose() throws {
    for resumes in [false, true] {
      let fault: Fault = "accept-then-close code=1011 after=2s resumes=\(resumes ? "yes" : "no")" as Fault
      let played = try play([(fault, 0, 1)], world: exactSilence)
      let moment = played.record.first { if case .closed = $0 { true } else { false } }
      // Accepted at 0.175 s; the wish to resume arrives a round trip later.
      #expect(isNear(moment, resumes ? 2.25 : 2.2))
    }
    var settings = ConnectionSettings()
    settings.resumesStream = false
    let fault: Fault = "accept-then-close code=1011 after=2s resumes=yes"
    let played = try play([(fault, 0, 1)], settings: settings, world: exactSilence)
    #expect(isNear(played.record.first { if case .closed = $0 { true } else { false } }, 2.2))
  }

  @Test("is refused with credentials that were fetched before the last expiry")
  func expiredTwice() throws {
    let expired: Fault = "expired-credentials refreshable=yes"
    let played = try play(
      [(expired, 0, 50), ("reset", 100, 0), (expired, 190, 100), ("reset", 200, 0)], world: silence)
    #expect(played.refusals == [Refusal(status: 401), Refusal(status: 401)])
    let fresh = played.record.events.count { if case .credentials(_, isFresh: true) = $0.event { true } else { false } }
    #expect(fresh == 2)
  }

  @Test("asks for credentials again every second while the network is blocked")
  func credentialsBlocked() throws {
    let played = try play(
      [("expired-credentials refreshable=yes", 0, 50), ("black-hole", 0.3, 4)], world: exactSilence)
    let moment = played.record.first { if case .credentials = $0 { true } else { false } }
    #expect(isNear(moment, 4.5))
  }

  @Test("resends its first packet after a second, and then after twice as long each time, a minute at most")
  func firstPacket() throws {
    let isOpened = { (event: LiveEvent) in if case .opened = event { true } else { false } }
    // Sent at 0 s, and again at 1, 3 and 7 s.
    #expect(isNear(try play([("black-hole", 0, 4)], world: exactSilence).record.first(isOpened), 7.05))
    var settings = ConnectionSettings()
    settings.connectTimeout = .seconds(1_000)
    var world = exactSilence
    world.network.connectTimeout = .seconds(1_000)
    // And at 15, 31, 63, 123 and 183 s: no wait is above a minute.
    let late = try play([("black-hole", 0, 130)], settings: settings, world: world)
    #expect(isNear(late.record.first(isOpened), 183.05))
  }

  @Test("an attempt into a black hole gets no answer until the kernel gives up")
  func silentAttempt() throws {
    var settings = ConnectionSettings()
    settings.connectTimeout = .seconds(1_000)
    settings.suspendedCadence = SlowCadence(every: .seconds(1), spread: 0)
    let played = try play(
      [("black-hole", 99, 300), ("reset", 100, 0)], settings: settings, world: silence)
    let failed = try #require(
      played.record.first { if case .failed(_, .timedOut) = $0 { true } else { false } })
    #expect(failed > 227 && failed < 235)
  }
}
