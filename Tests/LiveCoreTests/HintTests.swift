// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The network, the app and the person")
struct HintTests {
  /// Waits eight seconds for its fourth attempt.
  private static func patient(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = ScriptedConnection.waiting(change)
    for generation in [2, 3, 4] as [Generation] {
      live.wait(8)
      live.does(.failed(generation, .connectionRefused))
    }
    return live
  }

  @Scripts static var scripts: [Script] {
    Script(
      "without a network no attempt is made and none is counted", Self.patient(),
      .on(.network(isReachable: false), "no timer"), .wait(3_600, ""),
      .shows { $0.status.attempt == 4 && $0.status.lastProblem == .offline && $0.status.nextTry == nil })
    Script(
      "when the network is back, the waiting attempt is made within the spread", Self.patient(),
      .on(.network(isReachable: false)), .asleep(60), .on(.network(isReachable: true)),
      .shows { $0.status.nextTry == $0.now + .milliseconds(500) && $0.status.attempt == 4 }, .word(.max),
      .on(.network(isReachable: false)), .on(.network(isReachable: true)),
      .shows { live in live.status.nextTry.map { $0 < live.now + .seconds(1) } == true })
    Script(
      "an attempt that the loss of the network ends is not counted", .waiting(),
      .wait(1), .on(.network(isReachable: false), "abort 2, no timer"), .on(.network(isReachable: true), "timer 1.5"),
      .wait(1), .shows { $0.phase == .connecting && $0.status.attempt == 1 })
    Script(
      "a connection that breaks offline counts its next attempt once, when the network is back",
      .connected(), .on(.network(isReachable: false)),
      .on(.closed(1, Closure(.network, 1006)), "no timer"), .shows { $0.status.attempt == 0 },
      .on(.network(isReachable: true)), .shows { $0.status.attempt == 1 }, .on(.network(isReachable: false)),
      .on(.network(isReachable: true)), .shows { $0.status.attempt == 1 })
    Script(
      "an open link is pinged when the network goes, and kept if it answers",
      .connected(), .on(.network(isReachable: false), "ping 1"),
      .shows { $0.status.health == .doubtful }, .asleep(3), .on(.network(isReachable: true), ""),
      .on(.received(1, .pong(1))), .shows { $0.status.health == .good && $0.phase == .connected })
    Script(
      "a repeated report is no hint", Self.patient(), .on(.network(isReachable: true), ""),
      .on(.app(isInFront: true), ""))
    Script(
      "a change of network drops the socket and connects within the spread",
      .connected(), .on(.networkChanged, "abort 1, timer 0.5"),
      .shows { $0.status.lastProblem == .networkChanged && $0.status.attempt == 1 }, .wait(0.5, "open 2, timer 10.5"),
      .on(.networkChanged, "abort 2, timer 1"), .wait(0.5, "open 3, timer 11"), .shows { $0.status.attempt == 1 })
    Script(
      "a hint never delays an attempt", .waiting { $0.hintSpread = .seconds(60) }, .on(.woke, ""),
      .shows { $0.status.nextTry == .zero + .seconds(1) })
    Script(
      "a retry by the person comes at once, but not sooner than the floor after the last attempt", Self.patient(),
      .on(.retry, "open 5, timer 34"), .on(.retry, ""), .on(.failed(5, .connectionRefused)), .on(.retry, "timer 24.1"),
      .wait(0.1, "open 6, timer 34.1"))
    Script(
      "a hint ends the suspension with a new round of attempts", .suspended(),
      .on(.network(isReachable: false)), .shows { $0.phase == .suspended && $0.status.nextTry == nil },
      .on(.network(isReachable: true)), .shows { $0.phase == .waiting && $0.status.attempt == 1 }, .fails,
      .shows { $0.status.attempt == 10 }, .asleep(1), .on(.retry),
      .shows { $0.phase == .connecting && $0.status.attempt == 1 })
    Script(
      "only a person may retry before the server's Retry-After is over", .connecting(),
      .on(.refused(1, Refusal(status: 503, retryAfter: .seconds(120)))),
      .shows { $0.status.nextTry == .zero + .seconds(121) }, .asleep(10), .on(.woke, "timer 120.5"),
      .on(.network(isReachable: false)), .on(.network(isReachable: true), "timer 120.5"), .on(.networkChanged, ""),
      .on(.retry, "open 2, timer 20"))
    Script(
      "an attempt whose time passed during a sleep is made again, uncounted", .waiting(),
      .wait(1), .asleep(5), .on(.woke, ""), .asleep(3_600), .on(.woke, "abort 2, timer 3606.5"),
      .shows { $0.status.attempt == 1 })
    Script(
      "in background a client that stays connected reconnects as usual", .waiting(),
      .on(.app(isInFront: false), ""), .wait(1, "open 2, timer 11"))
    Script(
      "in background a client that makes no attempts keeps its connection, and reconnects in front",
      .connected { $0.background = .makeNoAttempts }, .on(.app(isInFront: false), ""), .wait(30),
      .on(.received(1, .pong(1)), "timer 60"), .on(.closed(1, Closure(.network, 1006)), "no timer"),
      .shows { $0.phase == .waiting && $0.status.nextTry == nil }, .on(.retry, ""),
      .on(.app(isInFront: true), "timer 30.5"))
    Script(
      "in background a client may close after a while, and reconnects in front",
      .connected { $0.background = .disconnect(after: .seconds(25)) },
      .on(.app(isInFront: false), ""), .wait(25, "timer 25; abort 1"),
      .shows { $0.phase == .waiting && $0.status.lastProblem == nil }, .on(.app(isInFront: true), "timer 25.5"),
      .wait(1, "open 2, timer 35.5"))
  }

