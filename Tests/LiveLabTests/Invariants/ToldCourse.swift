// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// A client that shows what it is made to show.
private struct Puppet: LiveSubject {
  let status: LiveStatus

  init(_ settings: ConnectionSettings) { status = LiveStatus(.disconnected) }
  init(showing status: LiveStatus) { self.status = status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    false
  }
}

/// The course of a client that is made up: what it is told, what it wants done and what it shows, step by step, with a
/// watch on it. So every rule is met at its very bounds, and alone.
struct ToldCourse {
  private(set) var watch = InvariantWatch()
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
    watch.settled(view, at: moment)
  }

  private var view: SessionView<Puppet> {
    var view = SessionView(Puppet(showing: status))
    view.truth = truth
    return view
  }

  /// A step in which the timer rings that was set last.
  mutating func ring(
    at seconds: Double, _ effects: [LiveEffect] = [], timer due: Double? = nil, shows status: LiveStatus? = nil,
    silently: Bool = false
  ) { tell(.timer(TimerTag(tag)), at: seconds, effects, timer: due, shows: status, silently: silently) }

  /// Something changes in the world.
  mutating func change(_ change: SessionChange, at seconds: Double) { watch.saw(change, at: moment(seconds)) }

  /// The session is over.
  mutating func end(at seconds: Double) { watch.ended(view, at: moment(seconds)) }

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
