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

  @Test("the same events give the same effects")
  func deterministic() {
    var (one, other) = (RandomLife(seed: 99), RandomLife(seed: 99))
    for _ in 0..<500 { #expect(one.step() == other.step()) }
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

  @Test("what is reported of another generation than the present one changes nothing, wherever the connection is")
  func strangers() {
    for seed in 0..<30 as Range<UInt64> {
      var life = RandomLife(seed: seed)
      for _ in 0..<200 {
        life.step()
        let present = present(life.live.connection.state)
        for number in 0...12 as ClosedRange<UInt32> where Generation(number) != present {
          for event in reports(of: Generation(number)) {
            var live = life.live
            #expect(live.does(event) == "", "\(event) while \(life.live.connection.state), seed \(seed)")
            #expect(live.connection.state == life.live.connection.state)
          }
        }
      }
    }
  }

  private func present(_ state: ConnectionState) -> Generation? {
    switch state {
    case .connecting(let attempt): attempt.generation
    case .connected(let link): link.generation
    case .closed(let ended): ended.closing
    case .disconnected, .waiting, .suspended: nil
    }
  }

  private func reports(of generation: Generation) -> [LiveEvent] {
    [
      .opened(generation), .failed(generation, .timedOut), .refused(generation, Refusal(status: 404)),
      .closed(generation, Closure(.server, 1002)), .credentials(generation, isFresh: false),
      .received(generation, .pong(1)), .received(generation, .pong(2)), .received(generation, .ping(1)),
      .received(generation, .message(nil, bytes: 1)), .received(generation, .acknowledged(through: 9)),
      .received(generation, .resumed(after: StreamPosition(epoch: 9, offset: 9))),
      .received(generation, .malformed(1002)),
    ]
  }

  @Test("the ring of another timer changes nothing, and of the present one, too soon, nothing but that it is set again")
  func rings() {
    for seed in 0..<100 as Range<UInt64> {
      var life = RandomLife(seed: seed)
      for _ in 0..<200 {
        life.step()
        let tag = life.live.timer?.tag.number ?? 0
        for other in [0, tag &- 2, tag &- 1, tag + 1, .max] where life.live.timer == nil || other != tag {
          var live = life.live
          #expect(live.does(.timer(TimerTag(other))) == "", "seed \(seed)")
          #expect(live.connection.state == life.live.connection.state)
        }
        guard let timer = life.live.timer, timer.at > life.live.now else { continue }
        var live = life.live
        #expect(live.ringsNow(timer.tag).hasPrefix("timer "), "seed \(seed)")
        #expect(live.timer?.at == timer.at && live.connection.state == life.live.connection.state)
        #expect(!live.usedWord)
      }
    }
  }

  @Test("while the timer rings in time no deadline goes by, and no message grows older than it may")
  func noDeadlinePasses() {
    for seed in 0..<150 as Range<UInt64> {
      var (life, leftAt) = (RandomLife(seed: seed), Instant?.none)
      for _ in 0..<200 {
        let event = life.nextEvent()
        if case .app(let isInFront) = event { leftAt = isInFront ? nil : leftAt ?? life.live.now }
        var live = life.live
        live.does(event)
        live.wait(0.4)
        life.goesOn(live)
        for deadline in deadlines(live) { #expect(deadline > live.now, "\(live.connection.state), seed \(seed)") }
        if case .disconnect(let wait) = live.connection.settings.background, let leftAt, live.now >= leftAt + wait {
          #expect(live.socket == nil || live.phase == .closed, "in the background, seed \(seed)")
        }
      }
    }
  }

  private func deadlines(_ live: ScriptedConnection) -> [Instant] {
    let expiry = live.connection.outbox.nextExpiry ?? .never
    switch live.connection.state {
    case .disconnected: return [expiry]
    case .connecting(let attempt): return [attempt.deadline, expiry]
    case .connected(let link):
      let ping = link.pongDeadline == nil ? link.nextPing : .never
      return [ping, link.pongDeadline ?? .never, link.proofDeadline, link.resumeDeadline, expiry]
    case .waiting(let waiting): return [waiting.due ?? .never, expiry]
    case .suspended(let suspended): return [suspended.due ?? .never, expiry]
    case .closed(let ended): return [ended.closing == nil ? .never : ended.deadline]
    }
  }

  @Test("two attempts are never closer than the backoff's floor, save where the server itself sends elsewhere")
  func neverSoonerThanTheFloor() {
    for seed in 0..<100 as Range<UInt64> {
      var life = RandomLife(seed: seed) { $0.backoff.floor = .milliseconds(700) }
      var last: Connecting?
      for _ in 0..<300 {
        let event = life.nextEvent()
        var live = life.live
        live.does(event)
        live.wait(0.4)
        life.goesOn(live)
        guard case .connecting(let attempt) = live.connection.state, attempt.generation != last?.generation else {
          continue
        }
        if let last, !isRefusal(event) { #expect(attempt.since - last.since >= .milliseconds(700), "seed \(seed)") }
        last = attempt
      }
    }
  }

  private func isRefusal(_ event: LiveEvent) -> Bool {
    if case .refused = event { true } else { false }
  }
}
