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
      "a ping goes out every interval, and its pong sets the timer to the next", Self.proven(),
      .wait(20, "ping 1, timer 35"), .asleep(0.125), .on(.received(1, .pong(1)), "timer 60"),
      .wait(29.875, "ping 2, timer 65"), .shows { !$0.usedWord })
    Script(
      "a late pong ends the doubt", Self.proven(), .wait(27), .shows { $0.status.health == .doubtful },
      .on(.received(1, .pong(1)), "timer 60"), .shows { $0.status.health == .good })
    Script(
      "the pong of an earlier ping, a pong that nobody asked for, and one that comes twice answer nothing",
      Self.proven(), .wait(20), .on(.received(1, .pong(0)), ""), .on(.received(1, .pong(9)), ""),
      .on(.received(1, .pong(1)), "timer 60"), .on(.received(1, .pong(1)), ""), .shows { $0.phase == .connected })
    Script(
      "a ping of the server is answered by a pong of the same number", Self.proven(),
      .on(.received(1, .ping(77)), "pong 77"))
    Script(
      "after a sleep the link is asked again, with the whole time for the answer, and is not dropped for an old ping",
      Self.proven(), .wait(20), .asleep(7_200), .on(.woke, "ping 2, timer 7240"),
      .shows { $0.status.health == .doubtful }, .on(.received(1, .pong(1)), ""),
      .on(.received(1, .pong(2)), "timer 7260"), .shows { $0.status.health == .good && $0.phase == .connected })
    Script(
      "a link that died in a sleep is dropped one pong timeout after it", Self.proven(), .asleep(7_200), .on(.woke),
      .wait(10, "abort 1, timer 7221"))
    Script(
      "a short sleep over the deadline of a pong drops nothing, even where the timer fires first",
      Self.proven(), .wait(21), .asleep(10), .wait(0, "ping 2, timer 51"),
      .shows { $0.phase == .connected && $0.status.health == .doubtful }, .on(.received(1, .pong(2)), "timer 71"),
      .shows { $0.status.health == .good }, .wait(30), .asleep(14), .wait(0, "ping 4, timer 95"))
    Script(
      "where timers are always late a dead link is found all the same: it is asked again once", Self.proven(),
      .wait(21),
      .asleep(10), .wait(0, "ping 2, timer 51"), .asleep(12), .wait(0, "abort 1, timer 54"))
    Script(
      "a short sleep over the time that the server has to resume the stream drops nothing either",
      .connected { $0.resumesStream = true }, .wait(8), .asleep(5), .wait(0, "ping 1, timer 23"),
      .on(.received(1, .resumed(after: StreamPosition(epoch: 1, offset: 0)))), .shows { $0.status.isCurrent })
    Script(
      "a new connection knows nothing of the old one's ping", Self.proven(), .wait(29),
      .on(.closed(1, Closure(.network, 1006))), .wait(1), .on(.opened(2)), .shows { $0.status.health == .good },
      .wait(20, "timer 70"), .wait(10, "ping 1, timer 75"))
    Script(
      "without an interval no ping is sent, and waking up sends none either",
      .connected { $0.heartbeat.interval = nil }, .wait(10, ""), .wait(100_000, ""), .on(.woke, ""),
      .shows { $0.status.health == .good })
    Script(
      "no ping while one is unanswered, even where the pong timeout is longer than the interval",
      .connected {
        $0.heartbeat.interval = .seconds(4); $0.heartbeat.pongTimeout = .seconds(20);
        $0.proof.minimumUptime = .seconds(1)
      }, .wait(20, "timer 4; ping 1, timer 14; timer 24"), .on(.received(1, .pong(1)), "timer 8"),
      .wait(0, "ping 2, timer 30"))
  }

  @Test("plays as written", arguments: scripts)
  func script(_ script: Script) { script.play() }

  @Test("a link that answers nothing is doubted after half of the pong timeout and dropped after the whole")
  func halfOpen() {
    var live = Self.proven()
    live.wait(20)
    #expect(live.wait(4.999) == "" && live.status.health == .good)
    #expect(live.wait(0.001) == "timer 40" && live.status.health == .doubtful)
    #expect(live.wait(5) == "abort 1, timer 41")
    #expect(live.phase == .waiting && live.status.lastProblem == .pongTimeout && live.status.health == .none)
  }

  @Test("messages that still arrive do not stand for a pong: the way to the server may be cut")
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

