// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let two = Generation(2)
private let three = Generation(3)
/// An event that tells the client nothing new.
private let nothing = LiveEvent.network(isReachable: true)

@Suite("What the watch asks of attempts")
struct AttemptRulesTests {
  /// A client that was refused after a second.
  private func refused(
    _ refusal: Refusal, until next: Double, _ settings: ConnectionSettings = ConnectionSettings()
  ) -> ToldCourse {
    var course = ToldCourse.opening(settings)
    course.tell(.refused(one, refusal), at: 1, timer: next, shows: .waiting(1, until: next))
    return course
  }

  private let busy = Refusal(status: 503, retryAfter: .seconds(60))

  /// What is found when the second attempt comes at a moment.
  private func next(_ course: ToldCourse, at seconds: Double, after event: LiveEvent? = nil) -> Breach.Finding? {
    var course = course
    if let event {
      course.tell(event, at: seconds, [.open(two, .original)], timer: seconds + 10, shows: .connecting(2))
    } else {
      course.ring(at: seconds, [.open(two, .original)], timer: seconds + 10, shows: .connecting(2))
    }
    return course.finding
  }

  @Test("between the end of one and the next, and between their beginnings, lies the floor")
  func floor() {
    let floor = ConnectionSettings().backoff.floor
    #expect(next(.waiting(until: 1.1), at: 1.1) == nil)
    #expect(next(.waiting(until: 1.05), at: 1.05) == .tooSoon(.milliseconds(50), atLeast: floor))
    // A hint does away with the wait since the end, not with that since the beginning.
    #expect(next(.waiting(until: 9), at: 1.05, after: .networkChanged) == nil)
    for (again, isRight) in [(0.1, true), (0.09, false)] {
      var course = ToldCourse.opening()
      course.tell(.failed(one, .reset), at: 0.05, timer: 9, shows: .waiting(1, until: 9))
      let expected = isRight ? nil : Breach.Finding.tooSoon(.milliseconds(90), atLeast: floor)
      #expect(next(course, at: again, after: .retry) == expected)
    }
  }

  @Test("a word that tells nothing new is no hint")
  func noHint() {
    let events = [(nothing, 0), (.app(isInFront: true), 0), (.send(MessageNumber(1), bytes: 1), 1)]
    for (event, queued) in events {
      var course = ToldCourse.waiting(until: 1.05)
      course.tell(event, at: 1.02, shows: .waiting(1, until: 1.05, queued: queued))
      course.ring(at: 1.05, [.open(two, .original)], timer: 11, shows: .connecting(2, queued: queued))
      #expect(course.watch.breach?.invariant == .attemptFloor)
    }
  }

  @Test("what the server asks for is waited for, unless a person wants it sooner")
  func retryAfter() {
    let course = refused(busy, until: 61)
    #expect(next(refused(busy, until: 60.9), at: 60.9) == .tooSoon(.milliseconds(59_900), atLeast: .seconds(60)))
    #expect(next(course, at: 61) == nil && next(course, at: 5, after: .retry) == nil)
    #expect(next(course, at: 5, after: .networkChanged) == .tooSoon(.seconds(4), atLeast: .seconds(60)))
    var asked = refused(busy, until: 20)
    asked.tell(.retry, at: 10)
    #expect(next(asked, at: 20) == nil)
  }

  @Test("after an overload, a restart and an unreadable frame as well")
  func later() {
    let later = ConnectionSettings().closeRules.later.seconds
    for (event, effects) in [
      (LiveEvent.closed(one, Closure(.server, CloseCode(1_013))), []),
      (.received(one, .malformed(CloseCode(1_002))), [LiveEffect.abort(one)]),
    ] {
      for (wait, isRight) in [(later, true), (later - 0.1, false)] {
        var course = ToldCourse.proven()
        course.tell(event, at: 20, effects, timer: 20 + wait, shows: .waiting(0, until: 20 + wait))
        course.ring(at: 20 + wait, [.open(two, .original)], timer: 90, shows: .connecting(1))
        #expect(course.broken == (isRight ? [] : [.retryAfterHonoured]))
      }
    }
  }

  /// A client of two attempts, both of which failed after the first, so that the next comes at a moment.
  private func worn(_ last: Double, cadence: SlowCadence?, hint: LiveEvent? = nil) -> ToldCourse {
    var settings = ConnectionSettings()
    (settings.backoff.maximumAttempts, settings.suspendedCadence) = (2, cadence)
    var course = ToldCourse.waiting(until: 2, settings)
    course.ring(at: 2, [.open(two, .original)], timer: 12, shows: .connecting(2))
    course.tell(.failed(two, .reset), at: 3, timer: 4, shows: .waiting(2, until: 4))
    course.ring(at: 4, [.open(three, .original)], timer: 14, shows: .connecting(3))
    course.tell(.failed(three, .reset), at: 5, timer: last, shows: .suspended(3, until: last))
    if let hint {
      course.tell(hint, at: 5.5, [.open(Generation(4), .original)], timer: 15, shows: .connecting(1))
      course.tell(.failed(Generation(4), .reset), at: 6, timer: last, shows: .waiting(1, until: last))
    }
    course.ring(at: last, [.open(Generation(5), .original)], timer: last + 10, shows: .connecting(hint == nil ? 3 : 2))
    return course
  }

  @Test("when they are used up the next comes at the slow cadence, or after a hint, which begins them anew")
  func limit() {
    let cadence = SlowCadence(every: .seconds(300))
    let shortest = cadence.waits.lowerBound.seconds
    #expect(worn(5 + shortest, cadence: cadence).broken.isEmpty)
    #expect(worn(4.9 + shortest, cadence: cadence).finding == .tooMany(3, atMost: 2))
    #expect(worn(900, cadence: nil).broken == [.attemptLimit])
    #expect(worn(7, cadence: cadence, hint: .networkChanged).broken.isEmpty)
    #expect(worn(7, cadence: cadence, hint: .retry).broken.isEmpty)
  }

