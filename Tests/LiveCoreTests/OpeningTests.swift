// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Opening a connection")
struct OpeningTests {
  @Scripts static var scripts: [Script] {
    Script(
      "an open socket that reports an error has ended, and its close counts no further attempt", .connected(),
      .on(.failed(1, .reset), "timer 1"), .on(.closed(1, Closure(.network, 1006)), ""),
      .shows { $0.phase == .waiting && $0.status.attempt == 1 })
    Script(
      "an error during the closing handshake ends it", .connected(), .on(.stop), .on(.failed(1, .reset), "no timer"))
    Script(
      "start opens a socket at once, and its deadline is the connect timeout", ScriptedConnection(),
      .shows { $0.phase == .disconnected }, .on(.start, "open 1, timer 10"),
      .shows { $0.phase == .connecting && $0.status.attempt == 0 && $0.status.lastProblem == nil })
    Script("a second start changes nothing", .connecting(), .on(.start, ""))
    Script(
      "an attempt that takes longer than the connect timeout is dropped, and the next one waits",
      .connecting(), .wait(10, "abort 1, timer 11"),
      .shows { $0.phase == .waiting && $0.status.lastProblem == .connectTimeout && $0.status.attempt == 1 },
      .wait(1, "open 2, timer 21"))
    Script(
      "a socket that closes before it was open is a failed attempt", .connecting(),
      .on(.closed(1, Closure(.network, 1006)), "timer 1"), .wait(1, "open 2, timer 11"))
    Script(
      "an opened socket is connected and current where there is no stream to resume", .connecting(),
      .wait(2), .on(.opened(1), "timer 12"),
      .shows { $0.phase == .connected && $0.status.isCurrent && $0.status.health == .good })
    Script(
      "a client that starts without a network waits for one, and its first attempt is not counted",
      ScriptedConnection(), .on(.network(isReachable: false)), .on(.start, ""),
      .shows { $0.phase == .waiting && $0.status.nextTry == nil }, .on(.network(isReachable: true), "timer 0.5"),
      .wait(1, "open 1, timer 10.5"), .shows { $0.status.attempt == 0 })
  }

  @Test("each reason not to open is reported and leads to another attempt", arguments: ConnectFailure.allCases)
  func failure(reason: ConnectFailure) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.failed(1, reason)) == "timer 1")
    #expect(live.status.lastProblem == .failed(reason) && live.status.nextTry == .zero + .seconds(1))
  }

  @Test("a timer that fires too soon is set again, and nothing else happens")
  func tooSoon() throws {
    var live = ScriptedConnection.waiting()
    let tag = try #require(live.timer).tag
    live.freeze(0.25)
    #expect(live.fireNow(tag) == "timer 1")
    #expect(live.wait(1) == "open 2, timer 11")
  }
}

@Suite("A refused handshake")
struct ConnectionRefusalTests {
  /// Opened with fresh credentials.
  private static func refreshed() -> ScriptedConnection {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    live.does(.credentials(2, isFresh: true))
    live.does(.opened(2))
    return live
  }

