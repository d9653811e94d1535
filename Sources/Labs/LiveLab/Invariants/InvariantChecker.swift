// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// Checks all invariants of a client at every step of a session.
///
/// It derives its own account of the client from the events and effects.
public struct InvariantChecker: SessionObserver, Sendable {
  public private(set) var breach: Breach?
  /// All invariants that were violated at some step.
  public private(set) var breached = InvariantSet()
  /// The number of events delivered to the client.
  private(set) var steps: UInt64 = 0

  public init() {}

  /// The delay of timers that is attributed to the machine instead of the client: zero in virtual time.
  public var tolerance = Interval.zero
  private var settings = ConnectionSettings()
  private var moment = SessionMoment(world: .zero, client: .zero)
  private var event = LiveEvent.start
  private var step = StepAccount()
  private var socket = SocketAccount()
  private var timer = TimerAccount()
  private var attempts = AttemptAccount()
  private var wish = PendingRequest()
  private var outgoing = OutgoingAccount()
  /// The position up to which the app has the server's messages.
  private var lastDelivered: StreamPosition?
  private var shown: LiveStatus?
  /// The longest time that the client may be without a socket if the server does not ask it to stay away.
  private var longestWait: Interval?

  /// The time of the step by the client's clock, which all deadlines use.
  private var now: Instant { moment.client }

  /// Returns true if the device reports that it woke, or the timer fires so late that the device must have slept.
  private func isAwakening(_ event: LiveEvent) -> Bool {
    switch event {
    case .woke: true
    case .timer: timer.isSet && now - timer.due >= settings.heartbeat.pongTimeout
    default: false
    }
  }

  private mutating func broke(_ invariant: Invariant, _ finding: Breach.Finding) {
    breached.insert(invariant)
    if breach == nil {
      breach = Breach(invariant: invariant, moment: moment, step: steps, event: event, finding: finding)
    }
  }

  public mutating func began(_ settings: ConnectionSettings) {
    let kept = (breach, breached, tolerance)
    self = InvariantChecker()
    // A checker is used for several sessions; the first breach of all is kept.
    (breach, breached, tolerance) = kept
    self.settings = settings
    longestWait = Self.longestWait(settings)
  }

  public mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment
  ) {
    (self.event, self.moment) = (event, moment)
    steps &+= 1
    step = StepAccount()
    step.isAwakening = isAwakening(event)
    if !step.isAwakening { passTime() }
    note(event)
    for index in effects.indices { note(effects[index]) }
    settle(status)
    if truth.clientSockets > 1 { broke(.oneSocket, .tooMany(truth.clientSockets, atMost: 1)) }
    if truth.messagesDoubled > 0 { broke(.deliveredOnce, .tooMany(Int(truth.messagesDoubled), atMost: 0)) }
    let untrue = truth.messagesLost &+ truth.messagesTakenUnduly
    if untrue > 0 { broke(.acknowledgedIsStored, .tooMany(Int(untrue), atMost: 0)) }
  }

  public mutating func observe(_ change: SessionChange, at moment: SessionMoment) {
    switch change {
    case .device(isAsleep: false): wish.awoke = moment.client
    case .served(true):
      self.moment = moment
      // Also checks the silence of a dead link that works again before the client noticed.
      checkSilence()
      wish.unserved = nil
    case .served(false): wish.unserved = moment.client
    default: break
    }
  }

  public mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment) {
    if !truth.isAsleep { finish(at: moment) }
  }

  /// Checks for unfinished sockets, timers and messages at the end, with the device awake.
  public mutating func finish(at moment: SessionMoment) {
    self.moment = moment
    if timer.isSet, timer.due + tolerance < now { broke(.neverStuck, .tooLate(now - timer.due, atMost: .zero)) }
    passTime()
  }
}

// MARK: Events

