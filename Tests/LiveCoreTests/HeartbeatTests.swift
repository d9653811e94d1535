// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The heartbeat")
struct HeartbeatTests {
  private func proven() -> ScriptedConnection {
    var live = ScriptedConnection.connected()
    live.wait(10)
    return live
  }

  @Test("a ping goes out every interval, and its pong sets the timer to the next")
  func round() {
    var live = proven()
    #expect(live.wait(20) == "ping 1, timer 35")
    live.freeze(0.125)
    #expect(live.does(.received(1, .pong(1))) == "timer 60")
    #expect(live.wait(29.875) == "ping 2, timer 65")
    #expect(!live.usedWord)
  }

  @Test("a link that answers nothing is doubted after half of the pong timeout and dropped after the whole")
  func halfOpen() {
    var live = proven()
    live.wait(20)
    #expect(live.wait(4.999) == "" && live.status.health == .good)
    #expect(live.wait(0.001) == "timer 40" && live.status.health == .doubtful)
    #expect(live.wait(5) == "abort 1, timer 41")
    #expect(live.phase == .waiting && live.status.lastProblem == .pongTimeout && live.status.health == .none)
  }

  @Test("a late pong ends the doubt")
  func latePong() {
    var live = proven()
    live.wait(27)
    #expect(live.status.health == .doubtful)
    #expect(live.does(.received(1, .pong(1))) == "timer 60")
    #expect(live.status.health == .good)
  }

  @Test("the pong of an earlier ping, a pong that nobody asked for, and one that comes twice answer nothing")
  func otherPongs() {
    var live = proven()
    live.wait(20)
    #expect(live.does(.received(1, .pong(0))) == "")
    #expect(live.does(.received(1, .pong(9))) == "")
    #expect(live.does(.received(1, .pong(1))) == "timer 60")
    #expect(live.does(.received(1, .pong(1))) == "")
    #expect(live.phase == .connected)
  }

  @Test("messages that still arrive do not stand for a pong: the way to the server may be cut")
  func oneWay() {
    var live = proven()
    live.wait(20)
    for _ in 0..<9 {
      live.wait(1)
      live.does(.received(1, .message(nil, bytes: 1)))
    }
    #expect(live.wait(1) == "abort 1, timer 41")
  }

  @Test("a ping of the server is answered by a pong of the same number")
  func serverPing() {
    var live = proven()
    #expect(live.does(.received(1, .ping(77))) == "pong 77")
  }

  @Test("after a sleep the link is asked anew, with the whole time for the answer, and is not dropped for an old ping")
  func woke() {
    var live = proven()
    live.wait(20)
    live.freeze(7_200)
    #expect(live.does(.woke) == "ping 2, timer 7240")
    #expect(live.status.health == .doubtful)
    #expect(live.does(.received(1, .pong(1))) == "", "that one lay in a buffer while the device slept")
    #expect(live.does(.received(1, .pong(2))) == "timer 7260")
    #expect(live.status.health == .good && live.phase == .connected)
  }

  @Test("a link that died in a sleep is dropped one pong timeout after it")
  func diedAsleep() {
    var live = proven()
    live.freeze(7_200)
    live.does(.woke)
    #expect(live.wait(10) == "abort 1, timer 7221")
  }

  @Test("a short sleep over the deadline of a pong drops nothing, even where the timer rings before anybody says so")
  func shortSleep() {
    var live = proven()
    live.wait(21)
    live.freeze(10)
    #expect(live.wait(0) == "ping 2, timer 51", "due at 35, rings at 41; the pong may lie in a buffer")
    #expect(live.phase == .connected && live.status.health == .doubtful)
    #expect(live.does(.received(1, .pong(2))) == "timer 71")
    #expect(live.status.health == .good)
    live.wait(30)
    live.freeze(14)
    #expect(live.wait(0) == "ping 4, timer 95", "and so the next time")
  }

  @Test("where timers are always late a dead link is found all the same: it is asked anew once")
  func alwaysLate() {
    var live = proven()
    live.wait(21)
    live.freeze(10)
    #expect(live.wait(0) == "ping 2, timer 51")
    live.freeze(12)
    #expect(live.wait(0) == "abort 1, timer 54")
  }

