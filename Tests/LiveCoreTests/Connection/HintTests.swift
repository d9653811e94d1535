// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The network, the app and the person")
struct HintTests {
  /// Waits eight seconds for its fourth attempt.
  private func patient(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = ScriptedConnection.waiting(change)
    for generation in [2, 3, 4] as [Generation] {
      live.wait(8)
      live.does(.failed(generation, .connectionRefused))
    }
    return live
  }

  @Test("offline, no attempt is made and none is spent")
  func offline() {
    var live = patient()
    let attempt = live.status.attempt
    #expect(live.does(.network(isReachable: false)) == "no timer")
    #expect(live.wait(3_600) == "")
    #expect(live.status.attempt == attempt && live.status.lastProblem == .offline && live.status.nextTry == nil)
  }

  @Test("back online, the next attempt comes within the spread, and it is the one that was waited for")
  func online() {
    var live = patient()
    let attempt = live.status.attempt
    live.does(.network(isReachable: false))
    live.freeze(60)
    live.does(.network(isReachable: true))
    #expect(live.status.nextTry == live.now + .milliseconds(500) && live.status.attempt == attempt)
    live.word = .max
    live.does(.network(isReachable: false))
    live.does(.network(isReachable: true))
    #expect(live.status.nextTry.map { $0 < live.now + .seconds(1) } == true)
  }

