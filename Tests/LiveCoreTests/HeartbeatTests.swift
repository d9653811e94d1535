// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The heartbeat")
struct HeartbeatTests {
  private static func proven() -> ScriptedConnection {
    var live = ScriptedConnection.connected()
    live.wait(10)
    return live
  }

  @Scripts static var scripts: [Script] {
    Script(
      "a silent link is doubtful after half of the pong timeout and dropped after the whole", Self.proven(), .wait(20),
      .wait(4.999, ""), .shows { $0.status.health == .good }, .wait(0.001, "timer 40"),
      .shows { $0.status.health == .doubtful }, .wait(5, "abort 1, timer 41"),
      .shows { $0.phase == .waiting && $0.status.lastProblem == .pongTimeout && $0.status.health == .none })
    Script(
      "a ping is sent every interval, and its pong sets the timer to the next", Self.proven(),
      .wait(20, "ping 1, timer 35"), .asleep(0.125), .on(.received(1, .pong(1)), "timer 60"),
      .wait(29.875, "ping 2, timer 65"), .shows { !$0.usedWord })
    Script(
      "a late pong ends the doubt", Self.proven(), .wait(27), .shows { $0.status.health == .doubtful },
      .on(.received(1, .pong(1)), "timer 60"), .shows { $0.status.health == .good })
    Script(
      "only the pong of the last ping answers it, and only once",
      Self.proven(), .wait(20), .on(.received(1, .pong(0)), ""), .on(.received(1, .pong(9)), ""),
      .on(.received(1, .pong(1)), "timer 60"), .on(.received(1, .pong(1)), ""), .shows { $0.phase == .connected })
    Script(
      "a ping of the server is answered by a pong of the same number", Self.proven(),
      .on(.received(1, .ping(77)), "pong 77"))
    Script(
      "after a sleep the client pings again, with the whole time for the pong",
      Self.proven(), .wait(20), .asleep(7_200), .on(.woke, "ping 2, timer 7240"),
      .shows { $0.status.health == .doubtful }, .on(.received(1, .pong(1)), ""),
      .on(.received(1, .pong(2)), "timer 7260"), .shows { $0.status.health == .good && $0.phase == .connected })
    Script(
      "a link that died during a sleep is dropped one pong timeout after it", Self.proven(), .asleep(7_200), .on(.woke),
      .wait(10, "abort 1, timer 7221"))
    Script(
      "a short sleep over a pong's deadline drops nothing, even if the timer fires first",
      Self.proven(), .wait(21), .asleep(10), .wait(0, "ping 2, timer 51"),
      .shows { $0.phase == .connected && $0.status.health == .doubtful }, .on(.received(1, .pong(2)), "timer 71"),
      .shows { $0.status.health == .good }, .wait(30), .asleep(14), .wait(0, "ping 4, timer 95"))
    Script(
      "a ping's timer that fires as late as a pong may be raises doubt, as after a sleep", Self.proven(), .asleep(31),
      .wait(0, "ping 1, timer 51"), .shows { $0.status.health == .doubtful }, .on(.received(1, .pong(1)), "timer 71"))
    Script(
      "timers that are always late delay the end of a dead link by one more ping", Self.proven(),
      .wait(21),
      .asleep(10), .wait(0, "ping 2, timer 51"), .asleep(12), .wait(0, "abort 1, timer 54"))
    Script(
      "a short sleep over the deadline of the resumption drops nothing",
      .connected { $0.resumesStream = true }, .wait(8), .asleep(5), .wait(0, "ping 1, timer 23"),
      .on(.received(1, .resumed(after: StreamPosition(epoch: 1, offset: 0)))), .shows { $0.status.isCurrent })
    Script(
      "without an interval no ping is sent, not even after a sleep",
      .connected { $0.heartbeat.interval = nil }, .wait(10, ""), .wait(100_000, ""), .on(.woke, ""),
      .shows { $0.status.health == .good })
    Script(
      "no ping is sent while one is unanswered, even if the pong timeout exceeds the interval",
      .connected {
        $0.heartbeat.interval = .seconds(4); $0.heartbeat.pongTimeout = .seconds(20);
        $0.proof.minimumUptime = .seconds(1)
      }, .wait(20, "timer 4; ping 1, timer 14; timer 24"), .on(.received(1, .pong(1)), "timer 8"),
      .wait(0, "ping 2, timer 30"))
  }

