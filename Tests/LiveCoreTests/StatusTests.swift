// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The status")
struct StatusTests {
  @Test("every phase has the attempt, the problem and the number of waiting messages")
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
}