  @Test("a server in trouble is tried again after the usual wait", arguments: [500, 502, 503] as [UInt16])
  func trouble(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status))) == "timer 1")
    #expect(live.status.lastProblem == .refused(status: status))
  }

  @Test("429 and 503 wait for as long as Retry-After says", arguments: [429, 503] as [UInt16])
  func retryAfter(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status, retryAfter: .seconds(60)))) == "timer 61")
    #expect(live.wait(61) == "open 2, timer 71")
    live.does(.opened(2))
    live.does(.closed(2, Closure(.network, 1006)))
    #expect(live.status.nextTry == .zero + .seconds(63), "its wish was for once")
  }

  /// A server that names the moment in a minute.
  private static let dated = Refusal(status: 503, retryAfter: .seconds(60), namesMoment: true)

  @Test(
    "a date in Retry-After is spread by up to 30 s, since all clients got the same; a past date is no wait")
  func date() {
    for (word, due) in [(0, 61.0), (1 << 63, 76), (.max, 91)] as [(UInt64, Double)] {
      var live = ScriptedConnection.connecting()
      live.word = word
      live.does(.refused(1, Self.dated))
      let next = live.status.nextTry.map { ($0 - .zero).seconds } ?? 0
      #expect(abs(next - due) < 1e-6, "\(next)")
    }
    var past = ScriptedConnection.connecting()
    #expect(past.does(.refused(1, Refusal(status: 503, retryAfter: .zero, namesMoment: true))) == "timer 1")
    var plain = ScriptedConnection.connecting { $0.refusalRules.dateSpread = .zero }
    #expect(plain.does(.refused(1, Self.dated)) == "timer 61")
  }

  @Scripts static var scripts: [Script] {
    Script(
      "a connection that was not proven allows no second refresh of credentials", Self.refreshed(),
      .on(.closed(2, Closure(.server, 1001))), .wait(1), .on(.refused(3, Refusal(status: 401))),
      .shows { $0.reason == .unauthorised })
    Script(
      "a connection that was proven allows another refresh of credentials", Self.refreshed(), .wait(10),
      .on(.closed(2, Closure(.server, 1001))), .wait(1), .on(.refused(3, Refusal(status: 401)), "credentials 4"))
    Script(
      "an attempt ignores credentials that it did not ask for", .connecting(), .on(.credentials(1, isFresh: true), ""),
      .on(.credentials(1, isFresh: false), ""), .shows { $0.phase == .connecting && $0.status.lastProblem == nil })
    Script(
      "only a person may retry before a date in Retry-After",
      .connecting { $0.hintSpread = .zero }, .on(.refused(1, Self.dated)),
      .on(.network(isReachable: false)), .on(.network(isReachable: true)),
      .shows { $0.status.nextTry == .zero + .seconds(75) }, .on(.retry, "timer 0.1"))
    Script(
      "the slow cadence begins at the end of Retry-After",
      .connecting { $0.backoff.maximumAttempts = 0 },
      .on(.refused(1, Refusal(status: 503, retryAfter: .seconds(900)))),
      .shows { $0.phase == .suspended && $0.status.nextTry == .zero + .seconds(1_050) })
    Script(
      "401 fetches fresh credentials and tries again at once, as the same attempt",
      .connecting(), .on(.refused(1, Refusal(status: 401)), "credentials 2"),
      .shows { $0.phase == .connecting && $0.status.attempt == 0 },
      .shows { $0.status.lastProblem == .refused(status: 401) }, .asleep(2),
      .on(.credentials(2, isFresh: true), "open 2, timer 12"), .on(.opened(2)), .shows { $0.phase == .connected })
    Script(
      "a refusal of fresh credentials is final", .connecting(),
      .on(.refused(1, Refusal(status: 401))), .on(.credentials(2, isFresh: true)),
      .on(.refused(2, Refusal(status: 401)), "no timer"), .shows { $0.reason == .unauthorised })
    Script(
      "without fresh credentials the client stays closed", .connecting(),
      .on(.refused(1, Refusal(status: 401))), .on(.credentials(2, isFresh: false), "no timer"),
      .shows { $0.reason == .unauthorised && $0.status.lastProblem == .credentials })
    Script(
      "credentials that do not arrive fail the attempt, and the next one fetches them again",
      .connecting(), .on(.refused(1, Refusal(status: 401))), .wait(10, "timer 11"),
      .shows { $0.status.lastProblem == .credentials }, .on(.credentials(2, isFresh: true), ""),
      .wait(1, "credentials 3, timer 21"), .on(.opened(3), ""))
    Script(
      "stop while credentials are fetched closes for good", .connecting(),
      .on(.refused(1, Refusal(status: 401))), .on(.stop, "no timer"), .on(.credentials(2, isFresh: true), ""))
    Script(
      "a close code for credentials leads to a wait and fresh ones",
      .connected(), .on(.closed(1, Closure(.server, 3000)), "timer 1"),
      .wait(1, "credentials 2, timer 11"), .on(.credentials(2, isFresh: true), "open 2"), .on(.opened(2)),
      .on(.closed(2, Closure(.server, 3000))), .shows { $0.reason == .unauthorised })
    Script(
      "a redirect is followed at once, as the same attempt, and the next attempt goes to the first address again",
      .connecting(), .on(.refused(1, Refusal(status: 307, redirect: .secure)), "open 2 redirected"),
      .shows { $0.status.attempt == 0 }, .on(.failed(2, .connectionRefused)), .wait(1, "open 3, timer 11"))
    Script(
      "after a redirect to a secure address none to a plain one is followed", .connecting { $0.isSecure = false },
      .on(.refused(1, Refusal(status: 301, redirect: .plain)), "open 2 redirected"),
      .on(.refused(2, Refusal(status: 301, redirect: .secure)), "open 3 redirected"),
      .on(.refused(3, Refusal(status: 301, redirect: .plain))), .shows { $0.reason == .badRedirect })
  }

  @Test("the sixth redirect in a row is refused", arguments: [true, false])
  func tooMany(isSecure: Bool) {
    var live = ScriptedConnection.connecting { $0.isSecure = isSecure }
    let moved = Refusal(status: 302, redirect: isSecure ? .secure : .plain)
    for generation in 1...5 as ClosedRange<UInt32> {
      #expect(live.does(.refused(Generation(generation), moved)) == "open \(generation + 1) redirected")
    }
    live.does(.refused(6, moved))
    #expect(live.reason == .badRedirect)
  }
}