  /// A client that could make an attempt since a second, and makes none before a moment.
  private func idle(
    until next: Double, _ settings: ConnectionSettings = ConnectionSettings(), first: Refusal? = nil,
    told events: [(Double, LiveEvent)] = [], isPlanned: Bool = true
  ) -> [Invariant] {
    let shown = LiveStatus.waiting(1, until: isPlanned ? next : nil)
    var course = ToldCourse.opening(settings)
    course.tell(first.map { .refused(one, $0) } ?? .failed(one, .timedOut), at: 1, timer: next, shows: shown)
    for (at, event) in events { course.tell(event, at: at) }
    course.ring(at: next, [.open(two, .original)], timer: next + 10, shows: .connecting(2))
    return course.broken
  }

  @Test("the next comes within the longest wait there is, from the last reason to make one")
  func exit() throws {
    let longest = try #require(InvariantChecker.longestWait(ConnectionSettings())).seconds
    #expect(idle(until: 1 + longest).isEmpty && idle(until: 1.1 + longest) == [.alwaysAnExit])
    #expect(idle(until: 1 + longest + 60, first: busy).isEmpty)
    #expect(idle(until: 1.1 + longest + 60, first: busy) == [.alwaysAnExit])
    #expect(idle(until: 300 + longest, told: [(300, .networkChanged)]).isEmpty)
    #expect(idle(until: 300.1 + longest, told: [(300, .networkChanged)]) == [.alwaysAnExit])
    var patient = ConnectionSettings()
    patient.suspendedCadence = nil
    #expect(idle(until: 9_000, patient).isEmpty)
  }

  @Test("none is asked for without a network, or in the back of a phone that rests there")
  func noExit() throws {
    #expect(idle(until: 2_000, told: [(2, .network(isReachable: false))]).isEmpty)
    var resting = ConnectionSettings()
    resting.background = .makeNoAttempts
    #expect(idle(until: 2_000, resting, told: [(2, .app(isInFront: false))]).isEmpty)
    #expect(idle(until: 2_000, resting) == [.alwaysAnExit])
    #expect(idle(until: 2_000, told: [(2, .app(isInFront: false))]) == [.alwaysAnExit])
    #expect(idle(until: 300, isPlanned: false) == [.alwaysAnExit])
  }

  @Test("an attempt is given up after its time, and no sooner")
  func connectTimeout() {
    for (seconds, broken) in [(9.9, [Invariant.droppedForAReason]), (10, []), (10.002, [.connectTimeout])] {
      var course = ToldCourse.opening()
      course.ring(at: seconds, [.abort(one)], timer: 15, shows: .waiting(1, until: 15))
      #expect(course.broken == broken)
    }
    for (seconds, isRight) in [(5.0, false), (10, true)] {
      var course = ToldCourse.opening()
      course.tell(.woke, at: seconds, [.abort(one)], timer: 15, shows: .waiting(1, until: 15))
      #expect(course.broken == (isRight ? [] : [.droppedForAReason]))
    }
  }

  @Test("credentials are fetched once between two proofs, and waited for with a timer")
  func credentials() {
    let denied = Refusal(status: 401)
    var without = ToldCourse.opening()
    without.tell(.refused(one, denied), at: 1, [.open(two, .original)], timer: 11, shows: .connecting(2))
    #expect(without.watch.breached.contains(.refreshedOnce))
    var timeless = ToldCourse.opening()
    timeless.tell(.refused(one, denied), at: 1, [.refreshCredentials(two), .cancelTimer], shows: .connecting(2))
    #expect(timeless.broken == [.alwaysAnExit])
    var fetching = ToldCourse.opening()
    fetching.tell(.refused(one, denied), at: 1, [.refreshCredentials(two)], timer: 11, shows: .connecting(2))
    var unfresh = fetching
    unfresh.tell(.credentials(two, isFresh: false), at: 2, timer: 9, shows: .waiting(2, until: 9))
    #expect(unfresh.broken == [.endsForAReason])
    unfresh = fetching
    unfresh.tell(.credentials(two, isFresh: false), at: 2, [.cancelTimer], shows: LiveStatus(.closed, attempt: 2))
    #expect(unfresh.broken.isEmpty)
    fetching.tell(.credentials(two, isFresh: true), at: 1.01, [.open(two, .original)], timer: 11)
    #expect(fetching.broken.isEmpty)
    var twice = fetching
    twice.tell(.refused(two, denied), at: 2, [.refreshCredentials(three)], timer: 12, shows: .connecting(3))
    #expect(twice.finding == .tooMany(2, atMost: 1) && twice.broken == [.refreshedOnce, .endsForAReason])
    var final = fetching
    final.tell(.refused(two, denied), at: 2, timer: 9, shows: .waiting(2, until: 9))
    #expect(final.broken == [.endsForAReason])
    fetching.tell(.opened(two), at: 2, timer: 12, shows: .connected(2, isCurrent: false))
    fetching.tell(.received(two, .resumed(after: StreamPosition(epoch: 1, offset: 0))), at: 2, shows: .connected(2))
    fetching.ring(at: 12.1, timer: 32, shows: .connected(0))
    let expired = LiveEvent.closed(two, Closure(.server, CloseCode(3_000)))
    fetching.tell(expired, at: 20, [.refreshCredentials(three)], timer: 30, shows: .connecting(1))
    #expect(fetching.broken.isEmpty)
  }

