// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Coming back")
struct ReconnectionTests {
  @Test("each attempt waits longer than the one before it, up to the cap, and after the last it is suspended")
  func backoff() {
    var live = ScriptedConnection.waiting()
    var waits: [Double] = []
    while live.phase == .waiting, let due = live.status.nextTry {
      waits.append((due - live.now).seconds)
      #expect(live.status.attempt == waits.count)
      live.wait(waits.last ?? 0)
      if let socket = live.socket { live.does(.failed(Generation(socket), .connectionRefused)) }
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
    #expect(live.phase == .suspended && live.status.attempt == 10)
  }

  @Test("a suspended connection still tries at its slow cadence, and those attempts are not counted")
  func cadence() {
    var live = ScriptedConnection.suspended()
    let since = live.now
    #expect(live.status.nextTry == since + .seconds(300))
    live.wait(300)
    #expect(live.phase == .connecting && live.status.attempt == 10)
    live.does(.failed(12, .connectionRefused))
    #expect(live.phase == .suspended && live.status.nextTry == since + .seconds(600))
  }

  @Test("without a cadence a suspended connection waits for a hint alone")
  func noCadence() {
    var live = ScriptedConnection.suspended { $0.suspendedCadence = nil }
    #expect(live.status.nextTry == nil && live.timer == nil)
    #expect(live.wait(100_000) == "")
    live.does(.app(isInFront: false))
    live.does(.app(isInFront: true))
    #expect(live.phase == .waiting)
  }

  @Test("a server that accepts and closes at once is met ever more rarely, and then not before the slow cadence")
  func acceptsThenCloses() {
    var live = ScriptedConnection()
    live.does(.start)
    var openings = 0
    while live.phase != .suspended, openings < 100 {
      if let socket = live.socket.map({ Generation($0) }) {
        live.does(.opened(socket))
        live.does(.closed(socket, Closure(.server, 1001)))
        openings += 1
      } else {
        live.wait(1)
      }
    }
    #expect(openings == 11, "the first, and ten attempts")
    #expect(live.now >= .zero + .seconds(181), "1 + 2 + 4 + 8 + 16 + 5 * 30")
  }

  @Test("the attempts are not forgotten when a connection opens, but when it has been up for long enough")
  func proofByUptime() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    #expect(live.status.attempt == 1)
    live.wait(9.999)
    #expect(live.status.attempt == 1 && live.status.lastProblem != nil)
    live.wait(0.001)
    #expect(live.status.attempt == 0 && live.status.lastProblem == nil)
    live.does(.closed(2, Closure(.network, 1006)))
    #expect(live.status.attempt == 1)
  }

