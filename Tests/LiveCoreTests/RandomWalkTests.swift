// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

/// Whatever happens, in whatever order: the script's own expectations hold, and those here.
@Suite("Anything in any order")
struct RandomWalkTests {
  @Test("no order of events makes a second socket, a second timer, an endless state or an attempt too many")
  func walk() {
    for seed in 0..<200 as Range<UInt64> {
      var life = RandomLife(seed: seed)
      for _ in 0..<300 {
        life.step()
        let (live, status) = (life.live, life.live.status)
        #expect(status.attempt <= live.connection.settings.backoff.maximumAttempts)
        #expect(status.queued <= 5)
        #expect((status.phase == .connected) == (status.health != .none))
      }
    }
  }

  @Test("when the clock began does not matter: the same life at another time is the same life")
  func anyBeginning() {
    for seed in 0..<60 as Range<UInt64> {
      var (one, other) = (RandomLife(seed: seed), RandomLife(seed: seed, at: .zero + .seconds(1_000_000)))
      for _ in 0..<200 {
        #expect(one.step() == other.step(), "seed \(seed)")
        #expect(moments(one.live) == moments(other.live), "seed \(seed)")
      }
    }
  }

  /// Every moment that the state is made of, from the beginning of the script.
  private func moments(_ live: ScriptedConnection) -> [Interval?] {
    let all: [Instant?] =
      switch live.connection.state {
      case .disconnected: []
      case .connecting(let attempt): [attempt.since, attempt.deadline]
      case .connected(let link):
        [link.since, link.lastHeard, link.nextPing, link.pongDeadline, link.proofDeadline, link.resumeDeadline]
      case .waiting(let waiting): [waiting.since, waiting.due]
      case .suspended(let suspended): [suspended.since, suspended.due]
      case .closed(let ended): [ended.since, ended.deadline]
      }
    return all.map { moment in moment.map { $0 == .never ? .forever : $0 - live.origin } }
  }
}

/// A life of a connection in which anything happens in any order, the same for the same seed.
struct RandomLife {
  private(set) var live: ScriptedConnection
  private(set) var sent: UInt64 = 0
  private var random: SplitMix64

  /// - Parameters:
  ///   - seed: What the life is made of.
  ///   - origin: When it begins.
  ///   - change: What is different from the settings that chance has chosen.
  init(seed: UInt64, at origin: Instant = .zero, _ change: (inout ConnectionSettings) -> Void = { _ in }) {
    var random = SplitMix64(seed: seed)
    let chosen = Self.settings(&random)
    live = ScriptedConnection(at: origin) {
      chosen(&$0)
      change(&$0)
    }
    self.random = random
  }

  /// Something happens, and some time passes, in which the timer rings; now and then the device sleeps.
  ///
  /// - Returns: What is to be done, in short words.
  @discardableResult
  mutating func step() -> String {
    live.word = random.next()
    let event = event()
    var told = live.does(event)
    if random.below(2) == 0 { told += "; " + live.wait(Double(random.below(4_000)) / 500) }
    if random.below(50) == 0 { live.freeze(Double(random.below(4_000))) }
    return told
  }

  /// Something happens, and so many seconds pass, in which the timer rings.
  ///
  /// - Returns: What happened, and what is to be done, in short words.
  @discardableResult
  mutating func step(lasting seconds: Double) -> (event: LiveEvent, told: String) {
    live.word = random.next()
    let event = event()
    return (event, live.does(event) + "; " + live.wait(seconds))
  }

  private mutating func event() -> LiveEvent {
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
    case 13: return live.phase == .connected ? .woke : .refused(generation, refusal())
    case 14: return .credentials(generation, isFresh: random.below(8) != 0)
    case 15: return .closed(generation, closure())
    case 16: return .timer(TimerTag((live.timer?.tag.number ?? 0) &- 1 &- random.below(3 as UInt64)))
    case 17: return .received(generation, .pong(UInt32(random.below(5))))
    case 18: return .received(generation, .ping(UInt32(random.below(5))))
    case 19: return .received(generation, .acknowledged(through: MessageNumber(random.below(sent + 2))))
    case 20: return .received(generation, .resumed(after: place()))
    case 21: return .received(generation, .malformed(1007))
    default: return .received(generation, .message(random.below(5) == 0 ? nil : place(), bytes: 3))
    }
  }

  private mutating func place() -> StreamPosition {
    StreamPosition(epoch: UInt32(1 + random.below(2)), offset: UInt64(random.below(9)))
  }

  private mutating func refusal() -> Refusal {
    let statuses: [UInt16] = [302, 401, 429, 500, 503, 503, 503]
    return Refusal(
      status: statuses[random.below(statuses.count)],
      retryAfter: random.below(2) == 0 ? nil : .seconds(Int64(random.below(60))), redirect: .secure)
  }

  private mutating func closure() -> Closure {
    let codes: [UInt16] = [1000, 1001, 1006, 1011, 1012, 3000]
    let origins: [Closure.Origin] = [.server, .client, .network]
    return Closure(origins[random.below(3)], CloseCode(codes[random.below(codes.count)]))
  }

  private static func settings(_ random: inout SplitMix64) -> (inout ConnectionSettings) -> Void {
    let (choice, other) = (random.below(3), random.below(8))
    return {
      $0.background = [.stayConnected, .makeNoAttempts, .disconnect(after: .seconds(20))][choice]
      $0.resumesStream = other % 2 == 0
      $0.backoff.jitter = other % 4 < 2 ? .full : .decorrelated
      $0.backoff.maximumAttempts = 3 + other
      $0.outbox.count = 5
      $0.outbox.age = .seconds(Int64(3 + 30 * choice))
      if other > 5 { $0.heartbeat.interval = nil }
    }
  }
}
