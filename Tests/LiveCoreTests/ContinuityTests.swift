// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Messages across connections")
struct ContinuityTests {
  private func place(_ offset: UInt64, epoch: UInt32 = 1) -> StreamPosition {
    StreamPosition(epoch: epoch, offset: offset)
  }

  /// Connected and resumed at the beginning of the stream.
  private func resumed(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = ScriptedConnection.connected {
      $0.resumesStream = true
      change(&$0)
    }
    live.does(.received(1, .resumed(after: place(0))))
    return live
  }

  /// As above, then broken and opened once more.
  private func reopened() -> ScriptedConnection {
    var live = resumed()
    live.does(.received(1, .message(place(1), bytes: 8)))
    live.does(.closed(1, Closure(.network, 1006)))
    live.wait(1)
    return live
  }

  @Test("messages wait for a connection and go out in order when it opens")
  func flush() {
    var live = ScriptedConnection()
    #expect(live.does(.send(1, bytes: 5)) == "timer 120", "when it is too old")
    live.does(.start)
    live.does(.send(2, bytes: 5))
    #expect(live.status.queued == 2)
    #expect(live.does(.opened(1)) == "send 1, send 2")
    #expect(live.does(.send(3, bytes: 5)) == "send 3")
    #expect(live.does(.received(1, .acknowledged(through: 2))) == "acknowledged 2, timer 30")
    #expect(live.status.queued == 1)
  }

  @Test("what was not acknowledged is sent again on the next connection, before what is new, and what was is not")
  func sendAgain() {
    var live = ScriptedConnection.connected()
    live.does(.send(1, bytes: 5))
    live.does(.send(2, bytes: 5))
    live.does(.received(1, .acknowledged(through: 1)))
    live.does(.closed(1, Closure(.network, 1006)))
    live.does(.send(3, bytes: 5))
    live.wait(1)
    #expect(live.does(.opened(2)) == "send 2, send 3")
    #expect(live.does(.received(2, .acknowledged(through: 3))).hasPrefix("acknowledged 3"))
    live.does(.closed(2, Closure(.network, 1006)))
    live.wait(1)
    #expect(live.does(.opened(3)) == "")
  }

  @Test("or dropped, where sending twice is worse than losing")
  func dropUncertain() {
    var live = ScriptedConnection.connected { $0.unacknowledged = .drop }
    live.does(.send(1, bytes: 5))
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "dropped 1 uncertain, timer 1")
    live.wait(1)
    #expect(live.does(.opened(2)) == "")
  }

  @Test("a message that waits for too long is dropped when its time is over, connected or not")
  func age() {
    var live = ScriptedConnection.suspended { $0.outbox.age = .seconds(60) }
    live.does(.send(1, bytes: 5))
    #expect(live.wait(60).hasPrefix("dropped 1 age, timer"))
    #expect(live.status.queued == 0 && live.phase == .suspended)
  }

  @Test("beyond the bounds messages are dropped, and said to be")
  func overflow() {
    var live = ScriptedConnection { $0.outbox.count = 1 }
    live.does(.send(1, bytes: 5))
    #expect(live.does(.send(2, bytes: 5)) == "dropped 1 overflow")
  }

  @Test("closed for good, all that waits is dropped, and so is all that comes")
  func closed() {
    var live = ScriptedConnection.waiting()
    live.does(.send(1, bytes: 5))
    #expect(live.does(.stop) == "dropped 1 closed, no timer")
    #expect(live.does(.send(2, bytes: 5)) == "dropped 2 closed")
  }

  @Test("an opened connection asks for its stream first, and sends nothing before it has the answer")
  func resume() {
    var live = ScriptedConnection { $0.resumesStream = true }
    live.does(.send(1, bytes: 5))
    live.does(.start)
    #expect(live.does(.opened(1)) == "resume")
    #expect(live.phase == .connected && !live.status.isCurrent)
    #expect(live.does(.received(1, .resumed(after: place(7)))) == "send 1")
    #expect(live.status.isCurrent && live.connection.position == place(7))
  }

  @Test("it goes on after the last message that was handed over")
  func goesOn() {
    var live = reopened()
    #expect(live.does(.opened(2)) == "resume after 1/1")
    #expect(live.does(.received(2, .resumed(after: place(1)))) == "")
    #expect(live.does(.received(2, .message(place(2), bytes: 8))) == "deliver 1/2")
  }

  @Test("a message is handed over once")
  func once() {
    var live = reopened()
    live.does(.opened(2))
    live.does(.received(2, .resumed(after: place(0))))
    #expect(live.does(.received(2, .message(place(1), bytes: 8))) == "")
    #expect(live.does(.received(2, .message(place(2), bytes: 8))) == "deliver 1/2")
    #expect(live.does(.received(2, .message(place(2), bytes: 8))) == "")
  }

  @Test("what the server no longer has is reported, not passed over")
  func gap() {
    var live = reopened()
    live.does(.opened(2))
    #expect(live.does(.received(2, .resumed(after: place(40)))) == "gap 1/1…1/40")
    #expect(live.does(.received(2, .message(place(41), bytes: 8))) == "deliver 1/41")
  }

  @Test("and so is a server that has forgotten everything, and a hole in the midst")
  func holes() {
    var live = reopened()
    live.does(.opened(2))
    #expect(live.does(.received(2, .resumed(after: place(0, epoch: 2)))) == "gap 1/1…2/0")
    live.does(.received(2, .message(place(1, epoch: 2), bytes: 8)))
    #expect(live.does(.received(2, .message(place(5, epoch: 2), bytes: 8))) == "gap 2/1…2/4, deliver 2/5")
  }

  @Test("a message directly behind the handshake is handed over")
  func serverFirst() {
    var live = ScriptedConnection.connecting { $0.resumesStream = true }
    live.does(.opened(1))
    #expect(live.does(.received(1, .message(nil, bytes: 8))) == "deliver")
    #expect(live.does(.received(1, .message(place(3), bytes: 8))) == "deliver 1/3")
  }

  @Test("a server that never says where the stream goes on is given up like one that never answers")
  func resumeTimeout() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    #expect(live.wait(10) == "abort 1, timer 11")
    #expect(live.status.lastProblem == .resumeTimeout)
  }

  @Test("a second answer about the stream means nothing")
  func resumedTwice() {
    var live = resumed()
    #expect(live.does(.received(1, .resumed(after: place(90)))) == "")
    #expect(live.connection.position == place(0))
  }
}