  @Test("or when the application behind the socket has acknowledged something")
  func proofByAcknowledgement() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    live.does(.send(1, bytes: 10))
    #expect(live.status.attempt == 1)
    #expect(live.does(.received(2, .acknowledged(through: 1))) == "acknowledged 1, timer 31")
    #expect(live.status.attempt == 0)
  }

  @Test("a server that resumes the stream and then closes is met ever more rarely too")
  func resumesThenCloses() {
    var live = ScriptedConnection { $0.resumesStream = true }
    live.does(.start)
    var openings = 0
    while live.phase != .suspended, openings < 100 {
      if let socket = live.socket.map({ Generation($0) }) {
        live.does(.opened(socket))
        live.does(.received(socket, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
        live.wait(1)
        live.does(.closed(socket, Closure(.server, 1001)))
        openings += 1
      } else {
        live.wait(1)
      }
    }
    #expect(openings == 11, "the first, and ten attempts")
    #expect(live.now >= .zero + .seconds(181), "1 + 2 + 4 + 8 + 16 + 5 * 30")
  }

  @Test("that the stream is resumed proves nothing, but that it stays so for long enough")
  func resumption() {
    var live = ScriptedConnection.waiting { $0.resumesStream = true }
    live.wait(1)
    live.does(.opened(2))
    live.does(.received(2, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
    #expect(live.status.attempt == 1 && live.status.isCurrent)
    live.wait(10)
    #expect(live.status.attempt == 0)
  }

  @Test("an acknowledgement of nothing new proves nothing, and none does where acknowledgements are no proof")
  func noProof() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    #expect(live.does(.received(2, .acknowledged(through: 5))) == "")
    #expect(live.status.attempt == 1)
    var strict = ScriptedConnection.waiting { $0.proof.byAcknowledgement = false }
    strict.wait(1)
    strict.does(.opened(2))
    strict.does(.send(1, bytes: 1))
    strict.does(.received(2, .acknowledged(through: 1)))
    #expect(strict.status.attempt == 1)
  }

  @Test("time asleep is no proof")
  func asleep() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    live.freeze(3_600)
    live.does(.woke)
    live.wait(9)
    #expect(live.status.attempt == 1)
  }

  @Test("with full jitter the wait is a share of the longest one, by the random bits of the event")
  func jitter() {
    var live = ScriptedConnection.connected { $0.backoff.jitter = .full }
    live.word = 1 << 62
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "timer 0.25")
    #expect(live.usedWord)
  }

  @Test("the convenient way takes its random bits from a generator and gives the same effects")
  func generator() {
    var (one, other) = (LiveConnection(), LiveConnection())
    var random = SplitMix64(seed: 5)
    let word = SplitMix64(seed: 5).first
    var effects = LiveEffects()
    other.handle(.start, at: .zero, word: word, into: &effects)
    #expect(one.handle(.start, at: .zero, using: &random) == Array(effects))
    #expect(one.status == other.status)
  }
}

extension SplitMix64 {
  /// The first word of the stream.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}

@Suite("Closing")
struct ClosingTests {
  @Test("stop sends a close frame and waits for the answer, and with it everything is over")
  func handshake() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.stop) == "close 1 with 1000, timer 5")
    #expect(live.phase == .closed)
    #expect(live.does(.closed(1, Closure(.client, 1000))) == "no timer")
    #expect(live.reason == .stopped)
  }

  @Test("a server that does not answer the close frame is dropped after the closing timeout")
  func timeout() {
    var live = ScriptedConnection.connected()
    live.does(.stop)
    #expect(live.wait(5) == "abort 1")
    #expect(live.timer == nil)
  }

  @Test("nothing that arrives during the closing handshake is handed over, and hints change nothing")
  func whileClosing() {
    var live = ScriptedConnection.connected()
    live.does(.stop)
    let events: [LiveEvent] = [
      .received(1, .message(nil, bytes: 3)), .received(1, .ping(3)), .received(1, .malformed(1002)), .woke,
      .networkChanged, .retry, .start, .stop,
    ]
    for event in events { #expect(live.does(event) == "", "\(event)") }
  }

  @Test("stop while connecting drops the socket, without a handshake that could not be answered")
  func connecting() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.stop) == "abort 1, no timer")
    #expect(live.does(.opened(1)) == "")
    #expect(live.phase == .closed)
  }

  @Test("stop while waiting, suspended or not started leaves nothing that rings")
  func idle() {
    var waiting = ScriptedConnection.waiting()
    #expect(waiting.does(.stop) == "no timer")
    #expect(waiting.wait(100_000) == "")
    var suspended = ScriptedConnection.suspended()
    #expect(suspended.does(.stop) == "no timer")
    var fresh = ScriptedConnection()
    #expect(fresh.does(.stop) == "")
    #expect(fresh.does(.start) == "", "closed is for good")
    #expect([waiting, suspended, fresh].allSatisfy { $0.phase == .closed })
  }

  @Test("the server's code decides", arguments: [1002, 1003, 1007, 1009, 1010] as [UInt16])
  func never(code: UInt16) {
    var live = ScriptedConnection.connected()
    #expect(live.does(.closed(1, Closure(.server, CloseCode(code)))) == "no timer")
    #expect(live.reason == .closed(CloseCode(code)))
  }

  @Test("the same code means nothing when the server did not say it", arguments: [Closure.Origin.client, .network])
  func whoClosed(origin: Closure.Origin) {
    var live = ScriptedConnection.connected()
    #expect(live.does(.closed(1, Closure(origin, 1002))) == "timer 1")
    #expect(live.status.lastProblem == .closed(Closure(origin, 1002)))
  }

  @Test("a server that restarts is left alone for a while, and those that it told come back spread over a while")
  func later() {
    for code: UInt16 in [1012, 1013] {
      for (word, due) in [(0, "6"), (1 << 62, "11.25"), (1 << 63, "17.5"), (3 << 62, "23.75")] as [(UInt64, String)] {
        var live = ScriptedConnection.connected()
        live.word = word
        #expect(live.does(.closed(1, Closure(.server, CloseCode(code)))) == "timer \(due)")
        #expect(live.usedWord)
      }
    }
  }

  @Test("once the usual wait is longer than that spread, it counts")
  func laterAndLonger() {
    var live = ScriptedConnection.connected { $0.closeRules.laterSpread = .seconds(3) }
    for wait in [1.5, 2, 4] {
      let socket = Generation(live.socket ?? 0)
      live.does(.closed(socket, Closure(.server, 1012)))
      #expect(live.status.nextTry == live.now + Interval(seconds: 5 + wait))
      live.wait(5 + wait)
      live.does(.opened(Generation(live.socket ?? 0)))
    }
  }

  @Test("garbage and frames beyond the bounds end the connection with a word why, and keep away for a while")
  func malformed() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.received(1, .malformed(1009))) == "close 1 with 1009, abort 1, timer 17.5")
    #expect(live.status.lastProblem == .malformed(1009) && live.phase == .waiting)
  }
}

