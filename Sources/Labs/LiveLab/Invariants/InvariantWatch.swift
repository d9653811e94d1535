// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// Holds a client to every invariant at every step of a session.
///
/// It knows what the client was told and what it wanted done, and keeps an account of its own from that: plain numbers,
/// since it looks on while tens of millions of events go by in a second.
package struct InvariantWatch: SessionWitness, Sendable {
  /// The first invariant that did not hold; nil while all do.
  package private(set) var breach: Breach?
  /// Every invariant that did not hold at some step.
  package private(set) var breached = InvariantSet()
  /// How many events the client was told.
  package private(set) var steps: UInt64 = 0

  var settings = ConnectionSettings()
  var moment = SessionMoment(world: .zero, client: .zero)
  /// What the client was told, unless the step is of the usual round: then `beat` tells it.
  var event = LiveEvent.start
  var beat = Beat()
  var step = StepAccount()
  var socket = SocketAccount()
  var timer = TimerAccount()
  var attempts = AttemptAccount()
  var wish = WishAccount()
  var outgoing = OutgoingAccount()
  var incoming = IncomingAccount()
  var shown: LiveStatus? {
    didSet {
      shownConnected.isValid = shown?.phase == .connected && shown?.health == .good
      (shownConnected.attempt, shownConnected.isCurrent) = (shown?.attempt ?? 0, shown?.isCurrent ?? false)
    }
  }
  /// The part of the last status that the heartbeat's usual round is held against.
  private var shownConnected = (isValid: false, attempt: 0, isCurrent: false)
  /// What the heartbeat's usual round is held against, in nanoseconds.
  private var pongTimeout: Int64 = 0
  private var longestSilence = Int64.max
  /// The longest that the client may be without a socket where the server asks for nothing.
  private(set) var longestWait: Interval?

  /// A watch that has seen nothing.
  package init() {}

  /// The moment of the step, by the client's clock: all its deadlines are kept by that.
  var now: Instant { moment.client }

  /// Whether the status is that of the step before, of an open link, where only a ping or a pong happened.
  @inline(__always)
  private func isStillConnected(_ status: LiveStatus) -> Bool {
    guard timer.isSet, status.phase == .connected, status.health == .good, status.nextTry == nil,
      status.queued == outgoing.waiting, shownConnected.isValid, status.attempt == shownConnected.attempt,
      status.isCurrent == shownConnected.isCurrent
    else { return false }
    guard let pinged = socket.pinged else { return true }
    return 2 &* (moment.client.nanoseconds &- pinged.nanoseconds) <= pongTimeout
  }

  /// Whether the device says that it woke, or the timer rings so late that it must have slept.
  private func isAwakening(_ event: LiveEvent) -> Bool {
    switch event {
    case .woke: true
    case .timer: timer.isSet && now - timer.due >= settings.heartbeat.pongTimeout
    default: false
    }
  }

  /// Notes a breach, with all it takes to find it again.
  @inline(never)
  mutating func broke(_ invariant: Invariant, _ finding: Breach.Finding) {
    breached.insert(invariant)
    if breach == nil {
      let event = step.isUsual ? beat.event : event
      breach = Breach(invariant: invariant, moment: moment, step: steps, event: event, finding: finding)
    }
  }

  /// Begins an account of another session.
  package mutating func began(_ settings: ConnectionSettings) {
    let reported = (breach, breached)
    self = InvariantWatch()
    // A watch goes from session to session; the first breach of all is what it is asked for.
    (breach, breached) = reported
    self.settings = settings
    pongTimeout = settings.heartbeat.pongTimeout.nanoseconds
    longestWait = Self.longestWait(settings)
    if let interval = settings.heartbeat.interval {
      longestSilence = (interval + settings.heartbeat.pongTimeout).nanoseconds
    }
  }

  /// Takes what the client is about to be told into the account.
  @inline(__always)
  package mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {
    self.moment = moment
    steps &+= 1
    if !takeUsual(event) { takeUnusual(event) }
  }

  /// The heartbeat's round, of which an hour of a client consists: its timer rings in good time, or a pong arrives.
  ///
  /// - Returns: Whether that is all that happened.
  @inline(__always)
  private mutating func takeUsual(_ event: LiveEvent) -> Bool {
    guard socket.phase == .open, socket.isProven,
      moment.client.nanoseconds &- socket.heard.nanoseconds <= longestSilence
    else { return false }
    switch event {
    case .timer(let tag):
      guard timer.isSet, tag.number == timer.tag,
        moment.client.nanoseconds &- timer.due.nanoseconds < min(pongTimeout, 1_000_000)
      else { return false }
      timer.isSet = false
      beat = Beat(number: tag.number)
    case .received(let generation, .pong(let number)):
      guard generation.number == socket.generation else { return false }
      (socket.heard, socket.framesSeen) = (moment.client, true)
      if number == socket.pingNumber { (socket.pinged, socket.isExcused) = (nil, false) }
      beat = Beat(pong: generation, number: UInt64(number))
    default: return false
    }
    step.isUsual = true
    step.timerSettings = 0
    return true
  }

  @inline(never)
  private mutating func takeUnusual(_ event: LiveEvent) {
    self.event = event
    step = StepAccount()
    step.isAwakening = isAwakening(event)
    if !step.isAwakening { passTime() }
    note(event)
  }

  /// Notes when the device woke, and whether the link lives in truth.
  package mutating func saw(_ change: SessionChange, at moment: SessionMoment) {
    switch change {
    case .device(isAsleep: false): wish.awoke = moment.client
    case .served(true):
      self.moment = moment
      // That a dead link came to life again before its client noticed anything was luck.
      judgeSilence()
      wish.unserved = nil
    case .served(false): wish.unserved = moment.client
    default: break
    }
  }

  /// Judges the step.
  @inline(__always)
  package mutating func settled<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {
    self.moment = moment
    // Asked again where more is to be judged, so that what is looked at here is not laid out in memory.
    if !step.isUsual || !isStillConnected(session.subject.status) { settle(session.subject.status) }
    if session.truth.clientSockets > 1 { broke(.oneSocket, .tooMany(session.truth.clientSockets, atMost: 1)) }
    if session.truth.messagesDoubled > 0 {
      broke(.deliveredOnce, .tooMany(Int(session.truth.messagesDoubled), atMost: 0))
    }
    let untrue = session.truth.messagesLost &+ session.truth.messagesTakenUnduly
    if untrue > 0 { broke(.takenInTruth, .tooMany(Int(untrue), atMost: 0)) }
  }

  /// Judges what is left open at the end.
  package mutating func ended<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {
    if !session.truth.isAsleep { closeBooks(at: moment) }
  }

  /// Judges what is left open at the end of a device that is awake.
  mutating func closeBooks(at moment: SessionMoment) {
    self.moment = moment
    if timer.isSet, timer.due < now { broke(.alwaysAnExit, .tooLate(now - timer.due, atMost: .zero)) }
    passTime()
  }
}

/// Some invariants.
package struct InvariantSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// None.
  package init() {}

  /// Adds one.
  package mutating func insert(_ invariant: Invariant) { bits |= 1 << UInt32(invariant.rawValue) }

  /// Adds all of another set.
  package mutating func formUnion(_ other: InvariantSet) { bits |= other.bits }

  /// Whether one is among them.
  package func contains(_ invariant: Invariant) -> Bool { bits >> UInt32(invariant.rawValue) & 1 == 1 }

  /// Whether there is none.
  package var isEmpty: Bool { bits == 0 }

  /// Those that are in it, in the order in which they are declared.
  package var all: [Invariant] { Invariant.allCases.filter(contains) }
}