  @Test("redirects are followed at once, so many in a row, and never to what is less safe")
  func redirects() {
    func followed(_ target: [Redirect], limit: Int = 5, isSecure: Bool = false) -> [Invariant] {
      var settings = ConnectionSettings()
      (settings.refusalRules.redirectLimit, settings.isSecure) = (limit, isSecure)
      var course = ToldCourse.opening(settings)
      for (number, target) in target.enumerated() {
        let (at, now) = (0.01 * Double(number + 1), Generation(UInt32(number + 1)))
        course.tell(
          .refused(now, Refusal(status: 307, redirect: target)), at: at,
          [.open(Generation(UInt32(number + 2)), .redirected)], timer: 10 + at)
      }
      return course.broken
    }
    #expect(followed([.plain, .secure, .secure]).isEmpty)
    #expect(followed([.plain, .secure, .plain]) == [.attemptFloor, .endsForAReason])
    #expect(followed([.plain], isSecure: true) == [.attemptFloor, .endsForAReason])
    #expect(followed([.secure, .secure], limit: 2).isEmpty)
    #expect(followed([.secure, .secure, .secure], limit: 2) == [.attemptFloor, .endsForAReason])
  }
}

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

@Suite("What the watch asks of an open connection")
struct LinkRulesTests {
  /// One whose ping of 31 s is unanswered.
  private func asked(_ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = ToldCourse.proven(settings)
    course.ring(at: 31, [.sendPing(one, 7)], timer: 41)
    return course
  }

  private let doubtful = LiveStatus.connected(0, health: .doubtful)

  /// What is broken when nothing is heard until a moment.
  private func silent(_ course: ToldCourse, until seconds: Double) -> [Invariant] {
    var course = course
    course.tell(nothing, at: seconds, shows: doubtful)
    return course.broken
  }

  @Test("silence after a ping is noticed within the interval and the time for the answer")
  func silence() {
    #expect(silent(asked(), until: 41).isEmpty && silent(asked(), until: 41.1) == [.halfOpenNoticed])
    // Heard again, and asked in vain.
    for (event, last) in [(LiveEvent.received(one, .ping(1)), 75.0), (.received(one, .pong(6)), 75)] {
      var course = asked()
      course.tell(event, at: 35, shows: doubtful)
      #expect(silent(course, until: last).isEmpty && silent(course, until: last + 0.1) == [.halfOpenNoticed])
    }
    var answered = asked()
    answered.tell(.received(one, .pong(7)), at: 32)
    #expect(silent(answered, until: 400).isEmpty)
    var settings = ConnectionSettings()
    settings.heartbeat.interval = nil
    #expect(silent(asked(settings), until: 400).isEmpty)
  }

  @Test("the first of several pings is the one that counts, in the heartbeat's round as elsewhere")
  func firstPing() {
    for isRound in [true, false] {
      var course = asked()
      if isRound {
        course.ring(at: 41, [.sendPing(one, 8)], timer: 50, shows: doubtful)
      } else {
        course.tell(nothing, at: 40, [.sendPing(one, 8)], shows: doubtful)
      }
      #expect(course.broken.isEmpty)
      course.tell(nothing, at: 41, [.sendClose(one, CloseCode(1_000))], timer: 51, shows: .closed)
      #expect(course.watch.breach?.invariant == .pongTimeoutAborts)
    }
  }

  @Test("that of the heartbeat's round is noticed too, when the next ring comes late enough")
  func silenceInRound() {
    for (seconds, isRight) in [(41.0, true), (42, false)] {
      var course = ToldCourse.proven()
      course.ring(at: 31, [.sendPing(one, 7)], timer: seconds)
      course.ring(at: seconds, timer: 50, shows: doubtful)
      #expect(course.broken == (isRight ? [] : [.halfOpenNoticed]))
    }
  }

  @Test("a link that is dead in truth is noticed without a ping, from when it died or was last heard")
  func dead() {
    var course = ToldCourse.proven()
    course.change(.served(false), at: 20)
    #expect(silent(course, until: 60).isEmpty && silent(course, until: 60.1) == [.halfOpenNoticed])
    var heard = course
    heard.tell(.received(one, .ping(1)), at: 25)
    #expect(silent(heard, until: 65).isEmpty && silent(heard, until: 65.1) == [.halfOpenNoticed])
    var alive = course
    alive.change(.served(true), at: 60)
    #expect(silent(alive, until: 400).isEmpty)
    course.change(.served(true), at: 60.1)
    #expect(course.broken == [.halfOpenNoticed])
  }

  @Test("what was due in a sleep is due from the waking on")
  func waking() {
    var course = asked()
    course.change(.device(isAsleep: false), at: 300)
    course.tell(.woke, at: 300, timer: 310, shows: doubtful)
    #expect(course.broken.isEmpty)
    #expect(silent(course, until: 340).isEmpty && silent(course, until: 340.1) == [.halfOpenNoticed])
    for (seconds, isRight) in [(309.0, false), (310, true)] {
      var dropped = course
      dropped.ring(at: seconds, [.abort(one)], timer: 320, shows: .waiting(0, until: 320))
      #expect(dropped.broken == (isRight ? [] : [.droppedForAReason]))
    }
  }

  @Test("a ring that is very late is a waking, also where nobody says so")
  func lateRing() {
    for (seconds, isRight) in [(30.1, true), (20, false)] {
      var course = ToldCourse.open()
      course.ring(at: 11.1, timer: 20, shows: .connected(0))
      course.ring(at: seconds, [.sendPing(one, 7)], timer: 60)
      course.tell(nothing, at: 45, shows: doubtful)
      #expect(course.broken == (isRight ? [] : [.halfOpenNoticed]))
    }
  }

  /// A client that is told at 44 s what was due at 41, and drops its link.
  private func lateDrop(awake: Double?, excused: Bool = false) -> [Invariant] {
    var course = asked()
    if excused {
      course.change(.device(isAsleep: false), at: 43)
      course.ring(at: 43.5, [.sendPing(one, 8)], timer: 54, shows: doubtful)
    }
    let (waking, ring) = excused ? (55.5, 56.0) : (awake ?? 0, 44.0)
    if awake != nil || excused { course.change(.device(isAsleep: false), at: waking) }
    course.ring(at: ring, [.abort(one)], timer: 70, shows: .waiting(0, until: 70))
    return course.broken
  }

