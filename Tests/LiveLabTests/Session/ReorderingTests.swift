// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// TCP keeps the order within a connection; between two connections nothing does. What an old connection still had to
/// say may come after the new one's first words, in either direction.
@Suite("Last words of an old connection after the first of the new one")
struct ReorderingTests {
  /// How often the client was told something of an old connection after a newer one had opened.
  private func lateWords(_ record: Recorder) -> Int {
    var (opened, late) = (UInt32(0), 0)
    for entry in record.events {
      if case .opened(let generation) = entry.event { opened = max(opened, generation.number) }
      if let number = entry.event.generation?.number, number < opened { late += 1 }
    }
    return late
  }

  @Test("come to the client, which delivers and counts none of them")
  func downwards() throws {
    // What the server sends waits for the way to be free again, and for TCP to try; the client is back before.
    let hole: [(Fault, Double, Double)] = [(.blackHole, 60, 75)]
    var late = 0
    for seed in 1...40 as ClosedRange<UInt32> {
      let played = try play(hole, seed: seed, world: chatter)
      late += lateWords(played.record)
      #expect(played.result.truth.messagesDoubled == 0 && played.result.truth.messagesSkipped == 0)
      var session = try Session<LiveConnection, InvariantWatch>(world: chatter, witness: InvariantWatch())
      try session.run(try schedule(hole, seconds: 600), seed: seed)
      #expect(session.witness.breach == nil)
    }
    #expect(late > 40)
  }

  /// What is sent in a bad half minute takes up to forty seconds; the client gives the connection up before.
  private static let slow: [(Fault, Double, Double)] = [
    (.latency(added: .seconds(25), jitter: .seconds(15)), 60, 30)
  ]

  @Test("are found out where a client takes them for the new one's")
  func mistaken() throws {
    var session = try Session<HearsAnybody, InvariantWatch>(world: chatter, witness: InvariantWatch())
    for seed in 1...400 as ClosedRange<UInt32> { try session.run(try schedule(Self.slow, seconds: 200), seed: seed) }
    #expect(session.witness.breached.contains(.staleChangesNothing))
    var sound = try Session<LiveConnection, InvariantWatch>(world: chatter, witness: InvariantWatch())
    for seed in 1...400 as ClosedRange<UInt32> { try sound.run(try schedule(Self.slow, seconds: 200), seed: seed) }
    #expect(sound.witness.breach == nil)
  }

  @Test("come to the server, which takes no message twice and none out of order")
  func upwards() throws {
    var overtaken = 0
    for seed in 1...60 as ClosedRange<UInt32> {
      let played = try play(Self.slow, seed: seed, world: chatter)
      var (newest, highest) = (UInt32(0), UInt64(0))
      var held: Set<UInt32> = []
      for change in played.record.changes {
        switch change {
        case .accepted(let generation):
          newest = max(newest, generation.number)
          held.insert(generation.number)
        case .lostAtServer(let generation): held.remove(generation.number)
        case .took(let number, let isRepeated):
          #expect(isRepeated == (number.value <= highest))
          // A double while an older connection is still there: one of both has overtaken the other.
          if isRepeated, held.contains(where: { $0 < newest }) { overtaken += 1 }
          highest = max(highest, number.value)
        default: break
        }
      }
      #expect(played.result.truth.messagesLost == 0)
    }
    #expect(overtaken > 10)
  }

  @Test("occur in the named outages too", arguments: ["lift", "tunnel", "stadium", "bad-wifi"])
  func profiles(name: String) throws {
    let profile = try OutageProfile.named(name)
    var session = try Session<LiveConnection, Recorder>(world: chatter, witness: Recorder())
    var late = 0
    for seed in 1...150 as ClosedRange<UInt32> {
      var random = try SessionRandom(seed: seed)
      try session.run(profile.schedule(using: &random), seed: seed)
      late += lateWords(session.witness)
    }
    #expect(late > 0)
  }
}

/// A client that takes whatever any connection says for the word of the one that it has.
private struct HearsAnybody: LiveSubject {
  private var client: LiveConnection
  private var newest = Generation.none

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .opened(let generation) = event { newest = generation }
    guard case .received(_, let frame) = event else {
      return client.handle(event, at: now, word: word, into: &effects)
    }
    return client.handle(.received(newest, frame), at: now, word: word, into: &effects)
  }
}
