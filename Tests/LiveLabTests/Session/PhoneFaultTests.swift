// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("Faults of the phone")
struct PhoneFaultTests {
  @Test("a phone that sleeps is told nothing until it wakes, and then all that came")
  func sleep() throws {
    let played = try play([(.sleep, 100, 200)], world: chatter)
    let during = played.record.events.filter { $0.at.seconds > 100 && $0.at.seconds < 300 }
    #expect(during.isEmpty)
    let woke = try #require(played.record.first { $0 == .woke })
    #expect(woke >= 300 && woke < 300.1)
    let waited = played.record.events.filter { $0.at.seconds >= 300 && $0.at.seconds < 301 }
    #expect(waited.count > 20)
    #expect(played.result.truth.messagesSkipped == 0)
    #expect(try #require(played.outages.first).possible == .zero + .seconds(300))
  }

  @Test("what a phone learns in its sleep it is told when it wakes")
  func learnsInSleep() throws {
    let played = try play([(.sleep, 100, 200), (.networkChange, 150, 0), (.background, 160, 300)], world: silence)
    let changed = try #require(played.record.first { $0 == .networkChanged })
    let behind = try #require(played.record.first { $0 == .app(isInFront: false) })
    #expect(changed >= 300 && changed < 300.1)
    #expect(behind >= 300 && behind < 300.1)
    #expect(played.record.first { $0 == .app(isInFront: true) } == 460)
  }

  @Test("a change of network kills what is open and is told")
  func networkChange() throws {
    let played = try play([(.networkChange, 100, 0)], world: silence)
    #expect(played.record.first { $0 == .networkChanged } == 100)
    let outage = try #require(played.outages.first)
    #expect(outage.began == .zero + .seconds(100))
    #expect(try #require(outage.timeToReturn) < .seconds(5))
  }

  @Test("a phone without a network knows it, and no attempt could succeed")
  func offline() throws {
    let played = try play([(.offline, 100, 60)], world: silence)
    #expect(played.record.first { $0 == .network(isReachable: false) } == 100)
    #expect(played.record.first { $0 == .network(isReachable: true) } == 160)
    let outage = try #require(played.outages.first)
    #expect(outage.possible == .zero + .seconds(160))
    #expect(try #require(outage.timeToReturn) < .seconds(10))
  }

  @Test("a clock that is fast by a tenth pings a tenth more often", arguments: [100_000, -100_000])
  func skew(millionths: Int32) throws {
    let played = try play([(.clockSkew(millionths: millionths), 10, 86_390)], seconds: 86_400, world: silence)
    let expected = 2_880.0 * (1 + Double(millionths) / 1e6)
    #expect(abs(Double(played.result.pings) - expected) < 5)
    #expect(played.result.outages.count == 1)
  }

  @Test("an app behind others is no reason for a client that stays connected to be without service")
  func background() throws {
    #expect(try play([(.background, 100, 300)], world: silence).outages.isEmpty)
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(5))
    let played = try play([(.background, 100, 300)], settings: settings, world: silence)
    let outage = try #require(played.outages.first)
    #expect(outage.began >= .zero + .seconds(105))
    #expect(outage.possible == .zero + .seconds(400))
    #expect(outage.ended != .never)
  }
}
