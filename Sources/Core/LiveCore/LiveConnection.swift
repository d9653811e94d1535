// SPDX-License-Identifier: Apache-2.0

/// A connection that reconnects by itself: a state machine that turns events into effects.
///
/// It is a value without a clock, a socket or a random generator. Each event comes with its time and 64 random bits;
/// each answer is a list of effects for the owner of the socket and of the single timer. The same events give the same
/// effects, so properties proven in simulated hours hold for the app that runs it on real sockets.
///
/// - Every attempt has a generation. Reports of another generation than the current one change nothing, and neither
///   does a timer that has been set again since.
/// - An attempt is counted once. The count is forgotten when a connection is proven, not when it opens.
/// - Every state has an exit: an event that is certain to come, or a deadline.
/// - `closed` is final.
public struct LiveConnection: Sendable {
  /// The state of the connection.
  public internal(set) var state = ConnectionState.disconnected
  private var timer = TimerSetting()
  /// The settings. A change takes effect with the next event.
  public var settings: ConnectionSettings
  /// The attempts since the connection was last proven.
  public internal(set) var attempts = AttemptSchedule()
  /// The messages that wait to be sent or acknowledged.
  public internal(set) var outbox: Outbox
  /// The position of the app in the server's stream.
  private var cursor = StreamCursor()
  private var generation = Generation.none
  /// The time at which the last attempt began; `nil` before the first.
  private var lastAttempt: Instant?
  /// The server asked not to be contacted before this time.
  private var notBefore = Instant.zero
  /// The time at which the connection is closed because the app is not in front.
  private var backgroundDeadline = Instant.never
  private var lastProblem: Problem?
  var isReachable = true
  private var isInFront = true
  /// True if the next attempt starts by fetching credentials.
  private var needsCredentials = false
  /// True if credentials have been fetched since the connection was last proven.
  private var hasRefreshed = false
  /// The number of consecutive redirects that led to the current attempt.
  private var redirects: UInt32 = 0
  /// True if one of them led to a secure address; later redirects may then not lead to a plain one.
  private var isRedirectSecure = false

  /// A connection that has not been started; `ConnectionSettings.check` reports invalid settings.
  public init(_ settings: ConnectionSettings = ConnectionSettings()) {
    self.settings = settings
    outbox = Outbox(settings.outbox)
  }

  /// Handles an event and appends the effects to be carried out.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The time of the event, not before that of the last event.
  ///   - word: 64 random bits that no other event has used.
  ///   - effects: The list to append effects to, in order. The caller empties it.
  /// - Returns: Whether `word` was used, so that the next event needs another.
  @discardableResult
  public mutating func handle(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    switch event {
    case .timer(let tag) where !timer.isSet || tag.number != timer.number: return false
    case .received(let generation, .message(let position, let bytes)):
      takeMessage(position, bytes: bytes, of: generation, into: &effects)
      return false
    default: break
    }
    var turn = Turn(now: now, word: word)
    swap(&turn.effects, &effects)
    let before = status
    dispatch(event, &turn)
    if status != before { turn.add(.statusChanged) }
    rearm(&turn)
    swap(&turn.effects, &effects)
    return turn.isWordUsed
  }

  /// Handles an event and returns its effects in order, with random bits from a generator.
  public mutating func handle<R: RandomNumberGenerator>(
    _ event: LiveEvent, at now: Instant, using random: inout R
  ) -> [LiveEffect] {
    var effects = LiveEffects()
    handle(event, at: now, word: random.next(), into: &effects)
    return Array(effects)
  }

  private mutating func dispatch(_ event: LiveEvent, _ turn: inout Turn) {
    switch event {
    case .start: start(&turn)
    case .stop: end(.stopped, &turn)
    case .retry: retryNow(&turn)
    case .send(let number, let bytes): send(number, bytes: bytes, &turn)
    case .network(let isReachable): networkBecame(reachable: isReachable, &turn)
    case .networkChanged: networkChanged(&turn)
    case .app(let isInFront): appBecame(inFront: isInFront, &turn)
    case .woke: woke(&turn)
    case .opened(let generation): opened(generation, &turn)
    // A socket that reports an error after it opened has ended, whether or not `closed` follows.
    case .failed(let generation, let failure): if hasEnded(generation, &turn) { lose(.failed(failure), &turn) }
    case .refused(let generation, let refusal): refused(generation, refusal, &turn)
    case .received(let generation, let frame): received(frame, of: generation, &turn)
    case .moved(let generation): moved(generation, at: turn.now)
    case .sending(let generation, let number, let isWhole):
      moved(generation, at: turn.now)
      if isOpen(generation) { outbox.sending(number, isWhole: isWhole) }
    case .closed(let generation, let closure): closed(generation, closure, &turn)
    case .timer: timerFired(&turn)
    case .credentials(let generation, let isFresh): credentials(generation, isFresh: isFresh, &turn)
    }
  }
}