@Suite("The cursor of the server's stream")
struct StreamCursorTests {
  private func place(_ epoch: UInt32, _ offset: UInt64) -> StreamPosition {
    StreamPosition(epoch: epoch, offset: offset)
  }

  @Test("the first message is handed over, wherever the stream stands")
  func first() {
    var cursor = StreamCursor()
    #expect(cursor.accept(place(3, 812)) == .deliver)
    #expect(cursor.position == place(3, 812))
  }

  @Test("a message is handed over once")
  func once() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(1, 5)) == .deliver)
    #expect(cursor.accept(place(1, 5)) == .duplicate)
    #expect(cursor.accept(place(1, 2)) == .duplicate)
    #expect(cursor.position == place(1, 5))
  }

  @Test("a message too far on reports what lies between, and the stream goes on behind it")
  func gap() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(1, 8)) == .gap(StreamGap(after: place(1, 4), upTo: place(1, 7))))
    #expect(cursor.accept(place(1, 9)) == .deliver)
  }

  @Test("another epoch is a gap even at its first message, for the old one may have held more")
  func epoch() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(2, 1)) == .gap(StreamGap(after: place(1, 4), upTo: place(2, 0))))
    #expect(cursor.accept(place(2, 2)) == .deliver)
  }

  @Test("offset 0 is no message's place")
  func offsetZero() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(2, 0)) == .duplicate)
    #expect(cursor.position == place(1, 4))
  }

  @Test("the greatest offset has nothing behind it, and nothing traps")
  func greatestOffset() {
    var cursor = StreamCursor(place(1, .max))
    #expect(cursor.accept(place(1, .max)) == .duplicate)
    #expect(cursor.accept(place(2, .max)) == .gap(StreamGap(after: place(1, .max), upTo: place(2, .max - 1))))
  }

  @Test("a stream that goes on where it was asked to lacks nothing")
  func resumed() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 4)) == nil)
    #expect(cursor.accept(place(1, 5)) == .deliver)
  }

  @Test("a stream that begins at a place nobody asked for is followed from there")
  func begun() {
    var cursor = StreamCursor()
    #expect(cursor.resumed(after: place(7, 100)) == nil)
    #expect(cursor.accept(place(7, 102)) == .gap(StreamGap(after: place(7, 100), upTo: place(7, 101))))
  }

  @Test("a server that goes back further sends doubles, which are left, and no gap is reported")
  func replay() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 1)) == nil)
    #expect(cursor.accept(place(1, 2)) == .duplicate)
    #expect(cursor.accept(place(1, 4)) == .duplicate)
    #expect(cursor.accept(place(1, 5)) == .deliver)
  }

  @Test("a server whose history does not reach back says what is missing")
  func historyLost() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 40)) == StreamGap(after: place(1, 4), upTo: place(1, 40)))
    #expect(cursor.accept(place(1, 41)) == .deliver)
    #expect(cursor.resumed(after: place(2, 3)) == StreamGap(after: place(1, 41), upTo: place(2, 3)))
    #expect(cursor.position == place(2, 3))
  }

  @Test("of any sequence, what is handed over and what is reported missing cover one epoch without hole or overlap")
  func cover() {
    for seed in 0..<200 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      var cursor = StreamCursor(place(1, 0))
      var covered: UInt64 = 0
      for _ in 0..<100 {
        let arrived = place(1, words.below(covered + 5))
        switch cursor.accept(arrived) {
        case .deliver:
          #expect(arrived.offset == covered + 1)
          covered = arrived.offset
        case .duplicate: #expect(arrived.offset <= covered)
        case .gap(let gap):
          #expect(gap.after.offset == covered && gap.upTo.offset == arrived.offset - 1)
          #expect(gap.upTo.offset > covered)
          covered = arrived.offset
        }
      }
      #expect(cursor.position == place(1, covered))
    }
  }

  @Test("an epoch that is less than the known one is another stream just as well")
  func earlierEpoch() {
    var cursor = StreamCursor(place(5, 4))
    #expect(cursor.accept(place(3, 2)) == .gap(StreamGap(after: place(5, 4), upTo: place(3, 1))))
    #expect(cursor.resumed(after: place(1, 0)) == StreamGap(after: place(3, 2), upTo: place(1, 0)))
    #expect(cursor.position == place(1, 0))
  }
}
