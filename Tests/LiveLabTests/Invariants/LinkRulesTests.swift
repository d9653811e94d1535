// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let two = Generation(2)
private let nothing = LiveEvent.network(isReachable: true)

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