  @Test("an answer that may have come in a short sleep is asked for once more, and only once")
  func shortSleep() {
    #expect(lateDrop(awake: 43.5) == [.droppedForAReason])
    #expect(!lateDrop(awake: 30).contains(.droppedForAReason) && !lateDrop(awake: nil).contains(.droppedForAReason))
    #expect(!lateDrop(awake: nil, excused: true).contains(.droppedForAReason))
  }

  @Test("a stream that is not resumed in time is a reason to drop it, from the opening or the waking on")
  func resumption() {
    func dropped(
      at seconds: Double, woken: Bool = false, slept: Bool = false, _ settings: ConnectionSettings = .init()
    ) -> [Invariant] {
      var course = ToldCourse.opening(settings)
      let isCurrent = !settings.resumesStream
      let due = slept ? 11 : seconds
      course.tell(.opened(one), at: 1, timer: due, shows: .connected(1, isCurrent: isCurrent))
      if slept { course.change(.device(isAsleep: false), at: 12.5) }
      if woken {
        course.change(.device(isAsleep: false), at: 100)
        course.tell(.woke, at: 100)
      }
      course.ring(at: seconds, [.abort(one)], timer: 900, shows: .waiting(1, until: 900))
      return course.broken
    }
    #expect(dropped(at: 10.9) == [.droppedForAReason] && dropped(at: 11).isEmpty)
    #expect(dropped(at: 109.9, woken: true) == [.droppedForAReason] && dropped(at: 110, woken: true).isEmpty)
    // What came in a short sleep is asked for once more.
    #expect(dropped(at: 13, slept: true) == [.droppedForAReason] && dropped(at: 13).isEmpty)
    var settings = ConnectionSettings()
    settings.resumesStream = false
    #expect(dropped(at: 11, settings) == [.droppedForAReason])
  }

  @Test("in the back it is kept as long as the settings say")
  func background() {
    var settings = ConnectionSettings()
    settings.background = .disconnect(after: .seconds(5))
    func dropped(
      _ beginning: ToldCourse, at seconds: Double, back: [(Double, Bool)], _ status: LiveStatus
    ) -> [Invariant] {
      var course = beginning
      for (at, isInFront) in back { course.tell(.app(isInFront: isInFront), at: at) }
      course.ring(at: seconds, [.abort(one)], timer: 900, shows: status)
      return course.broken
    }
    for (beginning, from, attempt) in [(ToldCourse.opening(settings), 2.0, 1), (.proven(settings), 12, 0)] {
      let gone = LiveStatus.waiting(attempt, until: nil)
      #expect(dropped(beginning, at: from + 5, back: [(from, false)], gone).isEmpty)
      #expect(dropped(beginning, at: from + 4.9, back: [(from, false)], gone) == [.droppedForAReason])
      #expect(dropped(beginning, at: from + 5, back: [(from, false), (from + 2, false)], gone).isEmpty)
      let back = dropped(
        beginning, at: from + 6, back: [(from, false), (from + 1, true)], .waiting(attempt, until: 900))
      #expect(back == [.droppedForAReason])
    }
    let usual = dropped(.proven(), at: 20, back: [(12, false)], .waiting(0, until: nil))
    #expect(usual.contains(.droppedForAReason))
  }

  /// Events, and whether a connection that is open, or being closed, may be dropped for them.
  static let reasons: [(LiveEvent, isOpen: Bool)] = [
    (.stop, true), (.networkChanged, true), (.network(isReachable: false), true), (.app(isInFront: false), true),
    (.received(one, .malformed(CloseCode(1_002))), true), (.woke, false), (.retry, false),
    (.app(isInFront: true), false), (nothing, false), (.received(one, .ping(1)), false),
  ]

  @Test("it is dropped and closed only for a reason; one that is being closed, for any", arguments: reasons)
  func dropped(event: LiveEvent, isReason: Bool) {
    for effect in [LiveEffect.abort(one), .sendClose(one, CloseCode(1_000))] {
      var course = ToldCourse.proven()
      course.tell(event, at: 20, [effect], timer: 25, shows: .closed)
      #expect(course.watch.breached.contains(.droppedForAReason) == !isReason)
    }
    var closing = ToldCourse.proven()
    closing.tell(.stop, at: 20, [.sendClose(one, CloseCode(1_000))], timer: 25, shows: .closed)
    if event != .woke { closing.tell(event, at: 21, [.abort(one), .cancelTimer]) }
    #expect(closing.broken.isEmpty)
  }

  @Test("one that is overdue is dropped without a good-bye, unless the app stops it")
  func politeness() {
    for (event, isRight) in [(LiveEvent.stop, true), (.networkChanged, false)] {
      var course = asked()
      course.tell(event, at: 41, [.sendClose(one, CloseCode(1_000))], timer: 46, shows: .closed)
      #expect(course.watch.breached.contains(.pongTimeoutAborts) == !isRight)
    }
  }
}

@Suite("What the watch asks of messages")
struct MessageRulesTests {
  private func place(_ offset: UInt64, epoch: UInt32 = 1) -> StreamPosition {
    StreamPosition(epoch: epoch, offset: offset)
  }

  private func message(_ place: StreamPosition?) -> LiveEvent { .received(one, .message(place, bytes: 1)) }

  private func deliver(_ places: StreamPosition?...) -> [LiveEffect] { places.map { .deliver($0, bytes: 1) } }

  private func gap(_ from: UInt64, _ last: StreamPosition) -> LiveEffect { .gap(after: place(from), upTo: last) }

  /// What is found when a message arrives and these effects follow, the stream being at its tenth.
  private func found(_ arrived: StreamPosition?, _ effects: [LiveEffect]) -> ToldCourse {
    var course = ToldCourse.proven()
    course.tell(message(arrived), at: 20, effects)
    return course
  }