extension InvariantChecker {
  /// Checks the effects of time alone: an open link is proven or should have been given up; an attempt, or the wait for
  /// one, has taken too long. After a sleep, the following events are checked instead.
  private mutating func passTime() {
    switch socket.phase {
    case .open:
      if !socket.isProven {
        // The timer for it may fire late, with another event before it.
        if since(socket.proving) > settings.proof.minimumUptime { prove() }
        if now - socket.proving >= settings.proof.minimumUptime { socket.isUncertain = true }
      }
      checkSilence()
    case .opening:
      let taken = since(socket.began)
      if taken > settings.connectTimeout { broke(.connectTimeout, .tooLate(taken, atMost: settings.connectTimeout)) }
    case .closing:
      let taken = since(socket.closing)
      if taken > settings.closeTimeout { broke(.everyAttemptEnds, .tooLate(taken, atMost: settings.closeTimeout)) }
    case .none:
      guard isExpected, let longest = longestIdle else { return }
      let idle = since(wish.idleSince)
      if idle > longest { broke(.neverStuck, .tooLate(idle, atMost: longest)) }
    }
  }

  /// Checks for a link that is dead, or did not answer a ping, and has been silent for too long. A link without pings
  /// is no breach while it works.
  private mutating func checkSilence() {
    guard socket.phase == .open, let interval = settings.heartbeat.interval else { return }
    guard let dead = socket.pinged ?? wish.unserved else { return }
    let maximum = interval + settings.heartbeat.pongTimeout
    let silence = since(socket.pinged == nil ? max(socket.heard, dead) : socket.heard)
    if silence > maximum { broke(.halfOpenNoticed, .tooLate(silence, atMost: maximum)) }
  }

  /// The time since a moment or since the device last woke, whichever is later.
  ///
  /// A millisecond is subtracted, since timers may fire late.
  private func since(_ moment: Instant) -> Interval {
    now - max(moment, wish.awoke) - .milliseconds(1) - tolerance
  }

  /// True if the client should attempt to connect without a hint.
  private var isExpected: Bool {
    wish.isStarted && !wish.isStopped && !wish.hasEnded && mayAttempt && !attempts.awaitsCredentials
  }

  private var mayAttempt: Bool { wish.isReachable && (wish.isInFront || settings.background == .stayConnected) }

  /// The longest time without a socket; nil if the attempts are exhausted and only a hint helps.
  private var longestIdle: Interval? {
    longestWait.map { max(.zero, attempts.notBefore - wish.idleSince) + $0 }
  }

  /// The longest time without a socket if the server does not ask the client to stay away.
  static func longestWait(_ settings: ConnectionSettings) -> Interval? {
    guard let cadence = settings.suspendedCadence else { return nil }
    // Jitter extends waits beyond the cap by less than the cap, or by its own length.
    let added = if case .added(_, let maximum) = settings.backoff.jitter { maximum } else { Interval.zero }
    let longest = max(settings.backoff.cap * 2 + .seconds(10) + added, cadence.waits.upperBound)
    return longest + settings.hintSpread + settings.backoff.floor
  }

  private mutating func prove() {
    (socket.isProven, step.isProof) = (true, true)
    attempts.made = 0
    (attempts.hasRefreshed, attempts.mayBeForgotten) = (false, false)
  }

