// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let two = Generation(2)
/// An event that tells the client nothing new.
private let nothing = LiveEvent.network(isReachable: true)

@Suite("What the watch asks of sockets and timers")
struct SocketRulesTests {
  /// A client that the app stopped at 20 s and that closed its connection.
  private func closing() -> ToldCourse {
    var course = ToldCourse.proven()
    course.tell(.stop, at: 20, [.sendClose(one, CloseCode(1_000))], timer: 25, shows: .closed)
    return course
  }

  /// The same, the server's answer arrived.
  private func ended() -> ToldCourse {
    var course = closing()
    course.tell(.closed(one, Closure(.client, CloseCode(1_000))), at: 21, [.cancelTimer])
    return course
  }

  @Test("a second socket is one too many, and one of a generation that was before is not a new one")
  func oneSocket() {
    var second = ToldCourse.proven()
    second.tell(.retry, at: 20, [.open(two, .original)], timer: 30, shows: .connecting(1))
    #expect(second.finding == .tooMany(2, atMost: 1) && second.broken == [.oneSocket])
    var same = ToldCourse.waiting(until: 2)
    same.ring(at: 2, [.open(one, .original)], timer: 12, shows: .connecting(2))
    #expect(same.finding == .effect(.open(one, .original)) && same.broken == [.oneSocket])
    var next = ToldCourse.waiting(until: 2)
    next.ring(at: 2, [.open(two, .original)], timer: 12, shows: .connecting(2))
    #expect(next.broken.isEmpty)
  }

  @Test("the world's own count of sockets, doubles and losses is believed")
  func truth() {
    func broken(_ change: (inout SessionTruth) -> Void) -> ToldCourse {
      var course = ToldCourse.proven()
      change(&course.truth)
      course.tell(nothing, at: 12)
      return course
    }
    #expect(broken { $0.clientSockets = 1 }.broken.isEmpty)
    #expect(broken { $0.clientSockets = 2 }.broken == [.oneSocket])
    #expect(broken { $0.messagesDoubled = 1 }.finding == .tooMany(1, atMost: 0))
    #expect(broken { $0.messagesDoubled = 1 }.broken == [.deliveredOnce])
    #expect(broken { ($0.messagesLost, $0.messagesTakenUnduly) = (2, 3) }.finding == .tooMany(5, atMost: 0))
    #expect(broken { $0.messagesTakenUnduly = 1 }.broken == [.takenInTruth])
  }

  static let sendings: [LiveEffect] = [
    .sendPing(one, 1), .sendPong(one, 1), .sendResume(one, after: nil), .sendMessage(one, MessageNumber(1)),
  ]

