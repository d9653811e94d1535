// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

/// Whatever happens, in whatever order: the script's own expectations hold, and those here.
@Suite("Anything in any order")
struct RandomWalkTests {
  private func event(_ random: inout SplitMix64, _ live: ScriptedConnection, _ sent: inout UInt64) -> LiveEvent {
    let newest = live.socket ?? UInt32(random.below(6))
    let generation = Generation(random.below(4) == 0 ? UInt32(random.below(8)) : newest)
    switch random.below(24) {
    case 0: return .start
    case 1: return random.below(40) == 0 ? .stop : .retry
    case 2: return .retry
    case 3, 4:
      sent += 1
      return .send(MessageNumber(sent), bytes: random.below(400))
    case 5: return .network(isReachable: random.below(2) == 0)
    case 6: return .networkChanged
    case 7: return .app(isInFront: random.below(2) == 0)
    case 8: return .woke
    case 9, 10, 11: return .opened(generation)
    case 12: return .failed(generation, .reset)
    case 13: return live.phase == .connected ? .woke : .refused(generation, refusal(&random))
    case 14: return .credentials(generation, isFresh: random.below(8) != 0)
    case 15: return .closed(generation, closure(&random))
    case 16: return .timer(TimerTag((live.timer?.tag.number ?? 0) &- 1 &- random.below(3 as UInt64)))
    case 17: return .received(generation, .pong(UInt32(random.below(5))))
    case 18: return .received(generation, .ping(UInt32(random.below(5))))
    case 19: return .received(generation, .acknowledged(through: MessageNumber(random.below(sent + 2))))
    case 20: return .received(generation, .resumed(after: place(&random)))
    case 21: return .received(generation, .malformed(1007))
    default: return .received(generation, .message(random.below(5) == 0 ? nil : place(&random), bytes: 3))
    }
  }

  private func place(_ random: inout SplitMix64) -> StreamPosition {
    StreamPosition(epoch: UInt32(1 + random.below(2)), offset: UInt64(random.below(9)))
  }

  private func refusal(_ random: inout SplitMix64) -> Refusal {
    let statuses: [UInt16] = [302, 401, 429, 500, 503, 503, 503]
    return Refusal(
      status: statuses[random.below(statuses.count)],
      retryAfter: random.below(2) == 0 ? nil : .seconds(Int64(random.below(60))), redirect: .secure)
  }

  private func closure(_ random: inout SplitMix64) -> Closure {
    let codes: [UInt16] = [1000, 1001, 1006, 1011, 1012, 3000]
    let origins: [Closure.Origin] = [.server, .client, .network]
    return Closure(origins[random.below(3)], CloseCode(codes[random.below(codes.count)]))
  }

  private func settings(_ random: inout SplitMix64) -> (inout ConnectionSettings) -> Void {
    let (choice, other) = (random.below(3), random.below(8))
    return {
      $0.background = [.stayConnected, .makeNoAttempts, .disconnect(after: .seconds(20))][choice]
      $0.resumesStream = other % 2 == 0
      $0.backoff.jitter = other % 4 < 2 ? .full : .decorrelated
      $0.backoff.maximumAttempts = 3 + other
      $0.outbox.count = 5
      if other > 5 { $0.heartbeat.interval = nil }
    }
  }

  @Test("no order of events makes a second socket, a second timer, an endless state or an attempt too many")
  func walk() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var live = ScriptedConnection(settings(&random))
      var sent: UInt64 = 0
      for _ in 0..<300 {
        live.word = random.next()
        live.does(event(&random, live, &sent))
        if random.below(2) == 0 { live.wait(Double(random.below(4_000)) / 500) }
        if random.below(50) == 0 { live.freeze(Double(random.below(4_000))) }
        let status = live.status
        #expect(status.attempt <= live.connection.settings.backoff.maximumAttempts)
        #expect(status.queued <= 5)
        #expect((status.phase == .connected) == (status.health != .none))
      }
    }
  }

  @Test("the same events give the same effects")
  func deterministic() {
    var told: [[String]] = []
    for _ in 0..<2 {
      var random = SplitMix64(seed: 99)
      var live = ScriptedConnection(settings(&random))
      var sent: UInt64 = 0
      told.append(
        (0..<500).map { _ in
          live.word = random.next()
          let event = event(&random, live, &sent)
          return live.does(event) + live.wait(1)
        })
    }
    #expect(told[0] == told[1])
  }
}