  @Test("an attempt that the loss of the network cuts short is dropped and not spent")
  func cutShort() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    #expect(live.does(.network(isReachable: false)) == "abort 2, no timer")
    #expect(live.does(.network(isReachable: true)) == "timer 1.5")
    live.wait(1)
    #expect(live.phase == .connecting && live.status.attempt == 1)
  }

  @Test("a connection that breaks offline counts its next attempt when there is a network again, once")
  func breaksOffline() {
    var live = ScriptedConnection.connected()
    live.does(.network(isReachable: false))
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "no timer")
    #expect(live.status.attempt == 0)
    live.does(.network(isReachable: true))
    #expect(live.status.attempt == 1)
    live.does(.network(isReachable: false))
    live.does(.network(isReachable: true))
    #expect(live.status.attempt == 1)
  }

  @Test("an open link is asked when the network goes and when it is back, and kept if it answers")
  func shortLoss() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.network(isReachable: false)) == "ping 1")
    #expect(live.status.health == .doubtful)
    live.freeze(3)
    #expect(live.does(.network(isReachable: true)) == "", "it is being asked already")
    live.does(.received(1, .pong(1)))
    #expect(live.status.health == .good && live.phase == .connected)
  }

  @Test("a network that comes and goes does not put off the end of a dead link")
  func flapping() {
    var live = ScriptedConnection.connected()
    for second in 1...9 {
      live.does(.network(isReachable: second.isMultiple(of: 2)))
      live.wait(1)
    }
    #expect(live.wait(1) == "abort 1", "ten seconds after the first ping; offline, so no attempt is due")
  }

  @Test("the same word again is no hint")
  func repeated() {
    var live = patient()
    #expect(live.does(.network(isReachable: true)) == "")
    #expect(live.does(.app(isInFront: true)) == "")
  }

  @Test("another network drops what is open on the old one, and connects within the spread")
  func networkChanged() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.networkChanged) == "abort 1, timer 0.5")
    #expect(live.status.lastProblem == .networkChanged && live.status.attempt == 1)
    #expect(live.wait(0.5) == "open 2, timer 10.5")
    #expect(live.does(.networkChanged) == "abort 2, timer 1")
    #expect(live.wait(0.5) == "open 3, timer 11")
    #expect(live.status.attempt == 1, "the attempt that it cut short is made again")
  }

  @Test("the app in front and a waking device bring the next attempt forward", arguments: [true, false])
  func foreground(byApp: Bool) {
    var live = patient()
    live.does(.app(isInFront: false))
    #expect(live.does(byApp ? .app(isInFront: true) : .woke) == "timer 24.5")
  }

  @Test("a hint never puts an attempt off")
  func neverLater() {
    var live = ScriptedConnection.waiting { $0.hintSpread = .seconds(60) }
    #expect(live.does(.woke) == "")
    #expect(live.status.nextTry == .zero + .seconds(1))
  }

  @Test("a person who asks gets an attempt at once, but not sooner than the floor after the last")
  func retry() {
    var live = patient()
    #expect(live.does(.retry) == "open 5, timer 34")
    #expect(live.does(.retry) == "", "one is under way")
    live.does(.failed(5, .connectionRefused))
    #expect(live.does(.retry) == "timer 24.1")
    #expect(live.wait(0.1) == "open 6, timer 34.1")
  }

  @Test("out of suspension a hint begins a new round of attempts")
  func suspended() {
    var live = ScriptedConnection.suspended()
    live.does(.network(isReachable: false))
    #expect(live.phase == .suspended && live.status.nextTry == nil)
    live.does(.network(isReachable: true))
    #expect(live.phase == .waiting && live.status.attempt == 1)
    live.failUntilSuspended()
    #expect(live.status.attempt == 10)
    live.freeze(1)
    live.does(.retry)
    #expect(live.phase == .connecting && live.status.attempt == 1)
  }

  @Test("nobody but a person may try before the server wants it")
  func notBefore() {
    var live = ScriptedConnection()
    live.does(.start)
    live.does(.refused(1, Refusal(status: 503, retryAfter: .seconds(120))))
    #expect(live.status.nextTry == .zero + .seconds(121), "the usual wait comes on top")
    live.freeze(10)
    #expect(live.does(.woke) == "timer 120.5")
    live.does(.network(isReachable: false))
    #expect(live.does(.network(isReachable: true)) == "timer 120.5")
    #expect(live.does(.networkChanged) == "")
    #expect(live.does(.retry) == "open 2, timer 20")
  }

  @Test("waking up within an attempt whose time is over makes the same attempt again")
  func wokeConnecting() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.freeze(5)
    #expect(live.does(.woke) == "", "it still has time")
    live.freeze(3_600)
    #expect(live.does(.woke) == "abort 2, timer 3606.5")
    #expect(live.status.attempt == 1)
  }

  @Test("before the start and after the end no hint does anything")
  func idle() {
    let hints: [LiveEvent] = [
      .woke, .networkChanged, .network(isReachable: false), .network(isReachable: true), .retry,
      .app(isInFront: false), .app(isInFront: true),
    ]
    var fresh = ScriptedConnection()
    for hint in hints { #expect(fresh.does(hint) == "", "\(hint)") }
    #expect(fresh.phase == .disconnected)
    var stopped = ScriptedConnection.waiting()
    stopped.does(.stop)
    for hint in hints { #expect(stopped.does(hint) == "", "\(hint)") }
  }
}

@Suite("Out of sight")
struct BackgroundTests {
  @Test("where the policy is to stay connected, nothing is different")
  func stay() {
    var live = ScriptedConnection.waiting()
    #expect(live.does(.app(isInFront: false)) == "")
    #expect(live.wait(1) == "open 2, timer 11")
  }

  @Test("where no attempts are made, what is open stays open, and what breaks waits for the foreground")
  func noAttempts() {
    var live = ScriptedConnection.connected { $0.background = .makeNoAttempts }
    #expect(live.does(.app(isInFront: false)) == "")
    live.wait(30)
    #expect(live.does(.received(1, .pong(1))) == "timer 60")
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "no timer")
    #expect(live.phase == .waiting && live.status.nextTry == nil)
    #expect(live.does(.retry) == "")
    #expect(live.does(.app(isInFront: true)) == "timer 30.5")
  }

  @Test("where it is closed after a while, it is, and comes back with the app")
  func disconnect() {
    var live = ScriptedConnection.connected { $0.background = .disconnect(after: .seconds(25)) }
    #expect(live.does(.app(isInFront: false)) == "")
    #expect(live.wait(25) == "timer 25; abort 1")
    #expect(live.phase == .waiting && live.status.lastProblem == nil)
    #expect(live.does(.app(isInFront: true)) == "timer 25.5")
    #expect(live.wait(1) == "open 2, timer 35.5")
  }

  @Test("an app that is back in time keeps its connection, and asks whether it lives")
  func inTime() {
    var live = ScriptedConnection.connected { $0.background = .disconnect(after: .seconds(25)) }
    live.does(.app(isInFront: false))
    live.wait(20)
    #expect(live.does(.app(isInFront: true)) == "ping 1")
    #expect(live.phase == .connected)
  }
}
