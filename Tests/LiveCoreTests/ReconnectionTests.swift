// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Coming back")
struct ReconnectionTests {
  @Test("each attempt waits longer up to the cap, and after the last the client is suspended")
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

  @Test("a suspended connection tries at its slow cadence, and those attempts are not counted")
  func cadence() {
    var live = ScriptedConnection.suspended()
    let since = live.now
    #expect(live.status.nextTry == since + .seconds(300))
    live.wait(300)
    #expect(live.phase == .connecting && live.status.attempt == 10)
    live.does(.failed(12, .connectionRefused))
    #expect(live.phase == .suspended && live.status.nextTry == since + .seconds(600))
  }

  @Scripts static var scripts: [Script] {
    Script(
      "an acknowledgement of nothing new does not reset the attempts", .reopened(),
      .on(.received(2, .acknowledged(through: 5)), ""), .shows { $0.status.attempt == 1 })
    Script(
      "acknowledgements do not reset the attempts if the settings say so",
      .reopened { $0.proof.byAcknowledgement = false }, .on(.send(1, bytes: 1)),
      .on(.received(2, .acknowledged(through: 1))), .shows { $0.status.attempt == 1 })
    Script(
      "without a cadence a suspended connection waits for a hint",
      .suspended { $0.suspendedCadence = nil },
      .shows { $0.status.nextTry == nil && $0.timer == nil }, .wait(100_000, ""), .on(.app(isInFront: false)),
      .on(.app(isInFront: true)), .shows { $0.phase == .waiting })
    Script(
      "the attempts are reset when a connection has been up for long enough, not when it opens",
      .reopened(), .shows { $0.status.attempt == 1 }, .wait(9.999),
      .shows { $0.status.attempt == 1 && $0.status.lastProblem == .closed(Closure(.network, 1006)) }, .wait(0.001),
      .shows { $0.status.attempt == 0 && $0.status.lastProblem == nil },
      .on(.closed(2, Closure(.network, 1006)), "timer 12"), .shows { $0.status.attempt == 1 })
    Script(
      "the attempts are reset when the server acknowledges a message", .reopened(),
      .on(.send(1, bytes: 10)), .shows { $0.status.attempt == 1 },
      .on(.received(2, .acknowledged(through: 1)), "acknowledged 1, timer 31"), .shows { $0.status.attempt == 0 })
    Script(
      "a resumed stream resets the attempts only after the uptime",
      .reopened { $0.resumesStream = true },
      .on(.received(2, .resumed(after: StreamPosition(epoch: 1, offset: 0)))),
      .shows { $0.status.attempt == 1 && $0.status.isCurrent }, .wait(10), .shows { $0.status.attempt == 0 })
    Script(
      "time asleep does not count as uptime", .reopened(), .asleep(3_600), .on(.woke), .wait(9),
      .shows { $0.status.attempt == 1 })
    Script(
      "with full jitter the wait is a random share of the longest",
      .connected { $0.backoff.jitter = .full }, .word(1 << 62),
      .on(.closed(1, Closure(.network, 1006)), "timer 0.25"), .shows { $0.usedWord })
  }

  @Test(
    "a server that accepts and closes again is tried at growing waits, and then at the cadence",
    arguments: [false, true])
  func acceptsThenCloses(resumes: Bool) {
    var live = ScriptedConnection.connecting { $0.resumesStream = resumes }
    var openings = 0
    while live.phase != .suspended, openings < 100 {
      if let socket = live.socket.map({ Generation($0) }) {
        live.does(.opened(socket))
        if resumes {
          live.does(.received(socket, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
          live.wait(1)
        }
        live.does(.closed(socket, Closure(.server, 1001)))
        openings += 1
      } else {
        live.wait(1)
      }
    }
    #expect(openings == 11, "the first, and ten attempts")
    #expect(live.now >= .zero + .seconds(181), "1 + 2 + 4 + 8 + 16 + 5 * 30")
  }

  @Test("a generator of random bits gives the same effects as its words")
  func generator() {
    var (one, other) = (LiveConnection(), LiveConnection())
    var (random, same) = (SplitMix64(seed: 5), SplitMix64(seed: 5))
    var effects = LiveEffects()
    other.handle(.start, at: .zero, word: same.next(), into: &effects)
    #expect(one.handle(.start, at: .zero, using: &random) == Array(effects))
    #expect(one.status == other.status)
  }
}

@Suite("Closing")
struct ClosingTests {
  @Scripts static var scripts: [Script] {
    Script(
      "during the closing handshake nothing is delivered, and hints do nothing", .connected(), .on(.stop),
      .on(.received(1, .message(nil, bytes: 3)), ""), .on(.received(1, .ping(3)), ""),
      .on(.received(1, .malformed(1002)), ""), .on(.woke, ""), .on(.networkChanged, ""), .on(.retry, ""),
      .on(.start, ""), .on(.stop, ""))
    Script(
      "stop sends a close frame and ends with its answer",
      .connected(), .on(.stop, "close 1 with 1000, timer 5"), .shows { $0.phase == .closed },
      .on(.closed(1, Closure(.client, 1000)), "no timer"), .shows { $0.reason == .stopped })
    Script(
      "a server that does not answer the close frame is dropped after the closing timeout",
      .connected(), .on(.stop), .wait(5, "abort 1"), .shows { $0.timer == nil })
    Script(
      "stop while connecting drops the socket without a close frame",
      .connecting(), .on(.stop, "abort 1, no timer"), .on(.opened(1), ""),
      .shows { $0.phase == .closed })
    Script(
      "a connection that is closed for good keeps its first reason", .connecting(),
      .on(.refused(1, Refusal(status: 404))), .on(.stop, ""), .on(.closed(1, Closure(.server, 1002)), ""),
      .on(.start, ""),
      .shows { $0.reason == .refused(404) })
  }

  @Test("after 1012 or 1013 clients come back later, and spread")
  func later() {
    for code: UInt16 in [1012, 1013] {
      for (word, due) in [(0, "6"), (1 << 62, "11.25"), (1 << 63, "17.5"), (3 << 62, "23.75")] as [(UInt64, String)] {
        var live = ScriptedConnection.connected()
        live.word = word
        #expect(live.does(.closed(1, Closure(.server, CloseCode(code)))) == "timer \(due)")
        #expect(live.usedWord && live.status.attempt == 1)
      }
    }
  }

  @Test("after 1012 a backoff longer than the spread replaces it")
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
}
