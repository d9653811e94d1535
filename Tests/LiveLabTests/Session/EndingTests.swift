// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("How ends are noticed, and what waits for a waking")
struct EndingTests {
  private func when(_ played: Played, _ change: SessionChange) -> Double? {
    played.record.entries.first { $0.entry == .change(change) }?.at.seconds
  }

  @Test("a server that forgot a connection answers what comes on it by a reset")
  func forgotten() throws {
    let played = try play([(.restart(.vanished, keepsHistory: true), 100, 5)], world: exactSilence)
    let ping = played.record.entries.first {
      if case .effect(.sendPing) = $0.entry { $0.at.seconds > 105 } else { false }
    }
    let closed = played.record.first { $0 == .closed(Generation(1), Closure(.network, CloseCode(1_006))) }
    #expect(isNear(closed, try #require(ping).at.seconds + 0.05))
  }

  @Test("a close frame, and the reset of a dropped connection, reach the server after half a round trip")
  func frames() throws {
    let stopped = try play(seconds: 100, world: exactSilence)
    #expect(isNear(when(stopped, .lostAtServer(Generation(1))), 100.025))
    let dropped = try play([(.noPongs, 50, 100)], world: exactSilence)
    let lost = try #require(when(dropped, .lostAtClient(Generation(1))))
    #expect(isNear(when(dropped, .lostAtServer(Generation(1))), lost + 0.025))
  }

  @Test("a server that goes has lost its connections at that moment", arguments: Fault.Departure.allCases)
  func departure(how: Fault.Departure) throws {
    let played = try play([(.restart(how, keepsHistory: true), 100, 5)], world: silence)
    #expect(when(played, .lostAtServer(Generation(1))) == 100)
  }

  @Test("fresh credentials that come in a sleep are told after it")
  func credentials() throws {
    let played = try play([(.expiredCredentials(isRefreshable: true), 0, 5), (.sleep, 0.3, 20)], world: exactSilence)
    let told = played.record.first { if case .credentials = $0 { true } else { false } }
    #expect(try #require(told) >= 20.3)
    #expect(try #require(told) < 20.31)
  }

  @Test("what waited for a waking happens once: the app's message, and the word of another network")
  func owedOnce() throws {
    var world = silence
    world.phone.sends = .seconds(30)
    var owed = 0
    for seed in 1...8 as ClosedRange<UInt32> {
      let faults: [(Fault, Double, Double)] = [
        (.sleep, 100, 100), (.networkChange, 150, 0), (.background, 230, 20), (.sleep, 300, 0.05),
      ]
      let events = try play(faults, seed: seed, world: world).record.events
      #expect(events.count { $0.event == .networkChanged } == 1)
      let sent = events.filter { if case .send = $0.event { true } else { false } }
      let late = sent.count { (200..<200.001).contains($0.at.seconds) }
      #expect(late <= 1)
      owed += late
      #expect(!sent.contains { (300.05..<300.051).contains($0.at.seconds) })
      #expect(!sent.contains { (100.001..<200).contains($0.at.seconds) })
    }
    #expect(owed > 3)
  }

  @Test("no timer rings in a sleep, whatever becomes of the clock")
  func clock() throws {
    let played = try play([(.sleep, 100, 100), (.clockSkew(millionths: 1_000), 120, 30)], world: silence)
    #expect(!played.record.events.contains { (100.001..<200).contains($0.at.seconds) })
  }

  @Test("a timer that was replaced rings under its own name, and not before its time")
  func staleRings() throws {
    var world = silence
    world.phone.staleRings = 1
    let played = try play([(.reset, 100, 0), (.refused, 99, 60)], world: world)
    var due: [TimerTag: Instant] = [:]
    for (at, entry) in played.record.entries {
      switch entry {
      case .effect(.setTimer(let tag, let moment)): due[tag] = moment
      case .event(.timer(let tag)): #expect(try #require(due[tag]) <= at.client)
      default: break
      }
    }
  }

  @Test("a message takes as long as the way needs for its bytes")
  func bytes() throws {
    var world = exactSilence
    world.phone.sends = .seconds(100)
    let played = try play([(.bandwidth(bytesPerSecond: 300), 5, 1_900)], seconds: 2_000, world: world)
    let times = played.record.entries.reduce(into: [MessageNumber: Double]()) { times, entry in
      switch entry.entry {
      case .effect(.sendMessage(_, let number)): times[number] = entry.at.seconds
      case .change(.took(let number, _)): times[number] = entry.at.seconds - (times[number] ?? 0)
      default: break
      }
    }
    // 200 bytes at 300 a second, and the latency.
    #expect(times.count > 5 && times.values.filter { isNear($0, 0.025 + 2.0 / 3) }.count >= times.count - 2)
  }

  @Test("what a server no longer has is missed, and together with the rest it is the stream")
  func missed() throws {
    var world = chatter
    world.server.history = 10
    let truth = try play([(.blackHole, 100, 100)], seconds: 400, world: world).result.truth
    let last = try #require(truth.streamDelivered)
    #expect(truth.messagesMissed > 10 && truth.messagesDelivered + truth.messagesMissed <= last.offset)
    #expect(truth.messagesDelivered + truth.messagesMissed >= last.offset - 2)
  }
}

@Suite("The cause and the course of an outage")
struct CauseTests {
  @Test("a connection that outlives what hindered others only later was back when it could be")
  func hinderedLater() throws {
    var world = exactSilence
    world.server.pings = .seconds(100)
    // What waits is sent again at 106.2 s.
    let played = try play([(.blackHole, 99.99, 4.01), (.refused, 105, 100)], seconds: 250, world: world)
    let outage = try #require(played.outages.first)
    #expect(outage.possible == outage.ended && isNear(Double((outage.ended - .zero).nanoseconds) / 1e9, 106.225))
  }

  @Test("what the client ends itself it has noticed")
  func noticed() throws {
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(5))
    let outage = try #require(try play([(.background, 100, 60)], settings: settings, world: silence).outages.first)
    #expect(outage.noticed == outage.began && outage.began >= .zero + .seconds(105))
    // While the app is in the back no attempt is made.
    #expect(outage.possible >= .zero + .seconds(160))
  }

  @Test("a fault is the cause for two minutes after it is over")
  func cause() throws {
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(119))
    let slow = Fault.latency(added: .milliseconds(1), jitter: .zero)
    func cause(over seconds: Double) throws -> Int? {
      // The background began before, so that the latency is the last that began; the connection is closed at 219 s.
      try play([(.background, 100, 200), (slow, 101, seconds - 101)], settings: settings, world: silence)
        .result.outages.first { $0.began > .zero + .seconds(200) }?.fault
    }
    #expect(try cause(over: 150) == 1 && cause(over: 101.5) == 1)
    settings.background = .disconnect(after: .seconds(130))
    #expect(try cause(over: 101.5) == -1)
  }
}