  @Test("each is delivered once, and what is missing before it is told")
  func stream() {
    #expect(found(place(11), deliver(place(11))).broken.isEmpty)
    #expect(found(place(11), []).finding == .wrongCount(0, expected: 1))
    #expect(found(place(11), []).broken == [.messagesDelivered])
    #expect(found(place(11), deliver(place(11), place(12))).finding == .wrongCount(2, expected: 1))
    #expect(found(place(10), []).broken.isEmpty)
    #expect(found(place(10), deliver(place(10))).finding == .message(10, expected: 11))
    #expect(found(place(11), deliver(place(10))).broken == [.deliveredOnce])
    #expect(found(place(12), deliver(place(12))).broken == [.messagesDelivered])
    #expect(found(place(12), [gap(10, place(11))] + deliver(place(12))).broken.isEmpty)
    #expect(found(place(1, epoch: 2), deliver(place(1, epoch: 2))).broken == [.messagesDelivered])
    #expect(found(place(1, epoch: 2), [gap(10, place(0, epoch: 2))] + deliver(place(1, epoch: 2))).broken.isEmpty)
    #expect(found(nil, deliver(nil)).broken.isEmpty && found(nil, []).broken == [.messagesDelivered])
  }

  @Test("the first is as good as any other, and nothing is missing before it")
  func first() {
    var settings = ConnectionSettings()
    settings.resumesStream = false
    for (effects, isRight) in [(deliver(nil), true), ([], false)] {
      var course = ToldCourse.open(settings)
      course.tell(message(nil), at: 2, effects)
      #expect(course.broken == (isRight ? [] : [.firstMessage]))
      course.tell(message(nil), at: 3, deliver(nil))
      #expect(course.broken == (isRight ? [] : [.firstMessage]))
    }
    var placed = ToldCourse.opening()
    placed.tell(.opened(one), at: 1, timer: 11, shows: .connected(1, isCurrent: false))
    placed.tell(message(place(5)), at: 2, deliver(place(5)))
    #expect(placed.broken.isEmpty)
  }

  /// What is found when a second connection's stream goes on after a place, the first having ended at the tenth.
  private func resumed(after start: StreamPosition, _ effects: [LiveEffect]) -> [Invariant] {
    var course = ToldCourse.proven()
    course.tell(
      .closed(one, Closure(.network, CloseCode(1_006))), at: 20, timer: 22, shows: .waiting(0, until: 22))
    let two = Generation(2)
    course.ring(at: 22, [.open(two, .original)], timer: 32, shows: .connecting(1))
    course.tell(.opened(two), at: 23, timer: 33, shows: .connected(1, isCurrent: false))
    course.tell(.received(two, .resumed(after: start)), at: 24, effects, shows: .connected(1))
    // Said again it changes nothing.
    course.tell(.received(two, .resumed(after: place(90))), at: 24)
    course.tell(
      .received(two, .message(place(start.offset + 1, epoch: start.epoch), bytes: 1)), at: 25,
      deliver(place(start.offset + 1, epoch: start.epoch)))
    return course.broken
  }

  @Test("what is missing between two connections is told when the stream is resumed")
  func resumption() {
    #expect(resumed(after: place(10), []).isEmpty)
    #expect(resumed(after: place(13), [gap(10, place(13))]).isEmpty)
    #expect(resumed(after: place(13), []) == [.messagesDelivered])
    #expect(resumed(after: place(0, epoch: 2), [gap(10, place(0, epoch: 2))]).isEmpty)
    #expect(resumed(after: place(0, epoch: 2), []) == [.messagesDelivered])
  }

  @Test("a stream that is resumed with the first frame is current at once")
  func current() {
    var course = ToldCourse.opening()
    course.tell(.opened(one), at: 1, timer: 11, shows: .connected(1, isCurrent: false))
    course.tell(.received(one, .resumed(after: place(1))), at: 2)
    #expect(course.broken == [.firstMessage, .statusTrue])
  }

  /// An open connection with so many messages of the app sent on it.
  private func sent(_ count: Int, _ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = ToldCourse.open(settings)
    for number in 1...UInt64(count) {
      course.tell(
        .send(MessageNumber(number), bytes: 1), at: 2, [.sendMessage(one, MessageNumber(number))],
        shows: .connected(1, queued: Int(number)))
    }
    return course
  }

  @Test("the app is told once of each what became of it, and of none that it never sent")
  func answered() {
    func told(_ effects: [LiveEffect], queued: Int) -> [Invariant] {
      var course = sent(3)
      course.tell(nothing, at: 3, effects, shows: .connected(1, queued: queued))
      return course.broken
    }
    func acknowledged(_ number: UInt64) -> LiveEffect { .acknowledged(through: MessageNumber(number)) }
    func dropped(_ number: UInt64) -> LiveEffect { .dropped(MessageNumber(number), .age) }
    #expect(told([acknowledged(2)], queued: 1).isEmpty && told([dropped(2)], queued: 2).isEmpty)
    #expect(told([acknowledged(2), dropped(3)], queued: 0).isEmpty)
    #expect(told([acknowledged(4)], queued: 3) == [.answeredOnce])
    #expect(told([acknowledged(2), acknowledged(2)], queued: 1) == [.answeredOnce])
    #expect(told([acknowledged(2), dropped(2)], queued: 1) == [.answeredOnce])
    #expect(told([dropped(2), dropped(2)], queued: 2) == [.answeredOnce])
    #expect(told([dropped(4)], queued: 3) == [.answeredOnce])
  }

  @Test("they go in order, from the first that has no answer, and again on each connection")
  func order() {
    for (number, isRight) in [(3, true), (2, false), (4, false)] as [(UInt64, Bool)] {
      var course = sent(2)
      for made in 3...4 as ClosedRange<UInt64> {
        course.tell(.send(MessageNumber(made), bytes: 1), at: 3, shows: .connected(1, queued: Int(made)))
      }
      course.tell(nothing, at: 4, [.sendMessage(one, MessageNumber(number))])
      #expect(course.finding == (isRight ? nil : .message(number, expected: 3)))
    }
  }

