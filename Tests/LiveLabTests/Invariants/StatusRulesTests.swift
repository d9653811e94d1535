// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let two = Generation(2)
private let nothing = LiveEvent.network(isReachable: true)

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