/// The families of faults that reconnecting clients are known for, by the invariant that each breaks. Those that need
/// more than one sentence have a suite of their own: here is one sentence for each.
@Suite("Faults that other clients had")
struct KnownFaultTests {
  @Test("1: the backoff is forgotten after proof, never on open")
  func resetOnOpen() {
    var live = ScriptedConnection.waiting()
    for (wait, socket) in zip([1, 2, 4, 8], 2...5) {
      #expect(live.status.nextTry.map { $0 - live.now } == .seconds(Int64(wait)))
      live.wait(Double(wait))
      live.does(.opened(Generation(UInt32(socket))))
      live.does(.closed(Generation(UInt32(socket)), Closure(.server, 1001)))
    }
  }

  @Test("2 and 3: error and close of one socket are one attempt, one timer and one socket")
  func countedOnce() {
    var live = ScriptedConnection.waiting()
    for (wait, socket) in zip([1, 2, 4, 8, 16, 30, 30, 30] as [Double], 2...9 as ClosedRange<UInt32>) {
      live.wait(wait)
      live.does(.failed(Generation(socket), .reset))
      live.does(.closed(Generation(socket), Closure(.network, 1006)))
      #expect(live.status.attempt == Int(socket))
    }
  }

  @Test("4: the old socket is dropped before the new one opens")
  func oldBeforeNew() {
    var live = ScriptedConnection.connected { $0.hintSpread = .zero }
    #expect(live.does(.networkChanged) == "abort 1, timer 0.1")
    #expect(live.wait(1) == "open 2, timer 10.1")
  }

  @Test("5: the connect timeout of one attempt does not end the next")
  func staleConnectTimeout() throws {
    var live = ScriptedConnection()
    live.does(.start)
    let timeout = try #require(live.timer).tag
    live.does(.failed(1, .reset))
    live.wait(1)
    live.does(.opened(2))
    live.freeze(9)
    #expect(live.does(.timer(timeout)) == "")
    #expect(live.phase == .connected)
  }

