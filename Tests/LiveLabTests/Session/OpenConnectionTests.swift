// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("What faults do to an open connection")
struct OpenConnectionTests {
  private func malformed(_ fault: Fault) throws -> LiveEvent? {
    try play([(fault, 100, 0)], world: silence).record.events.first {
      if case .received(_, .malformed) = $0.event { true } else { false }
    }?.event
  }

  @Test("garbage is told by its own code, an enormous frame by 1009")
  func codes() throws {
    #expect(try malformed(.garbage(CloseCode(1_007))) == .received(Generation(1), .malformed(CloseCode(1_007))))
    let tooBig = LiveEvent.received(Generation(1), .malformed(CloseCode(1_009)))
    #expect(try malformed(.enormousFrame(bytes: 1_000)) == tooBig)
  }

  @Test("a reset ends both ends at once: an open connection is closed, one that is being opened fails")
  func reset() throws {
    let open = try play([(.reset, 100, 0)], world: silence)
    let isLost = open.record.entries.contains {
      $0.at.seconds == 100 && $0.entry == .change(.lostAtServer(Generation(1)))
    }
    #expect(isLost)
    #expect(open.wait(from: 100) { $0 == .closed(Generation(1), Closure(.network, CloseCode(1_006))) } ?? 1 < 0.001)
    #expect(!open.record.events.contains { if case .failed = $0.event { true } else { false } })
    let opening = try play([(.reset, 0.1, 0)], world: silence)
    #expect(opening.wait(from: 0.1) { $0 == .failed(Generation(1), .reset) } ?? 1 < 0.001)
  }

  @Test(
    "the server keeps a dead connection until its own timeout, for nobody told it",
    arguments: [Fault.halfOpen, .networkChange])
  func keptByServer(fault: Fault) throws {
    let played = try play([(fault, 100, 0)], world: exactSilence)
    func when(_ change: SessionChange) -> Double? {
      played.record.entries.first { $0.entry == .change(change) }?.at.seconds
    }
    let (client, server) = (when(.lostAtClient(Generation(1))), when(.lostAtServer(Generation(1))))
    #expect(try #require(server) >= 100 + 119)
    #expect(try abs(#require(server) - #require(client) - 120) < 0.1)
  }

  @Test("a half-open connection is one that was open: one that is being opened goes on")
  func notYetOpen() throws {
    let played = try play([(.halfOpen, 0.1, 0)], world: silence)
    #expect(played.result.attempts == 1 && played.result.outages.count == 1)
  }

  @Test("a partition stops one direction and leaves the other", arguments: Fault.Direction.allCases)
  func partition(way: Fault.Direction) throws {
    let played = try play([(.partition(way), 100, 8)], world: chatter)
    let during = played.record.entries.filter { (100.5..<107.9).contains($0.at.seconds) }
    let heard = during.count { if case .event(.received(_, .message)) = $0.entry { true } else { false } }
    let taken = during.count { if case .change(.took) = $0.entry { true } else { false } }
    #expect((heard == 0) == (way == .down))
    #expect((taken == 0) == (way == .up))
    #expect(played.outages.first?.began == .zero + .seconds(100))
  }

  @Test("what waited for a way to be free arrives with the next retransmission")
  func retransmission() throws {
    var world = exactSilence
    world.server.pings = .seconds(100)
    let played = try play([(.blackHole, 99.99, 4.01)], seconds: 150, world: world)
    // The server's ping of 100 s is sent again at 100.2, 100.6, 101.4, 103.0 and 106.2 s.
    let heard = played.record.first { if case .received(_, .ping) = $0 { true } else { false } }
    #expect(isNear(heard, 106.225))
    #expect(isNear(played.outages.first.map { Double(($0.ended - .zero).nanoseconds) / 1e9 }, 106.225))
  }

  @Test("a server that said good-bye neither reads nor sends, and the client learns of it late")
  func close() throws {
    let played = try play([(.close(CloseCode(1_001), delay: .seconds(5)), 100, 0)], world: chatter)
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

  @Test("a proxy cuts a connection so long after anything went over it, those too that open while it watches")
  func idle() throws {
    let fault = Fault.idleCut(after: .seconds(20), isSilent: false)
    let played = try play([(fault, 100, 100)], world: exactSilence)
    let last = try #require(
      played.record.events.last { if case .received(_, .pong) = $0.event { $0.at.seconds < 100 } else { false } })
    // The pong left the server 25 ms before it was told.
    let first = try #require(played.outages.first)
    #expect(isNear(Double((first.began - .zero).nanoseconds) / 1e9, max(100, last.at.seconds - 0.025 + 20)))
    #expect((4...6).contains(played.outages.count))
    #expect(played.outages.allSatisfy { $0.began < .zero + .seconds(200) })
  }

  @Test("a timer that was replaced rings all the same now and then, at its own time")
  func staleRings() throws {
    func stale(oneIn: UInt64) throws -> Int {
      var world = silence
      world.phone.staleRings = oneIn
      let played = try play([(.reset, 100, 0), (.reset, 200, 0)], world: world)
      var (set, count): (TimerTag?, Int) = (nil, 0)
      for (_, entry) in played.record.entries {
        switch entry {
        case .effect(.setTimer(let tag, _)): set = tag
        case .event(.timer(let tag)): count += tag == set ? 0 : 1
        default: break
        }
      }
      return count
    }
    #expect(try stale(oneIn: 1) > 2)
    #expect(try stale(oneIn: 1 << 23) == 0)
  }
}