  @Test("a network that comes and goes does not delay the end of a dead link")
  func flapping() {
    var live = ScriptedConnection.connected()
    for second in 1...9 {
      live.does(.network(isReachable: second.isMultiple(of: 2)))
      live.wait(1)
    }
    #expect(live.wait(1) == "abort 1", "ten seconds after the first ping; offline, so no attempt is due")
  }

  @Test("the app in front or a waking device brings the next attempt forward", arguments: [true, false])
  func foreground(byApp: Bool) {
    var live = Self.patient()
    live.does(.app(isInFront: false))
    #expect(live.does(byApp ? .app(isInFront: true) : .woke) == "timer 24.5")
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

@Suite("How attempts are counted when hints come")
struct CountingTests {
  @Test("several hints in a row count one attempt, also when suspended")
  func hintsInARow() {
    var live = ScriptedConnection.suspended()
    for hint in [.woke, .networkChanged, .woke, .app(isInFront: false), .app(isInFront: true)] as [LiveEvent] {
      live.does(hint)
      #expect(live.phase == .waiting && live.status.attempt == 1, "\(hint)")
    }
  }

  @Scripts static var scripts: [Script] {
    Script(
      "a hint after the last attempt opened but before it was proven begins a new round",
      .waiting { $0.backoff.maximumAttempts = 2 }, .wait(1), .on(.failed(2, .reset)), .wait(2),
      .on(.opened(3)), .shows { $0.status.attempt == 2 }, .on(.networkChanged),
      .shows { $0.phase == .waiting && $0.status.attempt == 1 }, .wait(1), .on(.failed(4, .reset)),
      .shows { $0.phase == .waiting && $0.status.attempt == 2 })
    Script(
      "a hint out of suspension begins a whole round, even if the app has allowed more attempts meanwhile",
      .suspended { $0.backoff.maximumAttempts = 3 }, .change({ $0.backoff.maximumAttempts = 10 }),
      .on(.woke), .shows { $0.status.attempt == 1 })
    Script(
      "an attempt for a connection that broke in background is counted when it can be made",
      .connected { $0.background = .makeNoAttempts }, .on(.app(isInFront: false)),
      .on(.closed(1, Closure(.network, 1006))), .shows { $0.status.attempt == 0 }, .on(.woke, ""),
      .on(.networkChanged, ""), .shows { $0.status.attempt == 0 && $0.status.nextTry == nil },
      .on(.app(isInFront: true)), .shows { $0.status.attempt == 1 })
    Script(
      "an attempt under way when the app goes to background goes on until the time there is over",
      .waiting { $0.background = .disconnect(after: .seconds(4)) }, .wait(1),
      .on(.app(isInFront: false), "timer 5"), .wait(4, "abort 2"),
      .shows { $0.phase == .waiting && $0.status.attempt == 1 }, .on(.app(isInFront: true)), .wait(1),
      .shows { $0.phase == .connecting && $0.status.attempt == 1 })
    Script(
      "a connection that was closed in background returns by an attempt that counts",
      .connected { $0.background = .disconnect(after: .seconds(4)) }, .on(.send(1, bytes: 1)),
      .on(.app(isInFront: false)), .wait(4, "*abort 1, timer 120"), .on(.app(isInFront: true)),
      .shows { $0.status.attempt == 1 }, .wait(1), .on(.opened(2), "send 1*"))
    Script(
      "an app that is back in front in time pings the connection and keeps it",
      .connected { $0.background = .disconnect(after: .seconds(4)) }, .on(.app(isInFront: false)),
      .wait(3), .on(.app(isInFront: true), "ping 1*"), .shows { $0.phase == .connected }, .on(.received(1, .pong(1))),
      .wait(20), .shows { $0.phase == .connected }, .on(.app(isInFront: false)), .wait(4, "*abort 1*"))
  }

  @Test("an attempt waits while the app is in background if the policy says so")
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
}

@Suite("Hints while a socket is open")
struct OpenHintTests {
  @Scripts static var scripts: [Script] {
    Script(
      "the loss of the network is the problem of an attempt under way", .connecting(),
      .on(.network(isReachable: false)), .shows { $0.status.lastProblem == .offline && $0.status.nextTry == nil })
    Script(
      "the loss of the network is the problem of a suspended connection", .suspended(),
      .on(.network(isReachable: false)), .shows { $0.status.lastProblem == .offline && $0.status.nextTry == nil })
    Script(
      "a retry by the person pings an open link, once", .connected(),
      .on(.retry, "ping 1, timer 5"), .on(.retry, ""), .shows { $0.status.health == .good })
    Script(
      "a message on its way on the old network is sent first on the new one", .connected(),
      .on(.send(1, bytes: 1)), .on(.networkChanged), .on(.send(2, bytes: 1)), .wait(1),
      .on(.opened(2), "send 1, send 2*"))
    Script(
      "a link that answered while no network was reported is pinged again with the network",
      .connected(), .on(.network(isReachable: false)), .on(.received(1, .pong(1))),
      .shows { $0.status.health == .good }, .on(.network(isReachable: true), "ping 2, timer 5"),
      .shows { $0.status.health == .good })
    Script(
      "an attempt whose time ends as the device wakes is made again, uncounted", .connecting(),
      .asleep(10), .on(.woke, "abort 1, timer 10.5"), .shows { $0.status.attempt == 0 })
    Script(
      "a hint without a spread uses no random bits",
      .waiting { $0.hintSpread = .zero }, .on(.network(isReachable: false)),
      .on(.network(isReachable: true)), .shows { !$0.usedWord }, .change({ $0.hintSpread = .seconds(1) }),
      .on(.network(isReachable: false)), .on(.network(isReachable: true)), .shows { $0.usedWord })
  }

  @Test("without a heartbeat no link becomes doubtful, since no pong could end it")
  func noHeartbeat() {
    var live = ScriptedConnection.connected { $0.heartbeat.interval = nil }
    for hint in [.network(isReachable: false), .woke, .network(isReachable: true), .retry] as [LiveEvent] {
      live.does(hint)
      #expect(live.status.health == .good, "\(hint)")
    }
  }

  @Test("an attempt that waits for credentials has no socket to drop")
  func awaitingCredentials() {
    for hint in [.network(isReachable: false), .networkChanged, .stop] as [LiveEvent] {
      var live = ScriptedConnection.connecting()
      live.does(.refused(1, Refusal(status: 401)))
      #expect(!live.does(hint).contains("abort"), "\(hint)")
      #expect(live.phase != .connecting)
    }
  }
}

@Suite("Retry-After and hints")
struct WishTests {
  private static func wished(_ seconds: Int64) -> ScriptedConnection {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 503, retryAfter: .seconds(seconds))))
    return live
  }

  @Scripts static var scripts: [Script] {
    Script(
      "Retry-After still holds after a failed retry by the person", Self.wished(120), .asleep(10), .on(.retry),
      .on(.failed(2, .connectionRefused)), .shows { $0.status.nextTry == .zero + .seconds(122) })
    Script(
      "Retry-After ends when the server accepts a connection", Self.wished(120), .asleep(10),
      .on(.retry), .on(.opened(2)), .on(.closed(2, Closure(.network, 1006))),
      .shows { $0.status.nextTry == $0.now + .seconds(2) })
    Script(
      "a Retry-After that is over when the network is back delays nothing", Self.wished(20),
      .on(.network(isReachable: false)),
      .asleep(60), .on(.network(isReachable: true), "timer 60.5"))
    Script(
      "hints bring no client sooner to a server that restarts", .connected(),
      .on(.closed(1, Closure(.server, 1012))), .on(.woke, "timer 5.5"))
  }

  @Test("of two Retry-After the later moment holds")
  func longest() {
    for (second, due) in [(30, 122), (300, 312)] as [(Int64, Int64)] {
      var live = Self.wished(120)
      live.freeze(10)
      live.does(.retry)
      live.does(.refused(2, Refusal(status: 503, retryAfter: .seconds(second))))
      #expect(live.status.nextTry == .zero + .seconds(due))
    }
  }
}
