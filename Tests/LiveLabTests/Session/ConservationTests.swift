// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("Messages of a session")
struct ConservationTests {
  static let trouble: [(Fault, Double, Double)] = [
    (.loss(Portion(0.1)), 10, 300), (.reset, 40, 0), (.partition(.down), 60, 60), (.halfOpen, 150, 0),
    (.sleep, 200, 100), (.networkChange, 340, 0), (.restart(.killed, keepsHistory: true), 400, 15),
    (.partition(.up), 450, 30), (.close(CloseCode(1001), delay: .seconds(2)), 500, 0),
    (.restart(.vanished, keepsHistory: false), 540, 20), (.latency(added: .seconds(1), jitter: .seconds(2)), 580, 100),
  ]

  @Test("of what the app made, the server has each number once, and the rest waits or was given up", arguments: 1...40)
  func upwards(seed: UInt32) throws {
    let played = try play(Self.trouble, seconds: 800, seed: seed, world: chatter)
    let truth = played.result.truth
    var taken: Set<MessageNumber> = []
    for case .took(let number, let isRepeated) in played.record.changes {
      #expect(taken.insert(number).inserted != isRepeated)
    }
    #expect(truth.messagesMade > 200)
    #expect(taken.allSatisfy { $0.value >= 1 && $0.value <= truth.messagesMade + 100 })
    #expect(truth.messagesTaken <= truth.messagesMade)
    #expect(truth.messagesLost == 0)
    #expect(
      truth.messagesTaken + truth.messagesDropped + UInt64(played.result.status?.queued ?? 0) >= truth.messagesMade)
  }

  @Test("of what the server published, the app gets each once and in order, or is told of the gap", arguments: 1...40)
  func downwards(seed: UInt32) throws {
    let played = try play(Self.trouble, seconds: 800, seed: seed, world: chatter)
    let truth = played.result.truth
    #expect(truth.messagesDelivered > 100)
    #expect(truth.messagesDoubled == 0)
    #expect(truth.messagesSkipped == 0)
    let published = played.record.changes.reduce(0) { if case .published = $1 { $0 + 1 } else { $0 } }
    #expect(truth.messagesDelivered <= published)
  }

  @Test("what a client sends while it hears nothing reaches the server, and again when it is sent again")
  func repeated() throws {
    let doubles = try (1...20).reduce(0) { sum, seed in
      try sum + play([(.partition(.down), 100, 60)], seed: seed, world: chatter).result.truth.messagesRepeated
    }
    #expect(doubles > 0)
  }

  @Test("a server that forgets its history begins a new epoch, and the app is told what it missed")
  func forgetting() throws {
    let played = try play([(.restart(.killed, keepsHistory: false), 300, 5)], world: chatter)
    #expect(played.result.truth.streamEnd.epoch == 2)
    #expect(played.result.truth.streamDelivered?.epoch == 2)
    #expect(played.result.truth.messagesSkipped == 0)
  }

  @Test("a server keeps a bounded history, and what is older is told as a gap")
  func history() throws {
    let played = try play([(.blackHole, 100, 900)], seconds: 1_300, world: chatter)
    #expect(played.result.truth.messagesMissed > 100)
    #expect(played.result.truth.messagesSkipped == 0)
  }

  @Test("a server's pings are answered")
  func serverPings() throws {
    var world = silence
    world.server.pings = .seconds(20)
    let played = try play(seconds: 210, world: world)
    let asked = played.record.events.count { if case .received(_, .ping) = $0.event { true } else { false } }
    let answered = played.record.entries.count { if case .effect(.sendPong) = $0.entry { true } else { false } }
    #expect(asked == 10)
    #expect(answered == asked)
  }
}
