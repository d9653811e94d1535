// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("Faults of an open connection")
struct FaultEffectTests {
  @Test("a reset is told at once, and the client is back within its first waits")
  func reset() throws {
    let outage = try #require(try play([(.reset, 100, 0)]).outages.first)
    #expect(outage.fault == 0)
    #expect(outage.began == .zero + .seconds(100))
    #expect(outage.noticed - outage.began < .milliseconds(10))
    #expect(try #require(outage.timeToReturn) < .seconds(4))
    #expect(outage.attempts >= 1)
  }

  @Test("a half-open connection is noticed by the heartbeat alone")
  func halfOpen() throws {
    let played = try play([(.halfOpen, 100, 0)], world: silence)
    let outage = try #require(played.outages.first)
    #expect(outage.noticed - outage.began > .seconds(5))
    #expect(outage.noticed - outage.began <= .seconds(40))
    #expect(outage.ended != .never)
  }

  @Test("a client without a heartbeat learns of a dead connection from the kernel, a quarter of an hour after it sent")
  func kernelGivesUp() throws {
    var settings = ConnectionSettings()
    settings.heartbeat.interval = nil
    var world = silence
    world.phone.sends = .seconds(30)
    let played = try play([(.halfOpen, 100, 0)], seconds: 3_000, settings: settings, world: world)
    let outage = try #require(played.outages.first)
    #expect(outage.noticed - outage.began >= .seconds(900))
    #expect(outage.noticed - outage.began < .seconds(1_300))
  }

  @Test("a short black hole is outlived; a long one is noticed, and left when it ends")
  func blackHole() throws {
    let short = try #require(try play([(.blackHole, 100, 3)], world: silence).outages.first)
    #expect(short.attempts == 0)
    #expect(short.noticed == .never)
    #expect(short.possible == .zero + .seconds(103))
    let long = try #require(try play([(.blackHole, 100, 90)], world: silence).outages.first)
    #expect(long.attempts > 1)
    #expect(long.possible == .zero + .seconds(190))
    #expect(try #require(long.timeToReturn) < .seconds(45))
  }

  @Test("a close frame is told with its code, as late as it is meant to be")
  func close() throws {
    let code = CloseCode(1001)
    let played = try play([(.close(code, delay: .seconds(5)), 100, 0)], world: silence)
    let told = try #require(
      played.record.first { if case .closed(_, let end) = $0 { end == Closure(.server, code) } else { false } })
    #expect(told > 105 && told < 105.5)
    #expect(played.outages.first?.began == .zero + .seconds(100))
  }

  @Test("garbage is told by the code it is to be answered with; an enormous frame takes its time first")
  func malformed() throws {
    func isMalformed(_ event: LiveEvent) -> Bool {
      if case .received(_, .malformed) = event { true } else { false }
    }
    let garbage = try play([(.garbage(CloseCode(1002)), 100, 0)], world: silence)
    #expect(try #require(garbage.record.first(isMalformed)) < 100.5)
    let enormous = try play([(.enormousFrame(bytes: 10_000_000), 100, 0)], world: silence)
    let told = try #require(enormous.record.first(isMalformed))
    #expect(told > 104 && told < 105)
  }

  @Test("without pongs a connection lasts no longer than a ping and its deadline; late ones within it do no harm")
  func pongs() throws {
    let none = try play([(.noPongs, 100, 200)], world: silence)
    #expect(none.outages.count >= 3)
    let late = try play([(.latePongs(delay: .seconds(8)), 100, 200)], world: silence)
    #expect(late.outages.isEmpty)
    let tooLate = try play([(.latePongs(delay: .seconds(11)), 100, 200)], world: silence)
    #expect(!tooLate.outages.isEmpty)
  }

  @Test(
    "a proxy cuts what is idle, with a reset or without a word, and leaves what pings more often",
    arguments: [true, false])
  func idleCut(isSilent: Bool) throws {
    let cut = try play([(.idleCut(after: .seconds(20), isSilent: isSilent), 100, 200)], world: silence)
    let outage = try #require(cut.outages.first)
    #expect((outage.noticed - outage.began > .seconds(1)) == isSilent)
    #expect(try play([(.idleCut(after: .seconds(35), isSilent: isSilent), 100, 200)], world: silence).outages.isEmpty)
  }

  @Test(
    "latency, loss and little bandwidth make pongs late",
    arguments: [
      Fault.latency(added: .milliseconds(300), jitter: .milliseconds(200)), .loss(Portion(0.3)),
      .burstLoss(enter: Portion(0.2), leave: Portion(0.3), good: .none, bad: Portion(0.8)),
      .bandwidth(bytesPerSecond: 300),
    ])
  func slowness(fault: Fault) throws {
    let usual = try Self.meanRoundTrip(try play(seconds: 3_600, world: silence).record)
    let slow = try Self.meanRoundTrip(try play([(fault, 1, 3_599)], seconds: 3_600, world: silence).record)
    #expect(usual > 0.05 && usual < 0.1)
    #expect(slow > 1.5 * usual)
  }

  /// The mean time from a ping to its pong, in seconds.
  static func meanRoundTrip(_ record: Recorder) throws -> Double {
    var sent: Double?
    var trips: [Double] = []
    for (at, entry) in record.entries {
      if case .effect(.sendPing) = entry { sent = at.seconds }
      if case .event(.received(_, .pong)) = entry, let ping = sent {
        trips.append(at.seconds - ping)
        sent = nil
      }
    }
    try #require(trips.count > 50)
    return trips.reduce(0, +) / Double(trips.count)
  }
}