  @Test("an acknowledgement proves the connection, of a message that was sent and where the settings say so")
  func proof() {
    func proves(_ number: UInt64, byAcknowledgement: Bool = true) -> Bool {
      var settings = ConnectionSettings()
      settings.proof.byAcknowledgement = byAcknowledgement
      var course = sent(1, settings)
      course.tell(.send(MessageNumber(2), bytes: 1), at: 3, shows: .connected(1, queued: 2))
      let effects = number == 0 ? [] : [LiveEffect.acknowledged(through: MessageNumber(1))]
      course.tell(
        .received(one, .acknowledged(through: MessageNumber(number))), at: 4, effects,
        shows: .connected(0, queued: number == 0 ? 2 : 1))
      return course.broken.isEmpty
    }
    #expect(proves(1) && proves(2) && !proves(0) && !proves(1, byAcknowledgement: false))
  }

  @Test("no more wait than the settings allow")
  func bounds() {
    for (most, isRight) in [(3, true), (2, false)] {
      var settings = ConnectionSettings()
      settings.outbox.count = most
      #expect(sent(3, settings).broken == (isRight ? [] : [.queueBounds]))
    }
  }
}

@Suite("An account of messages")
struct OutgoingAccountTests {
  @Test("claims nothing of a message more than 1,024 behind the first that waits")
  func window() {
    for (number, isRemembered) in [(1_024, true), (1_025, false)] as [(UInt64, Bool)] {
      var account = InvariantChecker.OutgoingAccount()
      account.made(MessageNumber(1_030))
      _ = account.dropped(MessageNumber(number))
      let again = account.dropped(MessageNumber(number))
      #expect(again == !isRemembered)
    }
    var account = InvariantChecker.OutgoingAccount()
    account.made(MessageNumber(1_030))
    // The same place in the account as that of the first.
    _ = account.dropped(MessageNumber(1_025))
    let first = account.dropped(MessageNumber(1))
    #expect(first)
  }

  @Test("drops at the front are settled at once, and the next that goes out is the first that waits")
  func front() {
    var account = InvariantChecker.OutgoingAccount()
    account.made(MessageNumber(5))
    for number in [2, 1, 3] as [UInt64] { _ = account.dropped(MessageNumber(number)) }
    #expect(account.through == 3 && account.waiting == 2 && account.next() == 4)
    account.sent(MessageNumber(4))
    #expect(account.next() == 5 && !account.isNews(MessageNumber(3)) && account.isNews(MessageNumber(9)))
    account.connectionEnded()
    #expect(account.next() == 4)
  }
}

@Suite("What the watch asks of the status")
struct StatusRulesTests {
  /// What a connection shows that does not tell the present.
  static let lies: [(LiveStatus, Breach.StatusField)] = [
    (.connected(0, queued: 1), .queued), (.connected(0, isCurrent: false), .isCurrent),
    (.connected(0, health: .none), .health),
    (LiveStatus(.connected, nextTry: .zero + .seconds(90), health: .good, isCurrent: true), .nextTry),
  ]

  @Test("every part of it tells the present, in the heartbeat's round as elsewhere", arguments: lies)
  func lied(status: LiveStatus, field: Breach.StatusField) {
    var round = ToldCourse.proven()
    round.ring(at: 31, timer: 61, shows: status, silently: true)
    #expect(round.broken == [.statusTrue])
    var other = ToldCourse.proven()
    other.tell(nothing, at: 31, shows: status)
    #expect(other.finding == .status(field) && other.broken == [.statusTrue])
  }

  @Test("a link is neither well before it is open nor in sync before its stream is resumed")
  func tooSoon() {
    var opening = ToldCourse.opening()
    opening.tell(nothing, at: 2, shows: LiveStatus(.connecting, attempt: 1, health: .good))
    #expect(opening.finding == .status(.health) && opening.broken == [.statusTrue])
    var open = ToldCourse.opening()
    open.tell(.opened(one), at: 1, timer: 11, shows: .connected(1))
    #expect(open.finding == .status(.isCurrent) && open.broken == [.statusTrue])
  }

