// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

private func location(_ offset: UInt64, epoch: UInt32 = 1) -> StreamPosition {
  StreamPosition(epoch: epoch, offset: offset)
}

@Suite("Messages across connections")
struct ContinuityTests {
  /// Connected and resumed at the beginning of the stream.
  private static func resumed(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = ScriptedConnection.connected {
      $0.resumesStream = true
      change(&$0)
    }
    live.does(.received(1, .resumed(after: location(0))))
    return live
  }

  /// As above, then broken and opened once more.
  private static func reopened() -> ScriptedConnection {
    var live = Self.resumed()
    live.does(.received(1, .message(location(1), bytes: 8)))
    live.does(.closed(1, Closure(.network, 1006)))
    live.wait(1)
    return live
  }

  @Scripts static var scripts: [Script] {
    Script(
      "without the sequence protocol every message is delivered, whatever its position", .connected(),
      .on(.received(1, .message(location(5), bytes: 1)), "deliver 1/5"),
      .on(.received(1, .message(location(5), bytes: 1)), "deliver 1/5"),
      .on(.received(1, .message(location(2), bytes: 1)), "deliver 1/2"), .shows { $0.connection.position == nil })
    Script(
      "changed bounds of the outbox hold from the next message on", ScriptedConnection(), .on(.send(1, bytes: 1)),
      .on(.send(2, bytes: 1)), .on(.send(3, bytes: 1)), .change({ $0.outbox.count = 2 }),
      .on(.send(4, bytes: 1), "dropped 1 overflow, dropped 2 overflow*"), .shows { $0.status.queued == 2 })
    Script(
      "messages wait for a connection and go out in order when it opens", ScriptedConnection(),
      .on(.send(1, bytes: 5), "timer 120"), .on(.start), .on(.send(2, bytes: 5)), .shows { $0.status.queued == 2 },
      .on(.opened(1), "send 1, send 2"), .on(.send(3, bytes: 5), "send 3"),
      .on(.received(1, .acknowledged(through: 2)), "acknowledged 2, timer 30"), .shows { $0.status.queued == 1 })
    Script(
      "an unacknowledged message is sent again on the next connection, before new ones",
      .connected(), .on(.send(1, bytes: 5)), .on(.send(2, bytes: 5)),
      .on(.received(1, .acknowledged(through: 1))), .on(.closed(1, Closure(.network, 1006))), .on(.send(3, bytes: 5)),
      .wait(1), .on(.opened(2), "send 2, send 3"), .on(.received(2, .acknowledged(through: 3)), "acknowledged 3*"),
      .on(.closed(2, Closure(.network, 1006))), .wait(1), .on(.opened(3), ""))
    Script(
      "an unacknowledged message is dropped if the settings say so",
      .connected { $0.unacknowledged = .drop }, .on(.send(1, bytes: 5)),
      .on(.closed(1, Closure(.network, 1006)), "dropped 1 uncertain, timer 1"), .wait(1), .on(.opened(2), ""))
    Script(
      "a message that was cut while it was being sent has not arrived, nor those behind it",
      .connected { $0.unacknowledged = .drop }, .on(.send(1, bytes: 5)), .on(.send(2, bytes: 200_000)),
      .on(.send(3, bytes: 5)), .on(.sending(1, 2, isWhole: false), ""),
      .on(.closed(1, Closure(.network, 1006)), "dropped 1 uncertain, dropped 2 cut, dropped 3 cut, timer*"))
    Script(
      "a message that left whole may have arrived, on whichever connection it was",
      .connected(), .on(.send(1, bytes: 200_000)), .on(.sending(1, 1, isWhole: false)), .on(.send(2, bytes: 200_000)),
      .on(.sending(1, 1, isWhole: true)), .on(.sending(1, 2, isWhole: false)),
      .on(.closed(1, Closure(.network, 1006))), .wait(1), .on(.opened(2), "send 1, send 2"),
      .on(.sending(2, 1, isWhole: false)), .on(.closed(2, Closure(.network, 1006))),
      .on(.stop, "dropped 1 uncertain, dropped 2 closed, no timer"))
    Script(
      "a message that is being sent when the app stops is decided by the end of the socket",
      .connected(), .on(.send(1, bytes: 5)), .on(.send(2, bytes: 200_000)), .on(.sending(1, 2, isWhole: false)),
      .on(.stop, "close 1 with 1000, dropped 1 uncertain, timer 5"), .shows { $0.status.queued == 1 },
      .on(.closed(1, Closure(.network, 1006)), "dropped 2 cut, no timer"), .shows { $0.status.queued == 0 })
    Script(
      "after the app's stop the message still leaves, or the closing timeout cuts it",
      .connected(), .on(.send(1, bytes: 200_000)), .on(.sending(1, 1, isWhole: false)), .on(.send(2, bytes: 200_000)),
      .on(.stop, "close 1 with 1000, timer 5"), .on(.received(1, .acknowledged(through: 1)), "acknowledged 1"),
      .on(.sending(1, 2, isWhole: false), ""), .wait(5, "abort 1, dropped 2 cut*"))
    Script(
      "a report about another connection's message changes nothing",
      .connected { $0.unacknowledged = .drop }, .on(.send(1, bytes: 5)), .on(.sending(7, 1, isWhole: false), ""),
      .on(.closed(1, Closure(.network, 1006)), "dropped 1 uncertain, timer*"))
    Script(
      "a message that waits too long is dropped, connected or not",
      .suspended { $0.outbox.age = .seconds(60) }, .on(.send(1, bytes: 5)),
      .wait(60, "dropped 1 age, timer*"), .shows { $0.status.queued == 0 && $0.phase == .suspended })
    Script(
      "a client that is closed for good drops all waiting and new messages", .waiting(),
      .on(.send(1, bytes: 5)), .on(.stop, "dropped 1 closed, no timer"), .on(.send(2, bytes: 5), "dropped 2 closed"))
    Script(
      "an opened connection resumes its stream before it sends anything",
      ScriptedConnection { $0.resumesStream = true }, .on(.send(1, bytes: 5)), .on(.start), .on(.opened(1), "resume"),
      .on(.send(2, bytes: 5), ""), .shows { $0.phase == .connected && !$0.status.isCurrent && $0.status.queued == 2 },
      .on(.received(1, .resumed(after: location(7))), "send 1, send 2"),
      .shows { $0.status.isCurrent && $0.connection.position == location(7) })
    Script(
      "the stream resumes after the last message that was delivered", Self.reopened(),
      .on(.opened(2), "resume after 1/1"),
      .on(.received(2, .resumed(after: location(1))), ""),
      .on(.received(2, .message(location(2), bytes: 8)), "deliver 1/2"))
    Script(
      "messages that the server no longer has are reported as a gap", Self.reopened(), .on(.opened(2)),
      .on(.received(2, .resumed(after: location(40))), "gap 1/1…1/40"),
      .on(.received(2, .message(location(41), bytes: 8)), "deliver 1/41"))
    Script(
      "a new epoch and a hole in the stream are reported as gaps", Self.reopened(), .on(.opened(2)),
      .on(.received(2, .resumed(after: location(0, epoch: 2))), "gap 1/1…2/0"),
      .on(.received(2, .message(location(1, epoch: 2), bytes: 8))),
      .on(.received(2, .message(location(5, epoch: 2), bytes: 8)), "gap 2/1…2/4, deliver 2/5"))
    Script(
      "a server that does not resume the stream within the connect timeout is given up",
      .connected { ($0.resumesStream, $0.connectTimeout) = (true, .seconds(12)) }, .wait(12, "*abort 1, timer 13"),
      .shows { $0.status.lastProblem == .resumeTimeout })
    Script(
      "a second answer to a resumption is ignored", Self.resumed(),
      .on(.received(1, .resumed(after: location(90))), ""),
      .shows { $0.connection.position == location(0) })
  }
}