extension LiveConnection {
  /// The state for the interface, derived from `state` on each access, so that the two always agree.
  public var status: LiveStatus {
    let (attempt, queued) = (Int(attempts.attempts), outbox.count)
    switch state {
    case .disconnected:
      return LiveStatus(.disconnected, attempt: attempt, lastProblem: lastProblem, queued: queued)
    case .connecting:
      return LiveStatus(.connecting, attempt: attempt, lastProblem: lastProblem, queued: queued)
    case .connected(let link):
      return LiveStatus(
        .connected, attempt: attempt, lastProblem: lastProblem, health: link.isDoubtful ? .doubtful : .good,
        isCurrent: link.isCurrent, queued: queued)
    case .waiting(let waiting):
      return LiveStatus(.waiting, attempt: attempt, nextTry: waiting.due, lastProblem: lastProblem, queued: queued)
    case .suspended(let suspended):
      return LiveStatus(
        .suspended, attempt: attempt, nextTry: suspended.due, lastProblem: lastProblem, queued: queued)
    case .closed: return LiveStatus(.closed, attempt: attempt, lastProblem: lastProblem, queued: queued)
    }
  }
}

extension LiveConnection {
  /// The next time of the heartbeat: a ping is due, or an answer becomes doubtful, or its timeout ends.
  ///
  /// An answer becomes doubtful after half of its timeout.
  private func heartbeatDeadline(_ link: Connected) -> Instant {
    guard let deadline = link.pongDeadline else { return link.nextPing }
    guard !link.isDoubtful else { return deadline }
    return Instant(nanoseconds: deadline.nanoseconds &- settings.heartbeat.pongTimeout.nanoseconds / 2)
  }

  /// Takes the answer to the last ping; other frames, or a pong that was buffered while the device slept, do not prove
  /// that the server receives our frames now. The time for it begins again with each part of a long message (`moved`),
  /// which no frame can overtake.
  private mutating func pong(_ number: UInt32, _ link: inout Connected) {
    guard number == link.ping, link.pongDeadline != nil else { return }
    link.pongDeadline = nil
    (link.isDoubtful, link.isAskedAgain) = (false, false)
  }

  /// Restarts the time for a pong: the pong, or its ping, may wait behind the message that moves.
  private mutating func moved(_ generation: Generation, at now: Instant) {
    guard case .connected(var link) = state, link.generation == generation, link.pongDeadline != nil else { return }
    link.pongDeadline = now + settings.heartbeat.pongTimeout
    state = .connected(link)
  }

  /// Sends a ping now, with the full timeout for the answer.
  private mutating func ping(_ link: inout Connected, _ turn: inout Turn) {
    guard let interval = settings.heartbeat.interval else { return }
    link.ping &+= 1
    link.isAskedAgain = false
    link.pongDeadline = turn.now + settings.heartbeat.pongTimeout
    link.nextPing = turn.now + interval
    turn.add(.sendPing(link.generation, link.ping))
  }

  /// Pings the link after an event that might have killed it. A ping in flight is not repeated, because a series of
  /// hints would postpone its deadline forever.
  private mutating func probe(_ link: inout Connected, _ turn: inout Turn) {
    guard link.pongDeadline == nil else { return }
    ping(&link, &turn)
  }

  /// Pings again after a sleep, which invalidates earlier deadlines and pongs; the link is doubtful until the answer
  /// comes.
  private mutating func probeAfterSleep(_ link: inout Connected, _ turn: inout Turn) {
    ping(&link, &turn)
    link.isDoubtful = link.pongDeadline != nil
    if !link.isProven { link.proofDeadline = turn.now + settings.proof.minimumUptime }
    if link.resumeDeadline != .never { link.resumeDeadline = turn.now + settings.connectTimeout }
  }
}