  @Test("nothing is sent but on the socket that is open", arguments: sendings)
  func sending(effect: LiveEffect) {
    var opening = ToldCourse.opening()
    opening.tell(nothing, at: 2, [effect])
    var other = ToldCourse.opening()
    other.tell(.failed(one, .reset), at: 1, timer: 2, shows: .waiting(1, until: 2))
    other.ring(at: 2, [.open(two, .original)], timer: 12, shows: .connecting(2))
    other.tell(.opened(two), at: 3, timer: 13, shows: .connected(2, isCurrent: false))
    #expect(other.broken.isEmpty)
    other.tell(nothing, at: 4, [effect])
    for course in [opening, other] { #expect(course.finding == .effect(effect) && course.broken == [.oneSocket]) }
    var late = ended()
    #expect(late.broken.isEmpty)
    late.tell(nothing, at: 30, [effect])
    #expect(late.finding == .effect(effect) && late.broken == [.oneSocket, .nothingAfterClose])
  }

  @Test("nothing is begun after the end, nor in the step in which the app wants it")
  func afterTheEnd() {
    for effect in [LiveEffect.open(two, .original), .refreshCredentials(two)] {
      var course = ended()
      course.tell(nothing, at: 30, [effect])
      #expect(course.watch.breach?.invariant == .nothingAfterClose && course.finding == .effect(effect))
    }
    var timed = ended()
    timed.tell(nothing, at: 30, timer: 40)
    #expect(timed.watch.breach?.invariant == .nothingAfterClose)
    var stopped = ToldCourse.waiting(until: 5)
    stopped.tell(.stop, at: 2, [.open(two, .original)], timer: 12, shows: .connecting(2))
    #expect(stopped.watch.breach?.invariant == .nothingAfterClose)
    var waits = closing()
    waits.tell(nothing, at: 21, timer: 25)
    #expect(waits.broken.isEmpty)
  }

  @Test("a timer is set once in a step and never with an old tag, in the heartbeat's round as elsewhere")
  func oneTimer() {
    func set(_ tags: [UInt64]) -> [LiveEffect] { tags.map { .setTimer(TimerTag($0), at: .zero + .seconds(61)) } }
    for (tags, isRight) in [([100], true), ([100, 101], false), ([1], false)] as [([UInt64], Bool)] {
      var round = ToldCourse.proven()
      round.ring(at: 31, [.sendPing(one, 1)] + set(tags))
      var other = ToldCourse.proven()
      other.tell(nothing, at: 31, set(tags))
      for course in [round, other] { #expect(course.broken == (isRight ? [] : [.oneTimer])) }
    }
  }

  /// What comes of another generation, or is out of its turn on an open connection.
  static let oldNews: [LiveEvent] = [
    .timer(TimerTag(1)), .received(two, .pong(0)), .received(two, .ping(1)), .opened(two), .opened(one),
    .failed(two, .reset), .failed(one, .reset), .refused(two, Refusal(status: 401)),
    .refused(one, Refusal(status: 404)), .closed(two, Closure(.server, CloseCode(1_000))),
    .credentials(one, isFresh: false), .credentials(two, isFresh: true),
  ]

  @Test("old news changes nothing: neither what is wanted nor what is shown", arguments: oldNews)
  func stale(event: LiveEvent) {
    var wants = ToldCourse.proven()
    wants.tell(event, at: 12, [.cancelTimer])
    #expect(wants.finding == .effect(.cancelTimer) && wants.broken == [.staleChangesNothing])
    var shows = ToldCourse.proven()
    shows.tell(event, at: 12, shows: .connected(1), silently: true)
    #expect(shows.finding == .phase(.connected, expected: .connected))
    #expect(shows.broken == [.staleChangesNothing, .statusTrue])
    var ignores = ToldCourse.proven()
    ignores.tell(event, at: 12)
    ignores.tell(.received(one, .ping(1)), at: 13, [.sendPong(one, 1)])
    #expect(ignores.broken.isEmpty)
  }

  @Test("a frame while the connection is being opened is old news, and one while it is being closed is not")
  func staleFrames() {
    var opening = ToldCourse.opening()
    opening.tell(.received(one, .ping(1)), at: 2, [.cancelTimer])
    #expect(opening.broken == [.staleChangesNothing])
    var closing = closing()
    closing.tell(.received(one, .ping(1)), at: 21, timer: 25)
    #expect(closing.broken.isEmpty)
  }

  @Test("a timer that was cancelled is old news, and so are a second end and credentials nobody waits for")
  func staleTwice() {
    var timer = ToldCourse.opening()
    timer.tell(nothing, at: 2, [.cancelTimer])
    timer.ring(at: 3, [.cancelTimer])
    #expect(timer.broken == [.staleChangesNothing])
    var end = ToldCourse.waiting(until: 9)
    end.tell(.closed(one, Closure(.server, CloseCode(1_008))), at: 2, timer: 9)
    #expect(end.broken == [.staleChangesNothing])
  }

  @Test("a connection that is closed is gone within the time for it")
  func closingTime() {
    for (seconds, isRight) in [(25.0, true), (25.002, false)] {
      var course = closing()
      course.tell(nothing, at: seconds)
      #expect(course.broken == (isRight ? [] : [.everyStartEnds]))
    }
  }

  @Test("at the end nothing is left: no socket, no timer, no message")
  func leftOver() {
    var socket = ToldCourse.proven()
    socket.tell(.stop, at: 20, [.cancelTimer], shows: .closed)
    #expect(socket.watch.breach?.invariant == .everyStartEnds)
    var timer = ToldCourse.waiting(until: 9)
    timer.tell(.stop, at: 2, shows: LiveStatus(.closed, attempt: 1))
    #expect(timer.broken == [.everyStartEnds])
    var message = ToldCourse.waiting(until: 9)
    message.tell(.send(MessageNumber(1), bytes: 1), at: 2, shows: .waiting(1, until: 9, queued: 1))
    message.tell(.stop, at: 3, [.cancelTimer], shows: LiveStatus(.closed, attempt: 1, queued: 1))
    #expect(message.broken == [.everyStartEnds])
    var none = ToldCourse.waiting(until: 9)
    none.tell(.stop, at: 2, [.cancelTimer], shows: LiveStatus(.closed, attempt: 1))
    #expect(none.broken.isEmpty)
  }

  @Test("a session that is over leaves no timer behind its time, unless the device sleeps")
  func books() {
    func over(at seconds: Double, isAsleep: Bool = false) -> [Invariant] {
      var course = ToldCourse.proven()
      course.truth.isAsleep = isAsleep
      course.end(at: seconds)
      return course.broken
    }
    #expect(over(at: 31).isEmpty && over(at: 31.1) == [.alwaysAnExit] && over(at: 31.1, isAsleep: true).isEmpty)
    var opening = ToldCourse.opening()
    opening.tell(nothing, at: 5, timer: 60)
    opening.end(at: 11)
    #expect(opening.broken == [.connectTimeout])
  }
}