  private mutating func note(_ event: LiveEvent) {
    switch event {
    case .timer(let tag):
      step.isStale = !timer.isSet || tag.number != timer.tag
      if !step.isStale {
        timer.isSet = false
        if step.isAwakening { noteWoke() } else if isDelayedBySleep { excuseSilence() }
      }
    case .received(let generation, let frame):
      step.isStale = !holds(generation, .open) && !holds(generation, .closing)
      if !step.isStale { note(frame) }
    case .moved(let generation), .sending(let generation, _, _):
      step.isStale = !holds(generation, .open)
      if !step.isStale {
        socket.heard = now
        if socket.pinged != nil { socket.pinged = now }
      }
    case .opened(let generation):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { noteOpened() }
    case .failed(let generation, _):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { lose() }
    case .refused(let generation, let refusal):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { note(refusal) }
    case .closed(let generation, let closure):
      step.isStale = generation.number != socket.generation || socket.phase == .none
      if !step.isStale { note(closure) }
    case .credentials(let generation, let isFresh):
      step.isStale = !attempts.awaitsCredentials || generation != attempts.awaited
      if !step.isStale { noteCredentials(isFresh) }
    case .start:
      wish.isStarted = true
      wish.idleSince = now
      step.excusesAttempt = true
    case .stop: (wish.isStopped, wish.mayEnd) = (true, true)
    case .retry:
      // An attempt requested by the user is not part of a storm, so it may come before `notBefore`.
      attempts.notBefore = .zero
      hint()
    case .network(let isReachable):
      if isReachable, !wish.isReachable { hint() }
      wish.isReachable = isReachable
    case .networkChanged: hint()
    case .woke:
      noteWoke()
      hint()
    case .app(let isInFront):
      if isInFront, !wish.isInFront { hint() }
      if !isInFront, wish.isInFront { wish.backSince = now }
      wish.isInFront = isInFront
    case .send(let number, _): outgoing.made(number)
    }
  }

  private func holds(_ generation: Generation, _ phase: SocketAccount.Phase) -> Bool {
    socket.phase == phase && socket.generation == generation.number
  }

  /// Records a hint that an attempt may succeed.
  private mutating func hint() {
    (attempts.isHinted, step.isHint) = (true, true)
    attempts.made = 0
    wish.idleSince = now
  }

  /// True if a sleep delayed the timer that fires.
  private var isDelayedBySleep: Bool { wish.awoke > timer.due && now - timer.due > settings.heartbeat.lateness }

  /// Excuses once an overdue answer that may have arrived during a sleep; the client asks for it again.
  private mutating func excuseSilence() {
    guard socket.phase == .open, !socket.isExcused, isPongOverdue || isResumeOverdue else { return }
    socket.isExcused = true
    if isPongOverdue { socket.pinged = now }
    if isResumeOverdue { socket.resuming = now }
  }

  /// Restarts all deadlines, since no timer ran while the device slept.
  private mutating func noteWoke() {
    (socket.heard, socket.isExcused) = (now, false)
    (socket.resuming, wish.awoke) = (now, now)
    if socket.pinged != nil { socket.pinged = now }
    if !socket.isProven { (socket.isUncertain, socket.proving) = (true, now) }
    wish.idleSince = now
  }

  private mutating func noteOpened() {
    socket.phase = .open
    (socket.proving, socket.heard, socket.resuming) = (now, now, now)
    attempts.notBefore = .zero
  }

  private mutating func note(_ frame: ServerFrame) {
    socket.heard = now
    step.isFirstFrame = !socket.framesSeen
    socket.framesSeen = true
    guard socket.phase == .open else { return }
    switch frame {
    case .pong(let number): if number == socket.pingNumber { (socket.pinged, socket.isExcused) = (nil, false) }
    case .message(let position, _): expect(position)
    case .acknowledged(let number):
      // The application behind the socket has answered.
      if outgoing.isNews(number), settings.proof.byAcknowledgement, !socket.isProven { prove() }
    case .resumed(let start):
      guard settings.resumesStream, !socket.isResumed else { return }
      socket.isResumed = true
      expect(resumedAfter: start)
    case .malformed: attempts.notBefore = now + settings.closeRules.later
    case .ping: break
    }
  }

  /// Expects a report of missing messages if the stream resumes beyond the last one delivered.
  private mutating func expect(resumedAfter start: StreamPosition) {
    guard let last = lastDelivered else {
      lastDelivered = start
      return
    }
    step.toDeliver = 0
    step.wantsGap = start.epoch != last.epoch || start.offset > last.offset
  }