extension LiveConnection {
  /// Runs the work that is due; if the timer fired too early, it is set again.
  private mutating func timerFired(_ turn: inout Turn) {
    let lateness = turn.now - max(timer.at, timer.setAt)
    timer.at = .never
    outbox.expire(at: turn.now, into: &turn.effects)
    switch state {
    case .disconnected: break
    case .connecting(let attempt):
      guard attempt.deadline <= turn.now else { break }
      if !attempt.awaitsCredentials { turn.add(.abort(attempt.generation)) }
      lose(attempt.awaitsCredentials ? .credentials : .connectTimeout, &turn)
    case .connected(var link):
      if hasSlept(link, lateness, at: turn.now) {
        probeAfterSleep(&link, &turn)
        link.isAskedAgain = lateness < settings.heartbeat.pongTimeout
        state = .connected(link)
      } else {
        check(link, &turn)
      }
    case .waiting(let waiting):
      if let due = waiting.due, due <= turn.now { connect(&turn) }
    case .suspended(let suspended):
      if let due = suspended.due, due <= turn.now { connect(&turn) }
    case .closed(let ended):
      if ended.closing != nil, ended.deadline <= turn.now { dropClosing(&turn) }
    }
    if backgroundDeadline <= turn.now { leaveForBackground(&turn) }
  }

  /// Returns true if the late timer indicates a sleep of the device, even an unreported one, so that the link is pinged
  /// again before it counts as dead: its answer may be in a buffer. A lateness that may have another cause allows one
  /// such ping, because otherwise a dead link would never be found where timers are always late.
  private func hasSlept(_ link: Connected, _ lateness: Interval, at now: Instant) -> Bool {
    if lateness >= settings.heartbeat.pongTimeout { return true }
    guard lateness > settings.heartbeat.lateness, !link.isAskedAgain else { return false }
    return link.pongDeadline.map { $0 <= now } ?? false || link.resumeDeadline <= now
  }

  private mutating func check(_ before: Connected, _ turn: inout Turn) {
    var link = before
    if let deadline = link.pongDeadline, deadline <= turn.now { return drop(link, .pongTimeout, &turn) }
    if link.resumeDeadline <= turn.now { return drop(link, .resumeTimeout, &turn) }
    if link.proofDeadline <= turn.now { prove(&link) }
    if heartbeatDeadline(link) <= turn.now {
      if link.pongDeadline == nil { ping(&link, &turn) } else { link.isDoubtful = true }
    }
    state = .connected(link)
  }

  /// Sets the timer to the earliest deadline if that has changed.
  private mutating func rearm(_ turn: inout Turn) {
    let due = earliestDeadline()
    guard due != timer.at else { return }
    timer.at = due
    guard due != .never else { return turn.add(.cancelTimer) }
    timer.number &+= 1
    timer.setAt = turn.now
    turn.add(.setTimer(TimerTag(timer.number), at: due))
  }

  private func earliestDeadline() -> Instant {
    let expiry = outbox.nextExpiry ?? .never
    switch state {
    case .disconnected: return expiry
    case .connecting(let attempt): return min(attempt.deadline, backgroundDeadline, expiry)
    case .connected(let link):
      return min(min(link.proofDeadline, link.resumeDeadline), min(backgroundDeadline, expiry), heartbeatDeadline(link))
    case .waiting(let waiting): return min(waiting.due ?? .never, expiry)
    case .suspended(let suspended): return min(suspended.due ?? .never, expiry)
    case .closed(let ended): return ended.closing == nil ? .never : ended.deadline
    }
  }
}

extension LiveConnection {
  private mutating func start(_ turn: inout Turn) {
    guard case .disconnected = state else { return }
    guard mayAttempt else {
      state = .waiting(Waiting(due: nil, isCounted: true))
      return
    }
    connect(&turn)
  }

  private mutating func connect(_ turn: inout Turn) {
    (redirects, isRedirectSecure) = (0, false)
    open(.original, &turn)
  }

  /// Begins an attempt with a new generation; it fetches fresh credentials first if they are needed.
  private mutating func open(_ target: OpenTarget, _ turn: inout Turn) {
    generation = generation.next
    lastAttempt = turn.now
    state = .connecting(
      Connecting(
        generation: generation, deadline: turn.now + settings.connectTimeout, awaitsCredentials: needsCredentials))
    turn.add(needsCredentials ? .refreshCredentials(generation) : .open(generation, target))
  }