@Suite("Timers that ring late, and several deadlines at once")
struct LateTimerTests {
  private let first = StreamPosition(epoch: 1, offset: 0)

  @Scripts static var scripts: [Script] {
    Script(
      "late or not, what is due is done: a connection is proven by a ring two seconds late, and not asked for it",
      .reopened(), .asleep(12), .wait(0, "timer 31"), .shows { $0.status.attempt == 0 && $0.status.health == .good })
    Script(
      "a ring so late that the device must have slept proves nothing: the link is asked, and its uptime begins again",
      .reopened(), .asleep(3_600), .wait(0, "ping 1*"),
      .shows { $0.status.attempt == 1 && $0.status.health == .doubtful }, .on(.received(2, .pong(1))), .wait(9.9),
      .shows { $0.status.attempt == 1 }, .wait(0.1), .shows { $0.status.attempt == 0 })
    Script(
      "a late ring raises doubt, but asks nothing again while the ping still has time", .connected(), .wait(30),
      .asleep(8), .wait(0, "timer 40"), .shows { $0.status.health == .doubtful }, .wait(2, "abort 1, timer 41"))
    Script(
      "a ring later than the settings allow, at the very end of a ping's time, asks the link once more", .connected(),
      .wait(30), .asleep(10), .wait(0, "ping 2, timer 50"))
    Script(
      "and so at the very end of the time that the server has to resume the stream",
      .connected {
        $0.resumesStream = true; $0.proof.minimumUptime = .seconds(5)
      }, .asleep(10), .wait(0, "ping 1*"), .shows { $0.phase == .connected })
    Script(
      "a sleep of just a pong timeout is believed, even where the last ping was sent for lateness", .connected(),
      .wait(30), .asleep(11), .wait(0, "ping 2*"), .asleep(20), .wait(0, "ping 3*"))
    Script(
      "a reported sleep is no lateness: the next late timer asks once more", .connected(), .wait(30),
      .asleep(11),
      .wait(0, "ping 2*"), .on(.woke), .asleep(12), .wait(0, "ping 4*"))
    Script(
      "proof and ping due at one moment are both done by one ring", .reopened { $0.heartbeat.interval = .seconds(10) },
      .wait(10, "ping 1, timer 16"), .shows { $0.status.attempt == 0 })
    Script(
      "the time to resume is kept where the proof takes longer",
      .connected {
        $0.resumesStream = true; $0.proof.minimumUptime = .seconds(60)
      }, .wait(10, "abort 1, timer 11"))
    Script(
      "a message that was too old when the connection opened is not sent, even where no timer has rung", .connecting(),
      .on(.send(1, bytes: 1)), .asleep(100), .on(.send(2, bytes: 1)), .asleep(20),
      .on(.opened(1), "dropped 1 age, send 2, timer 130"))
  }

  @Test("plays as written", arguments: scripts)
  func script(_ script: Script) { script.play() }

  @Test("lateness is one second as it is recommended, and that much is none yet")
  func lateness() {
    for (late, isAsked) in [(1.0, false), (1.001, true)] {
      var live = ScriptedConnection.connected()
      live.wait(35)
      live.freeze(5 + late)
      #expect(live.wait(0).hasPrefix(isAsked ? "ping 2" : "abort 1"), "\(late) s")
    }
  }

  @Test("each sleep of a whole pong timeout and more is believed, however many follow each other")
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

  @Test("a short sleep after a long one is believed too: the ping of the long one was none that lateness sent")
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

  @Test("a deadline that comes before the answer to a ping is kept, with the answer and without")
  func proofDuringPing() {
    var live = ScriptedConnection.reopened { $0.proof.minimumUptime = .seconds(32) }
    #expect(live.wait(30) == "ping 1, timer 33")
    var answered = live
    #expect(live.wait(2) == "timer 36")
    #expect(answered.does(.received(2, .pong(1))) == "")
    #expect(answered.wait(2) == "timer 61")
    #expect(live.status.attempt == 0 && answered.status.attempt == 0)
  }

  @Test("after a sleep the server has the whole time to resume again; one that resumed is not asked for it")
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

  @Test("a message that grows too old while a socket is opened, a stream resumed or nothing done is dropped in time")
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