  /// Expects a message that arrived to be delivered, skipped, or reported to follow a gap.
  private mutating func expect(_ position: StreamPosition?) {
    guard settings.resumesStream, let position else {
      step.toDeliver = 1
      return
    }
    guard let last = lastDelivered, last.epoch == position.epoch else {
      (step.toDeliver, step.wantsGap) = (1, lastDelivered != nil)
      return
    }
    step.toDeliver = position.offset > last.offset ? 1 : 0
    step.wantsGap = position.offset > last.offset + 1
  }

  private mutating func note(_ refusal: Refusal) {
    lose()
    switch settings.refusalRules.verdict(
      on: refusal, isSecure: settings.isSecure || attempts.isRedirectSecure, redirects: attempts.redirects)
    {
    case .retry: break
    case .retryAfter(let interval): attempts.notBefore = now + interval
    case .refreshCredentials: refuseCredentials()
    case .redirect:
      attempts.redirects += 1
      attempts.isRedirectSecure = attempts.isRedirectSecure || refusal.redirect == .secure
      step.excusesAttempt = true
    case .never: (step.mustEnd, wish.mayEnd) = (true, true)
    }
  }

  private mutating func note(_ closure: Closure) {
    let wasClosing = socket.phase == .closing
    lose()
    guard !wasClosing else { return }
    switch settings.closeRules.verdict(on: closure) {
    case .reconnect: break
    case .reconnectLater(let interval): attempts.notBefore = now + interval
    case .refreshCredentials: refuseCredentials()
    case .never: (step.mustEnd, wish.mayEnd) = (true, true)
    }
  }

  /// Handles refused credentials: new ones are fetched once; a second refusal is final.
  private mutating func refuseCredentials() {
    attempts.needsCredentials = true
    if attempts.hasRefreshed { (step.mustEnd, wish.mayEnd) = (!attempts.mayBeForgotten, true) }
  }

  private mutating func noteCredentials(_ isFresh: Bool) {
    attempts.awaitsCredentials = false
    step.excusesAttempt = true
    wish.idleSince = now
    (attempts.needsCredentials, attempts.hasRefreshed, attempts.mayBeForgotten) = (!isFresh, isFresh, false)
    if !isFresh { (step.mustEnd, wish.mayEnd) = (true, true) }
  }

  private mutating func lose() {
    attempts.followsProven = socket.isProven
    if socket.isUncertain { (attempts.made, attempts.mayBeForgotten) = (0, true) }
    socket.phase = .none
    socket.pinged = nil
    socket.ended = now
    wish.idleSince = now
    outgoing.connectionEnded()
  }
}

// MARK: Effects

extension InvariantChecker {
  private mutating func note(_ effect: LiveEffect) {
    if step.isStale { broke(.staleChangesNothing, .effect(effect)) }
    switch effect {
    case .setTimer(let tag, let due): note(tag, due: due)
    case .cancelTimer: timer.isSet = false
    case .sendPing(let generation, let number):
      guard isOpen(generation, effect) else { return }
      socket.pingNumber = number
      if socket.pinged == nil { socket.pinged = now }
    case .sendMessage(let generation, let number):
      guard isOpen(generation, effect) else { return }
      let next = outgoing.next()
      if number.value != next { broke(.sentInOrder, .message(number.value, expected: next)) }
      outgoing.sent(number)
    case .sendPong(let generation, _), .sendResume(let generation, _): _ = isOpen(generation, effect)
    case .statusChanged: step.isAnnounced = true
    case .open(let generation, let target): noteOpen(generation, target, effect)
    case .abort(let generation):
      guard socket.phase != .none, socket.generation == generation.number else { return }
      if !mayDrop { broke(.droppedForAReason, .effect(effect)) }
      lose()
    case .sendClose(let generation, _):
      guard socket.phase != .none, socket.generation == generation.number else { return }
      if isPongOverdue, event != .stop { broke(.pongTimeoutAborts, .effect(effect)) }
      if !mayDrop { broke(.droppedForAReason, .effect(effect)) }
      (socket.phase, socket.closing) = (.closing, now)
    case .refreshCredentials(let generation):
      if wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
      if attempts.hasRefreshed, !attempts.mayBeForgotten { broke(.refreshedOnce, .tooMany(2, atMost: 1)) }
      (attempts.awaitsCredentials, attempts.awaited, attempts.began) = (true, generation, now)
      step.opens = true
    case .deliver(let position, _):
      step.delivered += 1
      if let position { note(delivered: position) }
    case .gap(_, let last): (step.isGapReported, lastDelivered) = (true, last)
    case .acknowledged(let number): if !outgoing.acknowledged(number) { broke(.answeredOnce, .effect(effect)) }
    case .dropped(let number, _): if !outgoing.dropped(number) { broke(.answeredOnce, .effect(effect)) }
    }
  }

