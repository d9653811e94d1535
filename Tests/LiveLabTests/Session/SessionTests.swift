// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Randomness
import Testing

@Suite("A session")
struct SessionTests {
  @Test("a session leaves nothing behind for the next")
  func reuse() throws {
    let storm = try schedule(
      [
        ("sleep", 30, 100), ("clock-skew millionths=5000", 20, 400),
        ("restart how=vanished history=lost", 200, 300),
      ],
      seconds: 500)
    let calm = try schedule([("half-open", 50, 0)], seconds: 300)
    var used = try Session<LiveConnection, NoObserver>(world: chatter, observer: NoObserver())
    try used.run(storm, seed: 3)
    try used.run(calm, seed: 4)
    var fresh = try Session<LiveConnection, NoObserver>(world: chatter, observer: NoObserver())
    try fresh.run(calm, seed: 4)
    #expect(used.result == fresh.result)
  }

  @Test("a client in a livelock is stopped")
  func runaway() throws {
    var world = SessionWorld()
    world.maxEvents = 10_000
    var session = try Session<Restless, NoObserver>(world: world, observer: NoObserver())
    try session.run(try schedule([], seconds: 3_600), seed: 1)
    #expect(session.result.isRunaway)
    #expect(session.result.events <= 10_001)
  }
}

/// Sets its timer to now, again and again.
private struct Restless: ClientUnderTest {
  var number: UInt64 = 0

  init(_ settings: ConnectionSettings) {}

  var status: LiveStatus { LiveStatus(.disconnected) }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    number += 1
    effects.append(.setTimer(TimerTag(number), at: now))
    return false
  }
}

@Suite("Messages of a session")
struct ConservationTests {
  static let trouble: [(Fault, Double, Double)] = [
    ("loss share=0.1", 10, 300), ("reset", 40, 0), ("partition way=down", 60, 60), ("half-open", 150, 0),
    ("sleep", 200, 100), ("network-change", 340, 0), ("restart how=killed", 400, 15),
    ("partition way=up", 450, 30), ("close code=1001 delay=2s", 500, 0),
    ("restart how=vanished history=lost", 540, 20), ("latency added=1s jitter=2s", 580, 100),
  ]

  @Test("the server has each of the app's messages once, or it waits or was given up; the app has the stream once")
  func conserved() throws {
    for seed in 1...40 as ClosedRange<UInt32> {
      let played = try play(Self.trouble, seconds: 800, seed: seed, world: chatter)
      let truth = played.result.truth
      var taken: Set<MessageNumber> = []
      for case .took(let number, let isRepeated) in played.record.changes {
        #expect(taken.insert(number).inserted != isRepeated)
      }
      #expect(truth.messagesMade > 200 && truth.messagesLost == 0)
      #expect(taken.allSatisfy { 1...truth.messagesMade ~= $0.value })
      let waiting = played.result.status?.queued ?? 0
      #expect(UInt64(taken.count + waiting) + truth.messagesDropped >= truth.messagesMade)
      let published = played.record.changes.count { if case .published = $0 { true } else { false } }
      #expect(100...published ~= played.counts.delivered && played.counts.lostOrDuplicated == 0)
    }
  }
}