  @Test("no change of it is kept quiet, in the heartbeat's round as elsewhere")
  func announced() {
    let waiting = LiveStatus(.waiting, health: .good, isCurrent: true)
    let changes: [(LiveStatus, LiveStatus)] = [
      (.connected(0), .connected(1)), (.connected(0, health: .doubtful), .connected(0)), (.connected(0), waiting),
    ]
    for (before, after) in changes {
      var round = ToldCourse.proven()
      round.tell(nothing, at: 30, shows: before)
      var other = round
      round.ring(at: 31, timer: 61, shows: after, silently: true)
      other.tell(nothing, at: 31, shows: after, silently: true)
      for course in [round, other] { #expect(course.finding == .status(.announcement)) }
    }
  }

  @Test("an answer that is half too late makes the link doubtful")
  func doubt() {
    for (seconds, isRight) in [(36.0, true), (36.1, false)] {
      var course = ToldCourse.proven()
      course.ring(at: 31, [.sendPing(one, 7)], timer: 41)
      var other = course
      course.tell(.received(one, .pong(6)), at: seconds)
      other.tell(nothing, at: seconds)
      for course in [course, other] { #expect(course.broken == (isRight ? [] : [.statusTrue])) }
    }
  }

  @Test("the next try is to come, its timer set and no later, and only while it waits")
  func nextTry() {
    func broken(_ next: Double, timer: Double?) -> [Invariant] {
      var course = ToldCourse.opening()
      let effects = timer == nil ? [LiveEffect.cancelTimer] : []
      course.tell(.failed(one, .reset), at: 1, effects, timer: timer, shows: .waiting(1, until: next))
      return course.broken
    }
    #expect(broken(5, timer: 5).isEmpty && broken(5, timer: 4).isEmpty && broken(1, timer: 5) == [.statusTrue])
    #expect(broken(5, timer: 5.1) == [.statusTrue] && broken(5, timer: nil) == [.statusTrue])
    #expect(broken(0.9, timer: 0.9) == [.statusTrue])
    // What was to come in a sleep is not late when the device wakes.
    var woken = ToldCourse.waiting(until: 5)
    woken.change(.device(isAsleep: false), at: 20)
    woken.tell(nothing, at: 20)
    #expect(woken.broken.isEmpty)
  }

  @Test("the phase is that of the socket")
  func phase() {
    var early = ToldCourse()
    early.tell(nothing, at: 0, shows: .waiting(0, until: nil))
    #expect(early.finding == .phase(.waiting, expected: .disconnected))
    var open = ToldCourse.proven()
    open.tell(nothing, at: 12, shows: .connecting(0))
    #expect(open.finding == .phase(.connecting, expected: .connected) && open.broken == [.statusTrue])
    var lost = ToldCourse.proven()
    lost.tell(.failed(one, .reset), at: 20)
    lost.tell(.closed(one, Closure(.network, CloseCode(1_006))), at: 20, timer: 21, shows: .connecting(1))
    #expect(lost.finding == .nothing && lost.broken == [.alwaysAnExit, .statusTrue])
    var suspended = ToldCourse.opening()
    suspended.tell(.failed(one, .reset), at: 1, timer: 300, shows: .suspended(1, until: 300))
    #expect(suspended.finding == .wrongCount(1, expected: 10) && suspended.broken == [.countedOnce])
    var settings = ConnectionSettings()
    (settings.suspendedCadence, settings.backoff.maximumAttempts) = (nil, 1)
    for (settings, isRight) in [(settings, true), (ConnectionSettings(), false)] {
      var course = ToldCourse.opening(settings)
      course.tell(.failed(one, .reset), at: 1, [.cancelTimer], shows: .suspended(1, until: nil))
      #expect(course.broken.contains(.alwaysAnExit) == !isRight)
    }
  }

  @Test("it ends for a reason")
  func ends() {
    var course = ToldCourse.waiting(until: 5)
    course.tell(nothing, at: 2, [.cancelTimer], shows: LiveStatus(.closed, attempt: 1))
    #expect(course.finding == .phase(.closed, expected: .waiting) && course.broken == [.endsForAReason])
    for (closure, isRight) in [
      (Closure(.server, CloseCode(1_003)), true), (Closure(.server, CloseCode(1_000)), false),
    ] {
      var closed = ToldCourse.proven()
      closed.tell(.closed(one, closure), at: 20, [.cancelTimer], shows: .closed)
      #expect(closed.broken == (isRight ? [] : [.endsForAReason]))
      var goesOn = ToldCourse.proven()
      goesOn.tell(.closed(one, closure), at: 20, timer: 22, shows: .waiting(0, until: 22))
      #expect(goesOn.broken == (isRight ? [.endsForAReason] : []))
    }
    var refused = ToldCourse.opening()
    refused.tell(.refused(one, Refusal(status: 404)), at: 1, timer: 5, shows: .waiting(1, until: 5))
    #expect(refused.broken == [.endsForAReason])
    var stopped = ToldCourse.waiting(until: 5)
    stopped.tell(.stop, at: 2)
    #expect(stopped.broken == [.endsForAReason])
  }

  /// A client that has shown a count of attempts, and begins the next.
  private func counts(_ last: LiveStatus, _ attempt: Int, proven: Bool = false) -> [Invariant] {
    var course = proven ? ToldCourse.proven() : ToldCourse.open()
    let closed = LiveEvent.closed(one, Closure(.network, CloseCode(1_006)))
    course.tell(closed, at: proven ? 20 : 5, timer: 30, shows: last)
    course.ring(at: 30, [.open(two, .original)], timer: 40, shows: .connecting(attempt))
    return course.broken
  }

  @Test("attempts are counted by ones, and begin anew for a proof, or a hint when they are used up")
  func attempts() {
    #expect(counts(.waiting(1, until: 30), 2).isEmpty)
    #expect(counts(.waiting(1, until: 30), 3) == [.countedOnce])
    #expect(counts(.waiting(0, until: 30), 1) == [.countedOnce])
    #expect(counts(.waiting(0, until: 30), 1, proven: true).isEmpty)
    #expect(counts(.waiting(0, until: 30), 2, proven: true) == [.countedOnce, .resetWhenProven])
    func anew(from last: Int, to attempt: Int, after event: LiveEvent?, most: Int = 2) -> [Invariant] {
      var settings = ConnectionSettings()
      settings.backoff.maximumAttempts = most
      var course = ToldCourse.waiting(until: 2, settings)
      course.ring(at: 2, [.open(two, .original)], timer: 12, shows: .connecting(2))
      let used = LiveStatus(last >= most ? .suspended : .waiting, attempt: last, nextTry: .zero + .seconds(400))
      course.tell(.failed(two, .reset), at: 3, timer: 400, shows: used)
      let open = LiveEffect.open(Generation(3), .original)
      if let event {
        course.tell(event, at: 399, [open], timer: 410, shows: .connecting(attempt))
      } else {
        course.ring(at: 400, [open], timer: 410, shows: .connecting(attempt))
      }
      return course.broken
    }
    #expect(anew(from: 2, to: 1, after: .retry).isEmpty && anew(from: 2, to: 1, after: nil) == [.countedOnce])
    #expect(anew(from: 2, to: 0, after: .retry) == [.countedOnce])
    #expect(anew(from: 3, to: 2, after: .retry) == [.countedOnce])
    #expect(anew(from: 2, to: 1, after: .retry, most: 3) == [.countedOnce])
  }

  @Test("a proof may be shown later, and after it the first attempt is the first")
  func laterProof() {
    var late = ToldCourse.open()
    late.ring(at: 11.1, timer: 31)
    late.tell(nothing, at: 13, shows: .connected(0))
    late.tell(.closed(one, Closure(.network, CloseCode(1_006))), at: 20, timer: 22, shows: .waiting(0, until: 22))
    late.ring(at: 22, [.open(two, .original)], timer: 32, shows: .connecting(1))
    late.tell(.failed(two, .reset), at: 23, timer: 24, shows: .waiting(1, until: 24))
    late.ring(at: 24, [.open(Generation(3), .original)], timer: 34, shows: .connecting(2))
    #expect(late.broken.isEmpty)
    // The device slept, and nobody can say how long the connection was up.
    for isAsleep in [true, false] {
      var course = ToldCourse.open()
      if isAsleep { course.tell(.woke, at: 5) }
      course.tell(.closed(one, Closure(.network, CloseCode(1_006))), at: 6, timer: 9, shows: .waiting(0, until: 9))
      #expect(course.broken == (isAsleep ? [] : [.countedOnce]))
    }
  }
}

/// The course of a client that is made up: what it is told, what it wants done and what it shows, step by step, with a
/// watch on it. So every rule is met at its very bounds, and alone.
struct ToldCourse {
  private(set) var watch = InvariantChecker()
  var truth = SessionTruth()
  private var status = LiveStatus(.disconnected)
  private var tag: UInt64 = 0

  init(_ settings: ConnectionSettings = ConnectionSettings()) { watch.began(settings) }

  /// The invariants that were broken so far.
  var broken: [Invariant] { watch.breached.all }
  /// What was found first.
  var finding: Breach.Finding? { watch.breach?.finding }

  private func moment(_ seconds: Double) -> SessionMoment {
    SessionMoment(world: .zero + Interval(seconds: seconds), client: .zero + Interval(seconds: seconds))
  }

  /// One step.
  ///
  /// - Parameters:
  ///   - event: What the client is told.
  ///   - seconds: When.
  ///   - effects: What it wants done, without the timer and the word that its status changed.
  ///   - due: For when it sets its timer, in seconds; nil where it does not.
  ///   - status: What it shows from now on; nil for what it showed before.
  ///   - silently: Whether it does not say that it shows something else.
  mutating func tell(
    _ event: LiveEvent, at seconds: Double, _ effects: [LiveEffect] = [], timer due: Double? = nil,
    shows status: LiveStatus? = nil, silently: Bool = false
  ) {
    let moment = moment(seconds)
    watch.saw(event, at: moment)
    for effect in effects { watch.saw(effect, at: moment) }
    if let due {
      tag += 1
      watch.saw(.setTimer(TimerTag(tag), at: .zero + Interval(seconds: due)), at: moment)
    }
    if let status, status != self.status {
      self.status = status
      if !silently { watch.saw(.statusChanged, at: moment) }
    }
    watch.settled(self.status, truth, at: moment)
  }

  /// A step in which the timer rings that was set last.
  mutating func ring(
    at seconds: Double, _ effects: [LiveEffect] = [], timer due: Double? = nil, shows status: LiveStatus? = nil,
    silently: Bool = false
  ) { tell(.timer(TimerTag(tag)), at: seconds, effects, timer: due, shows: status, silently: silently) }

  /// Something changes in the world.
  mutating func change(_ change: SessionChange, at seconds: Double) { watch.saw(change, at: moment(seconds)) }

  /// The session is over.
  mutating func end(at seconds: Double) {
    var session = SessionView(LiveConnection(ConnectionSettings()))
    session.truth = truth
    watch.ended(session, at: moment(seconds))
  }

  // MARK: Usual beginnings

  /// An attempt that was begun at once and may take ten seconds.
  static func opening(_ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = ToldCourse(settings)
    course.tell(.start, at: 0, [.open(Generation(1), .original)], timer: 10, shows: .connecting(1))
    return course
  }

  /// A connection that is open and serves since a second, with the stream resumed after the tenth message.
  static func open(_ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = opening(settings)
    course.tell(
      .opened(Generation(1)), at: 1, settings.resumesStream ? [.sendResume(Generation(1), after: nil)] : [], timer: 11,
      shows: .connected(1, isCurrent: !settings.resumesStream))
    if settings.resumesStream {
      course.tell(
        .received(Generation(1), .resumed(after: StreamPosition(epoch: 1, offset: 10))), at: 1, shows: .connected(1))
    }
    course.change(.served(true), at: 1)
    return course
  }

  /// The same, proven by its uptime at 11 s, with a ping due at 31 s.
  static func proven(_ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = open(settings)
    course.ring(at: 11.1, timer: 31, shows: .connected(0))
    return course
  }

  /// A client whose attempt failed after a second.
  static func waiting(until next: Double, _ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = opening(settings)
    course.tell(.failed(Generation(1), .timedOut), at: 1, timer: next, shows: .waiting(1, until: next))
    return course
  }
}

extension LiveStatus {
  static func connecting(_ attempt: Int, queued: Int = 0) -> LiveStatus {
    LiveStatus(.connecting, attempt: attempt, queued: queued)
  }

  static func connected(
    _ attempt: Int, health: Health = .good, isCurrent: Bool = true, queued: Int = 0
  ) -> LiveStatus {
    LiveStatus(.connected, attempt: attempt, health: health, isCurrent: isCurrent, queued: queued)
  }

  static func waiting(_ attempt: Int, until next: Double?, queued: Int = 0) -> LiveStatus {
    LiveStatus(
      .waiting, attempt: attempt, nextTry: next.map { .zero + Interval(seconds: $0) }, queued: queued)
  }

  static func suspended(_ attempt: Int, until next: Double?) -> LiveStatus {
    LiveStatus(.suspended, attempt: attempt, nextTry: next.map { .zero + Interval(seconds: $0) })
  }

  static let closed = LiveStatus(.closed)
}
