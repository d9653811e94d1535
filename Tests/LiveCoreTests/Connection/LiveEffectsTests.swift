// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The effects of one event")
struct LiveEffectsTests {
  private var connection: LiveConnection
  private var effects = LiveEffects()

  /// Connected, proven, and about to send its first ping at thirty seconds.
  init() {
    var settings = ConnectionSettings()
    settings.resumesStream = false
    connection = LiveConnection(settings)
    connection.handle(.start, at: .zero, word: 0, into: &effects)
    connection.handle(.opened(1), at: .zero, word: 0, into: &effects)
    ring(at: 10)
  }

  /// The timer that was set last rings.
  private mutating func ring(at seconds: Int64) {
    let tags = effects.compactMap { if case .setTimer(let tag, _) = $0 { tag } else { nil } }
    effects.removeAll()
    guard let tag = tags.last else { return }
    connection.handle(.timer(tag), at: .zero + .seconds(seconds), word: 0, into: &effects)
  }

  @Test("a ring of the heartbeat wants a ping and then the timer, and a pong the timer alone")
  mutating func round() throws {
    ring(at: 30)
    let ring = try #require(effects.round)
    #expect(!effects.hasOthers && effects.roundCount == 2)
    #expect(Array(effects) == [.sendPing(1, 1), .setTimer(ring.tag, at: ring.due)])
    #expect(ring.due == .zero + .seconds(35))
    effects.removeAll()
    #expect(effects.isEmpty && effects.round == nil)
    connection.handle(.received(1, .pong(1)), at: .zero + .seconds(31), word: 0, into: &effects)
    let pong = try #require(effects.round)
    #expect(pong.ping == nil && effects.roundCount == 1)
    #expect(Array(effects) == [.setTimer(pong.tag, at: .zero + .seconds(60))])
  }

  @Test("what is added to the effects of a round comes after them")
  mutating func after() throws {
    ring(at: 30)
    let round = try #require(effects.round)
    connection.handle(.received(1, .message(nil, bytes: 7)), at: .zero + .seconds(30), word: 0, into: &effects)
    #expect(effects.hasOthers)
    #expect(Array(effects) == [.sendPing(1, 1), .setTimer(round.tag, at: round.due), .deliver(nil, bytes: 7)])
    #expect(effects.last == .deliver(nil, bytes: 7))
  }

  @Test("a round comes after what is there already, whether that is another round or something else")
  mutating func before() throws {
    ring(at: 30)
    let round = try #require(effects.round)
    connection.handle(.received(1, .pong(1)), at: .zero + .seconds(31), word: 0, into: &effects)
    let next = LiveEffect.setTimer(TimerTag(round.tag.number + 1), at: .zero + .seconds(60))
    #expect(Array(effects) == [.sendPing(1, 1), .setTimer(round.tag, at: round.due), next])
    effects.removeAll()
    effects.append(.deliver(nil, bytes: 1))
    connection.handle(
      .timer(TimerTag(round.tag.number + 1)), at: .zero + .seconds(60), word: 0, into: &effects)
    #expect(effects.round == nil)
    #expect(effects.first == .deliver(nil, bytes: 1))
    #expect(effects.count == 3 && effects[1] == .sendPing(1, 2))
  }
}