@Suite("Answers at unexpected times")
struct AnswerTests {
  @Test("an open connection ignores refusals, openings and credentials")
  func whileOpen() {
    for event in [
      .refused(1, Refusal(status: 404)), .refused(1, Refusal(status: 301, redirect: .secure)), .opened(1),
      .credentials(1, isFresh: false), .credentials(1, isFresh: true),
    ] as [LiveEvent] {
      var live = ScriptedConnection.connected()
      let state = live.connection.state
      #expect(live.does(event) == "" && live.connection.state == state, "\(event)")
    }
  }

  @Test(
    "the final state reports what led to it",
    arguments: [(3000, .unauthorised), (1003, .closed(1003))] as [(UInt16, Ended.Reason)])
  func endTells(code: UInt16, expected: Ended.Reason) {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    live.does(.credentials(2, isFresh: true))
    live.does(.opened(2))
    live.does(.closed(2, Closure(.server, CloseCode(code))))
    #expect(live.reason == expected && live.status.lastProblem == .closed(Closure(.server, CloseCode(code))))
  }

  @Test(
    "a 3xx without a target is a bad redirect, a 4xx a refusal",
    arguments: [300, 301, 304, 305, 308, 399, 400, 403, 404, 499] as [UInt16])
  func reasons(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status))) == "no timer")
    #expect(live.reason == (status < 400 ? .badRedirect : .refused(status)))
    #expect(live.status.lastProblem == .refused(status: status))
  }

  @Test("each attempt counts its own redirects and their security")
  func redirectsPerAttempt() {
    var live = ScriptedConnection.connecting { $0.isSecure = false }
    for _ in 0..<3 {
      for redirect in [.plain, .plain, .plain, .plain, .secure] as [Redirect] {
        let effects = live.does(.refused(Generation(live.socket ?? 0), Refusal(status: 307, redirect: redirect)))
        #expect(effects.contains("redirected"))
      }
      live.does(.failed(Generation(live.socket ?? 0), .timedOut))
      live.wait(10)
      #expect(live.phase == .connecting)
    }
  }

  @Test(
    "a malformed frame is answered by its close code, and the client waits before it returns",
    arguments: [1002, 1007, 1009] as [UInt16])
  func malformed(code: UInt16) {
    var live = ScriptedConnection.connected()
    live.does(.send(1, bytes: 1))
    #expect(live.does(.received(1, .malformed(CloseCode(code)))) == "close 1 with \(code), abort 1, timer 17.5")
    #expect(live.status.lastProblem == .malformed(CloseCode(code)) && live.status.attempt == 1)
    live.wait(17.5)
    #expect(live.does(.opened(2)).hasPrefix("send 1"), "and what was on its way is sent again")
  }
}
