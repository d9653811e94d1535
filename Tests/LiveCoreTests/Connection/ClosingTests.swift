// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

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
