// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Opening a connection")
struct OpeningTests {
  @Test("start opens a socket at once, and its deadline is the connect timeout")
  func start() {
    var live = ScriptedConnection()
    #expect(live.phase == .disconnected)
    #expect(live.does(.start) == "open 1, timer 10")
    #expect(live.phase == .connecting && live.status.attempt == 0 && live.status.lastProblem == nil)
  }

  @Test("a second start changes nothing")
  func startTwice() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.start) == "")
  }

  @Test("an attempt that takes longer than the connect timeout is dropped, and the next one waits")
  func connectTimeout() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.wait(10) == "abort 1, timer 11")
    #expect(live.phase == .waiting && live.status.lastProblem == .connectTimeout && live.status.attempt == 1)
    #expect(live.wait(1) == "open 2, timer 21")
  }

  @Test("each reason not to open is told and leads to another attempt", arguments: ConnectFailure.allCases)
  func failure(reason: ConnectFailure) {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.failed(1, reason)) == "timer 1")
    #expect(live.status.lastProblem == .failed(reason) && live.status.nextTry == .zero + .seconds(1))
  }

  @Test("a socket that closes before it was open is a failed attempt")
  func closedWhileConnecting() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "timer 1")
    #expect(live.wait(1) == "open 2, timer 11")
  }

  @Test("an opened socket is connected and current where there is no stream to resume")
  func opened() {
    var live = ScriptedConnection()
    live.does(.start)
    live.wait(2)
    #expect(live.does(.opened(1)) == "timer 12")
    #expect(live.phase == .connected && live.status.isCurrent && live.status.health == .good)
  }

  @Test("started without a network, it waits for one, and the first attempt is still none to reconnect")
  func startOffline() {
    var live = ScriptedConnection()
    live.does(.network(isReachable: false))
    #expect(live.does(.start) == "")
    #expect(live.phase == .waiting && live.status.nextTry == nil)
    #expect(live.does(.network(isReachable: true)) == "timer 0.5")
    #expect(live.wait(1) == "open 1, timer 10.5")
    #expect(live.status.attempt == 0)
  }
}

@Suite("Events of another generation, and old timers")
struct StaleEventTests {
  @Test("failed and closed of one socket are one end: one attempt, one timer")
  func errorAndClose() {
    var live = ScriptedConnection()
    live.does(.start)
    #expect(live.does(.failed(1, .reset)) == "timer 1")
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "")
    #expect(live.status.attempt == 1)
  }

  @Test("an open socket that reports an error has ended, and its close after that is the same end")
  func errorWhenOpen() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.failed(1, .reset)) == "timer 1")
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "")
    #expect(live.phase == .waiting && live.status.attempt == 1)
    var closing = ScriptedConnection.connected()
    closing.does(.stop)
    #expect(closing.does(.failed(1, .reset)) == "no timer")
  }

  @Test("opened after its attempt was dropped changes nothing, even when the next attempt is under way")
  func openedLate() {
    var live = ScriptedConnection()
    live.does(.start)
    live.wait(10)
    #expect(live.does(.opened(1)) == "")
    #expect(live.phase == .waiting)
    live.wait(1)
    #expect(live.does(.opened(1)) == "")
    #expect(live.phase == .connecting)
  }

  @Test("what an old socket reports does not touch the new one")
  func oldSocket() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    let old: [LiveEvent] = [
      .opened(1), .failed(1, .reset), .refused(1, Refusal(status: 403)), .closed(1, Closure(.server, 1002)),
      .received(1, .pong(0)), .received(1, .ping(7)), .received(1, .message(nil, bytes: 1)),
      .received(1, .malformed(1002)), .credentials(1, isFresh: false),
    ]
    for event in old { #expect(live.does(event) == "", "\(event)") }
    #expect(live.phase == .connected)
  }

  @Test("the ring of a timer that was set anew since changes nothing, as the connect timeout of an attempt that opened")
  func oldTimer() throws {
    var live = ScriptedConnection()
    live.does(.start)
    let old = try #require(live.timer)
    live.freeze(3)
    live.does(.opened(1))
    live.freeze(7)
    #expect(live.does(.timer(old.tag)) == "")
    #expect(live.phase == .connected)
  }

  @Test("a timer rings once: the second ring changes nothing")
  func ringsTwice() throws {
    var live = ScriptedConnection.waiting()
    let tag = try #require(live.timer).tag
    live.wait(1)
    #expect(live.phase == .connecting)
    #expect(live.does(.timer(tag)) == "")
  }

  @Test("a timer that rings too soon is set again, and nothing else happens")
  func tooSoon() throws {
    var live = ScriptedConnection.waiting()
    let tag = try #require(live.timer).tag
    live.freeze(0.25)
    #expect(live.ringsNow(tag) == "timer 1")
    #expect(live.wait(1) == "open 2, timer 11")
  }
}