  private mutating func credentials(_ generation: Generation, isFresh: Bool, _ turn: inout Turn) {
    guard case .connecting(var attempt) = state, attempt.generation == generation, attempt.awaitsCredentials else {
      return
    }
    needsCredentials = false
    guard isFresh else {
      lastProblem = .credentials
      return end(.unauthorised, &turn)
    }
    hasRefreshed = true
    attempt.awaitsCredentials = false
    attempt.deadline = turn.now + settings.connectTimeout
    state = .connecting(attempt)
    turn.add(.open(generation, .original))
  }

  private mutating func opened(_ generation: Generation, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let now = turn.now
    (redirects, isRedirectSecure, notBefore) = (0, false, .zero)
    state = .connected(
      Connected(
        generation: generation, ping: 0, nextPing: settings.heartbeat.interval.map { now + $0 } ?? .never,
        pongDeadline: nil,
        proofDeadline: now + settings.proof.minimumUptime,
        resumeDeadline: settings.resumesStream ? now + settings.connectTimeout : .never, isDoubtful: false,
        isProven: false, isCurrent: !settings.resumesStream))
    begin(generation, &turn)
  }

  private mutating func refused(_ generation: Generation, _ refusal: Refusal, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let problem = Problem.refused(status: refusal.status)
    let verdict = settings.refusalRules.verdict(
      on: refusal, isSecure: settings.isSecure || isRedirectSecure, redirects: Int(redirects))
    switch verdict {
    case .retry: lose(problem, &turn)
    case .retryAfter(let wait):
      // The random share of the spread is part of the earliest time, so that no hint moves the attempt back to the time
      // that all clients were given.
      let moment = turn.now + wait + turn.draw(upTo: settings.refusalRules.spread(after: refusal))
      lose(problem, notBefore: moment, &turn)
    case .refreshCredentials:
      lastProblem = problem
      guard !hasRefreshed else { return end(.unauthorised, &turn) }
      needsCredentials = true
      connect(&turn)
    case .redirect:
      redirects += 1
      isRedirectSecure = isRedirectSecure || refusal.redirect == .secure
      open(.redirected, &turn)
    case .never:
      lastProblem = problem
      end(300...399 ~= refusal.status ? .badRedirect : .refused(refusal.status), &turn)
    }
  }

  private func isOpening(_ generation: Generation) -> Bool {
    guard case .connecting(let attempt) = state else { return false }
    return attempt.generation == generation && !attempt.awaitsCredentials
  }
}

extension LiveConnection {
  private mutating func closed(_ generation: Generation, _ closure: Closure, _ turn: inout Turn) {
    guard hasEnded(generation, &turn) else { return }
    let problem = Problem.closed(closure)
    switch settings.closeRules.verdict(on: closure) {
    case .reconnect: lose(problem, &turn)
    case .reconnectLater(let wait):
      lose(problem, notBefore: turn.now + wait, spread: settings.closeRules.laterSpread, &turn)
    case .refreshCredentials:
      guard !hasRefreshed else {
        lastProblem = problem
        return end(.unauthorised, &turn)
      }
      needsCredentials = true
      lose(problem, &turn)
    case .never:
      lastProblem = problem
      end(.closed(closure.code), &turn)
    }
  }

  /// Records the end of a socket; returns whether it was the current one, so that the connection must react. A socket
  /// in its closing handshake only ends that handshake.
  private mutating func hasEnded(_ generation: Generation, _ turn: inout Turn) -> Bool {
    switch state {
    case .connecting: return isOpening(generation)
    case .connected(let link): return link.generation == generation
    case .closed(var ended) where ended.closing == generation:
      ended.closing = nil
      state = .closed(ended)
      outbox.close(into: &turn.effects)
      return false
    case .disconnected, .waiting, .suspended, .closed: return false
    }
  }

  /// Handles a violation of the protocol: sends a close frame without waiting for the answer (RFC 6455, section 7.1.7),
  /// and stays away for a while, because the server may violate the protocol again right after it resumes.
  private mutating func malformed(_ code: CloseCode, _ link: Connected, _ turn: inout Turn) {
    turn.add(.sendClose(link.generation, code))
    turn.add(.abort(link.generation))
    let rules = settings.closeRules
    lose(.malformed(code), notBefore: turn.now + rules.later, spread: rules.laterSpread, &turn)
  }

