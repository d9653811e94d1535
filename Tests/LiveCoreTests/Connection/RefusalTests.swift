// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("A refused handshake")
struct ConnectionRefusalTests {
  @Test("forbidden and not found are final", arguments: [403, 404] as [UInt16])
  func final(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status))) == "no timer")
    #expect(live.reason == .refused(status) && live.status.lastProblem == .refused(status: status))
  }

  @Test("a server in trouble is tried again after the usual wait", arguments: [500, 502, 503] as [UInt16])
  func trouble(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status))) == "timer 1")
    #expect(live.status.lastProblem == .refused(status: status))
  }

  @Test("too many requests and unavailable wait for as long as the server says", arguments: [429, 503] as [UInt16])
  func retryAfter(status: UInt16) {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: status, retryAfter: .seconds(60)))) == "timer 61")
    #expect(live.wait(61) == "open 2, timer 71")
    live.does(.opened(2))
    live.does(.closed(2, Closure(.network, 1006)))
    #expect(live.status.nextTry == .zero + .seconds(63), "its wish was for once")
  }

  /// A server that names the moment in a minute.
  private let dated = Refusal(status: 503, retryAfter: .seconds(60), namesMoment: true)

  @Test(
    "a date is one moment for all that were told it, so each adds a part of 30 s of its own; never less than nothing")
  func date() {
    for (word, due) in [(0, 61.0), (1 << 63, 76), (.max, 91)] as [(UInt64, Double)] {
      var live = ScriptedConnection.connecting()
      live.word = word
      live.does(.refused(1, dated))
      let next = live.status.nextTry.map { ($0 - .zero).seconds } ?? 0
      #expect(abs(next - due) < 1e-6, "\(next)")
    }
    var past = ScriptedConnection.connecting()
    #expect(past.does(.refused(1, Refusal(status: 503, retryAfter: .zero, namesMoment: true))) == "timer 1")
    var plain = ScriptedConnection.connecting { $0.refusalRules.dateSpread = .zero }
    #expect(plain.does(.refused(1, dated)) == "timer 61")
  }

  @Test("no hint brings a client back to the date that all were told, only a person does")
  func dateAndHint() {
    var live = ScriptedConnection.connecting { $0.hintSpread = .zero }
    live.does(.refused(1, dated))
    live.does(.network(isReachable: false))
    live.does(.network(isReachable: true))
    #expect(live.status.nextTry == .zero + .seconds(75))
    #expect(live.does(.retry) == "timer 0.1", "only the floor after the last attempt keeps her waiting")
  }

  @Test("the slow cadence does not go below the server's wish either, and is spread from there")
  func suspendedRetryAfter() {
    var live = ScriptedConnection.connecting { $0.backoff.maximumAttempts = 0 }
    live.does(.refused(1, Refusal(status: 503, retryAfter: .seconds(900))))
    #expect(live.phase == .suspended && live.status.nextTry == .zero + .seconds(1_050))
  }

  @Test("unauthorised fetches fresh credentials and tries again at once, as the same attempt")
  func refresh() {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: 401))) == "credentials 2")
    #expect(live.phase == .connecting && live.status.attempt == 0)
    live.freeze(2)
    #expect(live.does(.credentials(2, isFresh: true)) == "open 2, timer 12")
    live.does(.opened(2))
    #expect(live.phase == .connected)
  }

  @Test("a second refusal of fresh credentials is final: no loop")
  func refreshOnce() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    live.does(.credentials(2, isFresh: true))
    #expect(live.does(.refused(2, Refusal(status: 401))) == "no timer")
    #expect(live.reason == .unauthorised)
  }

  @Test("nor does it help to accept and refuse in turns; only a connection that proved itself allows another refresh")
  func refreshPerProof() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    live.does(.credentials(2, isFresh: true))
    live.does(.opened(2))
    var proven = live
    live.does(.closed(2, Closure(.server, 1001)))
    live.wait(1)
    live.does(.refused(3, Refusal(status: 401)))
    #expect(live.reason == .unauthorised)
    proven.wait(10)
    proven.does(.closed(2, Closure(.server, 1001)))
    proven.wait(1)
    #expect(proven.does(.refused(3, Refusal(status: 401))) == "credentials 4")
  }

  @Test("credentials that cannot be had are the end")
  func noCredentials() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    #expect(live.does(.credentials(2, isFresh: false)) == "no timer")
    #expect(live.reason == .unauthorised && live.status.lastProblem == .credentials)
  }

  @Test("credentials that do not come are a failed attempt, and the next one fetches them again")
  func lateCredentials() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    #expect(live.wait(10) == "timer 11")
    #expect(live.status.lastProblem == .credentials)
    #expect(live.does(.credentials(2, isFresh: true)) == "", "too late")
    #expect(live.wait(1) == "credentials 3, timer 21")
    #expect(live.does(.opened(3)) == "", "nothing is being opened yet")
  }

  @Test("stop while credentials are fetched closes, and their coming changes nothing")
  func stopMeanwhile() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    #expect(live.does(.stop) == "no timer")
    #expect(live.does(.credentials(2, isFresh: true)) == "")
  }

  @Test("a server that closes for the sake of credentials is met again after a wait, with fresh ones")
  func closedForCredentials() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.closed(1, Closure(.server, 3000))) == "timer 1")
    #expect(live.wait(1) == "credentials 2, timer 11")
    #expect(live.does(.credentials(2, isFresh: true)) == "open 2")
    live.does(.opened(2))
    live.does(.closed(2, Closure(.server, 3000)))
    #expect(live.reason == .unauthorised)
  }

  @Test("a redirect is followed at once, as the same attempt, and the next attempt goes to the first address again")
  func redirect() {
    var live = ScriptedConnection.connecting()
    #expect(live.does(.refused(1, Refusal(status: 307, redirect: .secure))) == "open 2 redirected")
    #expect(live.status.attempt == 0)
    live.does(.failed(2, .connectionRefused))
    #expect(live.wait(1) == "open 3, timer 11")
  }

  @Test("the sixth redirect in a row is one too many")
  func tooMany() {
    var live = ScriptedConnection.connecting()
    for generation in 1...5 as ClosedRange<UInt32> {
      live.does(.refused(Generation(generation), Refusal(status: 302, redirect: .secure)))
      #expect(live.phase == .connecting)
    }
    live.does(.refused(6, Refusal(status: 302, redirect: .secure)))
    #expect(live.reason == .badRedirect)
  }

  @Test("no redirect leads to a weaker scheme or nowhere", arguments: [Redirect.plain, .unusable])
  func weaker(target: Redirect) {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 301, redirect: target)))
    #expect(live.reason == .badRedirect)
  }

  @Test("what a redirect made secure stays secure")
  func staysSecure() {
    var live = ScriptedConnection.connecting { $0.isSecure = false }
    #expect(live.does(.refused(1, Refusal(status: 301, redirect: .plain))) == "open 2 redirected")
    #expect(live.does(.refused(2, Refusal(status: 301, redirect: .secure))) == "open 3 redirected")
    live.does(.refused(3, Refusal(status: 301, redirect: .plain)))
    #expect(live.reason == .badRedirect)
  }
}
