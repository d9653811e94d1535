// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("What the interface shows")
struct StatusTests {
  @Test("in every phase the attempt, the problem and the messages that wait are shown")
  func everyPhase() {
    let problem = Problem.closed(Closure(.network, 1006))
    var live = ScriptedConnection { $0.backoff.maximumAttempts = 2 }
    live.does(.send(1, bytes: 1))
    #expect(live.status == LiveStatus(.disconnected, queued: 1))
    live.does(.start)
    #expect(live.status == LiveStatus(.connecting, queued: 1))
    live.does(.opened(1))
    #expect(live.status == LiveStatus(.connected, health: .good, isCurrent: true, queued: 1), "until acknowledged")
    live.does(.closed(1, Closure(.network, 1006)))
    #expect(
      live.status
        == LiveStatus(.waiting, attempt: 1, nextTry: .zero + .seconds(1), lastProblem: problem, queued: 1))
    live.wait(1)
    #expect(live.status == LiveStatus(.connecting, attempt: 1, lastProblem: problem, queued: 1))
    live.does(.opened(2))
    #expect(
      live.status
        == LiveStatus(.connected, attempt: 1, lastProblem: problem, health: .good, isCurrent: true, queued: 1))
    live.does(.closed(2, Closure(.network, 1006)))
    live.wait(2)
    live.does(.closed(3, Closure(.network, 1006)))
    #expect(
      live.status
        == LiveStatus(
          .suspended, attempt: 2, nextTry: live.now + .seconds(300), lastProblem: problem, queued: 1))
    live.does(.stop)
    #expect(live.status == LiveStatus(.closed, attempt: 2, lastProblem: problem))
  }

  @Test("each thing that is shown says so when it changes, and when it alone does")
  func changes() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    let events: [LiveEvent] = [
      .send(1, bytes: 1), .received(1, .resumed(after: StreamPosition(epoch: 1, offset: 0))),
      .network(isReachable: false), .received(1, .pong(1)), .received(1, .acknowledged(through: 1)),
    ]
    for event in events {
      let before = live.status
      live.does(event)
      #expect(live.status != before, "\(event)")
    }
  }
}

@Suite("What each state holds")
struct StateDataTests {
  private func settings(_ settings: inout ConnectionSettings) {
    (settings.connectTimeout, settings.closeTimeout) = (.seconds(12), .seconds(3))
    (settings.proof.minimumUptime, settings.heartbeat.pongTimeout) = (.seconds(20), .seconds(8))
    settings.heartbeat.interval = .seconds(40)
  }