  private mutating func note(_ tag: TimerTag, due: Instant) {
    step.timerSettings += 1
    if tag.number <= timer.tag || step.timerSettings > 1 { broke(.oneTimer, .tooMany(2, atMost: 1)) }
    if wish.hasEnded, socket.phase != .closing { broke(.nothingAfterClose, .effect(.setTimer(tag, at: due))) }
    timer = TimerAccount(isSet: true, tag: tag.number, due: due)
  }

  private mutating func isOpen(_ generation: Generation, _ effect: LiveEffect) -> Bool {
    if wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
    if socket.phase == .open, socket.generation == generation.number { return true }
    broke(.oneSocket, .effect(effect))
    return false
  }

  private mutating func noteOpen(_ generation: Generation, _ target: OpenTarget, _ effect: LiveEffect) {
    if wish.isStopped || wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
    if socket.phase != .none { broke(.oneSocket, .tooMany(2, atMost: 1)) }
    if generation.number <= socket.generation { broke(.oneSocket, .effect(effect)) }
    if attempts.needsCredentials { broke(.refreshedOnce, .wrongCount(0, expected: 1)) }
    if target == .original { (attempts.redirects, attempts.isRedirectSecure) = (0, false) }
    checkAttempt()
    let number = socket.generation
    socket = SocketAccount()
    (socket.phase, socket.began) = (.opening, now)
    socket.generation = max(number, generation.number)
    // With credentials to fetch, the attempt began when they were requested.
    if case .credentials = event {} else { attempts.began = now }
    (attempts.isHinted, attempts.awaitsCredentials) = (false, false)
    step.opens = true
  }

  private mutating func checkAttempt() {
    if now < attempts.notBefore, event != .retry, !step.excusesAttempt {
      broke(.retryAfterHonoured, .tooSoon(now - socket.ended, atLeast: attempts.notBefore - socket.ended))
    }
    guard !step.excusesAttempt, let began = attempts.began else { return }
    let apart = now - began
    if apart < settings.backoff.floor { broke(.attemptFloor, .tooSoon(apart, atLeast: settings.backoff.floor)) }
    guard !attempts.isHinted else { return }
    let wait = now - socket.ended
    if wait < settings.backoff.floor { broke(.attemptFloor, .tooSoon(wait, atLeast: settings.backoff.floor)) }
    attempts.made += 1
    guard let maximum = settings.backoff.maximumAttempts, attempts.made > maximum else { return }
    if wait < settings.suspendedCadence?.waits.lowerBound ?? .forever {
      broke(.attemptLimit, .tooMany(attempts.made, atMost: maximum))
    }
  }

  /// True if a ping has been unanswered for the timeout of the settings.
  private var isPongOverdue: Bool {
    guard socket.phase == .open, let pinged = socket.pinged else { return false }
    return now - pinged >= settings.heartbeat.pongTimeout
  }

  /// True if the server has not answered the request to resume within the connect timeout.
  private var isResumeOverdue: Bool {
    settings.resumesStream && !socket.isResumed && now - socket.resuming >= settings.connectTimeout
  }

