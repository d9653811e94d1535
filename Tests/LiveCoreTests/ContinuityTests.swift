// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

private func place(_ offset: UInt64, epoch: UInt32 = 1) -> StreamPosition {
  StreamPosition(epoch: epoch, offset: offset)
}

@Suite("Messages across connections")
struct ContinuityTests {
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
  /// Where a stream stands, a message that arrives, and what is done with it.
  static let arrivals: [(before: StreamPosition?, arrived: StreamPosition, expected: StreamCursor.Arrival)] = [
    // The first is handed over, wherever the stream stands, and each once.
    (nil, place(812, epoch: 3), .deliver), (place(4), place(5), .deliver), (place(5), place(5), .duplicate),
    (place(5), place(2), .duplicate),
    // One too far on reports what lies between, and the stream goes on behind it.
    (place(4), place(8), gap(place(4), place(7))), (place(8), place(9), .deliver),
    // Another epoch is a gap even at its first message, for the old one may have held more; so is a lesser one.
    (place(4), place(1, epoch: 2), gap(place(4), place(0, epoch: 2))),
    (place(1, epoch: 2), place(2, epoch: 2), .deliver),
    (place(4, epoch: 5), place(2, epoch: 3), gap(place(4, epoch: 5), place(1, epoch: 3))),
    // Offset 0 is no message's place.
    (place(4), place(0, epoch: 2), .duplicate),
    // The greatest offset has nothing behind it.
    (place(.max), place(.max), .duplicate),
    (place(.max), place(.max, epoch: 2), gap(place(.max), place(.max - 1, epoch: 2))),
  ]

  private static func gap(_ after: StreamPosition, _ upTo: StreamPosition) -> StreamCursor.Arrival {
    .gap(StreamGap(after: after, upTo: upTo))
  }

  @Test("each message is handed over once, and what is missing before it is reported", arguments: arrivals)
  func accepts(before: StreamPosition?, arrived: StreamPosition, expected: StreamCursor.Arrival) {
    var cursor = StreamCursor(before)
    #expect(cursor.accept(arrived) == expected)
    #expect(cursor.position == (expected == .duplicate ? before : arrived))
  }

  /// Where a stream stands, where the server goes on, and whether something is missing.
  static let resumptions: [(before: StreamPosition?, start: StreamPosition, isGap: Bool)] = [
    (place(4), place(4), false),
    // A stream that begins at a place nobody asked for is followed from there.
    (nil, place(100, epoch: 7), false),
    // A server that goes back further sends doubles, which are left.
    (place(4), place(1), false),
    // A server whose history does not reach back, or that began another, says what is missing.
    (place(4), place(40), true), (place(41), place(3, epoch: 2), true),
    (place(2, epoch: 3), place(0, epoch: 1), true),
  ]

  @Test("a stream that goes on further than it was left reports what is missing", arguments: resumptions)
  func resumes(before: StreamPosition?, start: StreamPosition, isGap: Bool) {
    var cursor = StreamCursor(before)
    #expect(cursor.resumed(after: start) == (isGap ? before.map { StreamGap(after: $0, upTo: start) } : nil))
    #expect(cursor.position == (isGap || before == nil ? start : before))
  }
}