  @Test("6: used-up attempts, missing credentials and a close while connecting all have a way on")
  func everyStateHasAnExit() {
    var suspended = ScriptedConnection.suspended()
    suspended.wait(300)
    var asking = ScriptedConnection()
    asking.does(.start)
    asking.does(.refused(1, Refusal(status: 401)))
    asking.wait(11)
    var closed = ScriptedConnection()
    closed.does(.start)
    closed.does(.closed(1, Closure(.network, 1006)))
    closed.wait(1)
    #expect([suspended, asking, closed].allSatisfy { $0.phase == .connecting })
  }

  @Test("7: closed while it waits, nothing comes back to life")
  func zombie() throws {
    var live = ScriptedConnection.waiting()
    let tag = try #require(live.timer).tag
    live.does(.stop)
    live.freeze(1)
    #expect(live.does(.timer(tag)) == "")
    #expect(live.phase == .closed)
  }

  @Test("8 and 10: a dead link is dropped, without a handshake, within the interval and the pong timeout")
  func halfOpen() {
    var live = ScriptedConnection.connected()
    let told = live.wait(40)
    #expect(told.hasSuffix("abort 1, timer 41") && !told.contains("close"))
  }

  @Test("9: a ping from before a sleep does not end the connection after it")
  func staleHeartbeat() {
    var live = ScriptedConnection.connected()
    live.wait(39)
    live.freeze(600)
    live.does(.woke)
    live.does(.received(1, .pong(2)))
    live.wait(20)
    #expect(live.phase == .connected)
  }

  @Test("11: our own close is not the server's wish")
  func ownClose() {
    var live = ScriptedConnection.connected()
    live.does(.closed(1, Closure(.client, 1000)))
    #expect(live.phase == .waiting)
  }

  @Test("12: clients that lost one server come back at moments of their own")
  func herd() {
    var random = SplitMix64(seed: 12)
    let moments = (0..<100).map { _ in
      var live = ScriptedConnection.connected { $0.backoff = Backoff() }
      live.word = random.next()
      live.does(.closed(1, Closure(.server, 1001)))
      return live.status.nextTry?.nanoseconds ?? 0
    }
    #expect(Set(moments).count > 80 && moments.contains { $0 > 700_000_000 })
  }

  @Test("13: a message directly behind the handshake is handed over")
  func serverFirst() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.received(1, .message(nil, bytes: 1))) == "deliver")
  }

  @Test("14: messages keep their order over a reconnection, and each arrives once")
  func order() {
    var live = ScriptedConnection.connected()
    live.does(.send(1, bytes: 1))
    live.does(.closed(1, Closure(.network, 1006)))
    live.does(.send(2, bytes: 1))
    live.wait(1)
    #expect(live.does(.opened(2)) == "send 1, send 2")
    #expect(live.does(.received(2, .acknowledged(through: 2))).hasPrefix("acknowledged 2"))
    live.does(.closed(2, Closure(.network, 1006)))
    live.wait(1)
    #expect(live.does(.opened(3)) == "")
  }

  @Test("15: an expired token is refreshed once, and a busy server waited for")
  func refusals() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.refused(1, Refusal(status: 401))).hasPrefix("credentials"))
    live.does(.credentials(2, isFresh: true))
    live.does(.refused(2, Refusal(status: 503, retryAfter: .seconds(30))))
    #expect(live.status.nextTry == .zero + .seconds(31))
    live.wait(31)
    live.does(.refused(3, Refusal(status: 401)))
    #expect(live.phase == .closed)
  }

  @Test("16: a pong that is reported twice answers one ping")
  func twice() {
    var live = ScriptedConnection.connected()
    live.wait(30)
    #expect(live.does(.received(1, .pong(1))) == "timer 60")
    #expect(live.does(.received(1, .pong(1))) == "")
  }
}
