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
    #expect(live.status.health == .good)
    #expect(live.wait(5) == "timer 40")
    #expect(live.status.health == .doubtful)
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

  @Test("a timer that rings far too late slept with the device, even where nobody says that it woke")
  func lateTimer() throws {
    var live = proven()
    live.wait(20)
    live.freeze(3_600)
    #expect(live.wait(0) == "ping 2, timer 3640")
    #expect(live.phase == .connected)
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

  @Test("a timer that rings late by no more than the settings allow has not slept")
  func late() {
    var live = proven()
    live.wait(29.5)
    live.freeze(1.5)
    #expect(live.wait(0) == "abort 1, timer 42")
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
