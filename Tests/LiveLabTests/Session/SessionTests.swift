// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Randomness
import Testing

@Suite("A session")
struct SessionTests {
  @Test("a quiet day has a ping every thirty seconds, one attempt and nothing lost")
  func quietDay() throws {
    let day = try play(seconds: 86_400, world: silence)
    #expect((2_878...2_880).contains(day.result.pings))
    #expect(day.result.attempts == 1)
    #expect(day.result.outages.count == 1)
    #expect(day.result.outages.first?.fault == -1)
    #expect(day.result.served > .seconds(86_399))
    #expect(day.result.truth.clientSockets == 1)
    #expect(!day.result.isRunaway)
  }

  @Test("the same seed tells the same, and another seed something else")
  func determinism() throws {
    let faults: [(Fault, Double, Double)] = [(.loss(Portion(0.2)), 60, 200), (.reset, 100, 0), (.blackHole, 300, 50)]
    let first = try play(faults, seed: 7)
    let again = try play(faults, seed: 7)
    let other = try play(faults, seed: 8)
    #expect(first.result == again.result)
    #expect(first.record.entries.elementsEqual(again.record.entries) { $0.at == $1.at && $0.entry == $1.entry })
    #expect(first.result != other.result)
  }

  @Test("a session that ran before leaves nothing behind")
  func reuse() throws {
    let storm = try schedule(
      [
        (.sleep, 30, 100), (.clockSkew(millionths: 5_000), 20, 400),
        (.restart(.vanished, keepsHistory: false), 200, 300),
      ],
      seconds: 500)
    let calm = try schedule([(.halfOpen, 50, 0)], seconds: 300)
    var used = try Session<LiveConnection, NoWitness>(world: chatter, witness: NoWitness())
    try used.run(storm, seed: 3)
    try used.run(calm, seed: 4)
    var fresh = try Session<LiveConnection, NoWitness>(world: chatter, witness: NoWitness())
    try fresh.run(calm, seed: 4)
    #expect(used.result == fresh.result)
  }

  @Test("the books are closed at the end, and then the app closes the connection and all falls quiet")
  func closing() throws {
    let played = try play(seconds: 100, world: silence)
    #expect(played.result.duration == .seconds(100))
    #expect(played.result.served <= .seconds(100))
    #expect(played.result.status?.phase == .connected)
    let stop = try #require(played.record.first { $0 == .stop })
    #expect(stop == 100)
    guard case .closed(_, let closure) = played.record.events.last?.event else {
      Issue.record("The last that is told is that the connection is closed.")
      return
    }
    #expect(closure.origin == .client)
  }

  @Test("a client that runs away is broken off")
  func runaway() throws {
    var world = SessionWorld()
    world.mostEvents = 10_000
    var session = try Session<Restless, NoWitness>(world: world, witness: NoWitness())
    try session.run(try schedule([], seconds: 3_600), seed: 1)
    #expect(session.result.isRunaway)
    #expect(session.result.events <= 10_001)
  }

  @Test("a generator that does not exist is refused")
  func unknownGenerator() {
    #expect(throws: RandomnessError.self) {
      _ = try Session<LiveConnection, NoWitness>(witness: NoWitness(), generator: "mt20000")
    }
  }
}

/// Sets its timer to now, again and again.
private struct Restless: LiveSubject {
  private let client: LiveConnection
  private var number: UInt64 = 0

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    number += 1
    effects.append(.setTimer(TimerTag(number), at: now))
    return false
  }
}