  /// True if there is a reason to drop the socket in this step.
  private var mayDrop: Bool {
    switch event {
    case .stop, .networkChanged, .network(isReachable: false), .received(_, .malformed), .app(isInFront: false): true
    case .timer:
      switch socket.phase {
      case .opening: now - socket.began >= settings.connectTimeout || isLeftBehind
      case .open: isPongOverdue || isResumeOverdue || isLeftBehind
      case .closing, .none: true
      }
    case .woke: socket.phase == .opening && now - socket.began >= settings.connectTimeout
    default: socket.phase == .closing
    }
  }

  /// True if the app has been in the background for longer than the settings keep a connection.
  private var isLeftBehind: Bool {
    guard !wish.isInFront, case .disconnect(let after) = settings.background else { return false }
    return now - wish.backSince >= after
  }

  private mutating func note(delivered position: StreamPosition) {
    if settings.resumesStream, let last = lastDelivered, last.epoch == position.epoch, position.offset <= last.offset {
      broke(.deliveredOnce, .message(position.offset, expected: last.offset + 1))
    }
    lastDelivered = position
  }
}

// MARK: The step as a whole

extension InvariantChecker {
  /// Checks the step as a whole, by the status after it.
  private mutating func settle(_ status: LiveStatus) {
    if step.toDeliver != nil || step.delivered > 0 { checkDelivery() }
    if step.isFirstFrame, socket.phase == .open, case .received(_, .resumed) = event, !status.isCurrent {
      broke(.firstMessage, .wrongCount(0, expected: 1))
    }
    let isChanged = status != shown
    if isChanged { checkChange(to: status) }
    if status.phase == .closed { checkEnd() } else { checkGoingOn(status) }
    checkStatus(of: status)
    if isChanged { shown = status }
    // A client that waits or is suspended no longer waits for credentials; later ones are old.
    if attempts.awaitsCredentials, status.phase != .connecting {
      attempts.awaitsCredentials = false
      wish.idleSince = now
    }
  }

  private mutating func checkDelivery() {
    let expected = socket.phase == .open ? step.toDeliver ?? 0 : step.delivered
    if step.delivered < expected {
      broke(step.isFirstFrame ? .firstMessage : .messagesDelivered, .wrongCount(step.delivered, expected: expected))
    } else if step.delivered > expected {
      broke(.deliveredOnce, .wrongCount(step.delivered, expected: expected))
    }
    if step.wantsGap, !step.isGapReported { broke(.messagesDelivered, .wrongCount(0, expected: 1)) }
  }

  private mutating func checkChange(to status: LiveStatus) {
    guard let before = shown else { return }
    if step.isStale { broke(.staleChangesNothing, .phase(status.phase, expected: before.phase)) }
    if !step.isAnnounced { broke(.statusAccurate, .status(.announcement)) }
    let (attempt, last) = (status.attempt, before.attempt)
    guard attempt != last else { return }
    if attempt > last + 1 { broke(.countedOnce, .wrongCount(attempt, expected: last + 1)) }
    guard attempt < last else { return }
    let isNewRound = attempt == 1 && last >= settings.backoff.maximumAttempts ?? .max && step.isHint
    let isProof = step.isProof || socket.isProven || socket.isUncertain || attempts.followsProven
    if !isNewRound && !isProof { broke(.countedOnce, .wrongCount(attempt, expected: last)) }
  }

  private mutating func checkEnd() {
    if !wish.hasEnded, !wish.mayEnd { broke(.endsForAReason, .phase(.closed, expected: shown?.phase ?? .disconnected)) }
    wish.hasEnded = true
    if socket.phase == .closing { return }
    if socket.phase != .none { broke(.everyAttemptEnds, .tooMany(1, atMost: 0)) }
    if timer.isSet { broke(.everyAttemptEnds, .tooMany(1, atMost: 0)) }
    if outgoing.waiting > 0 { broke(.everyAttemptEnds, .tooMany(outgoing.waiting, atMost: 0)) }
  }

