// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("What the interface shows")
struct StatusTests {
  @Test("each phase is shown while it lasts, with its next try and nothing of the one before")
  func phases() {
    var live = ScriptedConnection()
    var phases = [live.phase]
    live.does(.start)
    phases.append(live.phase)
    live.does(.opened(1))
    phases.append(live.phase)
    #expect(live.status.nextTry == nil)
    live.does(.closed(1, Closure(.server, 1001)))
    phases.append(live.phase)
    #expect(live.status.nextTry != nil && live.status.health == .none && !live.status.isCurrent)
    live.failUntilSuspended()
    phases.append(live.phase)
    live.does(.stop)
    phases.append(live.phase)
    #expect(live.status.nextTry == nil)
    #expect(phases == [.disconnected, .connecting, .connected, .waiting, .suspended, .closed])
  }

  @Test("the last problem stays until a connection has proved itself, not until one opens")
  func lastProblem() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    #expect(live.status.lastProblem == .closed(Closure(.network, 1006)))
    live.wait(10)
    #expect(live.status.lastProblem == nil)
  }

  @Test("an event that changes nothing that is shown does not say that it did")
  func quiet() {
    var connection = LiveConnection()
    var effects = LiveEffects()
    connection.handle(.start, at: .zero, word: 0, into: &effects)
    #expect(effects.contains(.statusChanged))
    connection.handle(.opened(1), at: .zero, word: 0, into: &effects)
    effects.removeAll()
    connection.handle(.received(1, .message(nil, bytes: 1)), at: .zero, word: 0, into: &effects)
    #expect(Array(effects) == [.deliver(nil, bytes: 1)])
  }

  @Test("connected is not yet current while the stream is not resumed")
  func current() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    #expect(live.phase == .connected && !live.status.isCurrent)
    live.does(.received(1, .resumed(after: StreamPosition(epoch: 1, offset: 4))))
    #expect(live.status.isCurrent)
    live.does(.closed(1, Closure(.network, 1006)))
    #expect(!live.status.isCurrent)
  }

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

  @Test("doubt begins when half of the time for the answer is over, and not with the ping")
  func doubt() {
    var live = ScriptedConnection.connected()
    live.wait(34.999)
    #expect(live.status.health == .good)
    live.wait(0.001)
    #expect(live.status.health == .doubtful)
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