  private func instant(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("an attempt knows its generation and when it is given up")
  func connecting() throws {
    var live = ScriptedConnection(settings)
    live.freeze(100)
    live.does(.start)
    guard case .connecting(let attempt) = live.connection.state else { throw Unexpected(live) }
    #expect(attempt.generation == 1 && !attempt.awaitsCredentials)
    #expect(attempt.deadline == instant(112))
  }

  @Test("fetching credentials is an attempt too, and when they are there the socket has the whole time again")
  func awaiting() throws {
    var live = ScriptedConnection(settings)
    live.does(.start)
    live.freeze(5)
    live.does(.refused(1, Refusal(status: 401)))
    guard case .connecting(let asking) = live.connection.state else { throw Unexpected(live) }
    #expect(asking.awaitsCredentials && asking.deadline == instant(17))
    live.freeze(6)
    live.does(.credentials(2, isFresh: true))
    guard case .connecting(let opening) = live.connection.state else { throw Unexpected(live) }
    #expect(!opening.awaitsCredentials && opening.generation == 2 && opening.deadline == instant(23))
  }

  @Test("an open connection knows its deadlines from the moment it opened")
  func connected() throws {
    var live = ScriptedConnection(settings)
    live.does(.start)
    live.freeze(2)
    live.does(.opened(1))
    let link = try link(live)
    #expect(link.generation == 1 && link.ping == 0 && link.pongDeadline == nil)
    #expect(link.nextPing == instant(42) && link.proofDeadline == instant(22) && link.resumeDeadline == .never)
    #expect(!link.isDoubtful && !link.isProven && link.isCurrent)
    live.wait(20)
    #expect(try self.link(live).isProven && self.link(live).proofDeadline == .never)
  }

  @Test("the server has as long to resume the stream as to open a socket, whatever the heartbeat's times")
  func resuming() throws {
    var live = ScriptedConnection {
      settings(&$0)
      $0.resumesStream = true
    }
    live.does(.start)
    live.freeze(2)
    live.does(.opened(1))
    #expect(try link(live).resumeDeadline == instant(14) && !link(live).isCurrent)
    live.does(.received(1, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
    #expect(try link(live).resumeDeadline == .never && link(live).isCurrent)
  }

  @Test("a ping has a number of its own, and the next is due an interval after it was sent, not after it was due")
  func pings() throws {
    var live = ScriptedConnection.connected()
    live.wait(29)
    live.freeze(1.5)
    live.wait(0)
    let link = try link(live)
    #expect(link.ping == 1 && link.nextPing == .zero + .milliseconds(60_500))
    #expect(link.pongDeadline == .zero + .milliseconds(40_500))
  }

  @Test("waiting knows whether the attempt is counted")
  func waiting() throws {
    let script: [(LiveEvent, Bool)] = [
      (.closed(1, Closure(.network, 1006)), true), (.failed(1, .reset), true), (.received(1, .malformed(1002)), true),
      (.closed(1, Closure(.server, 1012)), true), (.networkChanged, true),
    ]
    for (event, isCounted) in script {
      var live = ScriptedConnection.connected()
      live.freeze(4)
      live.does(event)
      guard case .waiting(let waiting) = live.connection.state else { throw Unexpected(live) }
      #expect(waiting.isCounted == isCounted, "\(event)")
    }
    var offline = ScriptedConnection.connected()
    offline.does(.network(isReachable: false))
    offline.freeze(4)
    offline.does(.networkChanged)
    guard case .waiting(let waiting) = offline.connection.state else { throw Unexpected(offline) }
    #expect(waiting.due == nil && !waiting.isCounted)
  }

  @Test("a second stop, and whatever comes later, leaves the first reason")
  func closedOnce() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 404)))
    let state = live.connection.state
    live.freeze(10)
    live.does(.stop)
    live.does(.closed(1, Closure(.server, 1002)))
    #expect(live.connection.state == state)
  }

  private struct Unexpected: Error {
    let state: ConnectionState

    init(_ live: ScriptedConnection) { state = live.connection.state }
  }

  private func link(_ live: ScriptedConnection) throws -> Connected {
    guard case .connected(let link) = live.connection.state else { throw Unexpected(live) }
    return link
  }
}

@Suite("The effects of one event")
struct LiveEffectsTests {
  private var connection: LiveConnection
  private var effects = LiveEffects()

  /// Connected, proven, and about to send its first ping at thirty seconds.
  init() {
    var settings = ConnectionSettings()
    settings.resumesStream = false
    connection = LiveConnection(settings)
    connection.handle(.start, at: .zero, word: 0, into: &effects)
    connection.handle(.opened(1), at: .zero, word: 0, into: &effects)
    ring(at: 10)
  }

  /// The timer that was set last fires.
  private mutating func ring(at seconds: Int64) {
    let tags = effects.compactMap { if case .setTimer(let tag, _) = $0 { tag } else { nil } }
    effects.removeAll()
    guard let tag = tags.last else { return }
    connection.handle(.timer(tag), at: .zero + .seconds(seconds), word: 0, into: &effects)
  }

  @Test("the timer of the heartbeat wants a ping and then the timer, and a pong the timer alone")
  mutating func round() throws {
    ring(at: 30)
    let tag = try #require(effects.compactMap { if case .setTimer(let tag, _) = $0 { tag } else { nil } }.last)
    #expect(Array(effects) == [.sendPing(1, 1), .setTimer(tag, at: .zero + .seconds(35))])
    effects.removeAll()
    #expect(effects.isEmpty)
    connection.handle(.received(1, .pong(1)), at: .zero + .seconds(31), word: 0, into: &effects)
    let next = LiveEffect.setTimer(TimerTag(tag.number + 1), at: .zero + .seconds(60))
    #expect(Array(effects) == [next])
    connection.handle(.received(1, .message(nil, bytes: 7)), at: .zero + .seconds(32), word: 0, into: &effects)
    #expect(Array(effects) == [next, .deliver(nil, bytes: 7)] && effects.last == .deliver(nil, bytes: 7))
  }
}
