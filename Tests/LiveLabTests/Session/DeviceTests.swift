// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("A phone that sleeps, and its clock")
struct DeviceTests {
  @Test("after a sleep either the timer that was due or the device's word comes first")
  func wakingOrder() throws {
    let firsts = try (1...40).map { seed in
      try #require(
        play([(.sleep, 100, 100)], seconds: 250, seed: seed, world: silence).record.events.first {
          $0.at.seconds >= 200
        }?.event)
    }
    // Each has half: neither missing but once in 10^12.
    #expect(firsts.contains(.woke))
    #expect(firsts.contains { if case .timer = $0 { true } else { false } })
  }

  @Test("a connection that ended in a sleep is told to have ended when the phone wakes")
  func endedInSleep() throws {
    let played = try play([(.sleep, 100, 100), (.reset, 150, 0)], world: silence)
    let told = played.record.first { if case .closed = $0 { true } else { false } }
    #expect(try #require(told) >= 200)
    #expect(try #require(told) < 200.01)
  }

  /// How the world was when the client was told of each event.
  private struct Truths: SessionWitness {
    var truths: [(at: Instant, truth: SessionTruth)] = []

    mutating func settled<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment) {
      truths.append((moment.world, session.truth))
    }
  }

  private func truths(_ fault: Fault, _ at: Double, _ lasting: Double) throws -> (during: Bool, end: SessionTruth) {
    var session = try Session<LiveConnection, Truths>(world: silence, witness: Truths())
    try session.run(try schedule([(fault, at, lasting)], seconds: 600), seed: 1)
    let during = session.witness.truths.contains {
      ($0.at - .zero).nanoseconds < 600_000_000_000 && (!$0.truth.isReachable || !$0.truth.isInFront)
    }
    return (during, session.result.truth)
  }

  @Test("what the phone is told holds for as long as the fault, and one that lasts to the end is over with the session")
  func truth() throws {
    for (fault, isTold) in [(Fault.sleep, false), (.offline, true), (.background, true)] {
      for lasting in [50.0, 100, 500] {
        let (during, end) = try truths(fault, 500, lasting)
        #expect(during == isTold)
        #expect(!end.isAsleep && end.isReachable && end.isInFront)
      }
    }
  }

  private func pings(_ played: Played, _ range: Range<Double>) -> Int {
    played.record.entries.count {
      if case .effect(.sendPing) = $0.entry { range.contains($0.at.seconds) } else { false }
    }
  }

  @Test("a timer that is set follows the clock when its speed changes, and again when it is right")
  func skewedTimer() throws {
    // The ping of 60 s is due 29 s later by a clock that needs 19.3 s for them, or 58.
    let fast = try play([(.clockSkew(millionths: 500_000), 31, 3_000)], seconds: 6_031, world: silence)
    #expect(pings(fast, 32..<52) == 1)
    let slow = try play([(.clockSkew(millionths: -500_000), 31, 40)], seconds: 600, world: silence)
    #expect(pings(slow, 32..<78) == 0)
    #expect(pings(slow, 78..<82) == 1)
    #expect(abs(pings(fast, 31..<3_031) - 150) <= 1)
    #expect(abs(pings(fast, 3_031..<6_031) - 100) <= 1)
  }

  @Test("after the end of a session nothing of app, server or schedule happens any more")
  func ended() throws {
    var world = chatter
    world.server.pings = .seconds(3)
    let played = try play(seconds: 100, world: world)
    let after = played.record.entries.filter { $0.at.seconds > 100 }
    #expect(!after.isEmpty)
    let isGoingOn = after.contains {
      switch $0.entry {
      case .event(.send), .change(.published), .event(.received(_, .ping)): $0.at.seconds > 100.5
      default: false
      }
    }
    #expect(!isGoingOn)
  }
}
