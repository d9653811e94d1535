// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("The server's stream")
struct StreamTests {
  /// The answers to the wish to resume, with when the server gave them.
  private func resumptions(_ played: Played) -> [(sent: Double, after: StreamPosition)] {
    played.record.events.compactMap {
      if case .received(_, .resumed(let place)) = $0.event { ($0.at.seconds - 0.025, place) } else { nil }
    }
  }

  private var world: SessionWorld {
    var world = chatter
    world.network.jitter = .zero
    world.phone.sends = nil
    return world
  }

  @Test("a server goes on where the client was, or where its history begins: so many messages before the last")
  func history() throws {
    var world = world
    world.server.history = 10
    let played = try play([(.blackHole, 100, 60)], seconds: 300, world: world)
    let back = try #require(resumptions(played).last)
    let published = played.record.entries.compactMap { entry -> StreamPosition? in
      guard entry.at.seconds <= back.sent, case .change(.published(let place, _)) = entry.entry else { return nil }
      return place
    }
    let last = try #require(published.last)
    #expect(back.sent > 160 && last.offset > 15)
    #expect(back.after == StreamPosition(epoch: 1, offset: last.offset - 10))
    let short = try play([(.reset, 100, 0)], seconds: 120, world: world)
    let delivered = short.record.entries.last {
      if case .effect(.deliver) = $0.entry { $0.at.seconds < 100 } else { false }
    }
    guard case .effect(.deliver(let place, _)) = delivered?.entry else { return }
    #expect(resumptions(short).last?.after == place)
  }

  @Test("a server that forgot its history goes on from the beginning of a new epoch")
  func newEpoch() throws {
    let played = try play([(.restart(.killed, keepsHistory: false), 300, 5)], world: world)
    #expect(resumptions(played).last?.after == StreamPosition(epoch: 2, offset: 0))
  }

  @Test("a server that is down publishes nothing")
  func down() throws {
    let played = try play([(.restart(.vanished, keepsHistory: true), 100, 100)], world: world)
    let during = played.record.entries.contains {
      if case .change(.published) = $0.entry { (100.001..<200).contains($0.at.seconds) } else { false }
    }
    #expect(!during)
  }

  @Test("each ping of the server has a number of its own, and comes as often as it says")
  func pings() throws {
    var world = silence
    world.server.pings = .seconds(20)
    let numbers = try play(seconds: 110, world: world).record.events.compactMap { entry -> UInt32? in
      if case .received(_, .ping(let number)) = entry.event { number } else { nil }
    }
    #expect(numbers == [1, 2, 3, 4, 5])
  }

  @Test("the books catch a client that tells the app things twice, or not, or that are not so")
  func liars() throws {
    func truth<Fraud: Forgery>(_ fraud: Fraud.Type) throws -> SessionTruth {
      var session = try Session<Forger<Fraud>, NoWitness>(world: chatter, witness: NoWitness())
      try session.run(try schedule([], seconds: 600), seed: 1)
      return session.result.truth
    }
    let twice = try truth(DeliversTwice.self)
    #expect(twice.messagesDoubled == twice.messagesDelivered && twice.messagesSkipped == 0)
    let some = try truth(DeliversSome.self)
    #expect(some.messagesSkipped > 50 && some.messagesDoubled == 0)
    #expect(try truth(AcknowledgesTooMuch.self).messagesLost > 0)
    let honest = try truth(Honest.self)
    #expect(honest.messagesDelivered > 200)
    #expect((honest.messagesDoubled, honest.messagesSkipped, honest.messagesLost) == (0, 0, 0))
  }
}

/// What a forger makes of an effect.
private protocol Forgery: Sendable {
  static func forge(_ effect: LiveEffect) -> [LiveEffect]
}

private enum Honest: Forgery {
  static func forge(_ effect: LiveEffect) -> [LiveEffect] { [effect] }
}

private enum DeliversTwice: Forgery {
  static func forge(_ effect: LiveEffect) -> [LiveEffect] {
    if case .deliver = effect { [effect, effect] } else { [effect] }
  }
}

private enum DeliversSome: Forgery {
  static func forge(_ effect: LiveEffect) -> [LiveEffect] {
    if case .deliver(let place?, _) = effect, place.offset % 3 == 0 { [] } else { [effect] }
  }
}

private enum AcknowledgesTooMuch: Forgery {
  static func forge(_ effect: LiveEffect) -> [LiveEffect] {
    if case .acknowledged(let number) = effect {
      [.acknowledged(through: MessageNumber(number.value + 5))]
    } else {
      [effect]
    }
  }
}

/// The client that ships, whose effects a forger passes on.
private struct Forger<Fraud: Forgery>: LiveSubject {
  private var client: LiveConnection

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    for effect in wanted { for forged in Fraud.forge(effect) { effects.append(forged) } }
    return isUsed
  }
}
