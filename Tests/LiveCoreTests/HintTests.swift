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
    var live = ScriptedConnection.connecting()
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
}

@Suite("How attempts are counted when hints come")
struct CountingTests {
  @Test("hints in a row count one attempt, in suspension too")
  func hintsInARow() {
    var live = ScriptedConnection.suspended()
    for hint in [.woke, .networkChanged, .woke, .app(isInFront: false), .app(isInFront: true)] as [LiveEvent] {
      live.does(hint)
      #expect(live.phase == .waiting && live.status.attempt == 1, "\(hint)")
    }
  }

  @Test("a hint after the last attempt opened, and before it proved itself, begins a new round")
  func lastAttemptOpened() {
    var live = ScriptedConnection.waiting { $0.backoff.maximumAttempts = 2 }
    live.wait(1)
    live.does(.failed(2, .reset))
    live.wait(2)
    live.does(.opened(3))
    #expect(live.status.attempt == 2)
    live.does(.networkChanged)
    #expect(live.phase == .waiting && live.status.attempt == 1)
    live.wait(1)
    live.does(.failed(4, .reset))
    #expect(live.phase == .waiting && live.status.attempt == 2, "and has the second attempt too")
  }

  @Test("out of suspension the whole round begins anew, even where the app allows more attempts meanwhile")
  func moreAttemptsMeanwhile() {
    var live = ScriptedConnection.suspended { $0.backoff.maximumAttempts = 3 }
    live.change { $0.backoff.maximumAttempts = 10 }
    live.does(.woke)
    #expect(live.status.attempt == 1)
  }

  @Test("an attempt that is waited for since the connection broke in the background is counted when it can be made")
  func brokeInBackground() {
    var live = ScriptedConnection.connected { $0.background = .makeNoAttempts }
    live.does(.app(isInFront: false))
    live.does(.closed(1, Closure(.network, 1006)))
    #expect(live.status.attempt == 0)
    #expect(live.does(.woke) == "", "the app is not in front")
    #expect(live.does(.networkChanged) == "")
    #expect(live.status.attempt == 0 && live.status.nextTry == nil)
    live.does(.app(isInFront: true))
    #expect(live.status.attempt == 1)
  }

  @Test("a waiting attempt is held while the app is out of sight, where the policy says so, and comes with the app")
  func heldInBackground() {
    for policy in [.makeNoAttempts, .disconnect(after: .seconds(20))] as [BackgroundPolicy] {
      var live = ScriptedConnection.waiting { $0.background = policy }
      #expect(live.does(.app(isInFront: false)) == "no timer")
      #expect(live.wait(100) == "" && live.status.nextTry == nil)
      #expect(live.does(.app(isInFront: true)) == "timer 100.5")
      var suspended = ScriptedConnection.suspended { $0.background = policy }
      #expect(suspended.does(.app(isInFront: false)) == "no timer")
      #expect(suspended.phase == .suspended && suspended.status.nextTry == nil)
    }
  }

  @Test("an attempt under way when the app leaves goes on, until the time in the background is over")
  func attemptInBackground() {
    var live = ScriptedConnection.waiting { $0.background = .disconnect(after: .seconds(4)) }
    live.wait(1)
    #expect(live.does(.app(isInFront: false)) == "timer 5")
    #expect(live.wait(4) == "abort 2")
    #expect(live.phase == .waiting && live.status.attempt == 1)
    live.does(.app(isInFront: true))
    live.wait(1)
    #expect(live.phase == .connecting && live.status.attempt == 1, "the same attempt once more")
  }

  @Test("a connection that was closed for the background comes back as an attempt that counts")
  func backFromBackground() {
    var live = ScriptedConnection.connected { $0.background = .disconnect(after: .seconds(4)) }
    live.does(.send(1, bytes: 1))
    live.does(.app(isInFront: false))
    #expect(live.wait(4).hasSuffix("abort 1, timer 120"), "the message's age is all that is left to wait for")
    live.does(.app(isInFront: true))
    #expect(live.status.attempt == 1)
    live.wait(1)
    #expect(live.does(.opened(2)).hasPrefix("send 1"), "what was on its way when it was closed")
  }

  @Test("an app that came back in time asks whether the connection lives, and is not closed when the time is over")
  func backInTime() {
    var live = ScriptedConnection.connected { $0.background = .disconnect(after: .seconds(4)) }
    live.does(.app(isInFront: false))
    live.wait(3)
    #expect(live.does(.app(isInFront: true)).hasPrefix("ping 1"))
    #expect(live.phase == .connected)
    live.does(.received(1, .pong(1)))
    live.wait(20)
    #expect(live.phase == .connected)
    live.does(.app(isInFront: false))
    #expect(live.wait(4).contains("abort 1"), "the next absence has the whole time again")
  }
}