  private mutating func checkGoingOn(_ status: LiveStatus) {
    if wish.hasEnded || step.mustEnd || wish.isStopped {
      broke(.endsForAReason, .phase(status.phase, expected: .closed))
    }
    if step.opens, attempts.followsProven {
      if status.attempt > 1 { broke(.resetWhenProven, .wrongCount(status.attempt, expected: 1)) }
      attempts.followsProven = false
    }
    let maximum = settings.backoff.maximumAttempts ?? .max
    if status.phase == .suspended, status.attempt < maximum {
      broke(.countedOnce, .wrongCount(status.attempt, expected: maximum))
    }
    guard wish.isStarted else { return }
    if socket.phase == .none {
      let waitsForHint = status.phase == .suspended && settings.suspendedCadence == nil
      let isMoving = attempts.awaitsCredentials ? timer.isSet : status.nextTry != nil
      if mayAttempt, !waitsForHint, !isMoving { broke(.neverStuck, .nothing) }
    }
  }

  private mutating func checkStatus(of status: LiveStatus) {
    let isIdle = status.phase == .waiting || status.phase == .suspended
    switch socket.phase {
    case .open: expect(.connected, status)
    case .opening: expect(.connecting, status)
    case .closing: expect(.closed, status)
    case .none:
      if attempts.awaitsCredentials, status.phase == .connecting { break }
      if !wish.isStarted { expect(.disconnected, status) } else if !isIdle, !wish.hasEnded { expect(.waiting, status) }
    }
    if let next = status.nextTry,
      !isIdle || (next + tolerance < now && next > wish.awoke) || !timer.isSet || timer.due > next
    {
      broke(.statusAccurate, .status(.nextTry))
    }
    if (status.health == .none) != (socket.phase != .open) || hidesDoubt(status) {
      broke(.statusAccurate, .status(.health))
    }
    let isCurrent = socket.phase == .open && (socket.isResumed || !settings.resumesStream)
    if status.isCurrent != isCurrent { broke(.statusAccurate, .status(.isCurrent)) }
    if status.queued != outgoing.waiting { broke(.statusAccurate, .status(.queued)) }
    if status.queued > settings.outbox.count {
      broke(.queueBounds, .tooMany(status.queued, atMost: settings.outbox.count))
    }
  }

  private mutating func expect(_ phase: LiveStatus.Phase, _ status: LiveStatus) {
    if status.phase != phase { broke(.statusAccurate, .phase(status.phase, expected: phase)) }
  }

  /// Returns true if the status calls the link good although the answer to a ping is overdue by more than half of its
  /// time.
  private func hidesDoubt(_ status: LiveStatus) -> Bool {
    guard status.health == .good, let pinged = socket.pinged else { return false }
    return now - pinged > Interval(nanoseconds: settings.heartbeat.pongTimeout.nanoseconds / 2 + 1) + tolerance
  }
}

// MARK: Accounts

extension InvariantChecker {
  struct StepAccount: Sendable {
    /// True if the event is of an earlier generation or an old timer.
    var isStale = false
    /// True if an attempt may follow at once: the first one, after a redirect, or with new credentials.
    var excusesAttempt = false
    /// True if the timer fired late, or the device reports that it woke.
    var isAwakening = false
    var opens = false
    var timerSettings = 0
    var delivered = 0
    /// The number of times that the current message has to be delivered; nil without a message.
    var toDeliver: Int?
    var wantsGap = false
    var isGapReported = false
    var isFirstFrame = false
    var isAnnounced = false
    /// True if the server's answer has to end the client for good in this step.
    var mustEnd = false
    /// True if there is a hint in this step, which starts a new round of attempts.
    var isHint = false
    var isProof = false
  }

