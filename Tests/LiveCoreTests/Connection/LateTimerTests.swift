// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Timers that ring late, and several deadlines at once")
struct LateTimerTests {
  private let first = StreamPosition(epoch: 1, offset: 0)

  @Test("late or not, what is due is done: a connection is proven by a ring two seconds late, and not asked for it")
  func lateProof() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    live.freeze(12)
    #expect(live.wait(0) == "timer 31", "proof was due at 11, and the next ping is at 31")
    #expect(live.status.attempt == 0 && live.status.health == .good)
  }

  @Test("a ring so late that the device must have slept proves nothing: the link is asked, and its uptime begins anew")
  func sleptBeforeProof() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
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
      #expect(live.wait(0).hasPrefix("ping 2") == isAsked, "\(late) s")
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
    var live = ScriptedConnection.waiting { $0.heartbeat.interval = .seconds(10) }
    live.wait(1)
    live.does(.opened(2))
    #expect(live.wait(10) == "ping 1, timer 16")
    #expect(live.status.attempt == 0)
  }

  @Test("a deadline that comes before the answer to a ping is kept, with the answer and without")
  func proofDuringPing() {
    var live = ScriptedConnection.waiting { $0.proof.minimumUptime = .seconds(32) }
    live.wait(1)
    live.does(.opened(2))
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
    var live = ScriptedConnection()
    live.does(.start)
    live.does(.send(1, bytes: 1))
    live.freeze(100)
    live.does(.send(2, bytes: 1))
    live.freeze(20)
    #expect(live.does(.opened(1)) == "dropped 1 age, send 2, timer 130")
  }
}