  @Test("a short sleep over the time that the server has to resume the stream drops nothing either")
  func asleepWhileResuming() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    live.wait(8)
    live.freeze(5)
    #expect(live.wait(0) == "ping 1, timer 23")
    live.does(.received(1, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
    #expect(live.status.isCurrent)
  }

  @Test("a new connection knows nothing of the old one's ping")
  func perGeneration() {
    var live = proven()
    live.wait(29)
    live.does(.closed(1, Closure(.network, 1006)))
    live.wait(1)
    live.does(.opened(2))
    #expect(live.status.health == .good)
    #expect(live.wait(20) == "timer 70", "proven after ten seconds, then a ping after thirty; nothing is dropped")
    #expect(live.wait(10) == "ping 1, timer 75")
  }

  @Test("without an interval no ping is sent, and waking up sends none either")
  func none() {
    var live = ScriptedConnection.connected { $0.heartbeat.interval = nil }
    #expect(live.wait(10) == "", "proven, and nothing more to wait for")
    #expect(live.wait(100_000) == "")
    #expect(live.does(.woke) == "")
    #expect(live.status.health == .good)
  }

  @Test("no ping while one is unanswered, even where the pong timeout is longer than the interval")
  func longTimeout() {
    var live = ScriptedConnection.connected {
      $0.heartbeat.interval = .seconds(4)
      $0.heartbeat.pongTimeout = .seconds(20)
      $0.proof.minimumUptime = .seconds(1)
    }
    #expect(live.wait(20) == "timer 4; ping 1, timer 14; timer 24")
    #expect(live.does(.received(1, .pong(1))) == "timer 8", "long due")
    #expect(live.wait(0) == "ping 2, timer 30")
  }
}

@Suite("Timers that ring late, and several deadlines at once")
struct LateTimerTests {
  private let first = StreamPosition(epoch: 1, offset: 0)

  @Test("late or not, what is due is done: a connection is proven by a ring two seconds late, and not asked for it")
  func lateProof() {
    var live = ScriptedConnection.reopened()
    live.freeze(12)
    #expect(live.wait(0) == "timer 31", "proof was due at 11, and the next ping is at 31")
    #expect(live.status.attempt == 0 && live.status.health == .good)
  }

  @Test("a ring so late that the device must have slept proves nothing: the link is asked, and its uptime begins anew")
  func sleptBeforeProof() {
    var live = ScriptedConnection.reopened()
    live.freeze(3_600)
    #expect(live.wait(0).hasPrefix("ping 1"))
    #expect(live.status.attempt == 1 && live.status.health == .doubtful)
    live.does(.received(2, .pong(1)))
    live.wait(9.9)
    #expect(live.status.attempt == 1)
    live.wait(0.1)
    #expect(live.status.attempt == 0)
  }

  @Test("a late ring raises doubt, but asks nothing anew while the ping still has time")
  func lateDoubt() {
    var live = ScriptedConnection.connected()
    live.wait(30)
    live.freeze(8)
    #expect(live.wait(0) == "timer 40", "half of the time was over at 35")
    #expect(live.status.health == .doubtful)
    #expect(live.wait(2) == "abort 1, timer 41")
  }

  @Test("a ring later than the settings allow, at the very end of a ping's time, asks the link once more")
  func lateAtTheEnd() {
    var live = ScriptedConnection.connected()
    live.wait(30)
    live.freeze(10)
    #expect(live.wait(0) == "ping 2, timer 50")
  }

  @Test("and so at the very end of the time that the server has to resume the stream")
  func lateResume() {
    var live = ScriptedConnection.connected {
      $0.resumesStream = true
      $0.proof.minimumUptime = .seconds(5)
    }
    live.freeze(10)
    #expect(live.wait(0).hasPrefix("ping 1"), "due at 5 for the proof")
    #expect(live.phase == .connected)
  }

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

  @Test("a sleep of just a pong timeout is believed, even where the last ping was sent for lateness")
  func longAfterShort() {
    var live = ScriptedConnection.connected()
    live.wait(30)
    live.freeze(11)
    #expect(live.wait(0).hasPrefix("ping 2"))
    live.freeze(20)
    #expect(live.wait(0).hasPrefix("ping 3"))
  }

  @Test("a sleep that was told of is no lateness: the next late ring asks once more")
  func toldOf() {
    var live = ScriptedConnection.connected()
    live.wait(30)
    live.freeze(11)
    #expect(live.wait(0).hasPrefix("ping 2"))
    live.does(.woke)
    live.freeze(12)
    #expect(live.wait(0).hasPrefix("ping 4"))
  }

  @Test("proof and ping due at one moment are both done by one ring")
  func proofAndPing() {
    var live = ScriptedConnection.reopened { $0.heartbeat.interval = .seconds(10) }
    #expect(live.wait(10) == "ping 1, timer 16")
    #expect(live.status.attempt == 0)
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

  @Test("the time to resume is kept where the proof takes longer")
  func resumeBeforeProof() {
    var live = ScriptedConnection.connected {
      $0.resumesStream = true
      $0.proof.minimumUptime = .seconds(60)
    }
    #expect(live.wait(10) == "abort 1, timer 11")
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

  @Test("a message that was too old when the connection opened is not sent, even where no timer has rung")
  func agedAsleep() {
    var live = ScriptedConnection.connecting()
    live.does(.send(1, bytes: 1))
    live.freeze(100)
    live.does(.send(2, bytes: 1))
    live.freeze(20)
    #expect(live.does(.opened(1)) == "dropped 1 age, send 2, timer 130")
  }
}
