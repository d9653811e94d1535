// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

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

  @Test("an app that came back in time is not closed when the time is over")
  func backInTime() {
    var live = ScriptedConnection.connected { $0.background = .disconnect(after: .seconds(4)) }
    live.does(.app(isInFront: false))
    live.wait(3)
    live.does(.app(isInFront: true))
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
    var connecting = ScriptedConnection()
    connecting.does(.start)
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
    var live = ScriptedConnection()
    live.does(.start)
    live.freeze(10)
    #expect(live.does(.woke) == "abort 1, timer 10.5")
    #expect(live.status.attempt == 0)
  }

  @Test("an attempt that waits for credentials has no socket to drop, however it is cut short")
  func awaitingCredentials() {
    for hint in [.network(isReachable: false), .networkChanged, .stop] as [LiveEvent] {
      var live = ScriptedConnection()
      live.does(.start)
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
    var live = ScriptedConnection()
    live.does(.start)
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