  struct SocketAccount: Sendable {
    enum Phase: UInt8, Sendable { case none, opening, open, closing }
    var phase = Phase.none
    var generation: UInt32 = 0
    var began = Instant.zero
    var heard = Instant.zero
    /// The time when the oldest unanswered ping was sent, or excused; nil without one.
    var pinged: Instant?
    var pingNumber: UInt32 = 0
    /// True if its silence was excused because of a short sleep since its last answer.
    var isExcused = false
    var isProven = false
    /// The time from which its uptime counts as proof.
    var proving = Instant.zero
    var isResumed = false
    /// The time from which the answer to the request to resume is awaited.
    var resuming = Instant.zero
    /// True if its proof by uptime is uncertain, because the device slept or the times are equal.
    var isUncertain = false
    var framesSeen = false
    var closing = Instant.zero
    var ended = Instant.zero
  }

  struct TimerAccount: Sendable {
    var isSet = false
    var tag: UInt64 = 0
    var due = Instant.never
  }

  /// The attempts since the last proven connection.
  struct AttemptAccount: Sendable {
    var made = 0
    var began: Instant?
    var redirects = 0
    var isRedirectSecure = false
    /// True if the server refused the credentials and no new ones have come since.
    var needsCredentials = false
    /// True if new credentials have come since the last proven connection.
    var hasRefreshed = false
    /// True if there was a later connection of which it is unknown whether it was proven.
    var mayBeForgotten = false
    var awaitsCredentials = false
    var awaited = Generation.none
    /// The earliest time of an attempt that the server allows.
    var notBefore = Instant.zero
    var isHinted = false
    /// True if the last connection was proven when it ended, without an attempt since.
    var followsProven = false
  }

  struct PendingRequest: Sendable {
    var isStarted = false
    var isStopped = false
    var mayEnd = false
    var hasEnded = false
    var isReachable = true
    var isInFront = true
    /// The time since which the client should be connected but has no socket.
    var idleSince = Instant.zero
    var awoke = Instant.zero
    /// The time since which server and app really cannot reach each other; nil while they can.
    var unserved: Instant? = .zero
    var backSince = Instant.zero
  }

  /// The outcomes of the app's messages.
  struct OutgoingAccount: Sendable {
    private(set) var last: UInt64 = 0
    /// The last acknowledged message; it and all before it are settled.
    private(set) var through: UInt64 = 0
    /// The last message sent on the current connection.
    private(set) var sentHere: UInt64 = 0
    private(set) var everSent: UInt64 = 0
    private(set) var waiting = 0
    private var gone: Set<UInt64> = []

    mutating func made(_ number: MessageNumber) {
      guard number.value > last else { return }
      waiting += Int(number.value - last)
      last = number.value
    }

    mutating func connectionEnded() { sentHere = 0 }

    /// The number of the next message to send on this connection.
    func next() -> UInt64 {
      var number = max(through, sentHere) + 1
      while number <= last, gone.contains(number) { number += 1 }
      return number
    }

    mutating func sent(_ number: MessageNumber) {
      sentHere = number.value
      everSent = max(everSent, sentHere)
    }

    /// Returns true if an acknowledgement by the server is new.
    func isNews(_ number: MessageNumber) -> Bool { min(number.value, everSent) > through }

    /// Settles all messages up to a number; returns whether this is new.
    mutating func acknowledged(_ number: MessageNumber) -> Bool {
      guard number.value > through, number.value <= last else { return false }
      while through < number.value {
        through += 1
        if !gone.contains(through) { waiting -= 1 }
      }
      return true
    }

    /// Settles one message; returns whether it was open before.
    mutating func dropped(_ number: MessageNumber) -> Bool {
      guard number.value > through, number.value <= last, !gone.contains(number.value) else { return false }
      waiting -= 1
      gone.insert(number.value)
      while through < last, gone.contains(through + 1) { through += 1 }
      return true
    }
  }
}