  @Test("a message that takes a minute at 4 kB a second arrives, and its pong behind it")
  func slowLink() {
    var live = Self.proven()
    #expect(live.wait(20) == "ping 1, timer 35")
    for _ in 0..<60 {
      live.wait(1)
      #expect(!live.does(.moved(1)).contains("abort"))
    }
    live.does(.received(1, .message(nil, bytes: 240_000)))
    #expect(live.does(.received(1, .pong(1))) == "timer 60" && live.status.health == .good)
    #expect(live.wait(0) == "ping 2, timer 95")
    // Once nothing moves, the link is dropped as any other.
    live.wait(4)
    live.does(.moved(1))
    #expect(live.wait(9.999) == "timer 104" && live.status.health == .doubtful)
    #expect(live.wait(0.001) == "abort 1, timer 105")
    #expect(live.does(.moved(1)) == "")
  }

  @Test("a ping behind a message that takes a minute to leave is not late")
  func slowUpload() {
    var live = Self.proven()
    live.does(.send(1, bytes: 240_000))
    #expect(live.wait(20) == "ping 1, timer 35")
    for second in 1...60 {
      live.wait(1)
      #expect(!live.does(.sending(1, 1, isWhole: second == 60)).contains("abort"))
    }
    #expect(live.does(.received(1, .pong(1))) == "timer 60" && live.status.health == .good)
  }

  @Test("messages that arrive do not replace a pong: the other direction may be cut")
  func oneWay() {
    var live = Self.proven()
    live.wait(20)
    for _ in 0..<9 {
      live.wait(1)
      live.does(.received(1, .message(nil, bytes: 1)))
    }
    #expect(live.wait(1) == "abort 1, timer 41")
  }
}

@Suite("Timers that fire late, and several deadlines at once")
struct LateTimerTests {
  private let first = StreamPosition(epoch: 1, offset: 0)

  @Scripts static var scripts: [Script] {
    Script(
      "a timer that fires two seconds late proves the connection without a ping",
      .reopened(), .asleep(12), .wait(0, "timer 31"), .shows { $0.status.attempt == 0 && $0.status.health == .good })
    Script(
      "a timer that fires very late makes the client ping the link, and its uptime begins again",
      .reopened(), .asleep(3_600), .wait(0, "ping 1*"),
      .shows { $0.status.attempt == 1 && $0.status.health == .doubtful }, .on(.received(2, .pong(1))), .wait(9.9),
      .shows { $0.status.attempt == 1 }, .wait(0.1), .shows { $0.status.attempt == 0 })
    Script(
      "the next ping is due an interval after the last was sent, not after it was due", .connected(), .wait(29),
      .asleep(1.5), .wait(0, "ping 1, timer 35.5"), .on(.received(1, .pong(1)), "timer 60.5"))
    Script(
      "a timer that fires late raises doubt, but sends no ping while one still has time", .connected(), .wait(30),
      .asleep(8), .wait(0, "timer 40"), .shows { $0.status.health == .doubtful }, .wait(2, "abort 1, timer 41"))
    Script(
      "a timer that fires later than allowed, just at a ping's deadline, sends another ping", .connected(),
      .wait(30), .asleep(10), .wait(0, "ping 2, timer 50"))
    Script(
      "a timer that fires later than allowed, just at the resumption's deadline, sends a ping",
      .connected {
        $0.resumesStream = true; $0.proof.minimumUptime = .seconds(5)
      }, .asleep(10), .wait(0, "ping 1*"), .shows { $0.phase == .connected })
    Script(
      "a delay of a whole pong timeout counts as a sleep, even after a ping for lateness", .connected(),
      .wait(30), .asleep(11), .wait(0, "ping 2*"), .asleep(20), .wait(0, "ping 3*"))
    Script(
      "a reported sleep does not count as lateness: the next late timer sends another ping", .connected(), .wait(30),
      .asleep(11),
      .wait(0, "ping 2*"), .on(.woke), .asleep(12), .wait(0, "ping 4*"))
    Script(
      "a timer that fires for both the proof and the ping does both",
      .reopened { $0.heartbeat.interval = .seconds(10) },
      .wait(10, "ping 1, timer 16"), .shows { $0.status.attempt == 0 })
    Script(
      "the resumption's deadline holds if the proof is due later",
      .connected {
        $0.resumesStream = true; $0.proof.minimumUptime = .seconds(60)
      }, .wait(10, "abort 1, timer 11"))
    Script(
      "a message that is too old when the connection opens is not sent, even if no timer has fired", .connecting(),
      .on(.send(1, bytes: 1)), .asleep(100), .on(.send(2, bytes: 1)), .asleep(20),
      .on(.opened(1), "dropped 1 age, send 2, timer 130"))
  }

