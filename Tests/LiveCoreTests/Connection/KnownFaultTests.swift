// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

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
