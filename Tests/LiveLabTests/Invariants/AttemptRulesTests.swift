// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let two = Generation(2)
private let three = Generation(3)
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
    let longest = try #require(InvariantWatch.longestWait(ConnectionSettings())).seconds
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