  /// Drops an open connection, without a closing handshake because a dead link does not answer.
  private mutating func drop(_ link: Connected, _ problem: Problem, _ turn: inout Turn) {
    turn.add(.abort(link.generation))
    lose(problem, &turn)
  }

  /// Handles a failed attempt or a broken connection: schedules the next attempt if one is left. It comes not before
  /// `earliest`, plus the longer of the usual wait and a random part of `spread`, because the server may have given
  /// many clients the same time.
  private mutating func lose(
    _ problem: Problem, notBefore earliest: Instant = .zero, spread: Interval = .zero, _ turn: inout Turn
  ) {
    lastProblem = problem
    notBefore = max(notBefore, earliest)
    broke(&turn)
    guard mayAttempt else {
      state = .waiting(Waiting(due: nil, isCounted: false))
      return
    }
    guard let wait = attempts.next(settings.backoff, word: turn.draw()) else { return suspend(&turn) }
    // The wait is added to the server's time; otherwise all clients would return at that moment.
    let due = max(turn.now, notBefore) + max(wait, turn.draw(upTo: spread))
    state = .waiting(Waiting(due: due, isCounted: true))
  }

  private mutating func suspend(_ turn: inout Turn) {
    let due = settings.suspendedCadence.map { $0.next(after: turn.now, notBefore: notBefore, word: turn.draw()) }
    state = .suspended(Suspended(due: due))
  }

  /// Closes for good. An open socket gets a closing handshake; a socket that is being opened is dropped.
  private mutating func end(_ reason: Ended.Reason, _ turn: inout Turn) {
    var ended = Ended(reason: reason, closing: nil, deadline: .never)
    switch state {
    case .closed: return
    case .connecting(let attempt) where reason == .stopped && !attempt.awaitsCredentials:
      turn.add(.abort(attempt.generation))
    case .connected(let link) where reason == .stopped:
      turn.add(.sendClose(link.generation, CloseCode(1000)))
      ended.closing = link.generation
      ended.deadline = turn.now + settings.closeTimeout
    case .disconnected, .connecting, .connected, .waiting, .suspended: break
    }
    state = .closed(ended)
    backgroundDeadline = .never
    outbox.close(isOpen: ended.closing != nil, into: &turn.effects)
  }

  /// Drops a socket whose close frame was not answered in time.
  private mutating func dropClosing(_ turn: inout Turn) {
    guard case .closed(var ended) = state, let generation = ended.closing else { return }
    turn.add(.abort(generation))
    ended.closing = nil
    state = .closed(ended)
    outbox.close(into: &turn.effects)
  }

  /// Returns true if the socket is open, if only until its close frame is answered.
  private func isOpen(_ generation: Generation) -> Bool {
    switch state {
    case .connected(let link): link.generation == generation
    case .closed(let ended): ended.closing == generation
    case .disconnected, .connecting, .waiting, .suspended: false
    }
  }
}

extension LiveConnection {
  private var mayAttempt: Bool { isReachable && (isInFront || settings.background == .stayConnected) }

  private mutating func networkBecame(reachable: Bool, _ turn: inout Turn) {
    guard reachable != isReachable else { return }
    isReachable = reachable
    switch state {
    case .connected(var link):
      // A short loss may leave the link alive, a long one does not: a ping decides.
      probe(&link, &turn)
      link.isDoubtful = link.isDoubtful || (!reachable && link.pongDeadline != nil)
      state = .connected(link)
    case .connecting where !reachable:
      lastProblem = .offline
      cutAttempt(&turn)
    case .waiting where !reachable, .suspended where !reachable:
      lastProblem = .offline
      holdAttempts()
    default: hint(&turn)
    }
  }

  private mutating func networkChanged(_ turn: inout Turn) {
    switch state {
    case .disconnected, .closed: return
    case .connected(let link):
      turn.add(.abort(link.generation))
      lastProblem = .networkChanged
      broke(&turn)
      state = .waiting(Waiting(due: nil, isCounted: false))
    case .connecting: cutAttempt(&turn)
    case .waiting, .suspended: break
    }
    hint(&turn)
  }