  @Test("a timer counts as late from more than one second by default")
  func lateness() {
    for (late, isAsked) in [(1.0, false), (1.001, true)] {
      var live = ScriptedConnection.connected()
      live.wait(35)
      live.freeze(5 + late)
      #expect(live.wait(0).hasPrefix(isAsked ? "ping 2" : "abort 1"), "\(late) s")
    }
  }

  @Test("each delay of a pong timeout or more counts as a sleep, however many follow each other")
  func manySleeps() {
    for late in [10.0, 11, 3_600] {
      var live = ScriptedConnection.connected()
      live.wait(30)
      for number in 2...5 {
        let due = live.timer.map { ($0.at - live.now).seconds } ?? 0
        live.freeze(due + late)
        #expect(live.wait(0).hasPrefix("ping \(number)"), "\(late) s late")
      }
    }
  }

  @Test("after a long sleep a short one is still allowed once")
  func shortAfterLong() {
    for late in [10.0, 3_600] {
      var live = ScriptedConnection.connected()
      live.wait(30)
      live.freeze(5 + late)
      #expect(live.wait(0).hasPrefix("ping 2"))
      live.freeze(12)
      #expect(live.wait(0).hasPrefix("ping 3"), "two seconds late")
      live.freeze(12)
      #expect(live.wait(0).hasPrefix("abort 1"), "late again, and asked for that already")
    }
  }

  @Test("a deadline before a pong is kept, with the pong and without")
  func proofDuringPing() {
    var live = ScriptedConnection.reopened { $0.proof.minimumUptime = .seconds(32) }
    #expect(live.wait(30) == "ping 1, timer 33")
    var answered = live
    #expect(live.wait(2) == "timer 36")
    #expect(answered.does(.received(2, .pong(1))) == "")
    #expect(answered.wait(2) == "timer 61")
    #expect(live.status.attempt == 0 && answered.status.attempt == 0)
  }

  @Test("after a sleep the server has the whole time to resume again, unless it had resumed")
  func resumeAfterSleep() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    live.freeze(9)
    live.does(.woke)
    var resumed = live
    live.does(.received(1, .pong(1)))
    #expect(live.wait(9.9) == "" && live.phase == .connected)
    #expect(live.wait(0.1) == "abort 1, timer 20")
    resumed.does(.received(1, .pong(1)))
    resumed.does(.received(1, .resumed(after: first)))
    resumed.does(.woke)
    resumed.does(.received(1, .pong(2)))
    resumed.wait(15)
    #expect(resumed.phase == .connected)
  }

  @Test("a message that grows too old is dropped in time in every phase")
  func ageInEveryState() {
    let young: (inout ConnectionSettings) -> Void = {
      ($0.resumesStream, $0.outbox.age, $0.connectTimeout) = (true, .seconds(4), .seconds(30))
      $0.backoff.base = .seconds(30)
    }
    var fresh = ScriptedConnection(young)
    var connecting = fresh
    connecting.does(.start)
    var resuming = connecting
    resuming.does(.opened(1))
    var waiting = connecting
    waiting.does(.failed(1, .reset))
    for var live in [fresh, connecting, resuming, waiting] {
      let phase = live.phase
      live.does(.send(1, bytes: 1))
      #expect(live.wait(4).contains("dropped 1 age"), "\(phase)")
      #expect(live.phase == phase && live.status.queued == 0)
    }
    fresh.does(.stop)
    #expect(fresh.phase == .closed)
  }
}