@Suite("Hints while something is open")
struct OpenHintTests {
  @Test("a person who asks has an open link asked whether it lives, once")
  func retryAsks() {
    var live = ScriptedConnection.connected()
    #expect(live.does(.retry) == "ping 1, timer 5")
    #expect(live.does(.retry) == "")
    #expect(live.status.health == .good, "no doubt before half of the time is over")
  }

  @Test("what was on its way on the old network goes out first on the new one")
  func networkChangedSendsAgain() {
    var live = ScriptedConnection.connected()
    live.does(.send(1, bytes: 1))
    live.does(.networkChanged)
    live.does(.send(2, bytes: 1))
    live.wait(1)
    #expect(live.does(.opened(2)).hasPrefix("send 1, send 2"))
  }

  @Test("a link that answered while there was said to be no network is asked again with the network, without doubt")
  func answeredOffline() {
    var live = ScriptedConnection.connected()
    live.does(.network(isReachable: false))
    live.does(.received(1, .pong(1)))
    #expect(live.status.health == .good)
    #expect(live.does(.network(isReachable: true)) == "ping 2, timer 5")
    #expect(live.status.health == .good)
  }

  @Test("without a heartbeat nothing could end a doubt, so none is raised")
  func noHeartbeat() {
    var live = ScriptedConnection.connected { $0.heartbeat.interval = nil }
    for hint in [.network(isReachable: false), .woke, .network(isReachable: true), .retry] as [LiveEvent] {
      live.does(hint)
      #expect(live.status.health == .good, "\(hint)")
    }
  }

  @Test("the loss of the network is told as the problem of the attempt it cuts short, and of the one that waits")
  func offlineIsTold() {
    var connecting = ScriptedConnection.connecting()
    connecting.does(.network(isReachable: false))
    var waiting = ScriptedConnection.waiting()
    waiting.does(.network(isReachable: false))
    var suspended = ScriptedConnection.suspended()
    suspended.does(.network(isReachable: false))
    for live in [connecting, waiting, suspended] {
      #expect(live.status.lastProblem == .offline && live.status.nextTry == nil)
    }
  }

  @Test("waking up at the very end of an attempt's time makes the same attempt again")
  func wokeAtTheEnd() {
    var live = ScriptedConnection.connecting()
    live.freeze(10)
    #expect(live.does(.woke) == "abort 1, timer 10.5")
    #expect(live.status.attempt == 0)
  }

  @Test("an attempt that waits for credentials has no socket to drop, however it is cut short")
  func awaitingCredentials() {
    for hint in [.network(isReachable: false), .networkChanged, .stop] as [LiveEvent] {
      var live = ScriptedConnection.connecting()
      live.does(.refused(1, Refusal(status: 401)))
      #expect(!live.does(hint).contains("abort"), "\(hint)")
      #expect(live.phase != .connecting)
    }
  }

  @Test("a hint that has nothing to spread leaves the random bits for the next event")
  func bitsLeft() {
    var live = ScriptedConnection.waiting { $0.hintSpread = .zero }
    live.does(.network(isReachable: false))
    live.does(.network(isReachable: true))
    #expect(!live.usedWord)
    live.change { $0.hintSpread = .seconds(1) }
    live.does(.network(isReachable: false))
    live.does(.network(isReachable: true))
    #expect(live.usedWord)
  }
}

@Suite("The server's wish to be left alone")
struct WishTests {
  private func wished(_ seconds: Int64) -> ScriptedConnection {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 503, retryAfter: .seconds(seconds))))
    return live
  }

  @Test("it outlives an attempt that a person made meanwhile and that failed")
  func outlives() {
    var live = wished(120)
    live.freeze(10)
    live.does(.retry)
    live.does(.failed(2, .connectionRefused))
    #expect(live.status.nextTry == .zero + .seconds(122), "two seconds' usual wait on top of the wish")
  }

  @Test("a shorter wish does not take back a longer one, and a longer one replaces a shorter")
  func longest() {
    for (second, due) in [(30, 122), (300, 312)] as [(Int64, Int64)] {
      var live = wished(120)
      live.freeze(10)
      live.does(.retry)
      live.does(.refused(2, Refusal(status: 503, retryAfter: .seconds(second))))
      #expect(live.status.nextTry == .zero + .seconds(due))
    }
  }

  @Test("a server that takes the client in before the wish is over has no wish any more")
  func takenBack() {
    var live = wished(120)
    live.freeze(10)
    live.does(.retry)
    live.does(.opened(2))
    live.does(.closed(2, Closure(.network, 1006)))
    #expect(live.status.nextTry == live.now + .seconds(2))
  }

  @Test("a wish that is over when the network comes back holds nothing up")
  func over() {
    var live = wished(20)
    live.does(.network(isReachable: false))
    live.freeze(60)
    #expect(live.does(.network(isReachable: true)) == "timer 60.5")
  }
}