  private mutating func appBecame(inFront: Bool, _ turn: inout Turn) {
    guard inFront != isInFront else { return }
    isInFront = inFront
    if case .closed = state { return }
    guard inFront else {
      if case .disconnect(let wait) = settings.background { backgroundDeadline = turn.now + wait }
      return holdAttempts()
    }
    backgroundDeadline = .never
    if case .connected(var link) = state {
      probe(&link, &turn)
      state = .connected(link)
    } else {
      hint(&turn)
    }
  }

  private mutating func woke(_ turn: inout Turn) {
    switch state {
    case .connected(var link):
      probeAfterSleep(&link, &turn)
      state = .connected(link)
    case .connecting(let attempt) where attempt.deadline <= turn.now:
      // Its timeout passed while the device slept, so it is repeated and not counted twice.
      cutAttempt(&turn)
      hint(&turn)
    default: hint(&turn)
    }
  }

  /// A user's request: attempts at once, even before `notBefore`. A single user causes no storm; only the backoff's
  /// floor between two attempts applies.
  private mutating func retryNow(_ turn: inout Turn) {
    if case .connected(var link) = state {
      probe(&link, &turn)
      state = .connected(link)
    }
    guard mayAttempt else { return }
    bringForward(to: turn.now, &turn)
    if case .waiting(let waiting) = state, let due = waiting.due, due <= turn.now { connect(&turn) }
  }

