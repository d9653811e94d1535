// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("What faults do to an open connection")
struct OpenConnectionTests {
  @Test("a partition stops one direction only", arguments: Fault.Direction.allCases)
  func partition(way: Fault.Direction) throws {
    let played = try play([("partition way=\(way)", 100, 8)], world: chatter)
    let during = played.record.entries.filter { (100.5..<107.9).contains($0.at.seconds) }
    let heard = during.count { if case .event(.received(_, .message)) = $0.entry { true } else { false } }
    let taken = during.count { if case .change(.took) = $0.entry { true } else { false } }
    #expect((heard == 0) == (way == .down))
    #expect((taken == 0) == (way == .up))
    #expect(played.outages.first?.began == .zero + .seconds(100))
  }

  @Test("a frame that a black hole held back arrives with the next retransmission")
  func retransmission() throws {
    var world = exactSilence
    world.server.pings = .seconds(100)
    let played = try play([("black-hole", 99.99, 4.01)], seconds: 150, world: world)
    // The server's ping of 100 s is sent again at 100.2, 100.6, 101.4, 103.0 and 106.2 s.
    let heard = played.record.first { if case .received(_, .ping) = $0 { true } else { false } }
    #expect(isNear(heard, 106.225))
    #expect(isNear(played.outages.first.map { Double(($0.ended - .zero).nanoseconds) / 1e9 }, 106.225))
  }

  @Test("a server that closes neither reads nor sends, and the client receives the close frame after the delay")
  func close() throws {
    let code = CloseCode(1_001)
    let played = try play([("close code=1001 delay=5s", 100, 0)], world: chatter)
    let closed = try #require(
      played.record.first { if case .closed(_, let end) = $0 { end == Closure(.server, code) } else { false } })
    #expect(closed > 105 && closed < 105.5)
    #expect(played.outages.first?.began == .zero + .seconds(100))
    let during = played.record.entries.filter { (100.2..<104.9).contains($0.at.seconds) }
    #expect(during.contains { if case .effect(.sendMessage) = $0.entry { true } else { false } })
    let isAnswered = during.contains {
      switch $0.entry {
      case .change(.took), .event(.received), .event(.closed): true
      default: false
      }
    }
    #expect(!isAnswered)
  }

  @Test("a proxy cuts every connection that is idle for its time")
  func idle() throws {
    let fault: Fault = "idle-cut after=20s"
    let played = try play([(fault, 100, 100)], world: exactSilence)
    let last = try #require(
      played.record.events.last { if case .received(_, .pong) = $0.event { $0.at.seconds < 100 } else { false } })
    // The pong left the server 25 ms before it arrived.
    let first = try #require(played.outages.first)
    #expect(isNear(Double((first.began - .zero).nanoseconds) / 1e9, max(100, last.at.seconds - 0.025 + 20)))
    #expect((4...6).contains(played.outages.count))
    #expect(played.outages.allSatisfy { $0.began < .zero + .seconds(200) })
  }

  @Test("a replaced timer sometimes fires, with its own tag and not before it was due")
  func staleTimers() throws {
    func stale(oneIn: UInt64) throws -> Int {
      var world = silence
      world.phone.staleTimers = oneIn
      let played = try play([("reset", 100, 0), ("reset", 200, 0)], world: world)
      var (set, count): (TimerTag?, Int) = (nil, 0)
      var due: [TimerTag: Instant] = [:]
      for (at, entry) in played.record.entries {
        switch entry {
        case .effect(.setTimer(let tag, let moment)): (set, due[tag]) = (tag, moment)
        case .event(.timer(let tag)):
          count += tag == set ? 0 : 1
          #expect(try #require(due[tag]) <= at.client)
        default: break
        }
      }
      return count
    }
    #expect(try stale(oneIn: 1) > 2)
    #expect(try stale(oneIn: 1 << 23) == 0)
  }

  @Test("without a heartbeat the kernel reports a dead connection a quarter of an hour after a send")
  func kernelGivesUp() throws {
    var settings = ConnectionSettings()
    settings.heartbeat.interval = nil
    var world = silence
    world.phone.sends = .seconds(30)
    let played = try play([("half-open", 100, 0)], seconds: 3_000, settings: settings, world: world)
    let outage = try #require(played.outages.first)
    #expect(outage.noticed - outage.began >= .seconds(900))
    #expect(outage.noticed - outage.began < .seconds(1_300))
  }
}

@Suite("A phone, its sleep and its clock")
struct DeviceTests {
  @Test("after a sleep either the overdue timer or the device's report comes first")
  func wakingOrder() throws {
    let firsts = try (1...40).map { seed in
      try #require(
        play([("sleep", 100, 100)], seconds: 250, seed: seed, world: silence).record.events.first {
          $0.at.seconds >= 200
        }?.event)
    }
    // Each has half: neither missing but once in 10^12.
    #expect(firsts.contains(.woke))
    #expect(firsts.contains { if case .timer = $0 { true } else { false } })
  }

  private func pings(_ played: Played, _ range: Range<Double>) -> Int {
    played.record.entries.count {
      if case .effect(.sendPing) = $0.entry { range.contains($0.at.seconds) } else { false }
    }
  }

  @Test("a timer that is set follows the client's clock when its speed changes")
  func skewedTimer() throws {
    // The ping of 60 s is due 29 s later by a clock that needs 19.3 s for them, or 58.
    let fast = try play([("clock-skew millionths=500000", 31, 3_000)], seconds: 6_031, world: silence)
    #expect(pings(fast, 32..<52) == 1)
    let slow = try play([("clock-skew millionths=-500000", 31, 40)], seconds: 600, world: silence)
    #expect(pings(slow, 32..<78) == 0)
    #expect(pings(slow, 78..<82) == 1)
    #expect(abs(pings(fast, 31..<3_031) - 150) <= 1)
    #expect(abs(pings(fast, 3_031..<6_031) - 100) <= 1)
  }

  @Test("after the end of a session neither app nor server acts")
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

  @Test("a sleeping phone receives nothing and fires no timer; on waking it receives all that came")
  func sleeping() throws {
    let played = try play([("sleep", 100, 200), ("clock-skew millionths=1000", 120, 30)], world: chatter)
    let during = played.record.events.filter { $0.at.seconds > 100 && $0.at.seconds < 300 }
    #expect(during.isEmpty)
    let woke = try #require(played.record.first { $0 == .woke })
    #expect(woke >= 300 && woke < 300.1)
    let waited = played.record.events.filter { $0.at.seconds >= 300 && $0.at.seconds < 301 }
    #expect(waited.count > 20)
    #expect(played.counts.lostOrDuplicated == 0)
    #expect(try #require(played.outages.first).possible == .zero + .seconds(300))
  }

  @Test("a client that stays connected in background has no outage there; one that disconnects has")
  func background() throws {
    #expect(try play([("background", 100, 300)], world: silence).outages.isEmpty)
    let reset = try play([("background", 90, 300), ("reset", 100, 0)], world: silence)
    #expect(reset.outages.first?.possible == .zero + .seconds(100))
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(5))
    let played = try play([("background", 100, 300)], settings: settings, world: silence)
    let outage = try #require(played.outages.first)
    // What the client ends itself it has noticed.
    #expect(outage.began >= .zero + .seconds(105) && outage.noticed == outage.began)
    #expect(outage.possible == .zero + .seconds(400))
    #expect(outage.ended != .never)
  }
}
