// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("Faults of attempts and of servers")
struct AttemptFaultTests {
  static let failures: [(Fault, ConnectFailure)] = [
    (.nameNotFound(after: .milliseconds(50)), .nameNotFound), (.captivePortal, .notWebSocket),
    (.insecure, .insecure), (.refused, .connectionRefused),
    (.restart(.killed, keepsHistory: true), .connectionRefused),
  ]

  @Test("an attempt fails as the fault says, and succeeds when it is over", arguments: failures)
  func fails(fault: Fault, failure: ConnectFailure) throws {
    let played = try play([(fault, 99, 10), (.reset, 100, 0)], world: silence)
    #expect(
      played.record.events.contains { if case .failed(_, let how) = $0.event { how == failure } else { false } })
    let outage = try #require(played.outages.first)
    #expect(outage.possible == .zero + .seconds(109))
    #expect(outage.ended > outage.possible)
    #expect(outage.ended != .never)
  }

  @Test("an error is followed by a close, as sockets do")
  func errorAndClose() throws {
    let played = try play([(.refused, 99, 10), (.reset, 100, 0)], world: silence)
    let events = played.record.events.map(\.event)
    let failed = try #require(
      events.firstIndex { if case .failed = $0 { true } else { false } })
    guard case .failed(let generation, _) = events[failed] else { return }
    #expect(events[failed...].contains(.closed(generation, Closure(.network, CloseCode(1006)))))
  }

  static let refusals: [(Fault, UInt16)] = [
    (.refusal(status: 502, retryAfter: nil), 502), (.shedding(.all, retryAfter: .seconds(3)), 503),
    (.redirect(.secure), 307), (.expiredCredentials(isRefreshable: true), 401),
  ]

  @Test("a handshake is refused as the fault says", arguments: refusals)
  func refused(fault: Fault, status: UInt16) throws {
    let played = try play([(fault, 99, 10), (.reset, 100, 0)], world: silence)
    #expect(
      played.record.events.contains { if case .refused(_, let why) = $0.event { why.status == status } else { false } })
  }

  @Test("credentials that are no longer good are refreshed, and then the handshake succeeds")
  func credentials() throws {
    let played = try play([(.expiredCredentials(isRefreshable: true), 99, 300), (.reset, 100, 0)], world: silence)
    let fresh = try #require(
      played.record.first { if case .credentials(_, isFresh: true) = $0 { true } else { false } })
    #expect(fresh < 110)
    #expect(try #require(played.outages.first).ended < .zero + .seconds(120))
  }

  @Test("connections that are accepted and closed at once never serve, and each is counted as opened")
  func acceptThenClose() throws {
    let fault = Fault.acceptThenClose(CloseCode(1011), after: .milliseconds(10))
    let played = try play([(fault, 99, 60), (.reset, 100, 0)], world: silence)
    let outage = try #require(played.outages.first)
    #expect(outage.ended >= .zero + .seconds(159))
    #expect(played.result.opened > 3)
  }

  @Test("an attempt into a black hole is told nothing until it is given up, and the kernel gives up last")
  func silentAttempt() throws {
    var settings = ConnectionSettings()
    settings.connectTimeout = .seconds(1_000)
    settings.suspendedCadence = SlowCadence(every: .seconds(1), spread: 0)
    let played = try play(
      [(.blackHole, 99, 300), (.reset, 100, 0)], settings: settings, world: silence)
    let failed = try #require(
      played.record.first { if case .failed(_, .timedOut) = $0 { true } else { false } })
    #expect(failed > 227 && failed < 235)
  }

  @Test(
    "a server that restarts says so, or resets, or says nothing",
    arguments: [Fault.Departure.graceful, .killed, .vanished])
  func restarts(how: Fault.Departure) throws {
    let played = try play([(.restart(how, keepsHistory: true), 100, 10)], world: silence)
    let told = played.record.events.first { if case .closed = $0.event { true } else { false } }?.event
    let outage = try #require(played.outages.first)
    switch (how, told) {
    case (.graceful, .closed(_, let closure)): #expect(closure == Closure(.server, CloseCode(1012)))
    case (.killed, .closed(_, let closure)): #expect(closure == Closure(.network, CloseCode(1006)))
    case (.vanished, _): #expect(outage.noticed - outage.began > .seconds(1))
    default: Issue.record("The end of the connection is told.")
    }
    #expect(played.record.changes.contains(.serverStopped))
    #expect(played.record.changes.contains(.serverStarted))
    #expect(outage.possible == .zero + .seconds(110))
    #expect(outage.ended != .never)
  }
}