  /// Handles a hint that conditions may have improved: the next attempt comes within the hint's spread, if attempts are
  /// allowed, and not before `notBefore`.
  private mutating func hint(_ turn: inout Turn) {
    switch state {
    case .waiting, .suspended:
      guard mayAttempt else { return }
      bringForward(to: max(turn.now, notBefore) + turn.draw(upTo: settings.hintSpread), &turn)
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// Moves the next attempt forward to `moment`, unless it comes earlier already; the backoff's floor since the last
  /// attempt applies. After a suspension, a new round of attempts begins.
  private mutating func bringForward(to moment: Instant, _ turn: inout Turn) {
    let due = max(moment, lastAttempt.map { $0 + settings.backoff.floor } ?? .zero)
    switch state {
    case .waiting(var waiting):
      if !waiting.isCounted { countAttempt(&turn) }
      waiting.isCounted = true
      waiting.due = min(waiting.due ?? .never, due)
      state = .waiting(waiting)
    case .suspended:
      attempts.reset()
      countAttempt(&turn)
      state = .waiting(Waiting(due: due, isCounted: true))
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// Counts an attempt that a hint causes instead of a wait.
  private mutating func countAttempt(_ turn: inout Turn) {
    if attempts.next(settings.backoff, word: turn.draw()) != nil { return }
    attempts.reset()
    _ = attempts.next(settings.backoff, word: turn.draw())
  }

  /// Drops the current attempt without counting it again: the next one repeats it.
  private mutating func cutAttempt(_ turn: inout Turn) {
    guard case .connecting(let attempt) = state else { return }
    if !attempt.awaitsCredentials { turn.add(.abort(attempt.generation)) }
    state = .waiting(Waiting(due: nil, isCounted: true))
  }

  private mutating func holdAttempts() {
    guard !mayAttempt else { return }
    switch state {
    case .waiting(var waiting):
      waiting.due = nil
      state = .waiting(waiting)
    case .suspended(var suspended):
      suspended.due = nil
      state = .suspended(suspended)
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// Handles the end of the time that a connection is kept in the background.
  private mutating func leaveForBackground(_ turn: inout Turn) {
    backgroundDeadline = .never
    switch state {
    case .connecting: cutAttempt(&turn)
    case .connected(let link):
      // The system may freeze the app at any moment, so the answer to a close frame is not awaited.
      turn.add(.abort(link.generation))
      broke(&turn)
      state = .waiting(Waiting(due: nil, isCounted: false))
    case .disconnected, .waiting, .suspended, .closed: return
    }
  }
}

extension LiveConnection {
  /// The position in the server's stream up to which the app has received or been notified of every message; `nil`
  /// before the first.
  public var position: StreamPosition? { cursor.position }

  private mutating func send(_ number: MessageNumber, bytes: Int, _ turn: inout Turn) {
    if case .closed = state { return turn.add(.dropped(number, .closed)) }
    outbox.limits = settings.outbox
    outbox.enqueue(number, bytes: bytes, at: turn.now, into: &turn.effects)
    if case .connected(let link) = state, link.isCurrent { flush(link.generation, &turn) }
  }

  /// Begins an open connection. If the stream is resumed, the app's messages wait for that.
  private mutating func begin(_ generation: Generation, _ turn: inout Turn) {
    if settings.resumesStream {
      turn.add(.sendResume(generation, after: position))
    } else {
      flush(generation, &turn)
    }
  }

  private mutating func received(_ frame: ServerFrame, of generation: Generation, _ turn: inout Turn) {
    guard case .connected(var link) = state, link.generation == generation else {
      // A message that was leaving when the app stopped may still arrive.
      if case .acknowledged(let number) = frame, isOpen(generation), let last = outbox.acknowledge(through: number) {
        turn.add(.acknowledged(through: last))
      }
      return
    }
    switch frame {
    case .ping(let number): turn.add(.sendPong(generation, number))
    case .pong(let number): pong(number, &link)
    case .message: break  // `takeMessage` has delivered it already.
    case .acknowledged(let number):
      guard let last = outbox.acknowledge(through: number) else { break }
      turn.add(.acknowledged(through: last))
      if settings.proof.byAcknowledgement { prove(&link) }
    case .resumed(let start): resumed(after: start, &link, &turn)
    case .malformed(let code): return malformed(code, link, &turn)
    }
    state = .connected(link)
  }

  /// Delivers a message once. A message that comes before the stream is resumed is delivered like any other: it may
  /// have arrived in the same packet as the end of the handshake.
  private mutating func takeMessage(
    _ position: StreamPosition?, bytes: Int, of generation: Generation, into effects: inout LiveEffects
  ) {
    guard case .connected(let link) = state, link.generation == generation else { return }
    if let position, settings.resumesStream {
      switch cursor.accept(position) {
      case .deliver: break
      case .duplicate: return
      case .gap(let gap): effects.append(.gap(after: gap.after, upTo: gap.upTo))
      }
    }
    effects.append(.deliver(position, bytes: bytes))
  }

  /// Handles the server's first answer to the resume request; later ones are ignored.
  private mutating func resumed(after start: StreamPosition, _ link: inout Connected, _ turn: inout Turn) {
    guard !link.isCurrent else { return }
    if let gap = cursor.resumed(after: start) { turn.add(.gap(after: gap.after, upTo: gap.upTo)) }
    link.isCurrent = true
    link.resumeDeadline = .never
    flush(link.generation, &turn)
  }

  private mutating func flush(_ generation: Generation, _ turn: inout Turn) {
    outbox.expire(at: turn.now, into: &turn.effects)
    while let number = outbox.nextToSend() { turn.add(.sendMessage(generation, number)) }
  }

  /// Marks the connection as proven: only now are the attempts that led to it forgotten. A resumed stream is not
  /// enough: a client would reconnect without end to a server that resumes and closes at once.
  private mutating func prove(_ link: inout Connected) {
    link.proofDeadline = .never
    guard !link.isProven else { return }
    link.isProven = true
    attempts.reset()
    lastProblem = nil
    hasRefreshed = false
  }

  private mutating func broke(_ turn: inout Turn) {
    outbox.connectionBroke(settings.unacknowledged, into: &turn.effects)
  }
}

/// An event being handled: its time, its random bits, and its effects.
private struct Turn {
  let now: Instant
  private let word: UInt64
  private(set) var isWordUsed = false
  var effects = LiveEffects(unreserved: ())

  init(now: Instant, word: UInt64) { (self.now, self.word) = (now, word) }

  @inline(never)
  mutating func add(_ effect: LiveEffect) { effects.append(effect) }

  /// The event's random bits. An event draws one wait, so one word is enough.
  mutating func draw() -> UInt64 {
    isWordUsed = true
    return word
  }

  /// A uniform wait from 0 to the longest.
  mutating func draw(upTo longest: Interval) -> Interval { longest > .zero ? longest.share(of: draw()) : .zero }
}

private struct TimerSetting: Hashable, Sendable {
  var number: UInt64 = 0
  var at = Instant.never
  /// The time at which it was set: one that was set for a time already past is late only since then.
  var setAt = Instant.zero

  var isSet: Bool { at != .never }
}