@Suite("The end of a connection, and events during a sleep")
struct EndingTests {
  @Test("after a sleep the app sends one message, and a change of network is reported once")
  func owedOnce() throws {
    var world = silence
    world.phone.sends = .seconds(30)
    var owed = 0
    for seed in 1...8 as ClosedRange<UInt32> {
      let faults: [(Fault, Double, Double)] = [
        ("sleep", 100, 100), ("network-change", 150, 0), ("background", 230, 20), ("sleep", 300, 0.05),
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

  @Test("a message that takes a minute arrives in parts, the next one after another minute, on one connection")
  func longMessages() throws {
    var world = slow
    world.server.publishes = .seconds(20)
    let played = try play(seconds: 600, world: world)
    #expect(played.result.attempts == 1)
    let arrivals = played.record.events.filter { if case .received(_, .message) = $0.event { true } else { false } }
    #expect(arrivals.count > 5)
    for (one, next) in zip(arrivals, arrivals.dropFirst()) { #expect(next.at.seconds - one.at.seconds >= 59.9) }
    let parts = played.record.events.count { if case .moved = $0.event { true } else { false } }
    #expect(parts >= 59 * arrivals.count)
  }

  @Test("a message that leaves for a minute is reported part by part, and taken only when all have left")
  func longUploads() throws {
    var world = slow
    world.phone.sends = .seconds(400)
    let played = try play(seconds: 1_800, world: world)
    #expect(played.result.attempts == 1)
    let first = MessageNumber(1)
    let sent = try #require(played.record.first { if case .send(first, _) = $0 { true } else { false } })
    let left = try #require(played.record.first { $0 == .sending(Generation(1), first, isWhole: true) })
    let taken = try #require(played.record.first(.took(first, isRepeated: false)))
    #expect(left - sent > 58 && taken > left && taken - sent < 61)
  }

  @Test("a reset cuts the message that is leaving: the server never takes it, and the client says so")
  func cutUpload() throws {
    var world = slow
    world.phone.sends = .seconds(100)
    var settings = ConnectionSettings()
    settings.unacknowledged = .drop
    let faults = (1...20).map { ("reset" as Fault, Double($0) * 90, 0.0) }
    let played = try play(faults, seconds: 1_900, settings: settings, world: world)
    let cut = played.record.entries.compactMap { entry -> MessageNumber? in
      if case .effect(.dropped(let number, .cut)) = entry.entry { number } else { nil }
    }
    #expect(cut.count > 3)
    for number in cut { #expect(played.record.first(.took(number, isRepeated: false)) == nil) }
  }

  @Test("a message takes as long as its bytes at the bandwidth")
  func bytes() throws {
    var world = exactSilence
    world.phone.sends = .seconds(100)
    let played = try play([("bandwidth rate=300", 5, 1_900)], seconds: 2_000, world: world)
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

  @Test("messages that the server no longer has are reported missing; with the delivered ones they make the stream")
  func missed() throws {
    var world = chatter
    world.server.history = 10
    let played = try play([("black-hole", 100, 100)], seconds: 400, world: world)
    let last = try #require(played.result.truth.streamDelivered).offset
    let (delivered, missed) = (played.counts.delivered, played.counts.missed)
    #expect(missed > 10 && (Int(last) - 2...Int(last)).contains(delivered + missed))
  }
}

@Suite("The record of outages")
struct CauseTests {
  @Test("a connection that outlives its outage was back when it could be, even if a later fault blocks attempts")
  func hinderedLater() throws {
    var world = exactSilence
    world.server.pings = .seconds(100)
    // What waits is sent again at 106.2 s.
    let played = try play([("black-hole", 99.99, 4.01), ("refused", 105, 100)], seconds: 250, world: world)
    let outage = try #require(played.outages.first)
    #expect(outage.possible == outage.ended && isNear(Double((outage.ended - .zero).nanoseconds) / 1e9, 106.225))
  }

  @Test("a fault counts as the cause for two minutes after its end")
  func cause() throws {
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(119))
    let slow: Fault = "latency added=1ms"
    func cause(over seconds: Double) throws -> Int? {
      // The background began before, so that the latency is the last that began; the connection is closed at 219 s.
      let outages = try play(
        [("background", 100, 200), (slow, 101, seconds - 101)], settings: settings, world: silence
      ).result.outages
      return try #require(outages.first { $0.began > .zero + .seconds(200) }).fault
    }
    #expect(try cause(over: 150) == 1 && cause(over: 101.5) == 1)
    settings.background = .disconnect(after: .seconds(130))
    #expect(try cause(over: 101.5) == nil)
  }

  private func moment(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("the cause of an outage is the fault of its moment, else the last that holds and can break a connection")
  func causes() throws {
    let slow: Fault = "latency added=1ms"
    // Without pongs the connection is given up some time after 105 s, when the latency has long begun.
    let silent = try play([("no-pongs", 50, 100), (slow, 60, 200)], world: silence)
    #expect(silent.outages.first?.fault == 0)
    let reset = try play([("no-pongs", 99, 300), (slow, 99, 300), ("reset", 100, 0)], world: silence)
    #expect(reset.outages.first?.fault == 2)
  }

  @Test("an outage could end from when nothing blocks attempts until its end")
  func possible() throws {
    let hindered = try play([("reset", 100, 0), ("refused", 100.01, 500)], world: silence)
    #expect(hindered.outages.first?.possible == .never && hindered.outages.first?.ended == .never)
    let begun = try play([("black-hole", 100, 500)], world: silence)
    #expect(begun.outages.first?.possible == .never && begun.outages.first?.timeToReturn == nil)
    let twice = try play([("reset", 100, 0), ("refused", 100.01, 9.99), ("insecure", 105, 15)], world: silence)
    #expect(twice.outages.first?.possible == moment(120))
  }
}