@Suite("The cursor of the server's stream")
struct StreamCursorTests {
  /// Where a stream stands, a message that arrives, and what is done with it.
  static let arrivals: [(before: StreamPosition?, arrived: StreamPosition, expected: StreamCursor.Arrival)] = [
    // The first is handed over, wherever the stream stands.
    (nil, location(812, epoch: 3), .deliver),
    // Another epoch is a gap even at its first message, for the old one may have held more; so is a lesser one.
    (location(4), location(1, epoch: 2), gap(location(4), location(0, epoch: 2))),
    (location(4, epoch: 5), location(2, epoch: 3), gap(location(4, epoch: 5), location(1, epoch: 3))),
    // Offset 0 is no message's place.
    (location(4), location(0, epoch: 2), .duplicate),
    // The greatest offset has nothing behind it.
    (location(.max), location(.max), .duplicate),
    (location(.max), location(.max, epoch: 2), gap(location(.max), location(.max - 1, epoch: 2))),
  ]

  private static func gap(_ after: StreamPosition, _ upTo: StreamPosition) -> StreamCursor.Arrival {
    .gap(StreamGap(after: after, upTo: upTo))
  }

  @Test("each message is delivered once, and a gap before it is reported", arguments: arrivals)
  func accepts(before: StreamPosition?, arrived: StreamPosition, expected: StreamCursor.Arrival) {
    var cursor = StreamCursor(before)
    #expect(cursor.accept(arrived) == expected)
    #expect(cursor.position == (expected == .duplicate ? before : arrived))
  }

  /// Where a stream stands, where the server goes on, and whether something is missing.
  static let resumptions: [(before: StreamPosition?, start: StreamPosition, isGap: Bool)] = [
    (location(4), location(4), false),
    // A stream that begins at a place nobody asked for is followed from there.
    (nil, location(100, epoch: 7), false),
    // A server that goes back further sends doubles, which are left.
    (location(4), location(1), false),
    // A server whose history does not reach back, or that began another, says what is missing.
    (location(4), location(40), true), (location(41), location(3, epoch: 2), true),
    (location(2, epoch: 3), location(0, epoch: 1), true),
  ]

  @Test("a stream that resumes beyond its last message reports the gap", arguments: resumptions)
  func resumes(before: StreamPosition?, start: StreamPosition, isGap: Bool) {
    var cursor = StreamCursor(before)
    #expect(cursor.resumed(after: start) == (isGap ? before.map { StreamGap(after: $0, upTo: start) } : nil))
    #expect(cursor.position == (isGap || before == nil ? start : before))
  }
}
